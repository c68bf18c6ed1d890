// adhesion.h: the pull of sticky contacts along their normals. Not a stage: passive uses it.
//   qfrc_adhesion = - sum_c adhesion_c J_normal'
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// calls f(dof, entry) for the Jacobian of the normal of a contact that has rows
template <class Real, class F>
LOCKSTEP_INLINE void each_normal_entry(const ArenaView<Real>& arena, int contact, F&& f) {
  const int row = arena.con_efc_address[contact], nnz = arena.efc_J_rownnz[row];
  const Real* J = arena.efc_J + arena.efc_J_rowadr[row];
  const int* columns = arena.efc_J_colind + arena.efc_J_rowadr[row];
  // the normal lies midway between two opposite edges
  const bool pyramid = arena.efc_type[row] == code(Constraint::contact_pyramidal);
  for (int k = 0; k < nnz; k++) {
    f(columns[k], pyramid ? Real(0.5) * (J[k] + J[nnz + k]) : J[k]);
  }
}

// lanes with sticky contacts
template <class Real>
LOCKSTEP_FN Mask<Real> adhesion(const ModelView<Real>& m, const DataView<Real>& d) {
  const ArenaView<Real>& arena = *d.arena;
  Mask<Real> sticky = false;
  if (!m.flg_adhesion) return sticky;
  for (int contact = 0; contact < arena.ncon; contact++) {
    const int row = arena.con_efc_address[contact];
    if (row < 0) continue;
    const Real pull = arena.con_adhesion[contact];
    const Mask<Real> acts = arena.efc_D[row] != Real(0) && pull != Real(0);
    if (!any(acts)) continue;
    sticky = sticky || acts;
    each_normal_entry(arena, contact, [&](int dof, Real entry) {
      Real& at = d.qfrc_adhesion[dof];
      at = select(acts, at - pull * entry, at);
    });
  }
  return sticky;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
