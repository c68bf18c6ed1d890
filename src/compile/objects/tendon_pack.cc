// tendon_pack.cc: tendons and their paths into the Model.
#include <algorithm>

#include "compile/objects/common.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

// how many trees a tendon touches, and the first two in the order of its path
void pack_trees(Model& m, int id, const TendonPlan& plan) {
  std::vector<int> trees;
  for (const WrapPlan& wrap : plan.path) {
    const int tree = wrap.body < 0 ? -1 : m.body_treeid[wrap.body];
    if (tree >= 0 && std::find(trees.begin(), trees.end(), tree) == trees.end()) {
      trees.push_back(tree);
    }
  }
  m.tendon_treenum[id] = static_cast<int>(trees.size());
  for (size_t i = 0; i < 2; i++) m.tendon_treeid[2 * id + i] = i < trees.size() ? trees[i] : -1;
}

void pack_path(Model& m, int id, int adr, const TendonPlan& plan) {
  m.tendon_adr[id] = adr;
  m.tendon_num[id] = static_cast<int>(plan.path.size());
  for (const WrapPlan& wrap : plan.path) {
    m.wrap_type[adr] = code(wrap.type);
    m.wrap_objid[adr] = wrap.object;
    m.wrap_prm[adr] = wrap.prm;
    adr++;
  }
}

void pack_values(Model& m, const Tendon& tendon) {
  const int id = tendon.id;
  m.tendon_group[id] = tendon.group;
  m.tendon_limited[id] = is_limited(tendon.limited, tendon.range);
  m.tendon_actfrclimited[id] = is_limited(tendon.actfrclimited, tendon.actfrcrange);
  m.tendon_width[id] = tendon.width;
  m.tendon_margin[id] = tendon.margin;
  m.tendon_armature[id] = tendon.armature;
  m.tendon_frictionloss[id] = tendon.frictionloss;
  m.tendon_springyield[id] = tendon.springyield;
  put(m.tendon_solref_lim, id, tendon.solref_limit);
  put(m.tendon_solimp_lim, id, tendon.solimp_limit);
  put(m.tendon_solref_fri, id, tendon.solref_friction);
  put(m.tendon_solimp_fri, id, tendon.solimp_friction);
  put(m.tendon_range, id, tendon.range);
  put(m.tendon_actfrcrange, id, tendon.actfrcrange);
  put(m.tendon_lengthspring, id, tendon.springlength);
  put(m.tendon_rgba, id, tendon.rgba);
  put_poly(m.tendon_stiffness, m.tendon_stiffnesspoly, id, tendon.stiffness);
  put_poly(m.tendon_damping, m.tendon_dampingpoly, id, tendon.damping);
  put_user(m.tendon_user, m.nuser_tendon, id, tendon.userdata);
}

}  // namespace

void pack_tendons(Build& b) {
  Model& m = b.model;
  int wrap_adr = 0, jacobian_adr = 0;
  for (const Tendon* tendon : b.spec.tendons) {
    const int id = tendon->id;
    const TendonPlan& plan = b.plans.tendons[id];
    pack_values(m, *tendon);
    pack_path(m, id, wrap_adr, plan);
    pack_trees(m, id, plan);
    m.tendon_type[id] = code(plan.spatial() ? TendonType::spatial : TendonType::fixed);
    m.tendon_plasticadr[id] = plan.plasticadr;
    m.tendon_actuatorid[id] = -1;  // until an actuator with damping or armature turns up
    m.tendon_matid[id] = tendon->material.empty()
                             ? -1
                             : b.resolve(*tendon, "material", ObjType::material, tendon->material);
    m.ten_J_rownnz[id] = static_cast<int>(plan.dofs.size());
    m.ten_J_rowadr[id] = jacobian_adr;
    std::copy(plan.dofs.begin(), plan.dofs.end(), m.ten_J_colind + jacobian_adr);
    wrap_adr += static_cast<int>(plan.path.size());
    jacobian_adr += static_cast<int>(plan.dofs.size());
  }
}

}  // namespace lockstep
