// fall_asleep.h: trees that have rested for some steps fall asleep, all of an island together.
// Their velocities become zero; what depends on them is computed once more by the driver.
// reads qvel qfrc_applied xfrc_applied and what islands.h reads    writes tree_asleep qvel qacc
#pragma once

#include "stage/island/islands.h"
#include "stage/island/wake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN bool is_slow(const ModelView<Real>& m, const DataView<Real>& d, int tree) {
  const int first = m.tree_dofadr[tree];
  const Real tolerance = m.opt.sleep_tolerance;
  if (tolerance == Real(0)) return all_zero(d.qvel + first, m.tree_dofnum[tree]);
  for (int dof = first; dof < first + m.tree_dofnum[tree]; dof++) {
    if (!(m.dof_length[dof] * abs(d.qvel[dof]) < tolerance)) return false;
  }
  return true;
}

// trees in a ring, each naming the next
template <class Real>
LOCKSTEP_FN void put_to_sleep(const ModelView<Real>& m, const DataView<Real>& d, const int* trees,
                              int count) {
  for (int i = 0; i < count; i++) {
    d.tree_asleep.set(trees[i], 0, trees[i + 1 < count ? i + 1 : 0]);
    const int first = m.tree_dofadr[trees[i]];
    for (int dof = first; dof < first + m.tree_dofnum[trees[i]]; dof++) {
      d.qvel[dof] = d.qacc[dof] = Real(0);
    }
  }
}

// counts steps at rest
template <class Real>
LOCKSTEP_FN void count_rest(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int tree = 0; tree < m.ntree; tree++) {
    const int count = d.tree_asleep.get(tree, 0);
    if (count >= 0) continue;
    const bool rests = undisturbed(m, d, tree) && is_slow(m, d, tree);
    d.tree_asleep.set(tree, 0, rests ? min(count + 1, -1) : wide_awake);
  }
}

// whole islands whose trees are all ready, and trees that nothing holds. with constraints but
// without islands nothing sleeps
template <class Real>
LOCKSTEP_FN void sleep_islands(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  if (!arena.has_room(&Room::nisl, island_words(m.ntree, m.nv, arena.nefc))) return;
  Islands islands;
  place_islands(islands, arena.island_work, m.ntree, m.nv, arena.nefc);
  find_islands(m, d, 0, islands);
  if (arena.nefc > 0 && islands.nisland == 0) return;
  const auto ready = [&](int tree) { return d.tree_asleep.get(tree, 0) == -1; };
  for (int island = 0; island < islands.nisland; island++) {
    const int* trees = islands.map_itree2tree + islands.island_itreeadr[island];
    bool all_ready = true;
    for (int i = 0; i < islands.island_ntree[island]; i++) all_ready &= ready(trees[i]);
    if (all_ready) put_to_sleep(m, d, trees, islands.island_ntree[island]);
  }
  for (int tree = 0; tree < m.ntree; tree++) {
    if (islands.nisland > 0 && islands.tree_island[tree] >= 0) continue;
    if (ready(tree)) put_to_sleep(m, d, &tree, 1);
  }
}

template <class Real>
LOCKSTEP_FN void fall_asleep(const ModelView<Real>& m, const DataView<Real>& d) {
  if constexpr (lanes<Real> == 1) {
    if (!may_sleep(m)) return;
    ArenaView<Real>& arena = *d.arena;
    // room first: counting must not happen twice
    if (!arena.has_room(&Room::nisl, island_words(m.ntree, m.nv, arena.nefc))) return;
    if (arena.nefc > 0 && (m.opt.disableflags & code(DisableBit::island))) return;
    count_rest(m, d);
    sleep_islands(m, d);
  }
}

// trees that fell asleep since update_awake was last called
template <class Real>
LOCKSTEP_FN bool fell_asleep(const ModelView<Real>& m, const DataView<Real>& d) {
  if constexpr (lanes<Real> == 1) {
    if (!may_sleep(m)) return false;
    for (int tree = 0; tree < m.ntree; tree++) {
      if (d.tree_asleep.get(tree, 0) >= 0 && d.tree_awake.get(tree, 0)) return true;
    }
  }
  return false;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
