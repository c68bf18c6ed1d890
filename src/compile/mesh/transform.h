// transform.h: moves a mesh from the frame of its file to its final one.
#pragma once

#include <array>
#include <vector>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

// undoes the reference frame, then scales; normals follow and become unit vectors
void apply_reference(const MeshInput& input, std::vector<double>& vert, Surface& surface);

// turns faces of the mesh and of its hull, and polygons, round when the scale mirrors
void apply_mirror(const Vec3d& scale, MeshData& mesh);

// subtracts pos, undoes the rotation quat
void apply_pose(const Vec3d& pos, const Quatd& quat, std::vector<double>& vert, Surface& surface);

// smallest and largest coordinates
std::array<double, 6> extent(const std::vector<double>& vert);

}  // namespace lockstep::mesh
