// fit.h: primitive geoms fitted to a mesh.
#pragma once

#include <string>

#include "compile/mesh/mesh.h"

namespace lockstep::mesh {

struct Fit {
  Vec3d size{0, 0, 0};    // as in geom_size; unused entries are zero
  Vec3d center{0, 0, 0};  // of the primitive, in the frame of the mesh
};

// By the box of equal inertia, or (aabb) the smallest primitive whose bounding box holds the
// mesh's. `name` of the mesh serves messages. Only sphere, capsule, cylinder, ellipsoid and box can
// be fitted.
bool fit_geom(const MeshData& mesh, GeomType type, bool aabb, double scale, Fit& out,
              std::string& error);

// size of a mesh geom: how far the mesh reaches from the origin along each axis
Vec3d reach(const MeshData& mesh);

// center and half sizes of the mesh's bounding box, as in geom_aabb
std::array<double, 6> bounding_box(const MeshData& mesh);

}  // namespace lockstep::mesh
