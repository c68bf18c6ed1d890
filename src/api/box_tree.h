// box_tree.h: a tree of boxes over boxes, triangles or shapes, without a Model: what overlaps a box
// or another tree, and what a ray passes.
#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "api/shapes.h"
#include "compile/mesh/bvh.h"

namespace lockstep::shapes {

// Elements are numbered as they were given, and answers are in that order. A tree does not follow
// what it was made of: where shapes move, make another.
class BoxTree {
 public:
  explicit BoxTree(std::vector<Box> boxes);
  // of shapes at poses; planes overlap everything
  static BoxTree of_shapes(std::span<const Shape> shapes, std::span<const Pose> poses);
  // of triangles, three vertices each; throws std::out_of_range for vertices that do not exist
  static BoxTree of_triangles(std::span<const Vec3d> vertices, std::span<const int> faces);

  int size() const { return int(boxes_.size()); }
  const Box& box(int element) const { return boxes_[size_t(element)]; }

  // elements whose boxes meet a box; touching counts
  std::vector<int> overlap(const Box& box) const;
  // pairs of elements of this tree and another whose boxes meet
  std::vector<std::pair<int, int>> overlap(const BoxTree& other) const;
  // elements whose boxes the ray from + t along passes, 0 <= t <= most
  std::vector<int> ray(const Vec3d& from, const Vec3d& along,
                       double most = std::numeric_limits<double>::infinity()) const;

  // the first triangle that a ray meets; element -1 and distance -1 where there is none, and in
  // trees of other things
  struct TriangleHit {
    int element = -1;
    ShapeHit hit{-1, {}};
  };
  TriangleHit first_triangle(const Vec3d& from, const Vec3d& along) const;

 private:
  // calls leaf(element) where enter(low, high) says yes to a box and all around it
  template <class Enter, class Leaf>
  void walk(const Enter& enter, const Leaf& leaf) const;

  std::vector<Box> boxes_;
  std::vector<int> unbounded_;  // elements that are not in the tree
  mesh::Bvh tree_;
  std::vector<Vec3d> corners_;  // three per triangle
};

}  // namespace lockstep::shapes
