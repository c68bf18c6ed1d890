// octree.h: signed distance to a mesh, sampled at the corners of an adaptive octree.
#pragma once

#include <array>
#include <vector>

#include "compile/mesh/bvh.h"

namespace lockstep::mesh {

struct Octree {
  std::vector<int> depth;
  std::vector<int> child;     // 8 per node, -1: none
  std::vector<double> aabb;   // center and half sizes, 6 per node
  std::vector<double> coeff;  // distance at the corners, 8 per node
  int num() const { return static_cast<int>(depth.size()); }
};

// bvh: over the faces; aamm: smallest, largest coordinates of the mesh
Octree make_octree(const std::vector<double>& vert, const std::vector<int>& face, const Bvh& bvh,
                   const std::array<double, 6>& aamm, int maxdepth);

}  // namespace lockstep::mesh
