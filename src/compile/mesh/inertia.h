// inertia.h: volume or area, center of mass and inertia of a mesh of unit density.
#pragma once

#include <string>
#include <vector>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

struct MassProperties {
  double volume = 0;       // shell: area
  Vec3d center{0, 0, 0};   // of mass
  Quatd quat{1, 0, 0, 0};  // principal axes
  Vec3d boxsize{0, 0, 0};  // half sizes of the box of equal inertia
};

// faces: triangles of the mesh (of its hull for convex inertia); all: those of the mesh
bool mass_properties(MeshInertia mode, const std::vector<double>& vert, const int* face, int nface,
                     const std::vector<int>& all, MassProperties& out, std::string& error);

// moments of inertia of a geom made of the mesh, in the frame of the mesh
Vec3d diagonal_inertia(const MeshData& mesh, double mass);

}  // namespace lockstep::mesh
