// site.cc: sites: shape and pose in the body.
#include <algorithm>
#include <cmath>

#include "compile/build.h"
#include "compile/mesh/mesh.h"
#include "compile/passes.h"
#include "compile/shape.h"

namespace lockstep {
namespace {

bool check(Build& b, const Site& site) {
  int type = code(site.type);
  if (type < 0 || type >= mjNGEOMTYPES) {
    b.error(site, "type", "unknown type of site");
    return false;
  }
  if (site.type == GeomType::hfield || site.type == GeomType::plane) {
    b.error(site, "type", "sites cannot be height fields or planes");
    return false;
  }
  if ((site.type == GeomType::mesh) == site.meshname.empty()) {
    b.error(site, "mesh",
            site.meshname.empty() ? "a site of type mesh must name a mesh"
                                  : "only sites of type mesh may name a mesh");
    return false;
  }
  return true;
}

bool settle(Build& b, Site& site, SiteData& data) {
  take_mesh_material(b, site.meshname, site.material);
  if (!site.material.empty()) {
    data.matid = b.resolve(site, "material", ObjType::material, site.material);
  }
  if (!std::isnan(site.fromto[0]) &&
      !settle_fromto(b, site, site.type, site.fromto, site.pos, site.quat, site.size)) {
    return false;
  }
  if (!site.meshname.empty()) {
    data.dataid = b.resolve(site, "mesh", ObjType::mesh, site.meshname);
    if (data.dataid < 0) return false;
    const auto& aamm = b.meshes.meshes[data.dataid]->aamm;
    for (int i = 0; i < 3; i++) {
      site.size[i] = std::max(std::abs(aamm[i]), std::abs(aamm[i + 3]));
    }
  }
  data.pose = b.tree.placed(site.frame, Pose{to_vec(site.pos), to_quat(site.quat)});
  return check_sizes(b, site, site.type, site.size);
}

}  // namespace

void compile_sites(Build& b) {
  for (Site* site : b.sites) {
    if (check(b, *site)) settle(b, *site, b.tree.sites[site->id]);
  }
}

}  // namespace lockstep
