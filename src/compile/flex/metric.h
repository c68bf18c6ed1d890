// metric.h: flexes in the effective inertia of a step: which numbers couple, and in which order a
// factor is found with few of them. Vertices count as points if they move along the world's axes.
#pragma once

#include <array>
#include <vector>

#include "math/vec.h"
#include "model/types.h"

namespace lockstep {

// what moves a body
struct PointBody {
  bool parent_fixed = false;
  int ndof = 0;
  std::vector<JointType> type;
  std::vector<Vec3d> axis;
};

// three slides along different axes of the body's frame, in any order and direction
bool is_point(const PointBody& body);
// along x, y, z
bool is_plain_point(const PointBody& body);

// points that couple; -1: none
using Stencil = std::array<int, 4>;

// Rows of the lower factor L of H = L'L for points whose blocks of 3 x 3 numbers couple in
// stencils; blocks on the diagonal are diagonal. Columns ascend, the diagonal is last.
std::vector<std::vector<int>> factor_rows(int npoint, const std::vector<Stencil>& stencils);

// The order in which points leave: always one with fewest neighbors, of these the one whose number
// of neighbors was found last. What leaves joins its neighbors.
std::vector<int> elimination_order(int npoint, const std::vector<Stencil>& stencils);

}  // namespace lockstep
