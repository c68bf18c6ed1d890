// vec.h: small vectors of Real. aggregates with value semantics, indexable component by component.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Vec2 {
  Real x, y;
  static constexpr int size = 2;
  LOCKSTEP_INLINE Real& operator[](int i) { return i == 0 ? x : y; }
  LOCKSTEP_INLINE const Real& operator[](int i) const { return i == 0 ? x : y; }
};

template <class Real>
struct Vec3 {
  Real x, y, z;
  static constexpr int size = 3;
  LOCKSTEP_INLINE Real& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  LOCKSTEP_INLINE const Real& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

template <class Real, int N>
struct VecN {
  Real v[N];
  static constexpr int size = N;
  LOCKSTEP_INLINE Real& operator[](int i) { return v[i]; }
  LOCKSTEP_INLINE const Real& operator[](int i) const { return v[i]; }
};

using Vec2d = Vec2<double>;
using Vec3d = Vec3<double>;

// ---- componentwise ----

template <class Real>
LOCKSTEP_INLINE Vec2<Real> operator+(const Vec2<Real>& a, const Vec2<Real>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class Real>
LOCKSTEP_INLINE Vec2<Real> operator-(const Vec2<Real>& a, const Vec2<Real>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class Real>
LOCKSTEP_INLINE Vec2<Real> operator*(const Vec2<Real>& a, Real s) {
  return {a.x * s, a.y * s};
}
template <class Real>
LOCKSTEP_INLINE Mask<Real> operator==(const Vec2<Real>& a, const Vec2<Real>& b) {
  return a.x == b.x && a.y == b.y;
}
template <class Real>
LOCKSTEP_INLINE Real dot(const Vec2<Real>& a, const Vec2<Real>& b) {
  return a.x * b.x + a.y * b.y;
}

template <class Real>
LOCKSTEP_INLINE Vec3<Real> operator+(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> operator-(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> operator-(const Vec3<Real>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> operator*(const Vec3<Real>& a, Real s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> operator*(Real s, const Vec3<Real>& a) {
  return a * s;
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real>& operator+=(Vec3<Real>& a, const Vec3<Real>& b) {
  return a = a + b;
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real>& operator-=(Vec3<Real>& a, const Vec3<Real>& b) {
  return a = a - b;
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real>& operator*=(Vec3<Real>& a, Real s) {
  return a = a * s;
}
template <class Real>
LOCKSTEP_INLINE Mask<Real> operator==(const Vec3<Real>& a, const Vec3<Real>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> select(Mask<Real> m, const Vec3<Real>& a, const Vec3<Real>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> mul_elements(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> abs(const Vec3<Real>& a) {
  return {abs(a.x), abs(a.y), abs(a.z)};
}

// ---- products and norms ----

template <class Real>
LOCKSTEP_INLINE Real dot(const Vec3<Real>& a, const Vec3<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> cross(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
LOCKSTEP_INLINE Real norm(const Vec3<Real>& a) {
  return sqrt(dot(a, a));
}
template <class Real>
LOCKSTEP_INLINE Real distance(const Vec3<Real>& a, const Vec3<Real>& b) {
  return norm(a - b);
}

template <class Real>
struct Normalized3 {
  Vec3<Real> vec;
  Real norm;  // before normalization
};

// a vector shorter than min_val becomes the x axis.
template <class Real>
LOCKSTEP_INLINE Normalized3<Real> normalize_with_norm(const Vec3<Real>& a) {
  const Real n = norm(a);
  const Mask<Real> tiny = n < Real(min_val);
  const Vec3<Real> unit = a * (Real(1) / select(tiny, Real(1), n));
  return {select(tiny, Vec3<Real>{Real(1), Real(0), Real(0)}, unit), n};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Real> normalize(const Vec3<Real>& a) {
  return normalize_with_norm(a).vec;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
