// pi_reduction.h: x - n pi/2 for every finite x, to more than double precision.
#pragma once

#include "math/double_double.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the angle lies in [-pi/4, pi/4] (a hair more); only the two lowest bits of quarter count.
template <class D>
struct QuarterTurns {
  DoubleDouble<D> angle;
  D quarter;
};

namespace pi_detail {

// pi/2 in three pieces of 33 bits, whose products with a 20-bit integer are exact, and a rest.
inline constexpr double half_pi[4] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34,
                                      0x1.3198a2e000000p-69, 0x1.b839a252049c1p-104};
inline constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
// below this |n| stays under 2^20 and the short way is exact enough.
inline constexpr double short_way_limit = 1.0e6;

template <class D>
LOCKSTEP_INLINE QuarterTurns<D> reduce_short(const D& x) {
  const D n = nearest(x * D(two_over_pi));
  const D a = x - n * D(half_pi[0]);
  const DoubleDouble<D> b = two_sum(a, -(n * D(half_pi[1])));
  const DoubleDouble<D> c = two_sum(b.hi, -(n * D(half_pi[2])));
  const D rest = (b.lo + c.lo) - n * D(half_pi[3]);
  return {fast_two_sum(c.hi, rest), n};
}

// 32 bits of 2/pi that start `bit` bits behind the point; zeros in front of it.
LOCKSTEP_FN uint32_t two_over_pi_bits(int bit) {
  constexpr uint32_t words[] = {
      0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
      0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
      0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
      0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
      0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
      0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du};
  constexpr int count = int(sizeof(words) / sizeof(words[0]));
  const int word = (bit + 64) / 32 - 2, shift = (bit + 64) % 32;
  const uint64_t high = word >= 0 && word < count ? words[word] : 0;
  const uint64_t low = word + 1 >= 0 && word + 1 < count ? words[word + 1] : 0;
  return uint32_t(((high << 32 | low) << shift) >> 32);
}

// Payne and Hanek: multiplies the mantissa by just those bits of 2/pi that matter modulo 4.
LOCKSTEP_FN QuarterTurns<double> reduce_long(double x) {
  const uint64_t bits = to_bits(abs(x));
  const int exponent = int(bits >> 52) - 1075;  // of the lowest bit of the mantissa
  const uint64_t mantissa = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
  // window: six words from the bit of weight 2^(1 - exponent) on; product modulo 2^192.
  uint32_t product[6];  // least significant first
  uint64_t carry_low = 0, carry_high = 0;
  const uint64_t m0 = mantissa & 0xffffffffu, m1 = mantissa >> 32;
  uint64_t previous = 0;
  for (int i = 0; i < 6; ++i) {
    const uint64_t w = two_over_pi_bits(exponent - 2 + 32 * (5 - i));
    const uint64_t low = w * m0 + carry_low;
    const uint64_t high = previous * m1 + carry_high;
    const uint64_t sum = (low & 0xffffffffu) + (high & 0xffffffffu);
    product[i] = uint32_t(sum);
    carry_low = (low >> 32) + (sum >> 32);
    carry_high = high >> 32;
    previous = w;
  }
  // two bits of quarter, then the fraction; a fraction of a half or more belongs to the next one.
  uint32_t quarter = product[5] >> 30;
  const bool up = (product[5] >> 29) & 1;
  quarter += up;
  uint32_t carry = 1;
  for (int i = 0; up && i < 6; ++i) {
    product[i] = ~product[i] + carry;
    carry = carry && product[i] == 0;
  }
  product[5] &= 0x3fffffffu;
  DoubleDouble<double> fraction{0, 0};
  double weight = 0x1p-30;
  for (int i = 5; i >= 0; --i, weight *= 0x1p-32) {
    const DoubleDouble<double> s = two_sum(fraction.hi, double(product[i]) * weight);
    fraction = {s.hi, fraction.lo + s.lo};
  }
  fraction = fast_two_sum(fraction.hi, fraction.lo);
  const double sign = (x < 0) != up ? -1.0 : 1.0;
  const DoubleDouble<double> angle =
      fraction * DoubleDouble<double>{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  return {{sign * angle.hi, sign * angle.lo}, x < 0 ? -double(quarter) : double(quarter)};
}

}  // namespace pi_detail

// infinity and NaN give NaN. a huge lane takes the long way alone, its neighbours do not notice.
template <class D>
LOCKSTEP_INLINE QuarterTurns<D> reduce_quarter_turns(const D& x) {
  using namespace pi_detail;
  const D a = abs(x);
  const Mask<D> huge = a > D(short_way_limit) && is_finite(x);
  QuarterTurns<D> r = reduce_short(select(huge, D(0), x));
  if (any(huge)) {
    for_each_lane<D>(huge, [&](int i) {
      const QuarterTurns<double> one = reduce_long(lane(x, i));
      set_lane(r.angle.hi, i, one.angle.hi);
      set_lane(r.angle.lo, i, one.angle.lo);
      set_lane(r.quarter, i, one.quarter);
    });
  }
  return r;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
