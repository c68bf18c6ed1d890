// dual.h: a number and its derivative along one direction. A kernel called with Dual<Real> in place
// of Real returns its derivative beside its value; conditions look at the value alone.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Dual {
  Real value, slope;

  Dual() = default;
  LOCKSTEP_INLINE Dual(Real value, Real slope) : value(value), slope(slope) {}
  LOCKSTEP_INLINE explicit Dual(double constant) : value(constant), slope(0.0) {}
};

template <class Real>
struct RealTraits<Dual<Real>> {
  using Scalar = typename RealTraits<Real>::Scalar;
  using Mask = typename RealTraits<Real>::Mask;
  static constexpr int lanes = RealTraits<Real>::lanes;
};

template <class Real>
LOCKSTEP_INLINE Dual<Real> operator+(const Dual<Real>& a, const Dual<Real>& b) {
  return {a.value + b.value, a.slope + b.slope};
}
template <class Real>
LOCKSTEP_INLINE Dual<Real> operator-(const Dual<Real>& a, const Dual<Real>& b) {
  return {a.value - b.value, a.slope - b.slope};
}
template <class Real>
LOCKSTEP_INLINE Dual<Real> operator-(const Dual<Real>& a) {
  return {-a.value, -a.slope};
}
template <class Real>
LOCKSTEP_INLINE Dual<Real> operator*(const Dual<Real>& a, const Dual<Real>& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
template <class Real>
LOCKSTEP_INLINE Dual<Real> operator/(const Dual<Real>& a, const Dual<Real>& b) {
  const Real value = a.value / b.value;
  return {value, (a.slope - value * b.slope) / b.value};
}
template <class Real>
LOCKSTEP_INLINE Dual<Real>& operator+=(Dual<Real>& a, const Dual<Real>& b) {
  return a = a + b;
}
template <class Real>
LOCKSTEP_INLINE Dual<Real>& operator-=(Dual<Real>& a, const Dual<Real>& b) {
  return a = a - b;
}

template <class Real>
LOCKSTEP_INLINE Mask<Real> operator<(const Dual<Real>& a, const Dual<Real>& b) {
  return a.value < b.value;
}
template <class Real>
LOCKSTEP_INLINE Mask<Real> operator>(const Dual<Real>& a, const Dual<Real>& b) {
  return a.value > b.value;
}
template <class Real>
LOCKSTEP_INLINE Mask<Real> operator<=(const Dual<Real>& a, const Dual<Real>& b) {
  return a.value <= b.value;
}
template <class Real>
LOCKSTEP_INLINE Mask<Real> operator>=(const Dual<Real>& a, const Dual<Real>& b) {
  return a.value >= b.value;
}
template <class Real>
LOCKSTEP_INLINE Mask<Real> operator==(const Dual<Real>& a, const Dual<Real>& b) {
  return a.value == b.value;
}
template <class Real>
LOCKSTEP_INLINE Mask<Real> operator!=(const Dual<Real>& a, const Dual<Real>& b) {
  return a.value != b.value;
}

template <class Real>
LOCKSTEP_INLINE Dual<Real> select(Mask<Real> m, const Dual<Real>& a, const Dual<Real>& b) {
  return {select(m, a.value, b.value), select(m, a.slope, b.slope)};
}
// ties as for plain numbers: b
template <class Real>
LOCKSTEP_INLINE Dual<Real> min(const Dual<Real>& a, const Dual<Real>& b) {
  return select(a.value < b.value, a, b);
}
template <class Real>
LOCKSTEP_INLINE Dual<Real> max(const Dual<Real>& a, const Dual<Real>& b) {
  return select(a.value > b.value, a, b);
}
// at 0 the slope of the right side
template <class Real>
LOCKSTEP_INLINE Dual<Real> abs(const Dual<Real>& a) {
  return select(a.value < Real(0), -a, a);
}
// at 0 the slope is 0, not infinite: lengths of vectors that vanish stay harmless
template <class Real>
LOCKSTEP_INLINE Dual<Real> sqrt(const Dual<Real>& a) {
  const Real root = sqrt(a.value);
  const Mask<Real> zero = root == Real(0);
  return {root, select(zero, Real(0), a.slope / (Real(2) * select(zero, Real(1), root)))};
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
