// bvh.cc: see bvh.h.
#include "compile/mesh/bvh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compile/mesh/select.h"

namespace lockstep::mesh {
namespace {

constexpr double eps = 1e-14;  // coordinates closer than this count as equal

using Box = std::array<double, 6>;

Box bounds(const BvhLeaf* first, const BvhLeaf* last) {
  constexpr double huge = std::numeric_limits<double>::max();
  Box box{huge, huge, huge, -huge, -huge, -huge};
  for (const BvhLeaf* leaf = first; leaf != last; ++leaf) {
    for (int i = 0; i < 3; i++) {
      box[i] = std::min(box[i], leaf->aamm[i]);
      box[i + 3] = std::max(box[i + 3], leaf->aamm[i + 3]);
    }
  }
  // flat boxes get a thickness
  for (int i = 0; i < 3; i++) {
    if (std::abs(box[i] - box[i + 3]) < eps) {
      box[i] -= eps;
      box[i + 3] += eps;
    }
  }
  return box;
}

int longest_axis(const Box& box) {
  double edge[3] = {box[3] - box[0], box[4] - box[1], box[5] - box[2]};
  int axis = edge[1] >= edge[0] + eps ? 1 : 0;
  return edge[2] >= edge[axis] + eps ? 2 : axis;
}

class Builder {
 public:
  explicit Builder(size_t nleaf) {
    size_t n = nleaf ? 2 * nleaf - 1 : 0;
    out.aabb.reserve(6 * n);
    out.child.reserve(2 * n);
    out.nodeid.reserve(n);
    out.depth.reserve(n);
  }

  int add(BvhLeaf* first, BvhLeaf* last, int depth) {
    Box box = bounds(first, last);
    int node = out.num();
    for (int i = 0; i < 3; i++) out.aabb.push_back((box[i + 3] + box[i]) / 2);
    for (int i = 0; i < 3; i++) out.aabb.push_back((box[i + 3] - box[i]) / 2);
    out.child.insert(out.child.end(), {-1, -1});
    out.nodeid.push_back(-1);
    out.depth.push_back(depth);

    if (last - first == 1) {
      out.nodeid[node] = first->id;
      return node;
    }

    int axis = longest_axis(box);
    auto before = [axis](const BvhLeaf& a, const BvhLeaf& b) {
      if (std::abs(a.pos[axis] - b.pos[axis]) > eps) return a.pos[axis] < b.pos[axis];
      return a.rank < b.rank;
    };
    BvhLeaf* middle = first + (last - first) / 2;
    select_nth(first, middle, last, before);
    int left = add(first, middle, depth + 1);
    int right = add(middle, last, depth + 1);
    out.child[2 * node] = left;
    out.child[2 * node + 1] = right;
    return node;
  }

  Bvh out;
};

}  // namespace

Bvh make_bvh(std::vector<BvhLeaf> leaves) {
  Builder builder(leaves.size());
  for (size_t i = 0; i < leaves.size(); i++) leaves[i].rank = static_cast<int>(i);
  if (!leaves.empty()) builder.add(leaves.data(), leaves.data() + leaves.size(), 0);
  return std::move(builder.out);
}

BvhLeaf make_leaf(int id, const Vec3d& pos, const Quatd& quat, const std::array<double, 6>& aabb,
                  const Vec3d& ipos, const Quatd& iquat) {
  constexpr double huge = std::numeric_limits<double>::max();
  BvhLeaf leaf;
  leaf.id = id;
  leaf.pos = rotate_inv(iquat, pos - ipos);
  leaf.aamm = {huge, huge, huge, -huge, -huge, -huge};
  for (int corner = 0; corner < 8; corner++) {
    Vec3d v;
    for (int i = 0; i < 3; i++) {
      v[i] = corner >> i & 1 ? aabb[i] + aabb[i + 3] : aabb[i] - aabb[i + 3];
    }
    v = rotate_inv(iquat, rotate(quat, v) + (pos - ipos));
    for (int i = 0; i < 3; i++) {
      leaf.aamm[i] = std::min(leaf.aamm[i], v[i]);
      leaf.aamm[i + 3] = std::max(leaf.aamm[i + 3], v[i]);
    }
  }
  return leaf;
}

}  // namespace lockstep::mesh
