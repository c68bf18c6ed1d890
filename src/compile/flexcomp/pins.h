// pins.h: which points (or nodes) of a flexcomp are fixed to its parent.
#pragma once

#include <array>
#include <vector>

#include "compile/flexcomp/points.h"

namespace lockstep::flexcomp {

// where pins point to: the points, or the nodes of the interpolation grid
struct PinTarget {
  int dim;
  int total;
  std::array<int, 3> grid;  // counts along the axes
};

[[nodiscard]] bool find_pins(const Flexcomp& comp, const PinTarget& target,
                             std::vector<bool>& pinned, AssetProblem& problem);

}  // namespace lockstep::flexcomp
