// normal.h: vertex normals for meshes that come without.
#pragma once

#include <vector>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

// Area-weighted means of the faces' normals; unless smooth, faces at a large angle to the mean of a
// vertex are left out there, so that sharp edges stay sharp. Sets normal and facenormal.
void make_normals(const std::vector<double>& vert, bool smooth, Surface& surface);

}  // namespace lockstep::mesh
