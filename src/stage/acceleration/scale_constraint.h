// scale_constraint.h: under the discrete integrator rows push against the inertia of the whole
// step, which is known once forces of actuators are: their softness anew.
// reads efc_J efc_KBIP con_* M, and what metric.h reads
// writes efc_R efc_D efc_diagA con_mu, with sticky contacts efc_vel efc_aref
#pragma once

#include "stage/acceleration/metric.h"
#include "stage/constraint/reference_constraint.h"
#include "stage/constraint/regularize.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void scale_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  if (!steps_discretely(m) || d.arena->nefc == 0) return;
  Real *unused = d.dof_work, *diag = d.solve_work;
  for (int dof = 0; dof < m.nv; dof++) unused[dof] = Real(0);
  const MetricTerms<Real> terms = fill_metric(m, d, unused);
  if (!any(terms.any)) return;
  for (int dof = 0; dof < m.nv; dof++) {
    diag[dof] = d.metric[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
  }
  const Real h = m.opt.timestep;
  each_coupling(m, d, [&](const Resistance<Real>& r, Real, const Real* J, int count, auto column) {
    if (count < 2) return;  // those are in the metric already
    for (int k = 0; k < count; k++) {
      diag[column(k)] = diag[column(k)] + r.inertia(h) * J[k] * J[k];
    }
  });
  RowInertia<Real> inertia{nullptr, nullptr, diag};
  if (m.opt.enableflags & code(EnableBit::diagexact)) {
    // exact but for what couples dofs, of which the diagonal counts
    for (int dof = 0; dof < m.nv; dof++) {
      d.metric[m.M_rowadr[dof] + m.M_rownnz[dof] - 1] = diag[dof];
    }
    inertia.factor = d.metric;
    inertia.diag_inv = diag + m.nv;
    factor_ltdl(pattern_m(m), d.metric, diag + m.nv);
  }
  regularize(m, d, inertia);
  if (m.flg_adhesion) reference_constraint(m, d);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
