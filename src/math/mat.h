// mat.h: 3x3 matrices, row-major.
#pragma once

#include "math/vec.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Mat3 {
  Real m[9];
  static constexpr int size = 9;
  LOCKSTEP_INLINE Real& operator[](int i) { return m[i]; }
  LOCKSTEP_INLINE const Real& operator[](int i) const { return m[i]; }
  LOCKSTEP_INLINE Real& operator()(int row, int col) { return m[3 * row + col]; }
  LOCKSTEP_INLINE const Real& operator()(int row, int col) const { return m[3 * row + col]; }
};

using Mat3d = Mat3<double>;

template <class Real>
LOCKSTEP_INLINE Mat3<Real> diagonal(const Vec3<Real>& d) {
  const Real o(0);
  return {{d.x, o, o, o, d.y, o, o, o, d.z}};
}
template <class Real>
LOCKSTEP_INLINE Mat3<Real> identity3() {
  return diagonal(Vec3<Real>{Real(1), Real(1), Real(1)});
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> row(const Mat3<Real>& a, int i) {
  return {a.m[3 * i], a.m[3 * i + 1], a.m[3 * i + 2]};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> col(const Mat3<Real>& a, int i) {
  return {a.m[i], a.m[i + 3], a.m[i + 6]};
}
template <class Real>
LOCKSTEP_INLINE Mat3<Real> from_rows(const Vec3<Real>& a, const Vec3<Real>& b,
                                     const Vec3<Real>& c) {
  return {{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z}};
}
template <class Real>
LOCKSTEP_INLINE Mat3<Real> from_cols(const Vec3<Real>& a, const Vec3<Real>& b,
                                     const Vec3<Real>& c) {
  return {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
}
template <class Real>
LOCKSTEP_INLINE Mat3<Real> transpose(const Mat3<Real>& a) {
  return from_cols(row(a, 0), row(a, 1), row(a, 2));
}

template <class Real>
LOCKSTEP_INLINE Vec3<Real> operator*(const Mat3<Real>& a, const Vec3<Real>& v) {
  return {dot(row(a, 0), v), dot(row(a, 1), v), dot(row(a, 2), v)};
}
// a' v
template <class Real>
LOCKSTEP_INLINE Vec3<Real> mul_transposed(const Mat3<Real>& a, const Vec3<Real>& v) {
  return {dot(col(a, 0), v), dot(col(a, 1), v), dot(col(a, 2), v)};
}
template <class Real>
LOCKSTEP_INLINE Mat3<Real> operator*(const Mat3<Real>& a, const Mat3<Real>& b) {
  return from_cols(a * col(b, 0), a * col(b, 1), a * col(b, 2));
}
template <class Real>
LOCKSTEP_INLINE Mat3<Real> operator*(const Mat3<Real>& a, Real s) {
  return {{a.m[0] * s, a.m[1] * s, a.m[2] * s, a.m[3] * s, a.m[4] * s, a.m[5] * s, a.m[6] * s,
           a.m[7] * s, a.m[8] * s}};
}
template <class Real>
LOCKSTEP_INLINE Mat3<Real> operator+(const Mat3<Real>& a, const Mat3<Real>& b) {
  return from_rows(row(a, 0) + row(b, 0), row(a, 1) + row(b, 1), row(a, 2) + row(b, 2));
}
template <class Real>
LOCKSTEP_INLINE Mat3<Real> operator-(const Mat3<Real>& a, const Mat3<Real>& b) {
  return from_rows(row(a, 0) - row(b, 0), row(a, 1) - row(b, 1), row(a, 2) - row(b, 2));
}
template <class Real>
LOCKSTEP_INLINE Real determinant(const Mat3<Real>& a) {
  return dot(row(a, 0), cross(row(a, 1), row(a, 2)));
}
template <class Real>
LOCKSTEP_INLINE Real trace(const Mat3<Real>& a) {
  return a.m[0] + a.m[4] + a.m[8];
}
// rot diag(d) rot': a tensor given along the columns of rot, in the outer frame.
template <class Real>
LOCKSTEP_INLINE Mat3<Real> rotate_diagonal(const Mat3<Real>& rot, const Vec3<Real>& d) {
  return rot * (diagonal(d) * transpose(rot));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
