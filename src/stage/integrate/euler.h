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

// rows of M + h D from `first` on, factored and solved for all forces; false where a pivot was
// raised
template <class Real>
LOCKSTEP_FN Mask<Real> damp_tree(const ModelView<Real>& m, const DataView<Real>& d,
                                 const TreePattern& p, int first, Real* qacc) {
  const Real h = m.opt.timestep;
  const int start = first < p.n ? p.rowadr[first] : 0;
  const int end = first < p.n ? p.rowadr[p.n - 1] + p.rownnz[p.n - 1] : 0;
  copy(d.M + start, end - start, d.qH + start);
  for (int dof = first; dof < p.n; dof++) {
    Real& diagonal = d.qH[p.rowadr[dof] + p.rownnz[dof] - 1];
    diagonal = diagonal + h * dof_damper(m, dof).slope(d.qvel[dof]);
    qacc[dof] = d.qfrc_smooth[dof] + d.qfrc_constraint[dof];
  }
  const Mask<Real> good = factor_ltdl(p, d.qH, d.qHDiagInv, first);
  solve_ltdl<Real>(p, d.qH, d.qHDiagInv, qacc, first);
  return good;
}

// acceleration for the Euler step; lanes without dampers keep qacc
template <class Real>
LOCKSTEP_FN void euler_acceleration(const ModelView<Real>& m, const DataView<Real>& d, Real* qacc) {
  const int off = code(DisableBit::damper) | code(DisableBit::eulerdamp);
  Mask<Real> damped = false;
  if (!(m.opt.disableflags & off)) {
    const Sleepers<Real> asleep(m, d);
    for (int dof = 0; dof < m.nv; dof++) {
      if (!asleep.dof(dof)) damped = damped || dof_damper(m, dof).acts();
    }
  }
  if (any(damped)) {
    Mask<Real> good = true;
    each_awake_tree(m, d, [&](const TreePattern& p, int first) {
      const Mask<Real> fine = damp_tree(m, d, p, first, qacc);
      good = good && fine;
    });
    d.warn(Warning::inertia, damped && !good);
  }
  for (int dof = 0; dof < m.nv; dof++) qacc[dof] = select(damped, qacc[dof], d.qacc[dof]);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
