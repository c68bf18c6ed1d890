// rounding.h: floor, ceil, trunc, round and fmod: exact for every argument, NaN and infinity kept.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

namespace rounding_detail {

// from here on every number is whole.
template <class Real>
LOCKSTEP_INLINE Real whole() {
  return Real(sizeof(Scalar<Real>) == 8 ? 0x1p52 : 0x1p23);
}
// nearest whole number to a magnitude below whole().
template <class Real>
LOCKSTEP_INLINE Real nearest_magnitude(const Real& a) {
  return (a + whole<Real>()) - whole<Real>();
}

}  // namespace rounding_detail

// towards zero; the sign of x stays, on zeros too.
template <class Real>
LOCKSTEP_FN Real trunc(Real x) {
  using namespace rounding_detail;
  const Real a = abs(x), n = nearest_magnitude(a);
  const Real t = select(n > a, n - Real(1), n);
  return select(a < whole<Real>(), copysign(t, x), x);
}

template <class Real>
LOCKSTEP_FN Real floor(Real x) {
  const Real t = trunc(x);
  return copysign(select(t > x, t - Real(1), t), x);
}

template <class Real>
LOCKSTEP_FN Real ceil(Real x) {
  const Real t = trunc(x);
  return copysign(select(t < x, t + Real(1), t), x);
}

// to the nearest, halves away from zero.
template <class Real>
LOCKSTEP_FN Real round(Real x) {
  const Real t = trunc(x), a = abs(t);
  return copysign(select(abs(x) - a >= Real(0.5), a + Real(1), a), x);
}

namespace rounding_detail {

// long division on the mantissas, eleven bits at a time.
LOCKSTEP_FN double fmod_one(double x, double y) {
  const double ax = abs(x), ay = abs(y);
  if (!is_finite(x) || is_nan(y) || ay == 0) return (x * y) / (x * y);
  if (ax < ay) return x;
  constexpr uint64_t fraction = 0x000fffffffffffffu, hidden = 0x0010000000000000u;
  const uint64_t bx = to_bits(ax), by = to_bits(ay);
  int ex = int(bx >> 52), ey = int(by >> 52);
  uint64_t mx = ex ? (bx & fraction) | hidden : bx, my = ey ? (by & fraction) | hidden : by;
  ex = ex ? ex : 1;
  ey = ey ? ey : 1;
  uint64_t rest = mx % my;
  for (int left = ex - ey; left > 0 && rest != 0;) {
    const int step = min(left, 11);
    rest = (rest << step) % my;
    left -= step;
  }
  if (rest == 0) return copysign(0.0, x);
  while (rest < hidden && ey > 1) {
    rest <<= 1;
    --ey;
  }
  const uint64_t bits = rest < hidden ? rest : (rest & fraction) | uint64_t(ey) << 52;
  return copysign(from_bits(bits), x);
}

}  // namespace rounding_detail

// remainder of x / y with the sign of x, without error; NaN for infinite x or zero y.
template <class Real>
LOCKSTEP_FN Real fmod(Real x, Real y) {
  Real r = x;
  for_each_lane<Real>([&](int i) {
    const double one = rounding_detail::fmod_one(to_double(lane(x, i)), to_double(lane(y, i)));
    set_lane(r, i, Scalar<Real>(one));
  });
  return r;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
