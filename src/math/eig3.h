// eig3.h: eigenvalues of a symmetric 3x3 matrix, and the rotation onto its principal axes.
// for the model compiler: plain float or double only, it branches on numbers.
#pragma once

#include "math/quat.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct Eig3 {
  Vec3<T> value;  // decreasing
  Quat<T> quat;   // columns of its matrix are the eigenvectors
  int iterations;
};

namespace eig3_detail {

// relative to the largest element: what counts as a cleared element, and as equal eigenvalues.
inline constexpr double cleared = 4e-15, equal = 1e-12;

template <class T>
LOCKSTEP_FN T largest_element(const Mat3<T>& a) {
  T largest(0);
  for (int i = 0; i < 9; ++i) largest = max(abs(a.m[i]), largest);
  return largest;
}

// the rotation axis facing the largest off-diagonal element; ties go to the later element.
template <class T>
LOCKSTEP_FN int largest_off_diagonal(const Mat3<T>& d) {
  const T xy = abs(d.m[1]), xz = abs(d.m[2]), yz = abs(d.m[5]);
  if (xy > xz && xy > yz) return 2;
  return xz > yz ? 1 : 0;
}

// the Jacobi rotation about one coordinate axis that clears the element facing it.
template <class T>
LOCKSTEP_FN Quat<T> jacobi_turn(const Mat3<T>& d, int axis) {
  const int row = axis == 0 ? 1 : 0, col = axis == 2 ? 1 : 2;
  const T tau = (d(col, col) - d(row, row)) / (T(2) * d(row, col));
  const T root = sqrt(T(1) + tau * tau);
  const T tangent = tau >= T(0) ? T(1) / (tau + root) : T(-1) / (root - tau);
  const T half_tangent = tangent / (T(1) + sqrt(T(1) + tangent * tangent));
  const T half_cos = T(1) / sqrt(T(1) + half_tangent * half_tangent);
  const T half_sin = half_tangent * half_cos;
  Quat<T> turn{half_cos, T(0), T(0), T(0)};
  turn[axis + 1] = axis == 1 ? half_sin : -half_sin;
  return turn;
}

}  // namespace eig3_detail

// Jacobi iteration carried by a quaternion, so that the result is a rotation without a reflection.
template <class T>
LOCKSTEP_FN Eig3<T> eig3(const Mat3<T>& a) {
  using namespace eig3_detail;
  constexpr int max_iterations = 500;
  const T scale = largest_element(a);
  Eig3<T> r{{a.m[0], a.m[4], a.m[8]}, identity_quat<T>(), 0};
  for (; r.iterations < max_iterations; ++r.iterations) {
    const Mat3<T> v = to_mat(r.quat);
    const Mat3<T> d = (transpose(v) * a) * v;
    r.value = {d.m[0], d.m[4], d.m[8]};
    const int axis = largest_off_diagonal(d);
    const T off = axis == 0 ? d.m[5] : axis == 1 ? d.m[2] : d.m[1];
    if (!(abs(off) > T(cleared) * scale)) break;
    r.quat = normalize(r.quat * jacobi_turn(d, axis));
  }
  // sort by quarter turns about the axis that stays: pairs (0,1), (1,2), (0,1).
  constexpr int lead[3] = {0, 1, 0};
  for (const int i : lead) {
    if (!(r.value[i] + T(equal) * scale < r.value[i + 1])) continue;
    const T larger = r.value[i + 1];
    r.value[i + 1] = r.value[i];
    r.value[i] = larger;
    Quat<T> quarter{T(0.707106781186548), T(0), T(0), T(0)};
    quarter[(i + 2) % 3 + 1] = quarter.w;
    r.quat = normalize(r.quat * quarter);
  }
  return r;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
