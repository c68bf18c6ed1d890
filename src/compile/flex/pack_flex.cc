// pack_flex.cc: flexes into the Model.
#include <algorithm>

#include "compile/build.h"
#include "compile/objects/common.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

// running ends of the arrays that all flexes share
struct Ends {
  int vert = 0, node = 0, edge = 0, elem = 0, elemdata = 0, elemedge = 0, shelldata = 0,
      texcoord = 0, stiffness = 0, bending = 0, bvh = 0;
};

template <class To, class From>
void append(To* array, int adr, const std::vector<From>& values) {
  std::copy(values.begin(), values.end(), array + adr);
}

void pack_settings(Model& m, const Flex& flex, const FlexData& data) {
  const int id = flex.id;
  m.flex_contype[id] = flex.contype;
  m.flex_conaffinity[id] = flex.conaffinity;
  m.flex_condim[id] = flex.condim;
  m.flex_priority[id] = flex.priority;
  m.flex_solmix[id] = flex.solmix;
  put(m.flex_solref, id, flex.solref);
  put(m.flex_solimp, id, flex.solimp);
  put(m.flex_friction, id, flex.friction);
  m.flex_margin[id] = flex.margin;
  m.flex_gap[id] = flex.gap;
  m.flex_selfcollide[id] = code(flex.selfcollide);
  m.flex_activelayers[id] = flex.activelayers;
  m.flex_passive[id] = flex.passive;
  m.flex_dim[id] = data.dim;
  m.flex_group[id] = flex.group;
  m.flex_interp[id] = flex.elastic2d ? -flex.order : flex.order;
  put(m.flex_cellnum, id, flex.cellcount);
  m.flex_radius[id] = data.radius;
  put(m.flex_size, id, to_array(data.size));
  m.flex_damping[id] = flex.damping;
  put(m.flex_yield, id, flex.stressyield);
  m.flex_edgestiffness[id] = flex.edgestiffness;
  m.flex_edgedamping[id] = flex.edgedamping;
  m.flex_rigid[id] = data.rigid;
  m.flex_centered[id] = data.centered;
  m.flex_flatskin[id] = flex.flatskin;
  m.flex_plasticadr[id] = data.plasticadr;
  m.flex_plasticmode[id] = data.plasticmode;
  put(m.flex_rgba, id, flex.rgba);
}

// kind of constraint that holds its edges
int edge_equality(const Build& b, const Flex& flex) {
  for (const Equality* equality : b.spec.equalities) {
    if (equality->name1 != flex.name) continue;
    if (equality->type == EqType::flex) return 1;
    if (equality->type == EqType::flexstrain) return 3;
  }
  return 0;
}

void pack_points(Model& m, const Flex& flex, const FlexData& data, Ends& at) {
  const int id = flex.id;
  m.flex_vertadr[id] = at.vert;
  m.flex_vertnum[id] = data.nvert;
  m.flex_nodeadr[id] = at.node;
  m.flex_nodenum[id] = data.nnode;
  const bool origin = data.centered && !data.interpolated;
  if (!origin) append(m.flex_vert, 3 * at.vert, flex.vert);
  if (!data.centered && data.interpolated) append(m.flex_node, 3 * at.node, flex.node);
  append(m.flex_vert0, 3 * at.vert, data.vert0);
  append(m.flex_node0, 3 * at.node, data.nodepos);
  append(m.flex_vertcell, at.vert, data.vertcell);
  append(m.flex_nodebodyid, at.node, data.nodebody);
  if (data.rigid) {
    std::fill_n(m.flex_vertbodyid + at.vert, data.nvert, data.vertbody[0]);
  } else {
    append(m.flex_vertbodyid, at.vert, data.vertbody);
  }
  at.vert += data.nvert;
  at.node += data.nnode;
}

void pack_edges(Build& b, const Flex& flex, const FlexData& data, Ends& at) {
  Model& m = b.model;
  m.flex_edgeadr[flex.id] = at.edge;
  m.flex_edgenum[flex.id] = static_cast<int>(data.edge.size());
  const bool bends = data.dim == 2 && (flex.elastic2d == 1 || flex.elastic2d == 3);
  for (size_t e = 0; e < data.edge.size(); e++, at.edge++) {
    const auto [v0, v1] = data.edge[e];
    put(m.flex_edge, at.edge, data.edge[e]);
    put(m.flex_edgeflap, at.edge, bends ? data.flap[e] : Edge{-1, -1});
    bool stiff = data.rigid;
    if (!data.rigid && !data.interpolated) {
      const auto& bodies = b.tree.bodies;
      stiff = bodies[data.vertbody[v0]].weld == bodies[data.vertbody[v1]].weld;
    }
    m.flexedge_rigid[at.edge] = stiff;
  }
}

void pack_elements(Model& m, const Flex& flex, const FlexData& data, Ends& at) {
  const int id = flex.id;
  m.flex_elemadr[id] = at.elem;
  m.flex_elemnum[id] = data.nelem;
  m.flex_elemdataadr[id] = at.elemdata;
  m.flex_elemedgeadr[id] = at.elemedge;
  m.flex_shellnum[id] = static_cast<int>(data.shell.size()) / data.dim;
  m.flex_shelldataadr[id] = data.shell.empty() ? -1 : at.shelldata;
  m.flex_texcoordadr[id] = flex.texcoord.empty() ? -1 : at.texcoord;
  append(m.flex_matid, at.elem, data.matid);
  append(m.flex_elem, at.elemdata, data.elem);
  append(m.flex_elemtexcoord, at.elemdata, flex.texcoord.empty() ? data.elem : data.elemtexcoord);
  append(m.flex_elemedge, at.elemedge, data.elemedge);
  append(m.flex_elemlayer, at.elem, data.elemlayer);
  append(m.flex_shell, at.shelldata, data.shell);
  append(m.flex_texcoord, 2 * at.texcoord, flex.texcoord);
  at.elem += data.nelem;
  at.elemdata += static_cast<int>(data.elem.size());
  at.elemedge += static_cast<int>(data.elemedge.size());
  at.shelldata += static_cast<int>(data.shell.size());
  at.texcoord += static_cast<int>(flex.texcoord.size() / 2);
}

void pack_elasticity(Model& m, const Flex& flex, const FlexData& data, Ends& at) {
  m.flex_stiffnessadr[flex.id] = data.stiffness.empty() ? -1 : at.stiffness;
  m.flex_bendingadr[flex.id] = data.bending.empty() ? -1 : at.bending;
  append(m.flex_stiffness, at.stiffness, data.stiffness);
  append(m.flex_bending, at.bending, data.bending);
  at.stiffness += static_cast<int>(data.stiffness.size());
  at.bending += static_cast<int>(data.bending.size());
}

// the boxes themselves move and belong to Data
void pack_volumes(Model& m, const Flex& flex, const FlexData& data, Ends& at) {
  m.flex_bvhnum[flex.id] = data.bvh.num();
  m.flex_bvhadr[flex.id] = data.bvh.num() ? at.bvh : -1;
  append(m.bvh_child, 2 * at.bvh, data.bvh.child);
  append(m.bvh_depth, at.bvh, data.bvh.depth);
  append(m.bvh_nodeid, at.bvh, data.bvh.nodeid);
  at.bvh += data.bvh.num();
}

}  // namespace

void pack_flexes(Build& b) {
  Ends ends;
  ends.bvh = static_cast<int>(b.model.nbvhstatic);
  for (const Flex* flex : b.spec.flexes) {
    const FlexData& data = b.flexes[flex->id];
    pack_settings(b.model, *flex, data);
    b.model.flex_edgeequality[flex->id] = edge_equality(b, *flex);
    pack_points(b.model, *flex, data, ends);
    pack_edges(b, *flex, data, ends);
    pack_elements(b.model, *flex, data, ends);
    pack_elasticity(b.model, *flex, data, ends);
    pack_volumes(b.model, *flex, data, ends);
    const bool held = data.rigid || b.model.flex_edgeequality[flex->id] || flex->edgestiffness ||
                      flex->edgedamping || flex->damping || !data.bending.empty();
    if (!held) {
      b.warning(*flex, "",
                "flex '" + flex->name +
                    "' is not rigid and has no equality constraints or passive forces");
    }
  }
}

}  // namespace lockstep
