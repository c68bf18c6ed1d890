#include "compile/pose.h"

#include <cmath>

#include "math/eig3.h"
#include "spec/orientation.h"

namespace lockstep {
namespace {

constexpr double same_tolerance = 1e-6;

}  // namespace

double normalize_length(double* v, int n) { return make_unit(v, n); }

double normalize_length(Vec3d& v) { return normalize_length(&v.x, 3); }
double normalize_length(Quatd& q) { return normalize_length(&q.w, 4); }

Pose operator*(const Pose& outer, const Pose& inner) {
  Pose result{outer * inner.pos, outer.quat * inner.quat};
  normalize_length(result.quat);
  return result;
}

Vec3d operator*(const Pose& outer, const Vec3d& point) {
  return outer.pos + to_mat(outer.quat) * point;
}

Pose inverse(const Pose& pose) {
  Quatd back = conj(pose.quat);
  return {-(to_mat(back) * pose.pos), back};
}

Quatd quat_from_z(const Vec3d& z) { return to_quat(rotation_of_z(to_array(z))); }

std::array<double, 6> turned_inertia(const Vec3d& diagonal, const Quatd& quat) {
  Mat3d full = rotate_diagonal(to_mat(quat), diagonal);
  return {full.m[0], full.m[4], full.m[8], full.m[1], full.m[2], full.m[5]};
}

std::array<double, 6> turned_inertia(const std::array<double, 6>& full, const Quatd& quat) {
  if (quat.w == 1) return full;
  Mat3d turn = to_mat(quat);
  Mat3d inertia{{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
  Mat3d result = turn * (inertia * transpose(turn));
  return {result.m[0], result.m[4], result.m[8], result.m[1], result.m[2], result.m[5]};
}

std::array<double, 6> offset_inertia(double mass, const Vec3d& d) {
  return {mass * (d.y * d.y + d.z * d.z),
          mass * (d.x * d.x + d.z * d.z),
          mass * (d.x * d.x + d.y * d.y),
          -mass * d.x * d.y,
          -mass * d.x * d.z,
          -mass * d.y * d.z};
}

bool principal_axes(const std::array<double, 6>& full, bool bounded, Pose& axes, Vec3d& moments) {
  Mat3d matrix{{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
  Eig3<double> eig = eig3(matrix);
  axes.quat = eig.quat;
  moments = eig.value;
  return !(moments.z < (bounded ? -tiny_length : tiny_length));  // no number passes, as in MuJoCo
}

bool same_pos(const Vec3d& a, const Vec3d& b) {
  Vec3d gap = a - b;
  return std::abs(gap.x) < same_tolerance && std::abs(gap.y) < same_tolerance &&
         std::abs(gap.z) < same_tolerance;
}

bool same_quat(const Quatd& a, const Quatd& b) {
  bool plus = true, minus = true;
  for (int i = 0; i < 4; i++) {
    minus = minus && std::abs(a[i] - b[i]) < same_tolerance;
    plus = plus && std::abs(a[i] + b[i]) < same_tolerance;
  }
  return plus || minus;
}

}  // namespace lockstep
