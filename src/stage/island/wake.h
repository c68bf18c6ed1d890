// wake.h: sleeping trees wake, with all that fell asleep with them: because the user moved or
// pushed them (before kinematics), because a tendon at its limit ties them to a tree that is awake,
// because something awake touches them or an equality ties them to it.
//   reads tree_asleep qpos qvel qfrc_applied xfrc_applied xpos xquat ten_length con_* eq_active
//   writes tree_asleep tree_awake body_awake *_awake_ind n*_awake
#pragma once

#include "stage/collision/collision.h"
#include "stage/island/awake.h"
#include "stage/position/kinematics.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// numbers that are not 0, to the bit: -0 counts as one
template <class Real>
LOCKSTEP_INLINE bool all_zero(const Real* x, int count) {
  for (int i = 0; i < count; i++) {
    if (to_bits(x[i]) != 0) return false;
  }
  return true;
}

// whether nothing keeps a tree from sleeping but its velocity
template <class Real>
LOCKSTEP_FN bool undisturbed(const ModelView<Real>& m, const DataView<Real>& d, int tree) {
  const int policy = m.tree_sleep_policy[tree];
  if (policy == code(SleepPolicy::never) || policy == code(SleepPolicy::auto_never)) return false;
  return all_zero(d.xfrc_applied.start + 6 * m.tree_bodyadr[tree], 6 * m.tree_bodynum[tree]) &&
         all_zero(d.qfrc_applied + m.tree_dofadr[tree], m.tree_dofnum[tree]);
}

// a free body whose pose is its part of qpos, number by number: no need to compute it
template <class Real>
LOCKSTEP_FN bool is_where_qpos_says(const ModelView<Real>& m, const DataView<Real>& d, int body) {
  const int joint = m.body_jntadr[body];
  if (m.body_jntnum[body] != 1 || m.jnt_type[joint] != code(JointType::free)) return false;
  const Real* q = d.qpos + m.jnt_qposadr[joint];
  const Real *pos = d.xpos.start + 3 * body, *quat = d.xquat.start + 4 * body;
  bool same = true;
  for (int k = 0; k < 3; k++) same &= q[k] == pos[k];
  for (int k = 0; k < 4; k++) same &= q[3 + k] == quat[k];
  return same;
}

// whether a sleeping tree is where it fell asleep: kinematics would find the same poses
template <class Real>
LOCKSTEP_FN bool has_moved(const ModelView<Real>& m, const DataView<Real>& d, int tree) {
  const int first = m.tree_bodyadr[tree];
  for (int body = first; body < first + m.tree_bodynum[tree]; body++) {
    if (is_where_qpos_says(m, d, body)) continue;
    const Pose<Real> now = body_pose(m, d, body);
    const Vec3<Real> pos = d.xpos[body];
    const Quat<Real> quat = d.xquat[body];
    for (int k = 0; k < 3; k++) {
      if (now.pos[k] != pos[k]) return true;
    }
    for (int k = 0; k < 4; k++) {
      if (now.quat[k] != quat[k]) return true;
    }
  }
  return false;
}

// wakes a tree and those that sleep with it; one that is awake only becomes as awake as asked.
// the number of trees that slept
template <class Real>
LOCKSTEP_FN int wake_with(const ModelView<Real>& m, const DataView<Real>& d, int tree, int how) {
  int next = d.tree_asleep.get(tree, 0), count = 0;
  if (next < 0) {
    d.tree_asleep.set(tree, 0, min(how, next));
    return 0;
  }
  for (int at = tree; next >= 0 && next < m.ntree && count < m.ntree; at = next) {
    next = d.tree_asleep.get(at, 0);
    d.tree_asleep.set(at, 0, how);
    count++;
    if (next == tree) break;
    if (next >= 0 && next < m.ntree && d.tree_asleep.get(next, 0) < 0) break;
  }
  return count;
}

// the lowest of the trees that sleep together
template <class Real>
LOCKSTEP_FN int first_of(const ModelView<Real>& m, const DataView<Real>& d, int tree) {
  int lowest = tree, at = tree;
  for (int count = 0; count < m.ntree; count++) {
    at = d.tree_asleep.get(at, 0);
    if (at < 0 || at >= m.ntree || at == tree) break;
    lowest = min(lowest, at);
  }
  return lowest;
}

// the first stage of a step: what the user changed
template <class Real>
LOCKSTEP_FN void wake(const ModelView<Real>& m, const DataView<Real>& d) {
  if constexpr (lanes<Real> == 1) {
    int woken = 0;
    if (!may_sleep(m)) {
      woken = m.ntree - d.ntree_awake.get(0, 0);
      for (int tree = 0; woken > 0 && tree < m.ntree; tree++) {
        d.tree_asleep.set(tree, 0, wide_awake);
      }
    } else {
      for (int tree = 0; tree < m.ntree; tree++) {
        if (d.tree_asleep.get(tree, 0) < 0) continue;
        const bool still = !d.tree_awake.get(tree, 0) && undisturbed(m, d, tree) &&
                           all_zero(d.qvel + m.tree_dofadr[tree], m.tree_dofnum[tree]) &&
                           !has_moved(m, d, tree);
        if (!still) woken += wake_with(m, d, tree, wide_awake);
      }
    }
    if (woken > 0) update_awake(m, d);
  }
}

// after tendon: those at a limit
template <class Real>
LOCKSTEP_FN void wake_tendon(const ModelView<Real>& m, const DataView<Real>& d) {
  if constexpr (lanes<Real> == 1) {
    if (!some_sleep(m, d)) return;
    int woken = 0;
    for (int tendon = 0; tendon < m.ntendon; tendon++) {
      if (m.tendon_treenum[tendon] != 2 || !m.tendon_limited[tendon]) continue;
      const Real length = d.ten_length[tendon], margin = m.tendon_margin[tendon];
      const Real* range = m.tendon_range + 2 * tendon;
      if (!(length - range[0] < margin || range[1] - length < margin)) continue;
      const int* trees = m.tendon_treeid + 2 * tendon;
      const int awake0 = d.tree_awake.get(trees[0], 0), awake1 = d.tree_awake.get(trees[1], 0);
      if (awake0 == awake1) continue;
      const int awake = awake0 ? 0 : 1;
      woken += wake_with(m, d, trees[1 - awake], d.tree_asleep.get(trees[awake], 0));
    }
    if (woken > 0) update_awake(m, d);
  }
}

// trees that something awake touches
template <class Real>
LOCKSTEP_FN int wake_touched(const ModelView<Real>& m, const DataView<Real>& d) {
  const ArenaView<Real>& arena = *d.arena;
  int woken = 0;
  for (int contact = 0; contact < arena.ncon; contact++) {
    const int* body = arena.con_body + 2 * contact;
    for (int k = 0; k < 2; k++) {
      const int tree = m.body_treeid[body[k]], other = m.body_treeid[body[1 - k]];
      if (tree_state(d, tree) != SleepState::asleep) continue;
      if (body_state(d, body[1 - k]) != SleepState::awake) continue;
      woken += wake_with(m, d, tree, other < 0 ? wide_awake : d.tree_asleep.get(other, 0));
    }
  }
  return woken;
}

template <class Real>
LOCKSTEP_FN int wake_tied(const ModelView<Real>& m, const DataView<Real>& d) {
  int woken = 0;
  for (int eq = 0; eq < m.neq; eq++) {
    if (!d.eq_active.get(eq, 0)) continue;
    const TiedBodies tied = tied_bodies(m, eq);
    if (tied.body[0] < 0 || tied.body[1] < 0) continue;
    const int tree[2] = {m.body_treeid[tied.body[0]], m.body_treeid[tied.body[1]]};
    if (tree[0] == tree[1]) continue;
    const SleepState state[2] = {body_state(d, tied.body[0]), body_state(d, tied.body[1])};
    const bool asleep[2] = {state[0] == SleepState::asleep, state[1] == SleepState::asleep};
    if (asleep[0] && asleep[1]) {
      if (first_of(m, d, tree[0]) == first_of(m, d, tree[1])) continue;
      for (int k = 0; k < 2; k++) woken += wake_with(m, d, tree[k], wide_awake);
      continue;
    }
    for (int k = 0; k < 2; k++) {
      if (asleep[k] && state[1 - k] == SleepState::awake) {
        woken += wake_with(m, d, tree[k], wide_awake);
      }
    }
  }
  return woken;
}

// contacts; trees that they wake may touch more, which is found by looking again
template <class Real>
LOCKSTEP_FN void collision_waking(const ModelView<Real>& m, const DataView<Real>& d) {
  collision(m, d);
  if constexpr (lanes<Real> == 1) {
    if (d.arena->lacking || !some_sleep(m, d)) return;
    if (wake_touched(m, d) > 0) {
      update_awake(m, d);
      collision(m, d);
      if (d.arena->lacking) return;
    }
    if (wake_tied(m, d) > 0) update_awake(m, d);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
