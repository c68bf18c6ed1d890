// shapes_test.cc: questions about shapes without a Model; tests/python/test_shapes.py compares them
// with MuJoCo.
#include "api/shapes.h"

#include <gtest/gtest.h>

#include <thread>

#include "api/box_tree.h"

namespace lockstep::shapes {
namespace {

Shape make(GeomType type, std::array<double, 3> size) {
  return Shape::make({.type = type, .size = size}).value();
}

TEST(Shapes, ContactsLookFromTheFirstToTheSecond) {
  const Shape box = make(GeomType::box, {0.1, 0.2, 0.3}), ball = make(GeomType::sphere, {0.1});
  const Pose above{{0, 0, 0.35}};
  const auto down = contacts(box, {}, ball, above), up = contacts(ball, above, box, {});
  ASSERT_EQ(down.size(), 1u);
  ASSERT_EQ(up.size(), 1u);
  EXPECT_NEAR(down[0].dist, -0.05, 1e-15);
  EXPECT_NEAR(down[0].frame[2], 1, 1e-15);
  EXPECT_NEAR(up[0].frame[2], -1, 1e-15);
  EXPECT_TRUE(contacts(box, {}, ball, {{0, 0, 0.5}}).empty());
  EXPECT_EQ(contacts(box, {}, ball, {{0, 0, 0.5}}, 0.2).size(), 1u);
}

TEST(Shapes, MeshesStayWhereTheyWereGiven) {
  // a corner far from its center of mass
  const Shape mesh = Shape::make({.type = GeomType::mesh,
                                  .vertex = {1, 1, 1, 2, 1, 1, 1, 3, 1, 1, 1, 4},
                                  .face = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}})
                         .value();
  const Box box = aabb(mesh, {{0, 0, 1}});
  for (int k = 0; k < 3; k++) {
    EXPECT_NEAR(box.low[k], k == 2 ? 2 : 1, 1e-6);
    EXPECT_NEAR(box.high[k], k == 0 ? 2 : k == 1 ? 3 : 5, 1e-6);
  }
  const ShapeHit hit = ray(mesh, {}, {1.1, 1.1, -1}, {0, 0, 2});
  EXPECT_NEAR(hit.dist, 1, 1e-6);
  EXPECT_NEAR(hit.normal.z, -1, 1e-6);
  const ShapeDistance gap = distance(mesh, {}, make(GeomType::sphere, {0.5}), {{1.1, 1.1, 0}});
  EXPECT_TRUE(gap.found);
  EXPECT_NEAR(gap.dist, 0.5, 1e-6);
}

TEST(Shapes, WrongInputIsAResult) {
  const Result<Shape> none = Shape::make({.type = GeomType::box, .size = {0.1, 0, 0.1}});
  EXPECT_FALSE(none);
  EXPECT_NE(none.error().find("size"), std::string::npos) << none.error();
  EXPECT_FALSE(Shape::make({.type = GeomType::mesh, .vertex = {0, 0, 0}}));
}

TEST(Shapes, ThreadsMayAskAtOnce) {
  const Shape a = make(GeomType::cylinder, {0.1, 0.2}),
              b = make(GeomType::ellipsoid, {0.1, 0.2, 0.3});
  const double expected = distance(a, {}, b, {{0.5, 0, 0}}).dist;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 200; k++) {
        distance(a, {}, b, {{0.5, 0.001 * i, 0.001 * k}});
        EXPECT_EQ(distance(a, {}, b, {{0.5, 0, 0}}).dist, expected);
      }
    });
  }
}

TEST(BoxTree, FindsWhatIsThere) {
  std::vector<Box> boxes;
  for (int i = 0; i < 10; i++) boxes.push_back({{double(i), 0, 0}, {i + 0.5, 1, 1}});
  const BoxTree tree(boxes);
  EXPECT_EQ(tree.overlap({{2.2, 0, 0}, {4.1, 1, 1}}), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(tree.ray({-1, 0.5, 0.5}, {1, 0, 0}, 3.2), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(tree.ray({-1, 0.5, 0.5}, {-1, 0, 0}).empty());
  EXPECT_EQ(tree.first_triangle({0, 0, 5}, {0, 0, -1}).element, -1);
  EXPECT_EQ(tree.overlap(tree).size(), 10u);
}

TEST(BoxTree, PlanesAreEverywhere) {
  const Shape shapes[] = {make(GeomType::plane, {}), make(GeomType::sphere, {0.1})};
  const Pose poses[] = {{}, {{5, 0, 0}}};
  const BoxTree tree = BoxTree::of_shapes(shapes, poses);
  EXPECT_EQ(tree.overlap({{-1, -1, -1}, {1, 1, 1}}), (std::vector<int>{0}));
  EXPECT_EQ(tree.overlap({{4, -1, -1}, {6, 1, 1}}), (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace lockstep::shapes
