// convex_test.cc: convex collision in single precision, and what a pair of polytopes must give.
#include "stage/collision/convex/convex.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace lockstep {
namespace {

template <class T>
struct Room {
  explicit Room(int iterations)
      : vertex(convex_vertices(iterations)),
        face(convex_faces(iterations)),
        integer(convex_integers(iterations)),
        work{vertex.data(), face.data(), integer.data(), iterations} {}
  std::vector<ConvexVertex<T>> vertex;
  std::vector<ConvexFace<T>> face;
  std::vector<int> integer;
  ConvexWork<T> work;
};

template <class T>
ConvexShape<T> cast(const ConvexShape<double>& s) {
  ConvexShape<T> r{};
  r.type = s.type;
  for (int i = 0; i < 3; i++) r.pos[i] = T(s.pos[i]);
  for (int i = 0; i < 3; i++) r.size[i] = T(s.size[i]);
  for (int i = 0; i < 9; i++) r.mat[i] = T(s.mat[i]);
  r.radius = T(s.radius);
  return r;
}

ConvexShape<double> random_shape(std::mt19937& random, GeomType type) {
  std::uniform_real_distribution<double> size(0.2, 1), place(-1, 1);
  ConvexShape<double> s{};
  s.type = type;
  s.pos = {place(random), place(random), place(random)};
  s.size = {size(random), size(random), size(random)};
  s.mat = to_mat(normalize(Quat<double>{place(random), place(random), place(random), 1.5}));
  if (type == GeomType::sphere || type == GeomType::capsule) s.radius = s.size.x;
  return s;
}

constexpr GeomType types[] = {GeomType::sphere, GeomType::capsule, GeomType::ellipsoid,
                              GeomType::cylinder, GeomType::box};

TEST(Convex, SinglePrecisionFollowsDouble) {
  std::mt19937 random(1);
  Room<double> room(100);
  Room<float> small(100);
  for (GeomType first : types) {
    for (GeomType second : types) {
      for (int i = 0; i < 200; i++) {
        const auto a = random_shape(random, first), b = random_shape(random, second);
        const auto c = convex_contact(a, b, 10.0, 1e-10, room.work);
        const auto f = convex_contact(cast<float>(a), cast<float>(b), 10.0f, 1e-6f, small.work);
        ASSERT_TRUE(c.found && f.found);
        ASSERT_NEAR(c.dist, double(f.dist), 1e-4);
      }
    }
  }
}

TEST(Convex, MarginIsARadius) {
  std::mt19937 random(2);
  Room<double> room(100);
  for (GeomType first : types) {
    for (GeomType second : types) {
      auto a = random_shape(random, first), b = random_shape(random, second);
      const double dist = convex_contact(a, b, 10.0, 1e-10, room.work).dist;
      a.radius += 0.25;
      b.radius += 0.5;
      EXPECT_NEAR(convex_contact(a, b, 10.0, 1e-10, room.work).dist, dist - 0.75, 1e-12);
    }
  }
}

TEST(Convex, UnitBoxes) {
  Room<double> room(35);
  ConvexShape<double> a{}, b{};
  a.type = b.type = GeomType::box;
  a.mat = b.mat = identity3<double>();
  a.size = b.size = {1, 1, 1};
  b.pos = {0.25, 0.5, 1.75};
  const auto c = convex_contact(a, b, 1.0, 1e-6, room.work);
  EXPECT_DOUBLE_EQ(c.dist, -0.25);
  EXPECT_DOUBLE_EQ(c.normal.z, 1);
  EXPECT_DOUBLE_EQ(c.point1.z, 1);
  EXPECT_DOUBLE_EQ(c.point2.z, 0.75);
  b.pos = {0, 0, 2.5};
  EXPECT_DOUBLE_EQ(convex_contact(a, b, 1.0, 1e-6, room.work).dist, 0.5);
  EXPECT_FALSE(convex_contact(a, b, 0.5, 1e-6, room.work).found);
}

}  // namespace
}  // namespace lockstep
