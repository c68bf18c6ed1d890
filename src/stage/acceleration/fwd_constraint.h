// fwd_constraint.h: accelerations under constraints: the solver that the Model asks for.
// reads qacc_smooth qfrc_smooth qacc_warmstart M qLD qLDiagInv, rows and contacts; under the
// discrete integrator also what metric.h reads
// writes qacc qfrc_constraint efc_b efc_force efc_state con_H solver_niter solver_nnz
// solver_residual solver_flags
#pragma once

#include "stage/acceleration/metric.h"
#include "stage/island/solve_islands.h"
#include "stage/solver/fallback.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// states as integers, per lane
template <class Real>
LOCKSTEP_FN void store_states(const ArenaView<Real>& rows) {
  for (int row = 0; row < rows.nefc; row++) {
    for (int i = 0; i < lanes<Real>; i++) {
      rows.efc_state.set(row, i, static_cast<int>(lane(rows.row_zone[row], i)));
    }
  }
}

// lanes that have rows of their own
template <class Real>
LOCKSTEP_FN Mask<Real> has_rows(const DataView<Real>& d) {
  Mask<Real> some = false;
  for (int i = 0; i < lanes<Real>; i++) set_lane(some, i, d.nefc.get(0, i) > 0);
  return some;
}

// false if the arena has too little room
template <class Real>
LOCKSTEP_FN bool solve_rows(const ModelView<Real>& m, const DataView<Real>& d,
                            const StepInertia<Real>& inertia, bool states) {
  const bool pgs = m.opt.solver == code(Solver::pgs), islands = !pgs && solves_by_islands(m);
  const bool dual = pgs || m.opt.noslip_iterations > 0;
  if (islands) {
    solve_islands(m, d, inertia);
  } else if (!pgs) {
    solve_primal(m, d, inertia, has_rows(d));
  }
  if (d.arena->lacking || (dual && !solve_dual(m, d, inertia, has_rows(d)))) return false;
  if (states && (dual || !islands)) store_states(*d.arena);
  return fall_back(m, d, inertia);
}

template <class Real>
LOCKSTEP_FN void solve_constraints(const ModelView<Real>& m, const DataView<Real>& d, bool states) {
  for (int island = 0; island < mjNISLAND; island++) {
    d.solver_niter.fill(island, 0);
    d.solver_nnz.fill(island, 0);
  }
  clear_outcome(d);
  StepInertia<Real> inertia{d.M, d.qLD, d.qLDiagInv, d.qfrc_smooth, false};
  if (steps_in_metric(m)) {
    // the same as in fwd_acceleration, which stages in between may have overwritten
    Real* rhs = d.dof_work;
    for (int dof = 0; dof < m.nv; dof++) rhs[dof] = d.qfrc_smooth[dof];
    const MetricTerms<Real> terms = fill_metric(m, d, rhs);
    inertia.force = rhs;
    if (any(terms.any)) {
      inertia = {d.metric, d.qH, d.qHDiagInv, rhs, terms.couplings > 0};
    }
  }
  if (d.arena->nefc == 0) {
    for (int dof = 0; dof < m.nv; dof++) {
      d.qacc[dof] = d.qacc_smooth[dof];
      d.qfrc_constraint[dof] = Real(0);
    }
  } else if (!solve_rows(m, d, inertia, states)) {
    return;
  }
  if (m.opt.solver == code(Solver::cgstrict)) {
    d.warn(Warning::unconverged, unsolved(m, d), m.opt.iterations);
  }
  if (steps_in_metric(m) && !springs_only(m)) {
    solve_metric_free_bodies(m, d, inertia.force, d.qacc);
  }
}

template <class Real>
LOCKSTEP_FN void fwd_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  solve_constraints(m, d, true);
}
// without the states of rows, which no motion depends on
template <class Real>
LOCKSTEP_FN void fwd_constraint_bare(const ModelView<Real>& m, const DataView<Real>& d) {
  solve_constraints(m, d, false);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
