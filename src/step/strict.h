// strict.h: a step that its strict solver could not solve is not taken: the lanes where that
// happened keep the state that they had before it.
#pragma once

#include "model/awake.h"
#include "stage/solver/outcome.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// f(what a step changes of a state, its copy, how many numbers)
template <class Real, class F>
LOCKSTEP_FN void for_each_kept(const ModelView<Real>& m, const DataView<Real>& d, F&& f) {
  f(d.time, d.kept_time, 1);
  f(d.qpos, d.kept_qpos, m.nq);
  f(d.qvel, d.kept_qvel, m.nv);
  f(d.act, d.kept_act, m.na);
  f(d.history, d.kept_history, m.nhistory);
  f(d.plastic, d.kept_plastic, m.nplastic);
  f(d.qacc_warmstart, d.kept_warmstart, m.nv);
}

template <class Real>
LOCKSTEP_FN void keep_state(const ModelView<Real>& m, const DataView<Real>& d) {
  if (m.opt.solver != code(Solver::cgstrict)) return;
  for_each_kept(m, d, [](const Real* now, Real* kept, int count) {
    for (int i = 0; i < count; i++) kept[i] = now[i];
  });
  for (int tree = 0; tree < m.ntree; tree++) {
    for_each_lane<Real>([&](int i) { d.kept_asleep.set(tree, i, d.tree_asleep.get(tree, i)); });
  }
}

template <class Real>
LOCKSTEP_FN void take_back(const ModelView<Real>& m, const DataView<Real>& d, Mask<Real> where) {
  if (!any(where)) return;
  for_each_kept(m, d, [&](Real* now, const Real* kept, int count) {
    for (int i = 0; i < count; i++) now[i] = select(where, kept[i], now[i]);
  });
  for_each_lane<Real>(where, [&](int i) {
    for (int tree = 0; tree < m.ntree; tree++) {
      d.tree_asleep.set(tree, i, d.kept_asleep.get(tree, i));
    }
    update_awake(m, d, i);
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
