// discrete_acc.h: the acceleration that the forces would give, from the one that a step of the
// integrator showed. Not a stage: inverse dynamics call it.
//   M a = (M + h D) qacc;   D: what the integrator takes at the end of the step
// reads M qLD qLDiagInv qvel qacc and what derivative.h reads    writes qDeriv qH
#pragma once

#include "stage/acceleration/metric.h"
#include "stage/integrate/implicit.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// qfrc = (M + h D) qacc with dampers of joints; lanes without any get M qacc
template <class Real>
LOCKSTEP_FN Mask<Real> mul_euler(const ModelView<Real>& m, const DataView<Real>& d, Real* qfrc) {
  Mask<Real> damped = false;
  if (m.opt.disableflags & code(DisableBit::eulerdamp)) return damped;
  mul_symmetric<Real>(pattern_m(m), d.M, d.qacc, qfrc);
  const Real h = m.opt.timestep;
  for (int dof = 0; dof < m.nv; dof++) {
    const Damper<Real> damper = dof_damper(m, dof);
    damped = damped || damper.acts();
    qfrc[dof] = qfrc[dof] + h * damper.slope(d.qvel[dof]) * d.qacc[dof];
  }
  return damped;
}

template <class Real>
LOCKSTEP_FN void mul_implicit(const ModelView<Real>& m, const DataView<Real>& d, Real* qfrc) {
  smooth_derivative(m, d, true);
  const Real h = m.opt.timestep;
  for (int row = 0; row < m.nv; row++) {
    Real sum(0);
    for (int k = m.D_rowadr[row]; k < m.D_rowadr[row] + m.D_rownnz[row]; k++) {
      sum = sum + (inertia_d(m, d, k) - h * d.qDeriv[k]) * d.qacc[m.D_colind[k]];
    }
    qfrc[row] = sum;
  }
}

template <class Real>
LOCKSTEP_FN void mul_implicitfast(const ModelView<Real>& m, const DataView<Real>& d, Real* qfrc) {
  smooth_derivative(m, d, false);
  fill_symmetric(m, d);
  mul_symmetric<Real>(pattern_m(m), d.qH, d.qacc, qfrc);
  mul_free_bodies(m, d, d.qacc, qfrc,
                  [&](int first, Real* block) { return implicit_block(m, d, first, block); });
}

// writes to `acc`, which has room for nv numbers
template <class Real>
LOCKSTEP_FN void discrete_acc(const ModelView<Real>& m, const DataView<Real>& d, Real* acc) {
  Mask<Real> changes = true;
  if (m.opt.integrator == code(Integrator::implicit)) {
    mul_implicit(m, d, acc);
  } else if (m.opt.integrator == code(Integrator::implicitfast)) {
    mul_implicitfast(m, d, acc);
  } else if (m.opt.integrator == code(Integrator::euler)) {
    changes = mul_euler(m, d, acc);
  } else if (steps_in_metric(m)) {
    mul_metric(m, d, d.qacc, acc);
  } else {
    changes = false;
  }
  if (any(changes)) solve_m(m, d, acc);
  for (int dof = 0; dof < m.nv; dof++) acc[dof] = select(changes, acc[dof], d.qacc[dof]);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
