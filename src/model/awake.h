// awake.h: what is derived from tree_asleep: who is awake, and lists of those.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int wide_awake = -(1 + mjMINAWAKE);  // tree_asleep of a tree that just moved

// what cannot move is neither awake nor asleep; mocap bodies are awake
template <class Real>
LOCKSTEP_FN void update_awake(const ModelView<Real>& m, const DataView<Real>& d, int which = 0) {
  int trees = 0, bodies = 0, parents = 0, dofs = 0;
  for (int tree = 0; tree < m.ntree; tree++) {
    const bool awake = d.tree_asleep.get(tree, which) < 0;
    d.tree_awake.set(tree, which, awake);
    trees += awake;
  }
  for (int body = 0; body < m.nbody; body++) {
    const int tree = m.body_treeid[body];
    SleepState state = SleepState::static_;
    if (tree >= 0) {
      state = d.tree_awake.get(tree, which) ? SleepState::awake : SleepState::asleep;
    } else if (m.body_mocapid[m.body_weldid[body]] >= 0) {
      state = SleepState::awake;
    }
    d.body_awake.set(body, which, code(state));
    if (state != SleepState::asleep) d.body_awake_ind.set(bodies++, which, body);
    if (body == 0) continue;
    const int above = d.body_awake.get(m.body_parentid[body], which);
    if (above != code(SleepState::asleep)) d.parent_awake_ind.set(parents++, which, body);
  }
  for (int dof = 0; dof < m.nv; dof++) {
    if (d.tree_awake.get(m.dof_treeid[dof], which)) d.dof_awake_ind.set(dofs++, which, dof);
  }
  d.ntree_awake.set(0, which, trees);
  d.nbody_awake.set(0, which, bodies);
  d.nparent_awake.set(0, which, parents);
  d.nv_awake.set(0, which, dofs);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
