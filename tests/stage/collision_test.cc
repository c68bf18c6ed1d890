// analytic colliders: a lane has the very contacts of the plain number, whatever its neighbours do;
// swapped geoms have the same contacts with opposite normals.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "math/pack.h"
#include "math/quat.h"
#include "stage/collision/analytic.h"

namespace lockstep {
namespace {

constexpr int rounds = 4000 / LOCKSTEP_TEST_SHARE;

template <class T>
struct Pose {
  Shape<T> first, second;
  T margin;
};

// poses of all kinds: anywhere, at right angles on a grid, almost at right angles, with one
// orientation for both
template <class T>
class Poses {
 public:
  Pose<T> next() {
    const bool grid = chance(0.4);
    const auto length = [&](double low, double high) {
      return grid ? std::round(uniform(low, high) * 8) / 8 : uniform(low, high);
    };
    Pose<T> pose;
    const Quat<T> turn = rotation();
    pose.first.mat = to_mat(turn);
    pose.second.mat = to_mat(chance(0.3) ? turn : rotation());
    const double spread = chance(0.5) ? 0.2 : 0.8;
    for (int k = 0; k < 3; k++) {
      pose.first.size[k] = T(length(0.07, 0.5));
      pose.second.size[k] = T(length(0.07, 0.5));
      pose.first.pos[k] = T(length(-0.3, 0.3));
      pose.second.pos[k] = pose.first.pos[k] + T(length(-spread, spread));
    }
    pose.margin = T(std::uniform_int_distribution(0, 2)(random_) * 0.0625);
    return pose;
  }

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution(low, high)(random_);
  }
  bool chance(double p) { return uniform(0, 1) < p; }
  Quat<T> rotation() {
    const bool right = chance(0.6);
    const double noise = right && chance(0.5) ? std::pow(10.0, uniform(-16, -1)) : 0;
    double q[4], length = 0;
    do {
      length = 0;
      for (double& x : q) {
        const int digit = std::uniform_int_distribution(0, 1)(random_);
        x = (right ? digit : uniform(-1, 1)) + noise * uniform(-1, 1);
        length += x * x;
      }
    } while (length < 0.5);
    length = std::sqrt(length);
    return {T(q[0] / length), T(q[1] / length), T(q[2] / length), T(q[3] / length)};
  }
  std::mt19937_64 random_{1};
};

template <class T, class P>
void put(Shape<P>& to, int lane, const Shape<T>& from) {
  for (int k = 0; k < 3; k++) set_lane(to.pos[k], lane, from.pos[k]);
  for (int k = 0; k < 3; k++) set_lane(to.size[k], lane, from.size[k]);
  for (int k = 0; k < 9; k++) set_lane(to.mat[k], lane, from.mat[k]);
}

template <class Real>
std::vector<Scalar<Real>> numbers(const ContactSet<Real>& set, int i) {
  std::vector<Scalar<Real>> all{lane(set.count, i)};
  for (int slot = 0; slot < int(lane(set.count, i)); slot++) {
    const ContactPoint<Real>& point = set.item[slot];
    all.push_back(lane(point.dist, i));
    for (int k = 0; k < 3; k++) all.push_back(lane(point.pos[k], i));
    for (int k = 0; k < 9; k++) all.push_back(lane(point.frame[k], i));
  }
  return all;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++) {
    if (to_bits(a[i]) != to_bits(b[i])) return false;
  }
  return true;
}

template <class P>
class CollisionLanes : public testing::Test {};
using Packs = testing::Types<Pack<double, 4>, Pack<float, 8>>;
TYPED_TEST_SUITE(CollisionLanes, Packs);

TYPED_TEST(CollisionLanes, EqualPlainNumbers) {
  using P = TypeParam;
  using T = Scalar<P>;
  for (size_t pair = 0; pair < std::size(analytic_colliders<P>); pair++) {
    const Collider<P>& collider = analytic_colliders<P>[pair];
    Poses<T> poses;
    int wrong = 0, found = 0;
    for (int round = 0; round < rounds; round++) {
      Pose<T> pose[lanes<P>];
      Shape<P> first, second;
      P margin;
      for (int i = 0; i < lanes<P>; i++) {
        pose[i] = poses.next();
        put(first, i, pose[i].first);
        put(second, i, pose[i].second);
        set_lane(margin, i, pose[i].margin);
      }
      ContactSet<P> together;
      collider.run(first, second, margin, together);
      for (int i = 0; i < lanes<P>; i++) {
        ContactSet<T> alone;
        analytic_colliders<T>[pair].run(pose[i].first, pose[i].second, pose[i].margin, alone);
        wrong += !same_bits(numbers(together, i), numbers(alone, 0));
        found += int(alone.count);
        EXPECT_LE(int(alone.count), collider.most);
        for (T x : numbers(alone, 0)) EXPECT_TRUE(std::isfinite(x));
      }
    }
    EXPECT_EQ(wrong, 0) << code(collider.first) << " " << code(collider.second);
    EXPECT_GT(found, rounds) << code(collider.first) << " " << code(collider.second);
  }
}

TEST(Collision, SwappedGeomsMeetAtTheSamePlaces) {
  std::mt19937_64 random{2};
  std::uniform_real_distribution<double> any(-1, 1);
  int found = 0;
  for (int round = 0; round < rounds; round++) {
    Pose<double> pose;
    for (Shape<double>* shape : {&pose.first, &pose.second}) {
      Quat<double> turn{any(random), any(random), any(random), any(random)};
      shape->mat = to_mat(normalize(turn));
      for (int k = 0; k < 3; k++) shape->size[k] = 0.35 + 0.25 * any(random);
      for (int k = 0; k < 3; k++) shape->pos[k] = 0.4 * any(random);
    }
    for (const Collider<double>& collider : analytic_colliders<double>) {
      if (collider.first != collider.second) continue;
      ContactSet<double> there, back;
      collider.run(pose.first, pose.second, 0.05, there);
      collider.run(pose.second, pose.first, 0.05, back);
      ASSERT_EQ(there.used, back.used);
      found += there.used;
      for (int slot = 0; slot < there.used; slot++) {
        const ContactPoint<double>&a = there.item[slot], &b = back.item[slot];
        EXPECT_NEAR(a.dist, b.dist, 1e-12);
        EXPECT_LT(norm(a.pos - b.pos), 1e-11);
        EXPECT_LT(norm(row(a.frame, 0) + row(b.frame, 0)), 1e-12);
      }
    }
  }
  EXPECT_GT(found, rounds);
}

}  // namespace
}  // namespace lockstep
