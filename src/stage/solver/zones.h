// zones.h: how many rows of one world act, and how many of them no longer do what they did. Not a
// stage: reports of solvers.
#pragma once

#include "stage/solver/cost.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// How rows of the first lane act. Before a move their zones are kept in row_stiff.
template <class Real>
LOCKSTEP_FN void keep_zones(const ArenaView<Real>& rows) {
  for (int row = 0; row < rows.nefc; row++) rows.row_stiff[row] = rows.row_zone[row];
}
template <class Real>
LOCKSTEP_FN void count_zones(const ArenaView<Real>& rows, bool newton, SolverStat& stat) {
  const auto is = [](const Real& zones, ConstraintState state) {
    return lane(zones == zone<Real>(state), 0);
  };
  for (int row = 0; row < rows.nefc; row++) {
    const Real now = rows.row_zone[row], before = rows.row_stiff[row];
    stat.nactive += !is(now, ConstraintState::satisfied);
    stat.nchange += lane(now != before, 0);
    if (!newton) continue;
    // changes of Newton's matrix, one row of the Jacobian each
    stat.nupdate += is(now, ConstraintState::cone) +
                    (is(now, ConstraintState::quadratic) != is(before, ConstraintState::quadratic));
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
