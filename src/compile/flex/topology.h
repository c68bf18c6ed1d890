// topology.h: edges, flaps, outside and layers of the elements of a flex.
#pragma once

#include <span>

#include "compile/flex/flex_data.h"

namespace lockstep {

// corners of the edges of one element, in the order of flex_elemedge
std::span<const Edge> element_edges(int dim);

void orient_tetrahedra(FlexData& flex);  // faces look outwards
void find_edges(FlexData& flex);         // edges, elemedge; flaps of triangles
void find_shell(FlexData& flex);         // shell, elemlayer

}  // namespace lockstep
