// body_force.h: from forces on bodies to forces along dofs. Not a stage; shared by applied forces,
// gravity compensation and fluid.
//   qfrc_i = cdof_i . sum_{b below i} f_b, with the force f_b about the center that cdof refers to
#pragma once

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

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
