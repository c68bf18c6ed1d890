// bvh.cc: bounding volume hierarchies of bodies, over the geoms that can collide.
#include "compile/mesh/bvh.h"

#include <algorithm>

#include "compile/build.h"
#include "compile/mesh/mesh.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

// one hierarchy into the Model; returns where it starts, -1 if it is empty
int append(Model& m, const mesh::Bvh& bvh, int& adr) {
  if (bvh.num() == 0) return -1;
  int start = adr;
  std::copy(bvh.aabb.begin(), bvh.aabb.end(), m.bvh_aabb + 6 * adr);
  std::copy(bvh.child.begin(), bvh.child.end(), m.bvh_child + 2 * adr);
  std::copy(bvh.nodeid.begin(), bvh.nodeid.end(), m.bvh_nodeid + adr);
  std::copy(bvh.depth.begin(), bvh.depth.end(), m.bvh_depth + adr);
  adr += bvh.num();
  return start;
}

}  // namespace

void compile_bvh(Build& b) {
  b.model.nbvhstatic = 0;
  for (const Body* body : b.bodies) {
    BodyData& data = b.tree.bodies[body->id];
    std::vector<mesh::BvhLeaf> leaves;
    for (const Geom* geom : body->geoms) {
      if (!geom->contype && !geom->conaffinity) continue;
      const GeomData& part = b.tree.geoms[geom->id];
      leaves.push_back(mesh::make_leaf(geom->id, part.pose.pos, part.pose.quat, part.aabb,
                                       data.inertial.pos, data.inertial.quat));
    }
    data.bvh = mesh::make_bvh(std::move(leaves));
    b.model.nbvhstatic += data.bvh.num();
  }
  for (const auto& asset : b.meshes.meshes) b.model.nbvhstatic += asset->bvh.num();
  b.model.nbvh = b.model.nbvhstatic;
}

void pack_bvh(Build& b) {
  Model& m = b.model;
  int adr = 0;
  for (int i = 0; i < m.nbody; i++) {
    m.body_bvhadr[i] = append(m, b.tree.bodies[i].bvh, adr);
    m.body_bvhnum[i] = b.tree.bodies[i].bvh.num();
  }
  for (int i = 0; i < m.nmesh; i++) {
    m.mesh_bvhadr[i] = append(m, b.meshes.meshes[i]->bvh, adr);
    m.mesh_bvhnum[i] = b.meshes.meshes[i]->bvh.num();
  }
}

}  // namespace lockstep
