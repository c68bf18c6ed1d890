// principal.cc: see principal.h. Jacobi rotations, accumulated in a quaternion.
#include "compile/mesh/principal.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::mesh {
namespace {

constexpr double eps = 1e-14;
constexpr int max_iterations = 500;

// axis that faces the largest off-diagonal element
int widest(const Mat3d& d) {
  double xy = std::abs(d(0, 1)), xz = std::abs(d(0, 2)), yz = std::abs(d(1, 2));
  if (xy > xz && xy > yz) return 2;
  return xz > yz ? 1 : 0;
}

// the turn about `axis` that clears the element facing it
Quatd clearing_turn(const Mat3d& d, int axis) {
  int row = axis == 0 ? 1 : 0, col = axis == 2 ? 1 : 2;
  double tau = (d(col, col) - d(row, row)) / (2 * d(row, col));
  double root = std::sqrt(1 + tau * tau);
  double tangent = tau >= 0 ? 1.0 / (tau + root) : -1.0 / (-tau + root);
  double half = tangent / (1 + std::sqrt(1 + tangent * tangent));  // of half the angle
  Quatd turn{1 / std::sqrt(1 + half * half), 0, 0, 0};
  turn[axis + 1] = (axis == 1 ? half : -half) * turn.w;
  return turn;
}

void sort_decreasing(Principal& p, double margin) {
  for (int i : {0, 1, 0}) {
    if (!(p.value[i] + margin < p.value[i + 1])) continue;
    std::swap(p.value[i], p.value[i + 1]);
    // a quarter turn about the third axis; its constant is rounded in the reference too
    Quatd turn{0.707106781186548, 0, 0, 0};
    turn[(i + 2) % 3 + 1] = turn.w;
    p.quat = unit_quat(product(p.quat, turn));
  }
}

}  // namespace

Quatd product(const Quatd& a, const Quatd& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Mat3d matrix_of(const Quatd& q) {
  double ww = q.w * q.w, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  double xx = q.x * q.x, xy = q.x * q.y, xz = q.x * q.z;
  double yy = q.y * q.y, yz = q.y * q.z, zz = q.z * q.z;
  return {{ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy),  //
           2 * (xy + wz), ww - xx + yy - zz, 2 * (yz - wx),  //
           2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz}};
}

Quatd unit_quat(const Quatd& q) {
  double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  double length = std::sqrt(square);
  if (square < eps || std::abs(length - 1) <= eps) return q;
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

Principal principal_axes(const Mat3d& inertia, double tolerance) {
  double largest = 0;
  for (double x : inertia.m) largest = std::max(largest, std::abs(x));
  const double margin = tolerance * largest;

  Principal p{{0, 0, 0}, {1, 0, 0, 0}};
  for (int i = 0; i < max_iterations; i++) {
    Mat3d axes = matrix_of(p.quat);
    Mat3d d = (transpose(axes) * inertia) * axes;
    p.value = {d(0, 0), d(1, 1), d(2, 2)};
    int axis = widest(d);
    if (!(std::abs(d(axis == 0 ? 1 : 0, axis == 2 ? 1 : 2)) > margin)) break;
    p.quat = unit_quat(product(p.quat, clearing_turn(d, axis)));
  }
  sort_decreasing(p, margin);
  return p;
}

}  // namespace lockstep::mesh
