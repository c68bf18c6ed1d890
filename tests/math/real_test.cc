// the stated answers for ties, signed zeros and NaN, the same for plain numbers and packs.
#include "math/real.h"

#include <gtest/gtest.h>

#include "math/pack.h"

namespace lockstep {
namespace {

template <class Real>
class Ties : public testing::Test {};
using Reals = testing::Types<double, float, Pack<double, 4>, Pack<float, 4>, Pack<double, 16>>;
TYPED_TEST_SUITE(Ties, Reals);

template <class Real>
void expect_bits(Real got, double want) {
  using T = Scalar<Real>;
  for_each_lane<Real>([&](int i) { EXPECT_EQ(to_bits(lane(got, i)), to_bits(T(want))) << want; });
}

TYPED_TEST(Ties, MinAndMaxGiveTheSecondOnTiesAndNan) {
  using Real = TypeParam;
  const Real zero(0.0), minus(-0.0), one(1), nan(__builtin_nan(""));
  expect_bits(min(zero, minus), -0.0);
  expect_bits(min(minus, zero), 0.0);
  expect_bits(max(zero, minus), -0.0);
  expect_bits(max(minus, zero), 0.0);
  expect_bits(min(nan, one), 1);
  expect_bits(max(nan, one), 1);
  EXPECT_TRUE(all(is_nan(min(one, nan))));
  EXPECT_TRUE(all(is_nan(max(one, nan))));
  expect_bits(min(one, Real(2)), 1);
  expect_bits(max(one, Real(2)), 2);
}

TYPED_TEST(Ties, ClampKeepsNanAndEqualValues) {
  using Real = TypeParam;
  const Real nan(__builtin_nan(""));
  EXPECT_TRUE(all(is_nan(clamp(nan, Real(-1), Real(1)))));
  expect_bits(clamp(Real(-0.0), Real(0), Real(1)), -0.0);
  expect_bits(clamp(Real(-3), Real(-1), Real(1)), -1);
  expect_bits(clamp(Real(3), Real(-1), Real(1)), 1);
  expect_bits(clamp(Real(0), Real(2), Real(1)), 2);
}

TYPED_TEST(Ties, SignsAndRoots) {
  using Real = TypeParam;
  expect_bits(sign(Real(-0.0)), 0.0);
  expect_bits(sign(Real(__builtin_nan(""))), 0.0);
  expect_bits(sign(Real(-7)), -1);
  expect_bits(abs(Real(-0.0)), 0.0);
  expect_bits(copysign(Real(3), Real(-0.0)), -3);
  expect_bits(sqrt(Real(-0.0)), -0.0);
  expect_bits(sqrt(Real(6.25)), 2.5);
  EXPECT_TRUE(all(is_nan(sqrt(Real(-1)))));
  EXPECT_TRUE(all(is_finite(Real(1e30))));
  EXPECT_FALSE(any(is_finite(Real(__builtin_inf()))));
}

TYPED_TEST(Ties, MasksActLaneByLane) {
  using Real = TypeParam;
  Real x(1);
  set_lane(x, 0, Scalar<Real>(-1));
  const Mask<Real> negative = x < Real(0);
  EXPECT_TRUE(any(negative));
  EXPECT_EQ(all(negative), lanes<Real> == 1);
  EXPECT_FALSE(any(negative && !negative));
  EXPECT_TRUE(all(negative || !negative));
  const Real picked = select(negative, Real(5), Real(6));
  int count = 0;
  for_each_lane<Real>(negative, [&](int i) {
    EXPECT_EQ(i, 0);
    ++count;
  });
  EXPECT_EQ(count, 1);
  for_each_lane<Real>([&](int i) { EXPECT_EQ(lane(picked, i), i == 0 ? 5 : 6); });
}

}  // namespace
}  // namespace lockstep
