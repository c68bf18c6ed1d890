// fwd_acceleration.h: acceleration that all forces but those of constraints would give.
//   qfrc_smooth = passive - bias + applied + actuator + sum_b J_b' xfrc_b;   M qacc_smooth =
//   qfrc_smooth
// reads qfrc_passive qfrc_bias qfrc_applied qfrc_actuator xfrc_applied xipos subtree_com cdof qLD
// qLDiagInv writes qfrc_smooth qacc_smooth
#pragma once

#include "stage/position/factor_m.h"
#include "stage/position/jacobian.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a force and torque in world axes at a point of a body, about the center that cdof refers to
template <class Real>
LOCKSTEP_INLINE Vec6<Real> about_center(const ModelView<Real>& m, const DataView<Real>& d, int body,
                                        const Vec3<Real>& point, const Vec3<Real>& force,
                                        const Vec3<Real>& torque) {
  return {torque + cross(from_center(m, d, body, point), force), force};
}

// adds to qfrc the forces on bodies in d.body_work6 (about centers), of which it makes subtree sums
template <class Real>
LOCKSTEP_FN void add_body_forces(const ModelView<Real>& m, const DataView<Real>& d,
                                 Mask<Real> where, Real* qfrc) {
  for (int body = m.nbody - 1; body > 0; body--) {
    const int parent = m.body_parentid[body];
    if (parent > 0) d.body_work6.add(parent, d.body_work6[body]);
  }
  for (int dof = 0; dof < m.nv; dof++) {
    const Real force = dot(d.cdof[dof], d.body_work6[m.dof_bodyid[dof]]);
    qfrc[dof] = select(where, qfrc[dof] + force, qfrc[dof]);
  }
}

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
  for (int dof = 0; dof < m.nv; dof++) d.qacc_smooth[dof] = d.qfrc_smooth[dof];
  solve_m(m, d, d.qacc_smooth);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
