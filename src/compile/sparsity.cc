// sparsity.cc: bodies and dofs whose inertia is diagonal, and the patterns of the sparse matrices:
// M (lower triangle), D (both triangles), B (dofs that move with or carry a body).
#include <algorithm>
#include <cmath>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

bool along_axis(const Vec3d& axis) {
  return (std::abs(axis.x) > tiny_length) + (std::abs(axis.y) > tiny_length) +
             (std::abs(axis.z) > tiny_length) ==
         1;
}

// simple: the inertia of the body, seen by its joints, is diagonal
bool simple_joints(const Build& b, const Body& body) {
  bool rotates = false;
  for (const Joint* joint : body.joints) {
    const JointData& data = b.tree.joints[joint->id];
    bool axial = joint->type == JointType::hinge || joint->type == JointType::slide;
    if (rotates || !same_pos(data.pos, {0, 0, 0}) || (axial && !along_axis(data.axis))) {
      return false;
    }
    rotates = joint->type == JointType::ball || joint->type == JointType::hinge;
  }
  return true;
}

// tendons with armature couple the bodies they run over
void couple(Build& b, const Tendon& tendon) {
  for (const Wrap& wrap : tendon.path) {
    const TreeElement* target = nullptr;
    if (wrap.type == WrapType::joint) target = b.spec.find<Joint>(wrap.target);
    if (wrap.type == WrapType::site) target = b.spec.find<Site>(wrap.target);
    if (wrap.type == WrapType::sphere || wrap.type == WrapType::cylinder) {
      target = b.spec.find<Geom>(wrap.target);
    }
    if (target) b.tree.bodies[target->parent->id].simple = 0;
  }
}

void couple_tendons(Build& b) {
  for (const Tendon* tendon : b.spec.tendons) {
    if (tendon->armature > 0) couple(b, *tendon);
  }
  for (const Actuator* actuator : b.spec.actuators) {
    if (actuator->trntype != TrnType::tendon || !(actuator->armature > 0)) continue;
    if (const Tendon* tendon = b.spec.find<Tendon>(actuator->target)) couple(b, *tendon);
  }
}

void find_simple(Build& b) {
  for (const Body* body : b.bodies) {
    BodyData& data = b.tree.bodies[body->id];
    const BodyData& parent = b.tree.bodies[data.parent];
    bool centered =
        same_pos(data.inertial.pos, {0, 0, 0}) && same_quat(data.inertial.quat, {1, 0, 0, 0});
    bool grounded = data.root == body->id || (parent.parent == 0 && parent.dofnum == 0);
    bool leaf = body->id == 0 || body->bodies.empty();
    bool simple = centered && grounded && leaf && body->simple && simple_joints(b, *body);
    bool slides = data.dofnum > 0;
    for (const Joint* joint : body->joints) slides = slides && joint->type == JointType::slide;
    data.simple = simple ? (slides ? 2 : 1) : 0;
  }
  couple_tendons(b);
  int run = 0;
  for (auto dof = b.tree.dofs.rbegin(); dof != b.tree.dofs.rend(); ++dof) {
    run = b.tree.bodies[dof->body].simple ? run + 1 : 0;
    dof->simplenum = run;
  }
}

// dofs of each subtree of bodies, which are consecutive
std::vector<int> subtree_dofs(const Build& b) {
  std::vector<int> count(b.tree.bodies.size(), 0);
  for (int body = static_cast<int>(count.size()) - 1; body >= 0; body--) {
    count[body] += b.tree.bodies[body].dofnum;
    if (body > 0) count[b.tree.bodies[body].parent] += count[body];
  }
  return count;
}

// dofs above a body, lowest first
std::vector<int> dofs_above(const Build& b, int body) {
  std::vector<int> result;
  while (body > 0) {
    body = b.tree.bodies[body].parent;
    const BodyData& data = b.tree.bodies[body];
    for (int i = data.dofnum - 1; i >= 0; i--) result.push_back(data.dofadr + i);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

// number of dofs in the subtree of each dof, itself included; they need not be consecutive
std::vector<int> dof_descendants(const Build& b) {
  std::vector<int> count(b.tree.dofs.size(), 1);
  for (int dof = static_cast<int>(count.size()) - 1; dof >= 0; dof--) {
    int parent = b.tree.dofs[dof].parent;
    if (parent >= 0) count[parent] += count[dof];
  }
  return count;
}

// first dof of the subtree of a body, in a model whose bodies are numbered depth first
int first_dof(const Build& b, int body) {
  for (int i = body; i < b.model.nbody; i++) {
    if (b.tree.bodies[i].dofnum) return b.tree.bodies[i].dofadr;
  }
  return 0;
}

void pack_B(Build& b) {
  Model& m = b.model;
  std::vector<int> below = subtree_dofs(b);
  int adr = 0;
  for (int body = 0; body < m.nbody; body++) {
    m.B_rowadr[body] = adr;
    for (int dof : dofs_above(b, body)) m.B_colind[adr++] = dof;
    int first = below[body] ? first_dof(b, body) : 0;
    for (int i = 0; i < below[body]; i++) m.B_colind[adr++] = first + i;
    m.B_rownnz[body] = adr - m.B_rowadr[body];
  }
}

// mapM2M: where an element of M lies among all pairs of a dof and its ancestors, nearest first
void pack_M(Build& b) {
  Model& m = b.model;
  int adr = 0;
  for (int dof = 0; dof < m.nv; dof++) {
    m.M_rowadr[dof] = adr;
    int length = 0;
    for (int j = dof; j >= 0; j = m.dof_parentid[j]) {
      length++;
      if (m.dof_simplenum[dof]) break;
    }
    m.M_rownnz[dof] = length;
    int up = 0;
    for (int j = dof; up < length; j = m.dof_parentid[j], up++) {
      m.M_colind[adr + length - 1 - up] = j;
      m.mapM2M[adr + length - 1 - up] = m.dof_Madr[dof] + up;
    }
    adr += length;
  }
  m.derive();
}

// rows of D in increasing columns: ancestors, the dof, descendants
void pack_D_pattern(Build& b) {
  Model& m = b.model;
  std::vector<int> below = dof_descendants(b);
  int adr = 0;
  for (int dof = 0; dof < m.nv; dof++) {
    int above = 0;
    for (int j = m.dof_parentid[dof]; j >= 0; j = m.dof_parentid[j]) above++;
    m.D_rowadr[dof] = adr;
    m.D_rownnz[dof] = above + below[dof];
    m.D_diag[dof] = above;
    adr += m.D_rownnz[dof];
  }
  std::vector<int> filled(m.nv, 0);
  for (int dof = 0; dof < m.nv; dof++) {
    // ancestors come before the dof in its row, and get it behind themselves in theirs
    int at = m.D_rowadr[dof] + m.D_diag[dof];
    m.D_colind[at] = dof;
    for (int j = m.dof_parentid[dof], k = at - 1; j >= 0; j = m.dof_parentid[j], k--) {
      m.D_colind[k] = j;
      m.D_colind[m.D_rowadr[j] + m.D_diag[j] + 1 + filled[j]++] = dof;
    }
  }
}

void map_D(Build& b) {
  Model& m = b.model;
  std::fill_n(m.mapM2D, m.nD, -1);
  for (int dof = 0; dof < m.nv; dof++) {
    for (int i = 0; i < m.M_rownnz[dof]; i++) {
      int at = m.M_rowadr[dof] + i, col = m.M_colind[at];
      auto find = [&](int row, int wanted) {
        const int* first = m.D_colind + m.D_rowadr[row];
        return static_cast<int>(std::lower_bound(first, first + m.D_rownnz[row], wanted) -
                                m.D_colind);
      };
      int lower = find(dof, col);
      m.mapD2M[at] = lower;
      m.mapM2D[lower] = at;
      m.mapM2D[find(col, dof)] = at;
    }
  }
}

}  // namespace

void compile_sparsity(Build& b) {
  find_simple(b);
  Model& m = b.model;
  m.nM = m.nC = m.nB = 0;
  for (DofData& dof : b.tree.dofs) {
    dof.Madr = static_cast<int>(m.nM);
    int length = 1;
    for (int j = dof.parent; j >= 0; j = b.tree.dofs[j].parent) length++;
    m.nM += length;
    m.nC += dof.simplenum ? 1 : length;
  }
  m.nD = 2 * m.nM - m.nv;
  for (int count : subtree_dofs(b)) m.nB += count;
  for (const BodyData& body : b.tree.bodies) {
    for (int j = body.parent; j > 0; j = b.tree.bodies[j].parent) m.nB += b.tree.bodies[j].dofnum;
  }
}

void pack_sparsity(Build& b) {
  pack_B(b);
  pack_M(b);
  pack_D_pattern(b);
  map_D(b);
}

}  // namespace lockstep
