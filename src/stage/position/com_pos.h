// com_pos.h: centers of mass of subtrees; inertias and motion axes about the center of mass of each
// tree.
//   com_b = sum_{c in subtree b} m_c xi_c / sum m_c;   hinge: cdof = (a, a x (com - anchor));
//   slide: cdof = (0, a)
// reads xipos ximat xmat xanchor xaxis    writes subtree_com cinert cdof
#pragma once

#include "model/view.h"
#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// massless subtrees take the center of their first body. masses are summed anew: edits of
// body_mass count at once.
template <class Real>
LOCKSTEP_FN void subtree_centers(const ModelView<Real>& m, const DataView<Real>& d) {
  Real* mass = d.body_work;
  for (int body = 0; body < m.nbody; body++) {
    mass[body] = m.body_mass[body];
    d.subtree_com.set(body, d.xipos[body] * m.body_mass[body]);
  }
  for (int body = m.nbody - 1; body > 0; body--) {
    d.subtree_com.add(m.body_parentid[body], d.subtree_com[body]);
    mass[m.body_parentid[body]] = mass[m.body_parentid[body]] + mass[body];
  }
  for (int body = 0; body < m.nbody; body++) {
    const Vec3<Real> com = d.subtree_com[body] * (Real(1) / max(mass[body], Real(min_val)));
    d.subtree_com.set(body, select(mass[body] < Real(min_val), d.xipos[body], com));
  }
}

template <class Real>
LOCKSTEP_FN void joint_axes(const ModelView<Real>& m, const DataView<Real>& d, int joint) {
  const int body = m.jnt_bodyid[joint], type = m.jnt_type[joint];
  const Vec3<Real> offset = d.subtree_com[m.body_rootid[body]] - d.xanchor[joint];
  int dof = m.jnt_dofadr[joint];
  if (type == code(JointType::slide)) {
    d.cdof.set(dof, slide_axis(d.xaxis[joint]));
    return;
  }
  if (type == code(JointType::hinge)) {
    d.cdof.set(dof, hinge_axis(d.xaxis[joint], offset));
    return;
  }
  if (type == code(JointType::free)) {
    for (int k = 0; k < 3; k++) d.cdof.set(dof++, slide_axis(col(identity3<Real>(), k)));
  }
  // ball, and the turning half of free: about the axes of the body
  const Mat3<Real> frame = d.xmat[body];
  for (int k = 0; k < 3; k++) d.cdof.set(dof + k, hinge_axis(col(frame, k), offset));
}

template <class Real>
LOCKSTEP_FN void com_pos(const ModelView<Real>& m, const DataView<Real>& d) {
  subtree_centers(m, d);
  d.cinert.set(0, zero_inertia<Real>());
  const Sleepers<Real> asleep(m, d);
  for (int body = 1; body < m.nbody; body++) {
    if (asleep.body(body)) continue;
    const Vec3<Real> offset = d.xipos[body] - d.subtree_com[m.body_rootid[body]];
    d.cinert.set(body,
                 inertia_about(m.body_inertia[body], d.ximat[body], offset, m.body_mass[body]));
  }
  for (int joint = 0; joint < m.njnt; joint++) {
    if (!asleep.dof(m.jnt_dofadr[joint])) joint_axes(m, d, joint);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
