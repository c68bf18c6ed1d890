// euler.h: semi-implicit Euler, with joint dampers at the end of the step.
//   (M + h D) a = qfrc_smooth + qfrc_constraint;   D: slopes of joint and reflected actuator
//   dampers
// reads M qfrc_smooth qfrc_constraint qacc qvel    writes qH qHDiagInv
#pragma once

#include "stage/position/factor_m.h"
#include "stage/velocity/damping.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// solves with qH, which holds a factor in the pattern of M, for all forces
template <class Real>
LOCKSTEP_FN void solve_qh(const ModelView<Real>& m, const DataView<Real>& d, Real* qacc) {
  for (int dof = 0; dof < m.nv; dof++) {
    qacc[dof] = d.qfrc_smooth[dof] + d.qfrc_constraint[dof];
  }
  solve_ltdl<Real>(pattern_m(m), d.qH, d.qHDiagInv, qacc);
}

// acceleration for the Euler step; lanes without dampers keep qacc
template <class Real>
LOCKSTEP_FN void euler_acceleration(const ModelView<Real>& m, const DataView<Real>& d, Real* qacc) {
  const int off = code(DisableBit::damper) | code(DisableBit::eulerdamp);
  Mask<Real> damped = false;
  if (!(m.opt.disableflags & off)) {
    for (int dof = 0; dof < m.nv; dof++) damped = damped || dof_damper(m, dof).acts();
  }
  if (any(damped)) {
    const Real h = m.opt.timestep;
    for (int i = 0; i < m.nC; i++) d.qH[i] = d.M[i];
    for (int dof = 0; dof < m.nv; dof++) {
      Real& diagonal = d.qH[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
      diagonal = diagonal + h * dof_damper(m, dof).slope(d.qvel[dof]);
    }
    d.warn(Warning::inertia, damped && !factor_ltdl(pattern_m(m), d.qH, d.qHDiagInv));
    solve_qh(m, d, qacc);
  }
  for (int dof = 0; dof < m.nv; dof++) qacc[dof] = select(damped, qacc[dof], d.qacc[dof]);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
