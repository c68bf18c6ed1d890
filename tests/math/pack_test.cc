// each lane of every pack equals the plain number bit for bit, for all functions.
#include "math/pack.h"

#include <gtest/gtest.h>

#include "math/lanes.h"
#include "math/quat.h"

namespace lockstep {
namespace {

template <class P>
class Lanes : public testing::Test {};
#if LOCKSTEP_TEST_SHARE > 1
using Packs = testing::Types<Pack<double, 4>, Pack<float, 8>>;
#else
using Packs = testing::Types<Pack<double, 2>, Pack<double, 4>, Pack<double, 8>, Pack<float, 4>,
                             Pack<float, 8>, Pack<float, 16>>;
#endif
TYPED_TEST_SUITE(Lanes, Packs);

TYPED_TEST(Lanes, EqualPlainNumbersInAllFunctions) {
  using P = TypeParam;
  const auto args = samples::argument_pairs<Scalar<P>>(60'000);
  samples::for_each_function([&](samples::Name name, auto f) {
    EXPECT_EQ(samples::differing_lanes<P>(f, args), 0u) << name.text;
  });
}

TYPED_TEST(Lanes, EqualPlainNumbersInQuaternions) {
  using P = TypeParam;
  using T = Scalar<P>;
  samples::Random random;
  for (int round = 0; round < 200; ++round) {
    Quat<P> q{P(0), P(0), P(0), P(0)};
    Vec3<P> v{P(0), P(0), P(0)};
    for_each_lane<P>([&](int i) {
      for (int k = 0; k < 4; ++k) set_lane(q[k], i, T(random.between(-1, 1)));
      const T scale = T(i % 3 == 0 ? 1e-20 : 1);  // some lanes degenerate
      for (int k = 0; k < 3; ++k) set_lane(v[k], i, T(random.between(-1, 1)) * scale);
    });
    const Quat<P> turned = integrate(q, v, P(0.25)), up = from_z_to(v), back = from_mat(to_mat(q));
    for_each_lane<P>([&](int i) {
      Quat<T> q1;
      Vec3<T> v1;
      for (int k = 0; k < 4; ++k) q1[k] = lane(q[k], i);
      for (int k = 0; k < 3; ++k) v1[k] = lane(v[k], i);
      const Quat<T> turned1 = integrate(q1, v1, T(0.25)), up1 = from_z_to(v1);
      const Quat<T> back1 = from_mat(to_mat(q1));
      for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(lane(turned[k], i), turned1[k]);
        EXPECT_EQ(lane(up[k], i), up1[k]);
        EXPECT_EQ(samples::canonical(lane(back[k], i)), samples::canonical(back1[k]));
      }
    });
  }
}

}  // namespace
}  // namespace lockstep
