// pairs_test.cc: random pairs of convex shapes, a hundred thousand of each two types: what a
// contact claims must hold, whichever way it was searched.
//   h(n) = max over a of n . a - min over b of n . b;   overlap: depth = min over n of h(n)
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "stage/collision/convex_pair.h"

namespace lockstep {
namespace {

constexpr int pairs_per_type = 100'000 / LOCKSTEP_TEST_SHARE;
constexpr double margin = 0.3;
constexpr SearchLimits<double> limits{1e-6, most_search_rounds};

struct Stone {  // a hull without a graph
  std::vector<float> vertex;
  explicit Stone(std::mt19937& random) {
    std::normal_distribution<float> normal;
    for (int i = 0; i < 12; i++) {
      float v[3] = {normal(random), normal(random), normal(random)};
      const float length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      for (float x : v) vertex.push_back(0.6f * x / length);
    }
  }
};

constexpr GeomType types[] = {GeomType::sphere,   GeomType::capsule, GeomType::ellipsoid,
                              GeomType::cylinder, GeomType::box,     GeomType::mesh};
constexpr const char* names[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};

bool is_smooth(const SearchShape<double>& s) {
  return s.shape.type == GeomType::sphere || s.shape.type == GeomType::capsule ||
         s.shape.type == GeomType::ellipsoid;
}

SearchShape<double> random_shape(std::mt19937& random, GeomType type, const Stone& stone) {
  std::uniform_real_distribution<double> size(0.2, 1), place(-1.2, 1.2);
  SearchShape<double> s;
  s.shape = {};
  s.shape.type = type;
  s.shape.pos = {place(random), place(random), place(random)};
  s.shape.size = {size(random), size(random), size(random)};
  s.shape.mat = to_mat(normalize(Quat<double>{place(random), place(random), place(random), 1.5}));
  if (type == GeomType::sphere || type == GeomType::capsule) s.shape.radius = s.shape.size.x;
  if (type == GeomType::mesh) s.shape.hull = {stone.vertex.data(), 12, nullptr};
  s.margin = margin;
  return s;
}

// how much the bare shapes overlap along a direction
double overlap(SearchPair<double> pair, const Vec3d& n) {
  pair.a.margin = pair.b.margin = 0;
  return dot(n, pair.vertex(n).w);
}

struct Claims {
  std::mt19937& random;
  ConvexRoom& room;
  int touching = 0, deep = 0, closed = 0, off = 0;

  // the polytope of a search lies inside the difference of the shapes: its depth is a lower bound,
  // and the overlap along any direction an upper one. a second search, by another way, must lie
  // between them
  void check(const SearchPair<double>& original) {
    SearchPair<double> pair = original, swapped{original.b, original.a};
    Found<double> found, other;
    const bool touches = find_contact(pair, limits, room, found);
    const bool again = find_contact(swapped, limits, room, other);
    const ConvexContact<double> exact =
        convex_contact(original.a.shape, original.b.shape, 10.0, 1e-10, room.backup.work(64));
    ASSERT_TRUE(exact.found);
    // of shapes with edges that all but touch, the direction of the gap is less sure than its size
    const bool smooth = is_smooth(original.a) && is_smooth(original.b);
    ASSERT_NEAR(-exact.dist, overlap(original, exact.normal), smooth ? 1e-6 : 1e-5);
    if (!touches || !again) {  // a plane lies between, the margin away from both
      ASSERT_GT(exact.dist, margin - 2e-6);
      return;
    }
    touching++;
    const double depth = -(margin + found.dist);
    deep += depth > 0;
    const Vec3d n = normalize(found.a - found.b);
    ASSERT_TRUE(std::isfinite(depth + n.x + n.y + n.z + found.a.x + found.b.x));
    ASSERT_NEAR(distance(found.a, found.b), depth + margin, 1e-9);
    const double upper = overlap(original, n), gap = upper - depth;
    ASSERT_LT(depth, -exact.dist + 1e-6);
    // deep in round shapes the second search may end a little beside the least overlap, seldom
    const bool beside = !(upper > -exact.dist - 1e-6);
    ASSERT_GT(upper, -exact.dist - 1e-3);
    off += beside;
    std::normal_distribution<double> normal;
    for (int i = 0; i < 4; i++) {  // no direction separates them sooner
      const Vec3d turn{normal(random), normal(random), normal(random)};
      const double there = overlap(original, normalize(n + turn * (i < 2 ? 0.1 : 10)));
      ASSERT_GT(there, depth - 1e-6);
      ASSERT_GT(there, -exact.dist - 1e-3);
    }
    if (gap > 1e-6 || beside) return;  // out of rounds; the bounds stand
    closed++;
    ASSERT_NEAR(depth, -exact.dist, 2e-6);            // within 1e-6 of either bound
    ASSERT_LT(-(margin + other.dist), depth + 2e-6);  // symmetric
  }
};

TEST(ConvexPairs, ClaimsHold) {
  std::mt19937 random(7);
  const Stone stone(random);
  const auto room = std::make_unique<ConvexRoom>();
  for (int i = 0; i < 6; i++) {
    for (int j = i; j < 6; j++) {
      SCOPED_TRACE(std::string(names[i]) + " " + names[j]);
      Claims claims{random, *room};
      for (int k = 0; k < pairs_per_type; k++) {
        claims.check(
            {random_shape(random, types[i], stone), random_shape(random, types[j], stone)});
        if (HasFatalFailure()) FAIL() << "pair " << k;
      }
      EXPECT_GT(claims.touching, pairs_per_type / 4);
      EXPECT_GT(claims.deep, pairs_per_type / 8);
      EXPECT_GT(claims.closed, 0.8 * claims.touching);
      EXPECT_LE(claims.off, 1e-3 * claims.touching + 3);  // a short run may meet some more
    }
  }
}

// the same pose, the same place, no size, nothing finite: an answer, and soon
TEST(ConvexPairs, OddPosesHaveAnAnswer) {
  std::mt19937 random(8);
  const Stone stone(random);
  const auto room = std::make_unique<ConvexRoom>();
  for (GeomType first : types) {
    for (GeomType second : types) {
      for (int odd = 0; odd < 5; odd++) {
        SearchPair<double> pair{random_shape(random, first, stone),
                                random_shape(random, second, stone)};
        if (odd < 3) pair.b.shape.pos = pair.a.shape.pos;
        if (odd < 2) pair.b.shape.mat = pair.a.shape.mat = identity3<double>();
        if (odd == 1) pair.a.margin = pair.b.margin = 0;
        if (odd == 3) pair.a.shape.size = {0, 0, 0};
        if (odd == 4) pair.a.shape.pos.x = std::numeric_limits<double>::infinity();
        Found<double> found;
        const bool touches = find_contact(pair, limits, *room, found);
        if (odd < 3) {
          EXPECT_TRUE(touches);
        }
        if (odd == 4) {
          EXPECT_FALSE(touches);
        }
        if (touches) {
          EXPECT_TRUE(std::isfinite(found.dist + found.a.x + found.b.x));
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
