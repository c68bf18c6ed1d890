// spatial.h: 6D motion and force vectors and inertias, in MuJoCo's com-based convention:
// rotation first, translation second, axes of the world, about one reference point per tree.
#pragma once

#include "math/mat.h"
#include "math/vec.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a motion (angular, linear velocity) or a force (torque, force).
template <class Real>
struct Vec6 {
  Vec3<Real> rot, lin;
  static constexpr int size = 6;
  LOCKSTEP_INLINE Real& operator[](int i) { return i < 3 ? rot[i] : lin[i - 3]; }
  LOCKSTEP_INLINE const Real& operator[](int i) const { return i < 3 ? rot[i] : lin[i - 3]; }
};

// inertia about the reference point: rotational part, mass times offset, mass.
template <class Real>
struct Inertia {
  Real xx, yy, zz, xy, xz, yz;
  Vec3<Real> moment;  // mass * (com - reference)
  Real mass;
  static constexpr int size = 10;
  LOCKSTEP_INLINE Real& operator[](int i) {
    switch (i) {
      case 0: return xx;
      case 1: return yy;
      case 2: return zz;
      case 3: return xy;
      case 4: return xz;
      case 5: return yz;
      case 9: return mass;
      default: return moment[i - 6];
    }
  }
  LOCKSTEP_INLINE const Real& operator[](int i) const { return const_cast<Inertia&>(*this)[i]; }
};

template <class Real>
LOCKSTEP_INLINE Vec6<Real> zero6() {
  const Vec3<Real> o{Real(0), Real(0), Real(0)};
  return {o, o};
}
template <class Real>
LOCKSTEP_INLINE Vec6<Real> operator+(const Vec6<Real>& a, const Vec6<Real>& b) {
  return {a.rot + b.rot, a.lin + b.lin};
}
template <class Real>
LOCKSTEP_INLINE Vec6<Real> operator-(const Vec6<Real>& a, const Vec6<Real>& b) {
  return {a.rot - b.rot, a.lin - b.lin};
}
template <class Real>
LOCKSTEP_INLINE Vec6<Real> operator*(const Vec6<Real>& a, Real s) {
  return {a.rot * s, a.lin * s};
}
template <class Real>
LOCKSTEP_INLINE Vec6<Real>& operator+=(Vec6<Real>& a, const Vec6<Real>& b) {
  return a = a + b;
}
template <class Real>
LOCKSTEP_INLINE Vec6<Real>& operator-=(Vec6<Real>& a, const Vec6<Real>& b) {
  return a = a - b;
}
template <class Real>
LOCKSTEP_INLINE Vec6<Real> select(Mask<Real> m, const Vec6<Real>& a, const Vec6<Real>& b) {
  return {select(m, a.rot, b.rot), select(m, a.lin, b.lin)};
}
// power of a force along a motion. summed in index order.
template <class Real>
LOCKSTEP_INLINE Real dot(const Vec6<Real>& a, const Vec6<Real>& b) {
  return a.rot.x * b.rot.x + a.rot.y * b.rot.y + a.rot.z * b.rot.z + a.lin.x * b.lin.x +
         a.lin.y * b.lin.y + a.lin.z * b.lin.z;
}

// rate of change of the motion s carried along by the motion v.
template <class Real>
LOCKSTEP_INLINE Vec6<Real> cross_motion(const Vec6<Real>& v, const Vec6<Real>& s) {
  return {cross(v.rot, s.rot), cross(v.rot, s.lin) + cross(v.lin, s.rot)};
}
// rate of change of the force f carried along by the motion v.
template <class Real>
LOCKSTEP_INLINE Vec6<Real> cross_force(const Vec6<Real>& v, const Vec6<Real>& f) {
  return {cross(v.rot, f.rot) + cross(v.lin, f.lin), cross(v.rot, f.lin)};
}

// inertia of a body whose principal axes are the columns of rot, at com - reference = offset.
template <class Real>
LOCKSTEP_INLINE Inertia<Real> inertia_about(const Vec3<Real>& principal, const Mat3<Real>& rot,
                                            const Vec3<Real>& offset, Real mass) {
  const Vec3<Real> rx = mul_elements(row(rot, 0), principal);
  const Vec3<Real> ry = mul_elements(row(rot, 1), principal);
  const Vec3<Real> rz = mul_elements(row(rot, 2), principal);
  const Vec3<Real> o = offset;
  return {dot(row(rot, 0), rx) + mass * (o.y * o.y + o.z * o.z),
          dot(row(rot, 1), ry) + mass * (o.x * o.x + o.z * o.z),
          dot(row(rot, 2), rz) + mass * (o.x * o.x + o.y * o.y),
          dot(row(rot, 0), ry) - mass * o.x * o.y,
          dot(row(rot, 0), rz) - mass * o.x * o.z,
          dot(row(rot, 1), rz) - mass * o.y * o.z,
          o * mass,
          mass};
}
template <class Real>
LOCKSTEP_INLINE Inertia<Real> zero_inertia() {
  const Real o(0);
  return {o, o, o, o, o, o, {o, o, o}, o};
}
template <class Real>
LOCKSTEP_INLINE Inertia<Real> operator+(const Inertia<Real>& a, const Inertia<Real>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz,         a.xy + b.xy,
          a.xz + b.xz, a.yz + b.yz, a.moment + b.moment, a.mass + b.mass};
}
template <class Real>
LOCKSTEP_INLINE Inertia<Real>& operator+=(Inertia<Real>& a, const Inertia<Real>& b) {
  return a = a + b;
}

// the momentum (a force vector) of the motion v.
template <class Real>
LOCKSTEP_INLINE Vec6<Real> operator*(const Inertia<Real>& i, const Vec6<Real>& v) {
  const Vec3<Real>&w = v.rot, &u = v.lin, &h = i.moment;
  return {{i.xx * w.x + i.xy * w.y + i.xz * w.z - h.z * u.y + h.y * u.z,
           i.xy * w.x + i.yy * w.y + i.yz * w.z + h.z * u.x - h.x * u.z,
           i.xz * w.x + i.yz * w.y + i.zz * w.z - h.y * u.x + h.x * u.y},
          {h.z * w.y - h.y * w.z + i.mass * u.x, h.x * w.z - h.z * w.x + i.mass * u.y,
           h.y * w.x - h.x * w.y + i.mass * u.z}};
}

// a motion or force seen from the point that lies at shift = new - old; axes unchanged.
template <class Real>
LOCKSTEP_INLINE Vec6<Real> shift_motion(const Vec6<Real>& v, const Vec3<Real>& shift) {
  return {v.rot, v.lin - cross(shift, v.rot)};
}
template <class Real>
LOCKSTEP_INLINE Vec6<Real> shift_force(const Vec6<Real>& f, const Vec3<Real>& shift) {
  return {f.rot - cross(shift, f.lin), f.lin};
}
// expresses v in the axes that are the columns of rot.
template <class Real>
LOCKSTEP_INLINE Vec6<Real> into_axes(const Mat3<Real>& rot, const Vec6<Real>& v) {
  return {mul_transposed(rot, v.rot), mul_transposed(rot, v.lin)};
}

// motion axis of a hinge whose anchor lies at reference - anchor = offset, and of a slide.
template <class Real>
LOCKSTEP_INLINE Vec6<Real> hinge_axis(const Vec3<Real>& axis, const Vec3<Real>& offset) {
  return {axis, cross(axis, offset)};
}
template <class Real>
LOCKSTEP_INLINE Vec6<Real> slide_axis(const Vec3<Real>& axis) {
  return {{Real(0), Real(0), Real(0)}, axis};
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
