// inverse.h: the forces that would explain an acceleration, as ranges of the pipeline table.
//   qfrc_inverse = M qacc + qfrc_bias - qfrc_passive - qfrc_constraint
#pragma once

#include "stage/integrate/discrete_acc.h"
#include "step/pipeline.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// forces of constraints for a given acceleration: each row knows its own
template <class Real>
LOCKSTEP_FN void inv_constraint(const ModelView<Real>& m, const DataView<Real>& d,
                                const Real* qacc) {
  ArenaView<Real>& rows = *d.arena;
  mul_jac(rows, qacc, rows.row_jar);
  for (int row = 0; row < rows.nefc; row++) {
    rows.row_jar[row] = rows.row_jar[row] - rows.efc_aref[row];
  }
  push_rows(rows, rows.row_jar);
  store_states(rows);
  mul_jac_t(rows, m.nv, rows.efc_force, d.qfrc_constraint);
}

// a phase, its report unless that is switched off, its sensors if asked for
template <class Real>
LOCKSTEP_FN void run_with_report(const ModelView<Real>& m, const DataView<Real>& d, Phase phase,
                                 Phase report, Phase sensor, bool sensors) {
  run_phases(m, d, phase, phase);
  if (m.opt.enableflags & code(EnableBit::energy)) run_phases(m, d, report, report);
  if (sensors) run_phases(m, d, sensor, sensor);
}

template <class Real>
LOCKSTEP_FN void explain_acc(const ModelView<Real>& m, const DataView<Real>& d) {
  scale_constraint(m, d);
  inv_constraint<Real>(m, d, d.qacc);
  mul_symmetric<Real>(pattern_m(m), d.M, d.qacc, d.qfrc_inverse);
  // the bias anew: the user may have written over qfrc_bias
  newton_euler<Real>(m, d, nullptr, d.dof_work);
  add_tendon_bias(m, d, d.dof_work);
  for (int dof = 0; dof < m.nv; dof++) {
    d.qfrc_inverse[dof] =
        d.dof_work[dof] + (d.qfrc_inverse[dof] - d.qfrc_passive[dof] - d.qfrc_constraint[dof]);
  }
}

// `first` skips what is known to be up to date. The acceleration that a discrete step showed is
// replaced by the one that the forces gave while they and the sensors are computed.
template <class Real>
LOCKSTEP_FN void inverse(const ModelView<Real>& m, const DataView<Real>& d,
                         Phase first = Phase::position, bool sensors = true) {
  if (first <= Phase::position) {
    run_with_report(m, d, Phase::position, Phase::position_report, Phase::position_sensor, sensors);
  }
  if (first <= Phase::velocity) {
    run_with_report(m, d, Phase::velocity, Phase::velocity_report, Phase::velocity_sensor, sensors);
  }
  const bool discrete = m.opt.enableflags & code(EnableBit::invdiscrete);
  Real* shown = d.rk_acc;  // free here: Runge-Kutta has no inverse
  if (discrete) {
    discrete_acc(m, d, d.dof_work);
    for (int dof = 0; dof < m.nv; dof++) shown[dof] = d.qacc[dof], d.qacc[dof] = d.dof_work[dof];
  }
  explain_acc(m, d);
  if (sensors) run_phases(m, d, Phase::acceleration_sensor, Phase::acceleration_sensor);
  if (!discrete) return;
  for (int dof = 0; dof < m.nv; dof++) d.qacc[dof] = shown[dof];
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
