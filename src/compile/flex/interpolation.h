// interpolation.h: flexes whose vertices follow the nodes of a grid of cells (finite elements of
// first or second order); with elastic2d the faces on the sides of the grid carry a shell instead.
#pragma once

#include <string>

#include "compile/flex/flex_data.h"
#include "spec/spec.h"

namespace lockstep {

// axes of the grid, nodes in its frame, empty cells; what is wrong, "" if all is well
[[nodiscard]] std::string find_grid(const FlexSpec& spec, const std::vector<double>& node_world,
                                    FlexData& flex);

// Stiffness of each cell (or face): the matrix -K, or, for strain constraints, its modes:
// their number, then sqrt(eigenvalue) * eigenvector each. Bending of shells.
void set_cell_elasticity(const FlexSpec& spec, bool strain_constraint, FlexData& flex);

// where the vertices are in the grid: vert0, vertcell, size
void place_in_grid(const FlexSpec& spec, FlexData& flex);

}  // namespace lockstep
