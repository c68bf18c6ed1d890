// dual.h: solvers that work on the forces of the rows: Gauss-Seidel, and the pass against slip
// after any solver. Not a stage.
// Forces start in all lanes at once and become accelerations so; in between each lane solves its
// own islands, a few lanes in turn.
// reads efc_J efc_D efc_R efc_aref efc_frictionloss qLD qLDiagInv qacc_smooth qacc_warmstart
// writes efc_b efc_force row_zone qacc qfrc_constraint solver_niter solver_nnz solver_residual
// solver_flags
#pragma once

#include "stage/solver/dual_lanes.h"
#include "stage/solver/jacobian.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// accelerations that the forces give
template <class Real>
LOCKSTEP_FN void finish_dual(const ModelView<Real>& m, const DataView<Real>& d,
                             const StepInertia<Real>& inertia, Mask<Real> where) {
  ArenaView<Real>& rows = *d.arena;
  mul_jac_t(rows, m.nv, rows.efc_force, d.qfrc_constraint);
  Real* x = d.solver_work;
  for (int dof = 0; dof < m.nv; dof++) x[dof] = d.qfrc_constraint[dof];
  solve_ltdl<Real>(pattern_m(m), inertia.factor, inertia.diag_inv, x);
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc[dof] = select(where, d.qacc_smooth[dof] + x[dof], d.qacc_smooth[dof]);
  }
  for (int row = 0, size; row < rows.nefc; row += size) {
    size = block_size(rows, row);
    const Real state = dual_state(rows, row);
    for (int j = 0; j < size; j++) rows.row_zone[row + j] = state;
  }
}

// what the forces in efc_force cost
template <class Real>
LOCKSTEP_FN Real dual_cost(const ModelView<Real>& m, const DataView<Real>& d,
                           const StepInertia<Real>& inertia) {
  const ArenaView<Real>& rows = *d.arena;
  Real *x = d.solver_work, cost(0);
  mul_jac_t(rows, m.nv, rows.efc_force, x);
  for (int dof = m.nv - 1; dof >= 0; dof--) {
    const int adr = m.M_rowadr[dof];
    for (int j = adr; j < adr + m.M_rownnz[dof] - 1; j++) {
      x[m.M_colind[j]] = x[m.M_colind[j]] - inertia.factor[j] * x[dof];
    }
    cost = cost + x[dof] * x[dof] * inertia.diag_inv[dof];
  }
  for (int row = 0; row < rows.nefc; row++) {
    const Real f = rows.efc_force[row];
    cost = cost + f * (rows.efc_R[row] * f + Real(2) * rows.efc_b[row]);
  }
  return Real(0.5) * cost;
}

// forces of the last acceleration unless they cost more than none
template <class Real>
LOCKSTEP_FN void start_dual(const ModelView<Real>& m, const DataView<Real>& d,
                            const StepInertia<Real>& inertia) {
  ArenaView<Real>& rows = *d.arena;
  const Real zero(0);
  mul_jac(rows, d.qacc_smooth, rows.efc_b);
  for (int row = 0; row < rows.nefc; row++) rows.efc_b[row] = rows.efc_b[row] - rows.efc_aref[row];
  Mask<Real> warm = false;
  if (!(m.opt.disableflags & code(DisableBit::warmstart))) {
    mul_jac(rows, d.qacc_warmstart, rows.row_jar);
    for (int row = 0; row < rows.nefc; row++) {
      rows.row_jar[row] = rows.row_jar[row] - rows.efc_aref[row];
    }
    push_rows(rows, rows.row_jar);
    warm = !(dual_cost(m, d, inertia) > zero);
  }
  for (int row = 0; row < rows.nefc; row++) {
    rows.efc_force[row] = select(warm, rows.efc_force[row], zero);
  }
}

// Gauss-Seidel if the Model asks for it, else only the pass against slip from the forces that
// another solver found. False if the arena has too little room.
template <class Real>
LOCKSTEP_FN bool solve_dual(const ModelView<Real>& m, const DataView<Real>& d,
                            const StepInertia<Real>& inertia, Mask<Real> constrained) {
  const bool pgs = m.opt.solver == code(Solver::pgs);
  if (pgs) start_dual(m, d, inertia);
  if (!solve_lanes(m, d, inertia, constrained, pgs)) return false;
  finish_dual(m, d, inertia, constrained);
  return true;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
