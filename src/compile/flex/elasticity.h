// elasticity.h: stiffness of flexes whose vertices move by themselves.
#pragma once

#include <string>

#include "compile/flex/flex_data.h"
#include "spec/spec.h"

namespace lockstep {

// Triangles and tetrahedra: flex_stiffness holds for each element the upper triangle of K in
//   energy = s' K s / 4,  s = squares of edge lengths minus those at rest;
// flex_bending holds for each edge between two triangles the 4x4 stiffness and the force of a
// curved reference.
void set_elasticity(const FlexSpec& spec, FlexData& flex);

// Rods: flex_bending holds their number and a record of 10 numbers for each hinge between two
// lines. `twist` are the joints of the chain's lines, -1 where there is none; empty: no chain.
// Returns what is wrong, "" if all is well.
[[nodiscard]] std::string set_rod(const FlexSpec& spec, const std::vector<int>& chain,
                                  const std::vector<int>& twist, FlexData& flex);

}  // namespace lockstep
