// exponential.h: exp, log, pow, the hyperbolic functions, cbrt and hypot, for float, double and
// packs. within 1 ulp, pow within 2. floats are computed in double and rounded once.
#pragma once

#include "math/double_double.h"
#include "math/rounding.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

namespace exp_detail {

inline constexpr double log2_e = 0x1.71547652b82fep+0;
// ln 2: 42 bits, whose products with an 11-bit integer are exact, and a rest.
inline constexpr double ln2_hi = 0x1.62e42fefa3800p-1, ln2_lo = 0x1.ef35793c76730p-45;

// e^r = 1 + r + r r E(r),  |r| <= ln 2 / 2
inline constexpr double exp_terms[] = {
    0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555556p-5,  0x1.11111111100dcp-7,
    0x1.6c16c16c162d4p-10, 0x1.a01a01abe7fe1p-13, 0x1.a01a01a6d889cp-16, 0x1.71de0231960ebp-19,
    0x1.27e4db646b17ep-22, 0x1.af4de97ca4194p-26, 0x1.1f730349868cep-29};

// e^(x.hi + x.lo) = mantissa * 2^exponent, for x.hi in [-1000, 1000].
template <class D>
struct ExpParts {
  DoubleDouble<D> mantissa;  // in [0.7, 1.42]
  D exponent;
};
template <class D>
LOCKSTEP_INLINE ExpParts<D> exp_parts(const DoubleDouble<D>& x) {
  const D n = nearest(x.hi * D(log2_e));
  const DoubleDouble<D> r = two_sum(x.hi - n * D(ln2_hi), x.lo - n * D(ln2_lo));
  const D curve = r.hi * r.hi * polynomial(r.hi, exp_terms);
  const DoubleDouble<D> one = fast_two_sum(D(1), r.hi);
  return {fast_two_sum(one.hi, one.lo + (curve + (r.lo + r.lo * r.hi))), n};
}

// beyond these the result is 0 or infinity anyway.
inline constexpr double exp_lowest = -746, exp_highest = 710;

template <class D>
LOCKSTEP_INLINE D exp_double(const D& x) {
  const D c = clamp(x, D(exp_lowest), D(exp_highest));
  const ExpParts<D> e = exp_parts(DoubleDouble<D>{c, D(0)});
  return scale_by_power(e.mantissa.hi, e.exponent);
}

// atanh s = s + s z/3 + s z z H(z),  z = s s,  |s| <= 3 - 2 sqrt(2)
inline constexpr double atanh_terms[] = {
    0x1.999999999999ap-3, 0x1.2492492492521p-3, 0x1.c71c71c6eaa10p-4, 0x1.745d177a96056p-4,
    0x1.3b1395d2190c1p-4, 0x1.1118c7e4b0917p-4, 0x1.df7cc8e5fa539p-5, 0x1.e02e6fff27908p-5};

// ln x to some 65 bits, for positive finite x:  x = 2^k m,  ln m = 2 atanh((m - 1)/(m + 1)).
template <class D>
LOCKSTEP_INLINE DoubleDouble<D> log_pair(const D& x) {
  const Decomposed<D> parts = decompose(x);
  const Mask<D> upper = parts.mantissa > D(1.4142135623730951);
  const D m = select(upper, parts.mantissa * D(0.5), parts.mantissa);
  const D k = select(upper, parts.exponent + D(1), parts.exponent);
  const DoubleDouble<D> s = DoubleDouble<D>{m - D(1), D(0)} / two_sum(m, D(1));
  const DoubleDouble<D> z = s * s;
  const DoubleDouble<D> third{D(0x1.5555555555555p-2), D(0x1.5555555555555p-56)};
  const DoubleDouble<D> high{z.hi * z.hi * polynomial(z.hi, atanh_terms), D(0)};
  const DoubleDouble<D> curve = s * (z * third + high);
  const DoubleDouble<D> log_m = s + curve;
  const DoubleDouble<D> whole = fast_two_sum(k * D(ln2_hi), k * D(ln2_lo));
  return whole + DoubleDouble<D>{D(2) * log_m.hi, D(2) * log_m.lo};
}

template <class D>
LOCKSTEP_INLINE D log_double(const D& x) {
  const D inf(__builtin_inf());
  const Mask<D> usual = x > D(0) && x < inf;
  const D y = log_pair(select(usual, x, D(1))).hi;
  const D unusual = select(x == D(0), -inf, select(x == inf, inf, D(__builtin_nan(""))));
  return select(usual, y, unusual);
}

// ---- pow ----

// |x|^y = exp(y ln|x|) for positive finite |x| and finite y.
template <class D>
LOCKSTEP_INLINE D pow_magnitude(const D& ax, const D& y) {
  const DoubleDouble<D> l = log_pair(ax);
  // |ln x| is 0 or above 2^-53: a larger y changes nothing but could overflow.
  const D c = clamp(y, D(-0x1p66), D(0x1p66));
  const DoubleDouble<D> p = two_prod(l.hi, c);
  const D product = clamp(p.hi, D(exp_lowest), D(exp_highest));
  const D rest = select(product == p.hi, p.lo + l.lo * c, D(0));
  const ExpParts<D> e = exp_parts(DoubleDouble<D>{product, rest});
  return scale_by_power(e.mantissa.hi, e.exponent);
}

// the C library's answers for zeros, infinities, NaN and negative x.
template <class D>
LOCKSTEP_INLINE D pow_double(const D& x, const D& y) {
  const D inf(__builtin_inf()), zero(0), one(1);
  const D ax = abs(x);
  const Mask<D> usual = ax > zero && ax < inf && abs(y) < inf;
  const D power = pow_magnitude(select(usual, ax, one), select(usual, y, one));
  // a base of zero or infinity, or an infinite exponent
  const Mask<D> grows = (ax > one && y > zero) || (ax < one && y < zero);
  const D limit = select(grows, inf, select(ax == one, one, zero));
  const D magnitude = select(usual, power, limit);
  const Mask<D> whole = trunc(y) == y, odd = whole && trunc(y * D(0.5)) * D(2) != y;
  const Mask<D> negative = copysign(one, x) < zero;
  const D signed_power = select(negative && odd, -magnitude, magnitude);
  const Mask<D> complex = usual && negative && !whole;
  const Mask<D> bad = complex || is_nan(x) || is_nan(y);
  const D answer = select(bad, D(__builtin_nan("")), signed_power);
  return select(y == zero || x == one, one, answer);
}

// ---- hyperbolic functions ----

// sinh x = x + x z S(z) on [0, 1], tanh x = x + x z T(z) on [0, 0.55],  z = x x
inline constexpr double sinh_terms[] = {
    0x1.5555555555555p-3,  0x1.11111111110fdp-7,  0x1.a01a01a01ee70p-13, 0x1.71de3a4e14f40p-19,
    0x1.ae6460fae3728p-26, 0x1.611cb330c1fe8p-33, 0x1.b41232cf9950fp-41};
inline constexpr double tanh_terms[] = {
    -0x1.5555555555555p-2,  0x1.1111111111109p-3,  -0x1.ba1ba1ba1a732p-5,  0x1.664f48822e9a5p-6,
    -0x1.226e3539b9272p-7,  0x1.d6d3c60009e9cp-9,  -0x1.7da25da5066b5p-10, 0x1.3547bfaa42508p-11,
    -0x1.f41d11ba745a0p-13, 0x1.8c93b7d5aba25p-14, -0x1.1adede7706052p-15, 0x1.08378067f032ap-17};

// (e^a + sign e^-a) / 2 for a >= 0; the second term vanishes long before its factor runs out.
template <class D>
LOCKSTEP_INLINE D half_exp_sum(const D& a, double sign) {
  const ExpParts<D> e = exp_parts(DoubleDouble<D>{clamp(a, D(0), D(711)), D(0)});
  const D n = e.exponent;
  const D inverse = power_of_two(D(-2) * min(n, D(500))) / e.mantissa.hi;
  const DoubleDouble<D> s = two_sum(e.mantissa.hi, D(sign) * inverse);
  return scale_by_power(s.hi + (s.lo + e.mantissa.lo), n - D(1));
}

template <class D>
LOCKSTEP_INLINE D sinh_double(const D& x) {
  const D a = abs(x), z = a * a;
  const D small = a + a * z * polynomial(z, sinh_terms);
  return copysign(select(a < D(1), small, half_exp_sum(a, -1)), x);
}
template <class D>
LOCKSTEP_INLINE D cosh_double(const D& x) {
  return half_exp_sum(abs(x), 1);
}

// large: 1 - 2 / (e^2a + 1)
template <class D>
LOCKSTEP_INLINE D tanh_double(const D& x) {
  const D a = abs(x), z = a * a;
  const D small = a + a * z * polynomial(z, tanh_terms);
  const ExpParts<D> e = exp_parts(DoubleDouble<D>{clamp(a + a, D(0), D(60)), D(0)});
  const D scale = power_of_two(e.exponent);
  const DoubleDouble<D> sum = two_sum(e.mantissa.hi * scale, D(1));
  const DoubleDouble<D> den = fast_two_sum(sum.hi, sum.lo + e.mantissa.lo * scale);
  const DoubleDouble<D> t = DoubleDouble<D>{D(2), D(0)} / den;
  const DoubleDouble<D> r = fast_two_sum(D(1), -t.hi);
  return copysign(select(a < D(0.55), small, r.hi + (r.lo - t.lo)), x);
}

// ---- roots ----

// cube root of m in [1, 8) from a cubic guess (1.4 %), two Halley steps and an exact residual.
template <class D>
LOCKSTEP_INLINE D cbrt_mantissa(const D& m) {
  constexpr double guess[] = {0x1.2343470fc7fdbp-1, 0x1.0b42f8ee28884p-1, -0x1.ba797501b18f9p-4,
                              0x1.529f77524a817p-7};
  D y = D(1.2599210498948732) * polynomial(m * D(0.5), guess);
  for (int i = 0; i < 2; ++i) {
    const D y3 = y * y * y;
    y = y * ((y3 + D(2) * m) / (D(2) * y3 + m));
  }
  const DoubleDouble<D> y2 = two_prod(y, y), y3 = two_prod(y2.hi, y);
  const D residual = (m - y3.hi) - (y3.lo + y2.lo * y);
  return y + residual / (D(3) * y2.hi);
}

template <class D>
LOCKSTEP_INLINE D cbrt_double(const D& x) {
  const D a = abs(x);
  const Mask<D> usual = a > D(0) && a < D(__builtin_inf());
  const Decomposed<D> parts = decompose(select(usual, a, D(1)));
  const D third = nearest((parts.exponent - D(1)) * D(1.0 / 3.0));
  const D m = parts.mantissa * power_of_two(parts.exponent - D(3) * third);
  return select(usual, copysign(cbrt_mantissa(m) * power_of_two(third), x), x);
}

template <class D>
LOCKSTEP_INLINE D hypot_double(const D& x, const D& y) {
  const D inf(__builtin_inf()), ax = abs(x), ay = abs(y);
  const D large = select(ax > ay, ax, ay), small = select(ax > ay, ay, ax);
  const Mask<D> big = large > D(0x1p500), little = large < D(0x1p-500);
  const D scale = select(big, D(0x1p-600), select(little, D(0x1p600), D(1)));
  const D unscale = select(big, D(0x1p600), select(little, D(0x1p-600), D(1)));
  const D p = large * scale, q = small * scale;
  const DoubleDouble<D> pp = two_prod(p, p), qq = two_prod(q, q), sum = two_sum(pp.hi, qq.hi);
  const D h = sqrt(sum.hi);
  const DoubleDouble<D> hh = two_prod(h, h);
  const D residual = ((sum.hi - hh.hi) - hh.lo) + (sum.lo + (pp.lo + qq.lo));
  const D length = (h + residual / (h + h)) * unscale;
  const D answer = select(is_nan(x) || is_nan(y), x + y, select(large == D(0), D(0), length));
  return select(ax == inf || ay == inf, inf, answer);
}

}  // namespace exp_detail

template <class Real>
LOCKSTEP_FN Real exp(Real x) {
  return RealTraits<Real>::from_double(exp_detail::exp_double(to_double(x)));
}
// natural logarithm; -infinity at zero, NaN below.
template <class Real>
LOCKSTEP_FN Real log(Real x) {
  return RealTraits<Real>::from_double(exp_detail::log_double(to_double(x)));
}
template <class Real>
LOCKSTEP_FN Real pow(Real x, Real y) {
  return RealTraits<Real>::from_double(exp_detail::pow_double(to_double(x), to_double(y)));
}
template <class Real>
LOCKSTEP_FN Real sinh(Real x) {
  return RealTraits<Real>::from_double(exp_detail::sinh_double(to_double(x)));
}
template <class Real>
LOCKSTEP_FN Real cosh(Real x) {
  return RealTraits<Real>::from_double(exp_detail::cosh_double(to_double(x)));
}
template <class Real>
LOCKSTEP_FN Real tanh(Real x) {
  return RealTraits<Real>::from_double(exp_detail::tanh_double(to_double(x)));
}
template <class Real>
LOCKSTEP_FN Real cbrt(Real x) {
  return RealTraits<Real>::from_double(exp_detail::cbrt_double(to_double(x)));
}
// sqrt(x^2 + y^2) without overflow on the way; infinity wins over NaN.
template <class Real>
LOCKSTEP_FN Real hypot(Real x, Real y) {
  return RealTraits<Real>::from_double(exp_detail::hypot_double(to_double(x), to_double(y)));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
