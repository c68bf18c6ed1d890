// constants_fixed.cc: derived numbers that do not depend on the pose.
#include <algorithm>
#include <cmath>
#include <vector>

#include "compile/constants_phases.h"
#include "math/quat.h"

namespace lockstep {
namespace {

void set_masses(Model& m) {
  std::copy_n(m.body_mass, m.nbody, m.body_subtreemass);
  for (int body = static_cast<int>(m.nbody) - 1; body > 0; body--) {
    m.body_subtreemass[m.body_parentid[body]] += m.body_subtreemass[body];
  }
}

void set_flags(Model& m) {
  const auto some = [](const double* values, int64_t count) {
    return std::any_of(values, values + count, [](double x) { return x != 0; });
  };
  m.ngravcomp =
      std::count_if(m.body_gravcomp, m.body_gravcomp + m.nbody, [](double x) { return x > 0; });
  m.flg_gravcomp = m.ngravcomp > 0;
  m.flg_surfacevel = some(m.geom_surfacevel, 6 * m.ngeom);
  m.flg_adhesion = some(m.geom_adhesion, m.ngeom) || some(m.pair_adhesion, m.npair);
  const auto largest = [](const int* values, int64_t count) {
    return count ? std::max(0, *std::max_element(values, values + count)) : 0;
  };
  m.npolygonmax = largest(m.mesh_polyvertnum, m.nmeshpoly);
  m.nmeshdegmax = largest(m.mesh_polymapnum, m.nmeshvert);
}

// which actuator brings damping or armature to a joint or tendon: -1 none, -2 several
void set_actuator_ids(Model& m) {
  std::fill_n(m.jnt_actuatorid, m.njnt, -1);
  std::fill_n(m.tendon_actuatorid, m.ntendon, -1);
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    const double* poly = m.actuator_dampingpoly + mjNPOLY * actuator;
    const bool passive = m.actuator_damping[actuator] != 0 || m.actuator_armature[actuator] != 0 ||
                         std::any_of(poly, poly + mjNPOLY, [](double x) { return x != 0; });
    if (!passive) continue;
    const TrnType type{m.actuator_trntype[actuator]};
    int* owner = nullptr;
    const int id = m.actuator_trnid[2 * actuator];
    if (type == TrnType::joint || type == TrnType::jointinparent) owner = m.jnt_actuatorid + id;
    if (type == TrnType::tendon) owner = m.tendon_actuatorid + id;
    if (owner) *owner = *owner == -1 ? actuator : -2;
  }
}

void set_trees(Model& m) {
  for (int body = 0; body < m.nbody; body++) {
    const int weld = m.body_weldid[body];
    m.body_treeid[body] = m.body_dofnum[weld] ? m.dof_treeid[m.body_dofadr[weld]] : -1;
  }
  std::fill_n(m.tree_bodynum, m.ntree, 0);
  std::fill_n(m.tree_dofnum, m.ntree, 0);
  for (int body = 1; body < m.nbody; body++) {
    const int tree = m.body_treeid[body];
    if (tree >= 0 && m.tree_bodynum[tree]++ == 0) m.tree_bodyadr[tree] = body;
  }
  for (int dof = 0; dof < m.nv; dof++) {
    const int tree = m.dof_treeid[dof];
    if (m.tree_dofnum[tree]++ == 0) m.tree_dofadr[tree] = dof;
  }
}

// body that a part of a tendon path is attached to, -1 for pulleys
int wrap_body(const Model& m, int wrap) {
  const int id = m.wrap_objid[wrap];
  switch (WrapType{m.wrap_type[wrap]}) {
    case WrapType::joint: return m.jnt_bodyid[id];
    case WrapType::site: return m.site_bodyid[id];
    case WrapType::sphere:
    case WrapType::cylinder: return m.geom_bodyid[id];
    default: return -1;
  }
}

// trees a tendon connects, in the order of its path
std::vector<int> tendon_trees(const Model& m, int tendon) {
  std::vector<int> trees;
  for (int wrap = m.tendon_adr[tendon]; wrap < m.tendon_adr[tendon] + m.tendon_num[tendon];
       wrap++) {
    const int body = wrap_body(m, wrap);
    const int tree = body < 0 ? -1 : m.body_treeid[body];
    if (tree >= 0 && std::find(trees.begin(), trees.end(), tree) == trees.end())
      trees.push_back(tree);
  }
  return trees;
}

void set_tendon_trees(Model& m) {
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const std::vector<int> trees = tendon_trees(m, tendon);
    m.tendon_treenum[tendon] = static_cast<int>(trees.size());
    m.tendon_treeid[2 * tendon] = trees.empty() ? -1 : trees[0];
    m.tendon_treeid[2 * tendon + 1] = trees.size() < 2 ? -1 : trees[1];
  }
}

// dofs that can change the length of a tendon, ascending
std::vector<int> tendon_dofs(const Model& m, int tendon) {
  std::vector<int> dofs;
  for (int wrap = m.tendon_adr[tendon]; wrap < m.tendon_adr[tendon] + m.tendon_num[tendon];
       wrap++) {
    if (WrapType{m.wrap_type[wrap]} == WrapType::joint) {
      dofs.push_back(m.jnt_dofadr[m.wrap_objid[wrap]]);
      continue;
    }
    for (int body = wrap_body(m, wrap); body > 0; body = m.body_parentid[body]) {
      for (int k = 0; k < m.body_dofnum[body]; k++) dofs.push_back(m.body_dofadr[body] + k);
    }
  }
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

bool set_tendon_pattern(Model& m) {
  int adr = 0;
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const std::vector<int> dofs = tendon_dofs(m, tendon);
    const int count = static_cast<int>(dofs.size());
    if (adr + count > m.nJten) return false;
    m.ten_J_rowadr[tendon] = adr;
    m.ten_J_rownnz[tendon] = count;
    std::copy(dofs.begin(), dofs.end(), m.ten_J_colind + adr);
    adr += count;
  }
  return true;
}

constexpr double frame_tolerance = 1e-6;  // frames closer than this count as the same

bool same(const double* a, const double* b, int count, double sign = 1) {
  for (int k = 0; k < count; k++) {
    if (!(std::abs(a[k] - sign * b[k]) < frame_tolerance)) return false;
  }
  return true;
}
bool same_quat(const double* a, const double* b) { return same(a, b, 4) || same(a, b, 4, -1); }

// whether a frame at (pos, quat) of a body can be copied from the body or from its inertial frame
SameFrame sameframe(const double* pos, const double* quat, const double* ipos,
                    const double* iquat) {
  static constexpr double origin[3] = {0, 0, 0}, identity[4] = {1, 0, 0, 0};
  if (same_quat(quat, identity)) return same(pos, origin, 3) ? SameFrame::body : SameFrame::bodyrot;
  if (ipos && same_quat(quat, iquat))
    return same(pos, ipos, 3) ? SameFrame::inertia : SameFrame::inertiarot;
  return SameFrame::none;
}

void set_sameframes(Model& m) {
  m.body_sameframe[0] = static_cast<Byte>(SameFrame::body);  // whatever inertia the world was given
  for (int body = 1; body < m.nbody; body++) {
    m.body_sameframe[body] = static_cast<Byte>(
        sameframe(m.body_ipos + 3 * body, m.body_iquat + 4 * body, nullptr, nullptr));
  }
  for (int geom = 0; geom < m.ngeom; geom++) {
    const int body = m.geom_bodyid[geom];
    m.geom_sameframe[geom] =
        static_cast<Byte>(sameframe(m.geom_pos + 3 * geom, m.geom_quat + 4 * geom,
                                    m.body_ipos + 3 * body, m.body_iquat + 4 * body));
  }
  for (int site = 0; site < m.nsite; site++) {
    const int body = m.site_bodyid[site];
    m.site_sameframe[site] =
        static_cast<Byte>(sameframe(m.site_pos + 3 * site, m.site_quat + 4 * site,
                                    m.body_ipos + 3 * body, m.body_iquat + 4 * body));
  }
}

// bodies whose trees must not fall asleep because an actuator drives them
std::vector<int> driven_bodies(const Model& m, int actuator) {
  const int id = m.actuator_trnid[2 * actuator], ref = m.actuator_trnid[2 * actuator + 1];
  switch (TrnType{m.actuator_trntype[actuator]}) {
    case TrnType::joint:
    case TrnType::jointinparent: return {m.jnt_bodyid[id]};
    case TrnType::site:
      return ref < 0 ? std::vector{m.site_bodyid[id]}
                     : std::vector{m.site_bodyid[id], m.site_bodyid[ref]};
    case TrnType::slidercrank: return {m.site_bodyid[id], m.site_bodyid[ref]};
    case TrnType::so3:
      return ref < 0 ? std::vector{m.jnt_bodyid[id]}
                     : std::vector{m.site_bodyid[id], m.site_bodyid[ref]};
    case TrnType::body: return {id};
    case TrnType::tendon: {
      std::vector<int> bodies;
      for (int wrap = m.tendon_adr[id]; wrap < m.tendon_adr[id] + m.tendon_num[id]; wrap++) {
        bodies.push_back(wrap_body(m, wrap));
      }
      return bodies;
    }
    default: return {};
  }
}

void keep_awake(Model& m, int tree) {
  if (tree >= 0 && SleepPolicy{m.tree_sleep_policy[tree]} == SleepPolicy::auto_) {
    m.tree_sleep_policy[tree] = code(SleepPolicy::auto_never);
  }
}

bool is_passive_tendon(const Model& m, int tendon) {
  const double* stiffness = m.tendon_stiffnesspoly + mjNPOLY * tendon;
  const double* damping = m.tendon_dampingpoly + mjNPOLY * tendon;
  const auto some = [](const double* poly) { return poly[0] != 0 || poly[1] != 0; };
  return m.tendon_stiffness[tendon] != 0 || some(stiffness) || m.tendon_damping[tendon] != 0 ||
         some(damping) || m.tendon_actuatorid[tendon] != -1;
}

}  // namespace

std::string set_sleep_policy(Model& m) {
  for (int tree = 0; tree < m.ntree; tree++) {
    const SleepPolicy policy{m.tree_sleep_policy[tree]};
    if (policy == SleepPolicy::auto_never || policy == SleepPolicy::auto_allowed) {
      m.tree_sleep_policy[tree] = code(SleepPolicy::auto_);
    }
  }
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    for (int body : driven_bodies(m, actuator)) {
      if (body >= 0) keep_awake(m, m.body_treeid[body]);
    }
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const int count = m.tendon_treenum[tendon];
    if (count < 2 || (count == 2 && !is_passive_tendon(m, tendon))) continue;
    for (int tree : tendon_trees(m, tendon)) {
      const SleepPolicy policy{m.tree_sleep_policy[tree]};
      if (policy == SleepPolicy::allowed || policy == SleepPolicy::init) {
        const char* why =
            count > 2 ? " which spans more than 2 trees" : " with non-zero stiffness or damping";
        return "tree " + std::to_string(tree) + " connected to tendon " + std::to_string(tendon) +
               why + ", sleeping not allowed";
      }
      keep_awake(m, tree);
    }
  }
  // vertices of flexes that neither constraints nor material hold never rest
  for (int flex = 0; flex < m.nflex; flex++) {
    const int stiffness = m.flex_stiffnessadr[flex];
    if (m.flex_edgeequality[flex] || m.flex_passive[flex] || m.flex_bendingadr[flex] >= 0 ||
        (stiffness >= 0 && m.flex_stiffness[stiffness] != 0)) {
      continue;
    }
    const bool nodes = m.flex_interp[flex] != 0;
    const int* bodies =
        nodes ? m.flex_nodebodyid + m.flex_nodeadr[flex] : m.flex_vertbodyid + m.flex_vertadr[flex];
    const int count = nodes ? m.flex_nodenum[flex] : m.flex_vertnum[flex];
    for (int k = 0; k < count; k++) keep_awake(m, m.body_treeid[bodies[k]]);
  }
  for (int tree = 0; tree < m.ntree; tree++) {
    if (SleepPolicy{m.tree_sleep_policy[tree]} == SleepPolicy::auto_) {
      m.tree_sleep_policy[tree] = code(SleepPolicy::auto_allowed);
    }
  }
  return "";
}

std::string set_fixed(Model& m) {
  set_masses(m);
  set_flags(m);
  set_sameframes(m);
  for (int body = 1; body < m.nbody; body++) {
    if (m.body_simple[body] > 0 && SameFrame{m.body_sameframe[body]} != SameFrame::body) {
      return "body " + std::to_string(body) +
             " is compiled as simple but sameframe no longer holds, use body/simple='false'";
    }
  }
  set_actuator_ids(m);
  set_trees(m);
  set_tendon_trees(m);
  if (!set_tendon_pattern(m)) return "tendons move more dofs than nJten allows";
  if (!set_flex_patterns(m)) return "edges of flexes move more dofs than nJfe allows";
  set_bounds(m);
  set_added_mass(m);
  return set_sleep_policy(m);
}

}  // namespace lockstep
