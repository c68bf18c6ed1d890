// fallback.h: where conjugate gradients broke down, Gauss-Seidel solves the same rows from no force
// at all. Other lanes keep what they have. Not a stage.
// reads what dual.h reads, solver_flags
// writes efc_b efc_force efc_state row_zone qacc qfrc_constraint solver_* of these lanes
#pragma once

#include "stage/solver/dual.h"
#include "stage/solver/outcome.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// Lanes in which another solver may do better: not where the smooth acceleration is bad already.
// Gauss-Seidel knows no couplings of the metric.
template <class Real>
LOCKSTEP_FN Mask<Real> needs_fallback(const ModelView<Real>& m, const DataView<Real>& d,
                                      const StepInertia<Real>& inertia) {
  if (m.opt.solver != code(Solver::cg) || inertia.coupled) return false;
  Mask<Real> where = has_outcome(d, solver_broken);
  if (!any(where)) return where;
  for (int dof = 0; dof < m.nv; dof++) where = where && is_finite(d.qacc_smooth[dof]);
  return where;
}

// no forces, and the right-hand side anew
template <class Real>
LOCKSTEP_FN void start_fallback(const DataView<Real>& d, Mask<Real> where) {
  ArenaView<Real>& rows = *d.arena;
  mul_jac(rows, d.qacc_smooth, rows.row_jar);
  for (int row = 0; row < rows.nefc; row++) {
    const Real b = rows.row_jar[row] - rows.efc_aref[row];
    rows.efc_b[row] = select(where, b, rows.efc_b[row]);
    rows.efc_force[row] = select(where, Real(0), rows.efc_force[row]);
  }
  d.solver_residual[0] = select(where, Real(0), d.solver_residual[0]);
  for_each_lane<Real>(where, [&](int i) { d.solver_flags.set(0, i, solver_fallback); });
}

// accelerations and states that the forces give
template <class Real>
LOCKSTEP_FN void finish_fallback(const ModelView<Real>& m, const DataView<Real>& d,
                                 const StepInertia<Real>& inertia, Mask<Real> where) {
  ArenaView<Real>& rows = *d.arena;
  Real* x = d.solver_work;
  mul_jac_t(rows, m.nv, rows.efc_force, x);
  for (int dof = 0; dof < m.nv; dof++) {
    d.qfrc_constraint[dof] = select(where, x[dof], d.qfrc_constraint[dof]);
  }
  solve_ltdl<Real>(pattern_m(m), inertia.factor, inertia.diag_inv, x);
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc[dof] = select(where, d.qacc_smooth[dof] + x[dof], d.qacc[dof]);
  }
  for (int row = 0, size; row < rows.nefc; row += size) {
    size = block_size(rows, row);
    const Real state = dual_state(rows, row);
    for (int j = row; j < row + size; j++) {
      rows.row_zone[j] = select(where, state, rows.row_zone[j]);
      for_each_lane<Real>(
          where, [&](int i) { rows.efc_state.set(j, i, static_cast<int>(lane(state, i))); });
    }
  }
}

// false if the arena has too little room
template <class Real>
LOCKSTEP_FN bool fall_back(const ModelView<Real>& m, const DataView<Real>& d,
                           const StepInertia<Real>& inertia) {
  const Mask<Real> where = needs_fallback(m, d, inertia);
  if (!any(where)) return true;
  start_fallback(d, where);
  if (!solve_lanes(m, d, inertia, where, true)) return false;
  finish_fallback(m, d, inertia, where);
  d.warn(Warning::fallback, where, m.opt.iterations);
  return true;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
