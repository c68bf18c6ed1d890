// dual_lanes.h: islands of all lanes solved by their forces: rounds of a few lanes take turns. Not
// a stage.
#pragma once

#include <utility>

#include "stage/solver/dual_solver.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// islands under way, those with most rows first: rounds of a few that have about as many take turns
template <class Real>
struct Underway {
  using S = Scalar<Real>;
  DualSolver<Real>* solvers[lanes<Real> + 1];  // one more: compilers do not see that all have room
  int count = 0;

  LOCKSTEP_FN void add(DualSolver<Real>& solver) {
    int place = count++;
    for (; place > 0 && solvers[place - 1]->rows.count < solver.rows.count; place--) {
      solvers[place] = solvers[place - 1];
    }
    solvers[place] = &solver;
  }
  LOCKSTEP_FN void round() const {
    RowRounds<S>* all[lanes<Real>];
    for (int i = 0; i < count; i++) all[i] = &solvers[i]->row_rounds;
    int groups = (count + most_in_turn - 1) / most_in_turn;
    for (int first = 0; first < count; groups--) {
      const int number = (count - first + groups - 1) / groups;
      round_of_rows(all + first, number, solvers[0]->dense.least_stride);
      first += number;
    }
  }
};

// of any of these lanes
template <class Real>
LOCKSTEP_FN int most_rows(const ArenaView<Real>& rows, Mask<Real> where) {
  Real count(0);
  for (int row = 0; row < rows.nefc; row++) {
    count = count + select(rows.efc_D[row] != Real(0), Real(1), Real(0));
  }
  int most = 0;
  for_each_lane<Real>(where, [&](int i) { most = max(most, static_cast<int>(lane(count, i))); });
  return most;
}

// Gauss-Seidel: a solver for each lane
template <class Real, size_t... which>
LOCKSTEP_FN bool solve_in_turn(const ModelView<Real>& m, const DataView<Real>& d,
                               const StepInertia<Real>& inertia, Mask<Real> where,
                               std::index_sequence<which...>) {
  const int most = most_rows(*d.arena, where);
  DualSolver<Real> solvers[] = {{m, d, inertia, true, int(which), lanes<Real>, most}...};
  solvers[0].prepare();
  Underway<Real> now;
  for (int i = 0; i < lanes<Real>; i++) {
    if (!lane(where, i)) continue;
    solvers[i].take(i);
    const Turn turn = solvers[i].next_island();
    if (turn == Turn::no_room) return false;
    if (turn == Turn::sweep) now.add(solvers[i]);
  }
  while (now.count > 0) {
    now.round();
    const Underway<Real> before = now;
    now.count = 0;
    for (int i = 0; i < before.count; i++) {
      const Turn turn = before.solvers[i]->next_sweep();
      if (turn == Turn::no_room) return false;
      if (turn == Turn::sweep) now.add(*before.solvers[i]);
    }
  }
  return true;
}

// The lanes `where`. False if the arena has too little room.
template <class Real>
LOCKSTEP_FN bool solve_lanes(const ModelView<Real>& m, const DataView<Real>& d,
                             const StepInertia<Real>& inertia, Mask<Real> where, bool pgs) {
  const int together = pgs ? lanes<Real> : 1;
  if (!d.arena->has_room(&Room::nisl, DualMemory<Real>::words(m, *d.arena, together))) return false;
  if (pgs) return solve_in_turn(m, d, inertia, where, std::make_index_sequence<lanes<Real>>());
  DualSolver<Real> solver(m, d, inertia, false, 0, 1, d.arena->nefc);
  solver.prepare();
  for (int i = 0; i < lanes<Real>; i++) {
    if (!lane(where, i)) continue;
    solver.take(i);
    if (solver.next_island() == Turn::no_room) return false;
  }
  return true;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
