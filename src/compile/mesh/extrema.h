// extrema.h: starting points for support queries on a hull.
#pragma once

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

// sets extrema (hull vertices, by their number in the hull) and degmax
void find_extrema(MeshData& mesh);

}  // namespace lockstep::mesh
