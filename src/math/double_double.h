// double_double.h: unevaluated sums hi + lo with about 106 bits, for the insides of elementary
// functions. no fused multiply-add: the bits must not depend on the instruction set.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// |lo| is at most half an ulp of hi, unless a comment says otherwise.
template <class D>
struct DoubleDouble {
  D hi, lo;
};

// a + b without error, any order of magnitudes.
template <class D>
LOCKSTEP_INLINE DoubleDouble<D> two_sum(const D& a, const D& b) {
  const D s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
// a + b without error, for |a| >= |b| or a = 0.
template <class D>
LOCKSTEP_INLINE DoubleDouble<D> fast_two_sum(const D& a, const D& b) {
  const D s = a + b;
  return {s, b - (s - a)};
}
// a * b without error (Dekker), as long as nothing over- or underflows on the way.
template <class D>
LOCKSTEP_INLINE DoubleDouble<D> two_prod(const D& a, const D& b) {
  const D splitter(134217729.0);  // 2^27 + 1
  const D ca = splitter * a, cb = splitter * b;
  const D ah = ca - (ca - a), bh = cb - (cb - b);
  const D al = a - ah, bl = b - bh, p = a * b;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

template <class D>
LOCKSTEP_INLINE DoubleDouble<D> operator*(const DoubleDouble<D>& a, const DoubleDouble<D>& b) {
  const DoubleDouble<D> p = two_prod(a.hi, b.hi);
  return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
// a.hi must not be smaller than b.hi by cancellation: meant for sums of falling terms.
template <class D>
LOCKSTEP_INLINE DoubleDouble<D> operator+(const DoubleDouble<D>& a, const DoubleDouble<D>& b) {
  const DoubleDouble<D> s = two_sum(a.hi, b.hi);
  return fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}
template <class D>
LOCKSTEP_INLINE DoubleDouble<D> operator/(const DoubleDouble<D>& a, const DoubleDouble<D>& b) {
  const D q = a.hi / b.hi;
  const DoubleDouble<D> p = two_prod(q, b.hi);
  const D rest = ((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo);
  return fast_two_sum(q, rest / b.hi);
}
template <class D>
LOCKSTEP_INLINE DoubleDouble<D> select(const Mask<D>& m, const DoubleDouble<D>& a,
                                       const DoubleDouble<D>& b) {
  return {select(m, a.hi, b.hi), select(m, a.lo, b.lo)};
}

// c[0] + c[1] x + ... + c[N-1] x^(N-1), by Horner.
template <class D, int N>
LOCKSTEP_INLINE D polynomial(const D& x, const double (&c)[N]) {
  D p(c[N - 1]);
  for (int i = N - 2; i >= 0; --i) p = p * x + D(c[i]);
  return p;
}

// ---- exponents, through the bit pattern ----

// adding this to a number below 2^51 rounds it to an integer, left in the low bits of the pattern.
inline constexpr double round_magic = 6755399441055744.0;  // 1.5 * 2^52

// nearest integer, ties to even, for |x| < 2^51.
template <class D>
LOCKSTEP_INLINE D nearest(const D& x) {
  return (x + D(round_magic)) - D(round_magic);
}
// 2^n for a whole n in [-1022, 1023].
template <class D>
LOCKSTEP_INLINE D power_of_two(const D& n) {
  return from_bits(to_bits(n + D(round_magic + 1023.0)) << 52);
}
// x * 2^n for a whole n in [-2100, 2100]; rounds once, and only when the result is subnormal.
template <class D>
LOCKSTEP_INLINE D scale_by_power(const D& x, const D& n) {
  const D half = nearest(n * D(0.5));
  return x * power_of_two(half) * power_of_two(n - half);
}

// x = mantissa * 2^exponent with mantissa in [1, 2), for positive finite x (subnormals too).
template <class D>
struct Decomposed {
  D mantissa, exponent;
};
template <class D>
LOCKSTEP_INLINE Decomposed<D> decompose(const D& x) {
  const auto small = x < D(0x1p-1022);
  const auto bits = to_bits(select(small, x * D(0x1p54), x));
  // the exponent field, moved into the mantissa of 2^52, reads as a whole number.
  const D field = from_bits((bits >> 52) | to_bits(D(0x1p52))) - D(0x1p52);
  const D mantissa = from_bits((bits & Bits<D>(0x000fffffffffffffu)) | to_bits(D(1)));
  return {mantissa, field - select(small, D(1023.0 + 54.0), D(1023.0))};
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
