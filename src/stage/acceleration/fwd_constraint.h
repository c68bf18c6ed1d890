// fwd_constraint.h: accelerations under constraints. There are no constraint rows yet, so that
// nothing holds the smooth acceleration back.
// reads qacc_smooth    writes qacc qfrc_constraint solver_niter solver_nnz
#pragma once

#include "stage/acceleration/metric.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void fwd_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc[dof] = d.qacc_smooth[dof];
    d.qfrc_constraint[dof] = Real(0);
  }
  for (int island = 0; island < mjNISLAND; island++) {
    d.solver_niter.fill(island, 0);
    d.solver_nnz.fill(island, 0);
  }
  if (!steps_in_metric(m) || springs_only(m)) return;
  Real* rhs = d.dof_work;
  for (int dof = 0; dof < m.nv; dof++) rhs[dof] = d.qfrc_smooth[dof];
  fill_metric(m, d, rhs);
  solve_metric_free_bodies(m, d, rhs, d.qacc);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
