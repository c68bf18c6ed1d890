// fwd_acceleration.h: acceleration that all forces but those of constraints would give.
//   qfrc_smooth = passive - bias + applied + actuator + sum_b J_b' xfrc_b;   M qacc_smooth =
//   qfrc_smooth; the discrete integrator replaces M (metric.h)
// reads qfrc_passive qfrc_bias qfrc_applied qfrc_actuator xfrc_applied xipos subtree_com cdof qLD
// qLDiagInv; under the discrete integrator also what metric.h reads
// writes qfrc_smooth qacc_smooth, and then qH qHDiagInv
#pragma once

#include "stage/acceleration/metric.h"
#include "stage/position/body_force.h"
#include "stage/position/factor_m.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// forces of the user on bodies; a lane without any keeps its bits
template <class Real>
LOCKSTEP_FN void add_applied(const ModelView<Real>& m, const DataView<Real>& d, Real* qfrc) {
  Mask<Real> acts = false;
  for (int body = 1; body < m.nbody; body++) {
    const Vec6<Real> applied = d.xfrc_applied[body];
    for (int k = 0; k < 6; k++) acts = acts || applied[k] != Real(0);
  }
  if (!any(acts)) return;
  for (int body = 1; body < m.nbody; body++) {
    // here the force comes first
    const Vec6<Real> applied = d.xfrc_applied[body];
    d.body_work6.set(body, about_center(m, d, body, d.xipos[body], applied.rot, applied.lin));
  }
  add_body_forces(m, d, acts, qfrc);
}

template <class Real>
LOCKSTEP_FN void fwd_acceleration(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int dof = 0; dof < m.nv; dof++) {
    d.qfrc_smooth[dof] =
        d.qfrc_passive[dof] - d.qfrc_bias[dof] + d.qfrc_applied[dof] + d.qfrc_actuator[dof];
  }
  add_applied(m, d, d.qfrc_smooth);
  if (steps_in_metric(m)) {
    Real* rhs = d.dof_work;
    for (int dof = 0; dof < m.nv; dof++) rhs[dof] = d.qfrc_smooth[dof];
    solve_metric(m, d, rhs, d.qacc_smooth);
    return;
  }
  each_awake_tree(m, d, [&](const TreePattern& p, int first) {
    for (int dof = first; dof < p.n; dof++) d.qacc_smooth[dof] = d.qfrc_smooth[dof];
    solve_ltdl<Real>(p, d.qLD, d.qLDiagInv, d.qacc_smooth, first);
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
