// com_vel.h: spatial velocity of each body, and how its motion axes move.
//   cvel_b = cvel_parent + sum_i cdof_i qvel_i;   cdof_dot_i = cvel x cdof_i, with cvel before the
//   joint of i
// reads cdof qvel    writes cvel cdof_dot
#pragma once

#include "model/view.h"
#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// dofs [first, first + count) of one joint turn together: all see the velocity before the joint
template <class Real>
LOCKSTEP_FN void move_dofs(const DataView<Real>& d, int first, int count, Vec6<Real>& cvel) {
  Vec6<Real> added = zero6<Real>();
  for (int dof = first; dof < first + count; dof++) {
    d.cdof_dot.set(dof, cross_motion(cvel, d.cdof[dof]));
    added += d.cdof[dof] * d.qvel[dof];
  }
  cvel += added;
}

template <class Real>
LOCKSTEP_FN void com_vel(const ModelView<Real>& m, const DataView<Real>& d) {
  d.cvel.set(0, zero6<Real>());
  const Sleepers<Real> asleep(m, d);
  for (int body = 1; body < m.nbody; body++) {
    if (asleep.body(body)) continue;
    Vec6<Real> cvel = d.cvel[m.body_parentid[body]];
    const int end = m.body_jntadr[body] + m.body_jntnum[body];
    for (int joint = m.body_jntadr[body]; joint < end; joint++) {
      const int dof = m.jnt_dofadr[joint], type = m.jnt_type[joint];
      if (type == code(JointType::free)) {
        // the axes of translation are those of the world: they do not move
        for (int k = 0; k < 3; k++) {
          d.cdof_dot.set(dof + k, zero6<Real>());
          cvel += d.cdof[dof + k] * d.qvel[dof + k];
        }
        move_dofs(d, dof + 3, 3, cvel);
      } else {
        move_dofs(d, dof, type == code(JointType::ball) ? 3 : 1, cvel);
      }
    }
    d.cvel.set(body, cvel);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
