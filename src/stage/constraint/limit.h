// limit.h: rows of joint and tendon limits. Not a stage: make_constraint uses it.
//   hinge, slide, tendon: dist = value - low, high - value;   ball: dist = high - angle
// a row exists where dist < margin
#pragma once

#include "stage/constraint/friction.h"
#include "stage/position/kinematics.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void scalar_limit(RowWriter<Real>& w, int joint) {
  const ModelView<Real>& m = w.m;
  const int dof = m.jnt_dofadr[joint];
  const Real value = w.d.qpos[m.jnt_qposadr[joint]], margin = m.jnt_margin[joint];
  const Real dist[2] = {value - m.jnt_range[2 * joint], m.jnt_range[2 * joint + 1] - value};
  for (int side = 0; side < 2; side++) {
    const Mask<Real> here = dist[side] < margin;
    if (!any(here)) continue;
    const RowBlock<Real> block = w.open(Constraint::limit_joint, joint, 1, 1, here);
    if (!block.fits) continue;
    w.columns(block)[0] = dof;
    w.put(block, 0, 0, Real(side == 0 ? 1 : -1));
    set_single(w, block, dist[side], margin, m.jnt_solref + mjNREF * joint,
               m.jnt_solimp + mjNIMP * joint);
  }
}

template <class Real>
LOCKSTEP_FN void ball_limit(RowWriter<Real>& w, int joint) {
  const ModelView<Real>& m = w.m;
  const int dof = m.jnt_dofadr[joint];
  const Quat<Real> quat = unit_quat(w.d.qpos + m.jnt_qposadr[joint]);
  const Normalized3<Real> turn = normalize_with_norm(quat_to_vel(quat, Real(1)));
  const Real margin = m.jnt_margin[joint];
  const Real dist = max(m.jnt_range[2 * joint], m.jnt_range[2 * joint + 1]) - turn.norm;
  const Mask<Real> here = dist < margin;
  if (!any(here)) return;
  const RowBlock<Real> block = w.open(Constraint::limit_joint, joint, 1, 3, here);
  if (!block.fits) return;
  for (int k = 0; k < 3; k++) {
    w.columns(block)[k] = dof + k;
    w.put(block, 0, k, -turn.vec[k]);
  }
  set_single(w, block, dist, margin, m.jnt_solref + mjNREF * joint, m.jnt_solimp + mjNIMP * joint);
}

template <class Real>
LOCKSTEP_FN void joint_limits(RowWriter<Real>& w) {
  const Sleepers<Real> asleep(w.m, w.d);
  for (int joint = 0; joint < w.m.njnt; joint++) {
    if (!w.m.jnt_limited[joint] || asleep.dof(w.m.jnt_dofadr[joint])) continue;
    const int type = w.m.jnt_type[joint];
    if (type == code(JointType::ball)) ball_limit(w, joint);
    if (type == code(JointType::hinge) || type == code(JointType::slide)) scalar_limit(w, joint);
  }
}

template <class Real>
LOCKSTEP_FN void tendon_limits(RowWriter<Real>& w) {
  const ModelView<Real>& m = w.m;
  const Sleepers<Real> asleep(m, w.d);
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    if (!m.tendon_limited[tendon] || m.ten_J_rownnz[tendon] == 0) continue;
    if (asleep.tendon(tendon)) continue;
    const Real value = w.d.ten_length[tendon], margin = m.tendon_margin[tendon];
    const Real dist[2] = {value - m.tendon_range[2 * tendon],
                          m.tendon_range[2 * tendon + 1] - value};
    for (int side = 0; side < 2; side++) {
      const Mask<Real> here = dist[side] < margin;
      if (!any(here)) continue;
      const Real sign(side == 0 ? 1 : -1);
      const RowBlock<Real> block = open_tendon(w, Constraint::limit_tendon, tendon, sign, here);
      if (!block.fits) continue;
      set_single(w, block, dist[side], margin, m.tendon_solref_lim + mjNREF * tendon,
                 m.tendon_solimp_lim + mjNIMP * tendon);
    }
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
