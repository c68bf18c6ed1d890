// geom.cc: geoms: shape, pose in the body, bounding box, mass and inertia.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compile/build.h"
#include "compile/mesh/inertia.h"
#include "compile/mesh/mesh.h"
#include "compile/passes.h"
#include "compile/shape.h"

namespace lockstep {
namespace {

constexpr double endless = 1e10;  // half size of the bounding box of a plane

bool is_mesh(const Geom& geom) { return geom.type == GeomType::mesh || geom.type == GeomType::sdf; }

const MeshData* mesh_of(const Build& b, const Geom& geom) {
  int id = b.tree.geoms[geom.id].dataid;
  return is_mesh(geom) && id >= 0 ? b.meshes.meshes[id].get() : nullptr;
}

// largest distance of a bounding box's sides from the origin
std::array<double, 3> extent(const std::array<double, 6>& aamm) {
  std::array<double, 3> result;
  for (int i = 0; i < 3; i++) result[i] = std::max(std::abs(aamm[i]), std::abs(aamm[i + 3]));
  return result;
}

// velocity of a surface, seen from a frame that stands at `pose`: linear part about its new origin
std::array<double, 6> seen_from(const Pose& pose, const std::array<double, 6>& velocity) {
  Vec3d linear{velocity[0], velocity[1], velocity[2]},
      angular{velocity[3], velocity[4], velocity[5]};
  linear = rotate_inv(pose.quat, linear + cross(angular, pose.pos));
  angular = rotate_inv(pose.quat, angular);
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

// sizes of a primitive that stands for a mesh: with its inertia, or around its bounding box
bool fit(Build& b, Geom& geom, const MeshData& mesh) {
  std::array<double, 3> box = to_array(mesh.boxsize);
  Vec3d center{0, 0, 0};
  bool around = geom.compiler->fitaabb;
  if (around) {
    for (int i = 0; i < 3; i++) {
      center[i] = (mesh.aamm[i] + mesh.aamm[i + 3]) / 2;
      box[i] = mesh.aamm[i + 3] - center[i];
    }
  }
  double wide = around ? std::max(box[0], box[1]) : (box[0] + box[1]) / 2;
  switch (geom.type) {
    case GeomType::sphere:
      geom.size[0] = around ? std::max(wide, box[2]) : (box[0] + box[1] + box[2]) / 3;
      break;
    case GeomType::capsule:
      geom.size[0] = wide;
      geom.size[1] = std::max(0.0, box[2] - (around ? wide : wide / 2));
      break;
    case GeomType::cylinder:
      geom.size[0] = wide;
      geom.size[1] = box[2];
      break;
    case GeomType::ellipsoid:
    case GeomType::box: geom.size = box; break;
    default:
      b.error(geom, "type", fmt::format("a {} cannot be fitted to a mesh", keyword_of(geom.type)));
      return false;
  }
  for (double& size : geom.size) size *= geom.fitscale;
  Pose own{to_vec(geom.pos), to_quat(geom.quat)};
  Pose shift{Pose{mesh.pos, mesh.quat} * center, mesh.quat};
  Pose fitted = own * shift;
  geom.surfacevel = seen_from(shift, geom.surfacevel);
  geom.pos = to_array(fitted.pos);
  geom.quat = to_array(fitted.quat);
  geom.meshname.clear();
  return true;
}

// references to assets; false if one is missing
bool settle_assets(Build& b, Geom& geom, GeomData& data) {
  take_mesh_material(b, geom.meshname, geom.material);
  if (!geom.material.empty()) {
    data.matid = b.resolve(geom, "material", ObjType::material, geom.material);
  }
  bool wants_hfield = geom.type == GeomType::hfield;
  if (wants_hfield == geom.hfieldname.empty()) {
    b.error(geom, "hfield",
            wants_hfield ? "a geom of type hfield must name a height field"
                         : "only geoms of type hfield may name a height field");
    return false;
  }
  if (wants_hfield) data.dataid = b.resolve(geom, "hfield", ObjType::hfield, geom.hfieldname);
  if (is_mesh(geom) && geom.meshname.empty()) {
    b.error(geom, "mesh", "a geom of type mesh must name a mesh");
    return false;
  }
  if (!geom.meshname.empty()) {
    data.dataid = b.resolve(geom, "mesh", ObjType::mesh, geom.meshname);
  }
  return (geom.meshname.empty() && geom.hfieldname.empty()) || data.dataid >= 0;
}

bool check(Build& b, const Geom& geom) {
  int type = code(geom.type);
  if (type < 0 || type >= mjNGEOMTYPES) {
    b.error(geom, "type", "unknown type of geom");
    return false;
  }
  if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6) {
    auto& error = b.error(geom, "condim", "no such contact dimensionality");
    error.expected = "1, 3, 4 or 6";
    error.found = std::to_string(geom.condim);
    return false;
  }
  // a mocap body does not move by itself; it is its own weld group
  const int weld = b.tree.bodies[geom.parent->id].weld;
  if (geom.type == GeomType::plane && weld != 0 && b.tree.bodies[weld].mocap < 0) {
    b.error(geom, "type", "planes are only allowed in static bodies");
    return false;
  }
  return true;
}

// shape and pose
bool settle_shape(Build& b, Geom& geom, GeomData& data) {
  if (!std::isnan(geom.fromto[0])) {
    if (!settle_fromto(b, geom, geom.type, geom.fromto, geom.pos, geom.quat, geom.size)) {
      return false;
    }
    if (!geom.meshname.empty()) {
      b.error(geom, "fromto", "fromto cannot be used with a mesh");
      return false;
    }
  }
  Pose offset;  // meshes are centered and aligned
  if (!geom.meshname.empty()) {
    const MeshData& mesh = *b.meshes.meshes[data.dataid];
    if (is_mesh(geom)) {
      if (geom.typeinertia == GeomInertia::shell) {
        b.error(geom, "shellinertia", "the inertia of a mesh is chosen in the mesh asset");
        return false;
      }
      offset = {mesh.pos, mesh.quat};
      geom.size = extent(mesh.aamm);
    } else {
      if (!fit(b, geom, mesh)) return false;
      data.dataid = -1;
    }
  }
  if (!check_sizes(b, geom, geom.type, geom.size)) return false;
  if (geom.type == GeomType::hfield) {
    const auto& size = b.spec.hfields[data.dataid]->size;
    geom.size = {size[0], size[1], 0.25 * size[2] + 0.5 * size[3]};
  }
  Pose own{to_vec(geom.pos), to_quat(geom.quat)};
  data.pose = b.tree.placed(geom.frame, is_mesh(geom) ? own * offset : own);
  data.surfacevel = seen_from(offset, geom.surfacevel);
  return true;
}

// smallest and largest coordinates in the frame of the geom
std::array<double, 6> bounds(const Build& b, const Geom& geom) {
  const auto& s = geom.size;
  auto symmetric = [](double x, double y, double z) {
    return std::array<double, 6>{-x, -y, -z, x, y, z};
  };
  switch (geom.type) {
    case GeomType::plane: return {-endless, -endless, -endless, endless, endless, 0};
    case GeomType::hfield: {
      const auto& h = b.spec.hfields[b.tree.geoms[geom.id].dataid]->size;
      return {-h[0], -h[1], -h[3], h[0], h[1], h[2]};
    }
    case GeomType::sphere: return symmetric(s[0], s[0], s[0]);
    case GeomType::capsule: return symmetric(s[0], s[0], s[0] + s[1]);
    case GeomType::cylinder: return symmetric(s[0], s[0], s[1]);
    case GeomType::mesh:
    case GeomType::sdf: return mesh_of(b, geom)->aamm;
    default: return symmetric(s[0], s[1], s[2]);
  }
}

// mass and inertia, where those of the body come from its geoms
void settle_inertia(Build& b, Geom& geom, GeomData& data) {
  const Body& body = *geom.parent;
  const CompilerSpec& settings = *body.compiler;
  const auto& range = settings.inertiagrouprange;
  bool wanted = body.id > 0 && geom.group >= range[0] && geom.group <= range[1] &&
                (!body.explicitinertial || settings.inertiafromgeom == InertiaFromGeom::true_);
  if (!wanted) return;
  const MeshData* mesh = mesh_of(b, geom);
  bool shell = geom.typeinertia == GeomInertia::shell;
  double volume = mesh ? mesh->volume : shape_volume(geom.type, shell, geom.size);
  if (std::isnan(geom.mass)) {
    data.mass = geom.density == 0 ? 0 : geom.density * volume;
  } else if (geom.mass != 0 && volume > tiny_length) {
    data.mass = geom.mass;
  }
  if (data.mass != 0) {
    data.inertia = mesh ? mesh::diagonal_inertia(*mesh, data.mass)
                        : shape_inertia(geom.type, shell, geom.size, data.mass);
  }
  const Vec3d& moments = data.inertia;
  if (data.mass < 0 || geom.density < 0 || moments.x < 0 || moments.y < 0 || moments.z < 0) {
    b.error(geom, std::isnan(geom.mass) ? "density" : "mass",
            "mass, inertia and density cannot be negative");
  }
}

}  // namespace

void compile_geoms(Build& b) {
  for (Geom* geom : b.geoms) {
    GeomData& data = b.tree.geoms[geom->id];
    if (!check(b, *geom) || !settle_assets(b, *geom, data)) continue;
    if (!settle_shape(b, *geom, data)) continue;
    std::array<double, 6> aamm = bounds(b, *geom);
    for (int i = 0; i < 3; i++) {
      data.aabb[i] = (aamm[i + 3] + aamm[i]) / 2;
      data.aabb[i + 3] = (aamm[i + 3] - aamm[i]) / 2;
    }
    settle_inertia(b, *geom, data);
  }
}

}  // namespace lockstep
