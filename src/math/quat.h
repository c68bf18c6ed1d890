// quat.h: unit quaternions (w, x, y, z), with MuJoCo's conventions and degenerate cases.
#pragma once

#include "math/elementary.h"
#include "math/mat.h"
#include "math/vec.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Quat {
  Real w, x, y, z;
  static constexpr int size = 4;
  LOCKSTEP_INLINE Real& operator[](int i) { return i == 0 ? w : i == 1 ? x : i == 2 ? y : z; }
  LOCKSTEP_INLINE const Real& operator[](int i) const {
    return i == 0 ? w : i == 1 ? x : i == 2 ? y : z;
  }
};

using Quatd = Quat<double>;

template <class Real>
LOCKSTEP_INLINE Quat<Real> identity_quat() {
  return {Real(1), Real(0), Real(0), Real(0)};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> vec_part(const Quat<Real>& q) {
  return {q.x, q.y, q.z};
}
template <class Real>
LOCKSTEP_INLINE Mask<Real> operator==(const Quat<Real>& a, const Quat<Real>& b) {
  return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class Real>
LOCKSTEP_INLINE Quat<Real> select(Mask<Real> m, const Quat<Real>& a, const Quat<Real>& b) {
  return {select(m, a.w, b.w), select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
template <class Real>
LOCKSTEP_INLINE Quat<Real> operator*(const Quat<Real>& q, Real s) {
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}

// product: first b, then a. sums are paired, here and below: shorter chains, and MuJoCo's bits.
template <class Real>
LOCKSTEP_INLINE Quat<Real> operator*(const Quat<Real>& a, const Quat<Real>& b) {
  return {(a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
          (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
          (a.w * b.y - a.x * b.z) + (a.y * b.w + a.z * b.x),
          (a.w * b.z + a.x * b.y) + (a.z * b.w - a.y * b.x)};
}
template <class Real>
LOCKSTEP_INLINE Quat<Real> conj(const Quat<Real>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class Real>
LOCKSTEP_INLINE Real norm(const Quat<Real>& q) {
  return sqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
}

// shorter than min_val: identity. within min_val of unit length: left as it is.
template <class Real>
LOCKSTEP_INLINE Quat<Real> normalize(const Quat<Real>& q) {
  const Real n = norm(q);
  const Mask<Real> tiny = n < Real(min_val);
  const Mask<Real> keep = abs(n - Real(1)) <= Real(min_val);
  const Quat<Real> unit = q * (Real(1) / select(tiny || keep, Real(1), n));
  return select(tiny, identity_quat<Real>(), unit);
}

// v rotated by q:  v + 2 u x (w v + u x v),  u = (x, y, z).
template <class Real>
LOCKSTEP_INLINE Vec3<Real> rotate(const Quat<Real>& q, const Vec3<Real>& v) {
  const Vec3<Real> t{q.w * v.x + q.y * v.z - q.z * v.y, q.w * v.y + q.z * v.x - q.x * v.z,
                     q.w * v.z + q.x * v.y - q.y * v.x};
  return v + cross(vec_part(q), t) * Real(2);
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> rotate_inv(const Quat<Real>& q, const Vec3<Real>& v) {
  return rotate(conj(q), v);
}

// the matrix of a possibly unnormalized q is scaled by its squared norm, as in MuJoCo.
template <class Real>
LOCKSTEP_INLINE Mat3<Real> to_mat(const Quat<Real>& q) {
  const Real ww = q.w * q.w, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const Real xx = q.x * q.x, xy = q.x * q.y, xz = q.x * q.z;
  const Real yy = q.y * q.y, yz = q.y * q.z, zz = q.z * q.z;
  const Real two(2);
  return {{(ww - yy) + (xx - zz), two * (xy - wz), two * (xz + wy),  //
           two * (xy + wz), (ww + yy) - (xx + zz), two * (yz - wx),  //
           two * (xz - wy), two * (yz + wx), (ww - yy) - (xx - zz)}};
}

// divides by the component that is safely large: w when the trace is positive, otherwise the one
// of the largest diagonal element. all four candidates differ only in signs and order.
template <class Real>
LOCKSTEP_FN Quat<Real> from_mat(const Mat3<Real>& a) {
  const Real xx = a.m[0], yy = a.m[4], zz = a.m[8], one(1);
  const Mask<Real> by_w = xx + yy + zz > Real(0);
  const Mask<Real> by_x = !by_w && xx > yy && xx > zz;
  const Mask<Real> by_y = !by_w && !by_x && yy > zz;
  const Real square = select(
      by_w, one + xx + yy + zz,
      select(by_x, one + xx - yy - zz, select(by_y, one - xx + yy - zz, one - xx - yy + zz)));
  const Real big = Real(0.5) * sqrt(square);
  const Real dx = Real(0.25) * (a.m[7] - a.m[5]) / big, dy = Real(0.25) * (a.m[2] - a.m[6]) / big;
  const Real dz = Real(0.25) * (a.m[3] - a.m[1]) / big, sxy = Real(0.25) * (a.m[1] + a.m[3]) / big;
  const Real sxz = Real(0.25) * (a.m[2] + a.m[6]) / big, syz = Real(0.25) * (a.m[5] + a.m[7]) / big;
  const Quat<Real> qw{big, dx, dy, dz}, qx{dx, big, sxy, sxz};
  const Quat<Real> qy{dy, sxy, big, syz}, qz{dz, sxz, syz, big};
  return normalize(select(by_w, qw, select(by_x, qx, select(by_y, qy, qz))));
}

// axis must be a unit vector; angle 0 gives exactly the identity.
template <class Real>
LOCKSTEP_FN Quat<Real> from_axis_angle(const Vec3<Real>& axis, Real angle) {
  const SinCos<Real> half = sincos(angle * Real(0.5));
  const Quat<Real> q{half.cos, axis.x * half.sin, axis.y * half.sin, axis.z * half.sin};
  return select(angle == Real(0), identity_quat<Real>(), q);
}

// rotation difference as a velocity over dt, the shorter way round.
template <class Real>
LOCKSTEP_FN Vec3<Real> quat_to_vel(const Quat<Real>& q, Real dt) {
  const Normalized3<Real> axis = normalize_with_norm(vec_part(q));
  const Real angle = Real(2) * atan2(axis.norm, q.w);
  const Real shorter = select(angle > Real(pi), angle - Real(2 * pi), angle);
  return axis.vec * (shorter / dt);
}

// the velocity that turns b into a in unit time, in b's frame.
template <class Real>
LOCKSTEP_FN Vec3<Real> subtract(const Quat<Real>& a, const Quat<Real>& b) {
  return quat_to_vel(conj(b) * a, Real(1));
}

// time derivative of q under the angular velocity vel given in the outer frame.
template <class Real>
LOCKSTEP_INLINE Quat<Real> derivative(const Quat<Real>& q, const Vec3<Real>& vel) {
  return Quat<Real>{Real(0), vel.x, vel.y, vel.z} * q * Real(0.5);
}

// q turned by vel (in its own frame) for the time dt.
template <class Real>
LOCKSTEP_FN Quat<Real> integrate(const Quat<Real>& q, const Vec3<Real>& vel, Real dt) {
  const Normalized3<Real> axis = normalize_with_norm(vel);
  return normalize(q) * from_axis_angle(axis.vec, dt * axis.norm);
}

// smallest rotation that takes the z axis onto v; a half turn about x when v points down.
template <class Real>
LOCKSTEP_FN Quat<Real> from_z_to(const Vec3<Real>& v) {
  const Normalized3<Real> dir = normalize_with_norm(v);
  const Normalized3<Real> axis = normalize_with_norm(Vec3<Real>{-dir.vec.y, dir.vec.x, Real(0)});
  const Quat<Real> turn = from_axis_angle(axis.vec, atan2(axis.norm, dir.vec.z));
  const Mask<Real> parallel = dir.norm < Real(min_val) || axis.norm < Real(min_val);
  const Mask<Real> down = !(dir.norm < Real(min_val)) && dir.vec.z < Real(0);
  const Quat<Real> half_turn{Real(0), Real(1), Real(0), Real(0)};
  return select(parallel, select(down, half_turn, identity_quat<Real>()), turn);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
