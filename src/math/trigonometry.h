// trigonometry.h: sin, cos, tan and their inverses, for float, double and packs. within 1 ulp.
// floats are computed in double and rounded once.
#pragma once

#include "math/pi_reduction.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SinCos {
  Real sin, cos;
};

namespace trig_detail {

// below this sin x, tan x and asin x are x itself, to half an ulp.
inline constexpr double tiny_angle = 0x1p-27;

// sin r = r + r z S(z),  cos r = 1 - z/2 + z z C(z),  z = r r,  |r| <= pi/4
inline constexpr double sin_terms[] = {
    -0x1.5555555555555p-3,  0x1.1111111111110p-7,  -0x1.a01a01a019936p-13, 0x1.71de3a54605eep-19,
    -0x1.ae64541266378p-26, 0x1.61217ec01749dp-33, -0x1.ab17a79237a19p-41};
inline constexpr double cos_terms[] = {0x1.5555555555555p-5,  -0x1.6c16c16c16966p-10,
                                       0x1.a01a019f4e867p-16, -0x1.27e4fa17a41b4p-22,
                                       0x1.1eeb68b109173p-29, -0x1.907d7aebd5e3dp-37};

// both, still as sums of a large and a small part.
template <class D>
struct SinCosPair {
  DoubleDouble<D> sin, cos;
};
template <class D>
LOCKSTEP_INLINE SinCosPair<D> sincos_reduced(const DoubleDouble<D>& r) {
  const DoubleDouble<D> zz = two_prod(r.hi, r.hi);
  const D z = zz.hi;
  const D s = r.hi * z * polynomial(z, sin_terms) + r.lo * (D(1) - D(0.5) * z);
  const DoubleDouble<D> c = fast_two_sum(D(1), D(-0.5) * z);
  const D tail = z * z * polynomial(z, cos_terms) - (D(0.5) * zz.lo + r.hi * r.lo);
  return {{r.hi, s}, {c.hi, c.lo + tail}};
}

// x with its sign flipped where bit 1 of n is set; n is whole and below 2^51.
template <class D>
LOCKSTEP_INLINE D flip_by_bit1(const D& x, const D& n) {
  return from_bits(to_bits(x) ^ ((to_bits(n + D(round_magic)) & Bits<D>(2)) << 62));
}
template <class D>
LOCKSTEP_INLINE Mask<D> is_odd(const D& n) {
  return (to_bits(n + D(round_magic)) & Bits<D>(1)) == Bits<D>(1);
}

template <class D>
LOCKSTEP_INLINE SinCos<D> sincos_double(const D& x) {
  const QuarterTurns<D> q = reduce_quarter_turns(x);
  const SinCosPair<D> p = sincos_reduced(q.angle);
  const D s = p.sin.hi + p.sin.lo, c = p.cos.hi + p.cos.lo;
  const Mask<D> odd = is_odd(q.quarter);
  const D sine = flip_by_bit1(select(odd, c, s), q.quarter);
  const D cosine = flip_by_bit1(select(odd, s, c), q.quarter + D(1));
  return {select(abs(x) < D(tiny_angle), x, sine), cosine};
}

// of a float, to some 30 bits: rounded to a float that is within 1 ulp, in fewer terms.
// The terms are the first of those above.
template <class D>
LOCKSTEP_INLINE SinCos<D> sincos_short(const D& x) {
  using namespace pi_detail;
  const Mask<D> usual = abs(x) <= D(short_way_limit);
  const D near = select(usual, x, D(0)), n = nearest(near * D(two_over_pi));
  const D r = ((near - n * D(half_pi[0])) - n * D(half_pi[1])) - n * D(half_pi[2]);
  const D z = r * r;
  const D s = r + r * z *
                      (D(sin_terms[0]) +
                       z * (D(sin_terms[1]) + z * (D(sin_terms[2]) + z * D(sin_terms[3]))));
  const D c =
      (D(1) - D(0.5) * z) +
      z * z *
          (D(cos_terms[0]) + z * (D(cos_terms[1]) + z * (D(cos_terms[2]) + z * D(cos_terms[3]))));
  const Mask<D> odd = is_odd(n);
  SinCos<D> found{select(near == D(0), near, flip_by_bit1(select(odd, c, s), n)),
                  flip_by_bit1(select(odd, s, c), n + D(1))};
  if (!all(usual)) {
    const SinCos<D> far = sincos_double(x);
    found = {select(usual, found.sin, far.sin), select(usual, found.cos, far.cos)};
  }
  return found;
}

template <class Real>
LOCKSTEP_INLINE auto sincos_of(const Real& x) {
  if constexpr (sizeof(Scalar<Real>) == sizeof(float)) {
    return sincos_short(to_double(x));
  } else {
    return sincos_double(to_double(x));
  }
}

// tan = sin / cos, or -cos / sin in the odd quarters.
template <class D>
LOCKSTEP_INLINE D tan_double(const D& x) {
  const QuarterTurns<D> q = reduce_quarter_turns(x);
  const SinCosPair<D> p = sincos_reduced(q.angle);
  const DoubleDouble<D> s = fast_two_sum(p.sin.hi, p.sin.lo);
  const DoubleDouble<D> c = fast_two_sum(p.cos.hi, p.cos.lo);
  const Mask<D> odd = is_odd(q.quarter);
  const DoubleDouble<D> minus_c{-c.hi, -c.lo};
  const DoubleDouble<D> t = select<D>(odd, minus_c, s) / select<D>(odd, s, c);
  return select(abs(x) < D(tiny_angle), x, t.hi);
}

// asin s = s + s z A(z),  z = s s <= 1/4
inline constexpr double asin_terms[] = {
    0x1.5555555555555p-3,  0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5, 0x1.f1c71c7a52ba3p-6,
    0x1.6e8ba123e494cp-6,  0x1.1c4efce23019fp-6, 0x1.c990ad3d8fdcap-7, 0x1.7b027ee1dd585p-7,
    0x1.3b49de7121487p-7,  0x1.31622469ce5adp-7, 0x1.8f193743418ffp-9, 0x1.406192d124629p-6,
    -0x1.3b416bb7d9257p-6, 0x1.e529c6fce9bb4p-6};
inline constexpr double half_pi_hi = 0x1.921fb54442d18p+0, half_pi_lo = 0x1.1a62633145c07p-54;

// above 1/2 by the half angle: asin a = pi/2 - 2 asin sqrt((1 - a)/2). of that inner sine the
// rounding error of the root matters, so it comes as a pair.
template <class D>
struct AsinCore {
  Mask<D> large;
  D s, rest;  // asin of the inner sine is s + rest
};
template <class D>
LOCKSTEP_INLINE AsinCore<D> asin_core(const D& x) {
  const D a = abs(x);
  const Mask<D> large = a > D(0.5);
  const D z = select(large, (D(1) - a) * D(0.5), a * a);
  const D s = select(large, sqrt(z), a);
  const DoubleDouble<D> ss = two_prod(s, s);
  const Mask<D> root = large && s > D(0);
  const D error = select(root, ((z - ss.hi) - ss.lo) / select(root, s + s, D(1)), D(0));
  return {large, s, s * z * polynomial(z, asin_terms) + error};
}

template <class D>
LOCKSTEP_INLINE D asin_double(const D& x) {
  const AsinCore<D> c = asin_core(x);
  const DoubleDouble<D> h = fast_two_sum(D(half_pi_hi), D(-2) * c.s);
  const D big = h.hi + (h.lo + (D(half_pi_lo) - D(2) * c.rest));
  const D magnitude = select(c.large, big, c.s + c.rest);
  return select(abs(x) < D(tiny_angle), x, copysign(magnitude, x));
}

template <class D>
LOCKSTEP_INLINE D acos_double(const D& x) {
  const AsinCore<D> c = asin_core(x);
  const D s = copysign(c.s, x), rest = copysign(D(1), x) * c.rest;
  const DoubleDouble<D> h = fast_two_sum(D(half_pi_hi), -s);
  const D small = h.hi + (h.lo + (D(half_pi_lo) - rest));
  const DoubleDouble<D> b = fast_two_sum(D(2 * half_pi_hi), D(-2) * c.s);
  const D backward = b.hi + (b.lo + (D(2 * half_pi_lo) - D(2) * c.rest));
  const D forward = D(2) * (c.s + c.rest);
  return select(c.large, select(x < D(0), backward, forward), small);
}

// atan u = u + u z T(z),  z = u u,  |u| <= sqrt(2) - 1
inline constexpr double atan_terms[] = {
    -0x1.5555555555555p-2, 0x1.9999999999953p-3, -0x1.249249248d7dcp-3, 0x1.c71c71c303dbbp-4,
    -0x1.745d165dc9713p-4, 0x1.3b1392d519db1p-4, -0x1.110e87b4357d2p-4, 0x1.e19a0bfa3eef9p-5,
    -0x1.ac7a5a79b3f26p-5, 0x1.74dccfb93fff0p-5, -0x1.1b311bb48c215p-5, 0x1.0acd9e91a5a35p-6};

// keeps the larger side clear of overflow, and of subnormals where they would cost digits.
template <class D>
LOCKSTEP_INLINE D safe_scale(const D& larger) {
  return select(larger > D(0x1p900), D(0x1p-60), select(larger < D(0x1p-600), D(0x1p300), D(1)));
}

// the tangent of the angle within its octant, as a pair: small / large, or beyond
// tan(pi/8) that of the angle less pi/4: (small - large) / (small + large).
template <class D>
LOCKSTEP_INLINE DoubleDouble<D> octant_tangent(const D& small, const D& large, Mask<D>& shifted) {
  shifted = small > D(0.41421356237309503) * large;
  const DoubleDouble<D> diff = two_sum(small, -large), sum = two_sum(small, large);
  const D num = select(shifted, diff.hi, small), den = select(shifted, sum.hi, large);
  const D u = num / den;
  const DoubleDouble<D> p = two_prod(u, den);
  const D more = select(shifted, diff.lo - u * sum.lo, D(0));
  const D rest = (((num - p.hi) - p.lo) + more) / den;
  // a quotient this small needs no rest, and its rest would drown in subnormals.
  return {u, select(abs(u) > D(0x1p-250), rest, D(0))};
}

// the angle is a multiple of pi/4 plus or minus the octant's angle.
template <class D>
LOCKSTEP_INLINE D atan2_double(const D& y, const D& x) {
  const D inf(__builtin_inf());
  const Mask<D> both = abs(x) == inf && abs(y) == inf;
  const D ax = select(both, D(1), abs(x)), ay = select(both, D(1), abs(y));
  const Mask<D> steep = ay > ax, left = copysign(D(1), x) < D(0);
  const D large = select(steep, ay, ax), small = select(steep, ax, ay);
  const D scale = safe_scale(large);
  const D safe_large = select(large == D(0), D(1), large * scale);
  Mask<D> shifted;
  const DoubleDouble<D> u = octant_tangent(small * scale, safe_large, shifted);
  const D z = u.hi * u.hi;
  const D rest = u.lo + u.hi * z * polynomial(z, atan_terms);
  // unshifted: 0, pi/2 (steep), pi (left and flat); shifted: pi/4 or 3 pi/4
  const D whole = select(steep, D(half_pi_hi), select(left, D(2 * half_pi_hi), D(0)));
  const D whole_lo = select(steep, D(half_pi_lo), select(left, D(2 * half_pi_lo), D(0)));
  const D odd = select(left, D(0x1.2d97c7f3321d2p+1), D(0.5 * half_pi_hi));
  const D odd_lo = select(left, D(0x1.a79394c9e8a0ap-54), D(0.5 * half_pi_lo));
  const D base = select(shifted, odd, whole), base_lo = select(shifted, odd_lo, whole_lo);
  const D turn = select(steep, select(left, D(1), D(-1)), select(left, D(-1), D(1)));
  const DoubleDouble<D> s = two_sum(base, turn * u.hi);
  const D angle = s.hi + (s.lo + (base_lo + turn * rest));
  const D magnitude = select(is_nan(x) || is_nan(y), x + y, angle);
  return copysign(magnitude, y);
}

}  // namespace trig_detail

template <class Real>
LOCKSTEP_FN SinCos<Real> sincos(Real x) {
  const auto r = trig_detail::sincos_of(x);
  return {RealTraits<Real>::from_double(r.sin), RealTraits<Real>::from_double(r.cos)};
}
template <class Real>
LOCKSTEP_FN Real sin(Real x) {
  return RealTraits<Real>::from_double(trig_detail::sincos_of(x).sin);
}
template <class Real>
LOCKSTEP_FN Real cos(Real x) {
  return RealTraits<Real>::from_double(trig_detail::sincos_of(x).cos);
}
template <class Real>
LOCKSTEP_FN Real tan(Real x) {
  return RealTraits<Real>::from_double(trig_detail::tan_double(to_double(x)));
}
// NaN outside [-1, 1].
template <class Real>
LOCKSTEP_FN Real asin(Real x) {
  return RealTraits<Real>::from_double(trig_detail::asin_double(to_double(x)));
}
template <class Real>
LOCKSTEP_FN Real acos(Real x) {
  return RealTraits<Real>::from_double(trig_detail::acos_double(to_double(x)));
}
// the C library's answers for zeros and infinities: atan2(+-0, -0) is +-pi, and so on.
template <class Real>
LOCKSTEP_FN Real atan2(Real y, Real x) {
  return RealTraits<Real>::from_double(trig_detail::atan2_double(to_double(y), to_double(x)));
}
template <class Real>
LOCKSTEP_FN Real atan(Real x) {
  return atan2(x, Real(1));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
