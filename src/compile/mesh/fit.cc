// fit.cc: see fit.h.
#include "compile/mesh/fit.h"

#include <algorithm>
#include <cmath>

namespace lockstep::mesh {
namespace {

bool fit_inertia_box(const Vec3d& box, GeomType type, Vec3d& size) {
  switch (type) {
    case GeomType::sphere: size = {(box.x + box.y + box.z) / 3, 0, 0}; return true;
    case GeomType::capsule: {
      double radius = (box.x + box.y) / 2;
      size = {radius, std::max(0.0, box.z - radius / 2), 0};
      return true;
    }
    case GeomType::cylinder: size = {(box.x + box.y) / 2, box.z, 0}; return true;
    case GeomType::ellipsoid:
    case GeomType::box: size = box; return true;
    default: return false;
  }
}

bool fit_bounding_box(const Vec3d& half, GeomType type, Vec3d& size) {
  double radius = std::max(half.x, half.y);
  switch (type) {
    case GeomType::sphere: size = {std::max(radius, half.z), 0, 0}; return true;
    case GeomType::capsule: size = {radius, half.z - radius, 0}; return true;
    case GeomType::cylinder: size = {radius, half.z, 0}; return true;
    case GeomType::ellipsoid:
    case GeomType::box: size = half; return true;
    default: return false;
  }
}

}  // namespace

bool fit_geom(const MeshData& mesh, GeomType type, bool aabb, double scale, Fit& out,
              std::string& error) {
  out = Fit();
  bool ok;
  if (aabb) {
    const auto& m = mesh.aamm;
    out.center = {(m[0] + m[3]) / 2, (m[1] + m[4]) / 2, (m[2] + m[5]) / 2};
    ok = fit_bounding_box(Vec3d{m[3], m[4], m[5]} - out.center, type, out.size);
  } else {
    ok = fit_inertia_box(mesh.boxsize, type, out.size);
  }
  if (!ok) error = "this type of geom cannot be fitted to a mesh";
  out.size = out.size * scale;
  return ok;
}

Vec3d reach(const MeshData& mesh) {
  Vec3d out;
  for (int i = 0; i < 3; i++) {
    out[i] = std::max(std::abs(mesh.aamm[i]), std::abs(mesh.aamm[i + 3]));
  }
  return out;
}

std::array<double, 6> bounding_box(const MeshData& mesh) {
  const auto& m = mesh.aamm;
  return {(m[0] + m[3]) / 2, (m[1] + m[4]) / 2, (m[2] + m[5]) / 2,
          (m[3] - m[0]) / 2, (m[4] - m[1]) / 2, (m[5] - m[2]) / 2};
}

}  // namespace lockstep::mesh
