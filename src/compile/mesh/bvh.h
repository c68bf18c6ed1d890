// bvh.h: static bounding volume hierarchies over mesh faces, geoms or flex elements.
#pragma once

#include <array>
#include <vector>

#include "math/quat.h"

namespace lockstep::mesh {

struct Bvh {
  std::vector<double> aabb;  // center and half sizes, 6 per node
  std::vector<int> child;    // 2 per node, -1: none
  std::vector<int> nodeid;   // id of the leaf's element, -1: inner node
  std::vector<int> depth;
  int num() const { return static_cast<int>(nodeid.size()); }
};

struct BvhLeaf {
  int id = 0;
  Vec3d pos{0, 0, 0};            // where the element sorts, in the frame of the hierarchy
  std::array<double, 6> aamm{};  // smallest, largest coordinates, same frame
  int rank = 0;                  // set by make_bvh: order of appearance
};

// Splits at the median along the longest side; the order of nodes is depth first.
Bvh make_bvh(std::vector<BvhLeaf> leaves);

// a leaf for a box (center, half sizes) in the frame (pos, quat), seen from the frame (ipos, iquat)
BvhLeaf make_leaf(int id, const Vec3d& pos, const Quatd& quat, const std::array<double, 6>& aabb,
                  const Vec3d& ipos, const Quatd& iquat);

}  // namespace lockstep::mesh
