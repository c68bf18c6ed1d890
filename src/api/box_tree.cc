#include "api/box_tree.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "step/ray.h"

namespace lockstep::shapes {
namespace {

bool is_bounded(const Box& box) {
  for (int k = 0; k < 3; k++) {
    if (!std::isfinite(box.low[k]) || !std::isfinite(box.high[k])) return false;
  }
  return true;
}

bool meet(const Box& a, const Box& b) {
  for (int k = 0; k < 3; k++) {
    if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
  }
  return true;
}

// boxes of nodes are rounded
Box grown(const double* center_and_half) {
  Box box;
  for (int k = 0; k < 3; k++) {
    const double center = center_and_half[k], half = center_and_half[3 + k];
    const double more = half + 1e-14 + 1e-12 * (half + std::abs(center));
    box.low[k] = center - more;
    box.high[k] = center + more;
  }
  return box;
}

bool passes(const Box& box, const Vec3d& from, const Vec3d& along, double most) {
  const double point[3] = {from.x, from.y, from.z}, way[3] = {along.x, along.y, along.z};
  double center[3], half[3];
  for (int k = 0; k < 3; k++) {
    center[k] = 0.5 * (box.low[k] + box.high[k]);
    half[k] = 0.5 * (box.high[k] - box.low[k]);
  }
  return ray_box(center, half, point, way, std::isfinite(most) ? most : -1);
}

}  // namespace

BoxTree::BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)) {
  std::vector<mesh::BvhLeaf> leaves;
  for (int i = 0; i < size(); i++) {
    const Box& b = box(i);
    if (!is_bounded(b)) {
      unbounded_.push_back(i);
      continue;
    }
    mesh::BvhLeaf leaf{.id = i, .pos = (b.low + b.high) * 0.5};
    for (int k = 0; k < 3; k++) leaf.aamm[k] = b.low[k], leaf.aamm[3 + k] = b.high[k];
    leaves.push_back(leaf);
  }
  if (!leaves.empty()) tree_ = mesh::make_bvh(std::move(leaves));
}

BoxTree BoxTree::of_shapes(std::span<const Shape> shapes, std::span<const Pose> poses) {
  if (shapes.size() != poses.size()) throw std::invalid_argument("a pose for each shape");
  std::vector<Box> boxes;
  for (size_t i = 0; i < shapes.size(); i++) boxes.push_back(aabb(shapes[i], poses[i]));
  return BoxTree(std::move(boxes));
}

BoxTree BoxTree::of_triangles(std::span<const Vec3d> vertices, std::span<const int> faces) {
  if (faces.size() % 3) throw std::invalid_argument("three vertices for each triangle");
  std::vector<Box> boxes;
  std::vector<Vec3d> corners;
  for (size_t f = 0; f < faces.size(); f += 3) {
    for (int i = 0; i < 3; i++) {
      const int vertex = faces[f + i];
      if (vertex < 0 || size_t(vertex) >= vertices.size()) {
        throw std::out_of_range("there is no vertex " + std::to_string(vertex));
      }
      corners.push_back(vertices[size_t(vertex)]);
    }
    Box box{corners[f], corners[f]};
    for (size_t i = f; i < f + 3; i++) {
      for (int k = 0; k < 3; k++) {
        box.low[k] = std::min(box.low[k], corners[i][k]);
        box.high[k] = std::max(box.high[k], corners[i][k]);
      }
    }
    boxes.push_back(box);
  }
  BoxTree tree(std::move(boxes));
  tree.corners_ = std::move(corners);
  return tree;
}

template <class Enter, class Leaf>
void BoxTree::walk(const Enter& enter, const Leaf& leaf) const {
  for (int element : unbounded_) leaf(element);
  std::vector<int> waiting;
  if (tree_.num() > 0) waiting.push_back(0);
  while (!waiting.empty()) {
    const int node = waiting.back();
    waiting.pop_back();
    if (!enter(grown(tree_.aabb.data() + 6 * size_t(node)))) continue;
    const int element = tree_.nodeid[size_t(node)];
    if (element >= 0) {
      if (enter(box(element))) leaf(element);
      continue;
    }
    for (int i = 1; i >= 0; i--) {
      const int child = tree_.child[2 * size_t(node) + size_t(i)];
      if (child >= 0) waiting.push_back(child);
    }
  }
}

std::vector<int> BoxTree::overlap(const Box& box) const {
  std::vector<int> found;
  walk([&](const Box& b) { return meet(b, box); }, [&](int element) { found.push_back(element); });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::pair<int, int>> BoxTree::overlap(const BoxTree& other) const {
  std::vector<std::pair<int, int>> found;
  for (int element = 0; element < size(); element++) {
    for (int partner : other.overlap(box(element))) found.emplace_back(element, partner);
  }
  return found;
}

std::vector<int> BoxTree::ray(const Vec3d& from, const Vec3d& along, double most) const {
  std::vector<int> found;
  walk([&](const Box& b) { return passes(b, from, along, most); },
       [&](int element) { found.push_back(element); });
  std::sort(found.begin(), found.end());
  return found;
}

BoxTree::TriangleHit BoxTree::first_triangle(const Vec3d& from, const Vec3d& along) const {
  TriangleHit best;
  if (corners_.empty()) return best;
  const double point[3] = {from.x, from.y, from.z}, way[3] = {along.x, along.y, along.z};
  const auto enter = [&](const Box& b) {
    return passes(b, from, along,
                  best.element < 0 ? std::numeric_limits<double>::infinity() : best.hit.dist);
  };
  walk(enter, [&](int element) {
    double corner[9], normal[3];
    for (int i = 0; i < 9; i++) corner[i] = corners_[size_t(3 * element + i / 3)][i % 3];
    const double dist = ray_triangle(corner, point, way, normal);
    if (dist < 0 || (best.element >= 0 && dist >= best.hit.dist)) return;
    best = {element, {dist, {normal[0], normal[1], normal[2]}}};
  });
  return best;
}

}  // namespace lockstep::shapes
