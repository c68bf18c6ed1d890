// friction.h: rows of dry friction in dofs and tendons. Not a stage: make_constraint uses it.
//   |force| <= frictionloss, J qvel -> 0
#pragma once

#include "stage/constraint/row.h"
#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void set_friction(const RowWriter<Real>& w, const RowBlock<Real>& block, Real loss,
                              const Real* solref, const Real* solimp) {
  const ImpedanceCurve<Real> curve = load_curve(solimp);
  const Impedance<Real> d_pos = impedance_at(curve, Real(0));
  const Stiffness<Real> s = stiffness_of(load_reference(w.m, solref), curve.high, false);
  w.set(block, 0, Real(0), Real(0), loss, s, d_pos);
}

template <class Real>
LOCKSTEP_FN void dof_friction(RowWriter<Real>& w) {
  const ModelView<Real>& m = w.m;
  const Sleepers<Real> asleep(m, w.d);
  for (int dof = 0; dof < m.nv; dof++) {
    if (asleep.dof(dof)) continue;
    const Real loss = m.dof_frictionloss[dof];
    const Mask<Real> here = loss != Real(0);
    if (!any(here)) continue;
    const RowBlock<Real> block = w.open(Constraint::friction_dof, dof, 1, 1, here);
    if (!block.fits) continue;
    w.columns(block)[0] = dof;
    w.put(block, 0, 0, Real(1));
    set_friction(w, block, loss, m.dof_solref + mjNREF * dof, m.dof_solimp + mjNIMP * dof);
  }
}

// a block with the pattern of a tendon, J = sign dL/dq; it does not fit if there is nothing in it
template <class Real>
LOCKSTEP_FN RowBlock<Real> open_tendon(RowWriter<Real>& w, Constraint type, int tendon, Real sign,
                                       Mask<Real> here) {
  const int nnz = w.m.ten_J_rownnz[tendon], from = w.m.ten_J_rowadr[tendon];
  RowBlock<Real> block = w.open(type, tendon, 1, nnz, here);
  if (w.arena.tendon_efcadr[tendon] < 0) w.arena.tendon_efcadr[tendon] = block.row;
  if (!block.fits) return block;
  for (int k = 0; k < nnz; k++) {
    w.columns(block)[k] = w.m.ten_J_colind[from + k];
    w.put(block, 0, k, sign * w.d.ten_J[from + k]);
  }
  block.fits = w.keep(block);
  return block;
}

template <class Real>
LOCKSTEP_FN void tendon_friction(RowWriter<Real>& w) {
  const ModelView<Real>& m = w.m;
  const Sleepers<Real> asleep(m, w.d);
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    if (asleep.tendon(tendon)) continue;
    const Real loss = m.tendon_frictionloss[tendon];
    const Mask<Real> here = loss > Real(0);
    if (!any(here) || m.ten_J_rownnz[tendon] == 0) continue;
    const RowBlock<Real> block = open_tendon(w, Constraint::friction_tendon, tendon, Real(1), here);
    if (!block.fits) continue;
    set_friction(w, block, loss, m.tendon_solref_fri + mjNREF * tendon,
                 m.tendon_solimp_fri + mjNIMP * tendon);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
