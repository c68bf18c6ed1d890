// passive.h: forces that follow from positions and velocities alone: springs, dampers, gravity
// compensation, the medium, sticky contacts.
//   qfrc_passive = spring + damper + fluid + gravcomp (unless actuators carry it) + adhesion
// reads qpos qvel plastic ten_length ten_velocity ten_J xipos ximat geom_xpos geom_xmat subtree_com
// cdof cvel, contacts and their rows
// writes qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_adhesion qfrc_passive
#pragma once

#include "stage/island/awake.h"
#include "stage/position/body_force.h"
#include "stage/position/springs.h"
#include "stage/position/tendon.h"
#include "stage/velocity/adhesion.h"
#include "stage/velocity/damping.h"
#include "stage/velocity/fluid.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a force towards rest along three dofs, as strong as the length of the displacement asks
template <class Real>
LOCKSTEP_INLINE void pull_back(const Spring<Real>& spring, const Vec3<Real>& x, Mask<Real> acts,
                               Real* qfrc) {
  const Real factor = spring.factor(norm(x));
  for (int i = 0; i < 3; i++) qfrc[i] = select(acts, -(x[i] * factor), Real(0));
}

template <class Real>
LOCKSTEP_FN void add_joint_spring(const ModelView<Real>& m, const DataView<Real>& d, int joint) {
  const Spring<Real> spring = joint_spring(m, joint);
  const Mask<Real> acts = spring.acts();
  if (!any(acts)) return;
  const Real* q = d.qpos + m.jnt_qposadr[joint];
  const Real* rest = spring_rest(m, d, joint);
  Real* qfrc = d.qfrc_spring + m.jnt_dofadr[joint];
  int type = m.jnt_type[joint];
  if (type == code(JointType::free)) {
    pull_back(spring, load3(q) - load3(rest), acts, qfrc);
    q += 3, rest += 3, qfrc += 3;
    type = code(JointType::ball);
  }
  if (type == code(JointType::ball)) {
    pull_back(spring, turn_from(rest, q), acts, qfrc);
  } else {
    qfrc[0] = select(acts, spring.force(q[0] - rest[0]), Real(0));
  }
}

// forces that carry bodies against gravity; false where there are none
template <class Real>
LOCKSTEP_FN Mask<Real> gravcomp(const ModelView<Real>& m, const DataView<Real>& d) {
  const Vec3<Real> gravity = load3(m.opt.gravity.value);
  Mask<Real> acts = norm(gravity) != Real(0);
  if (!m.flg_gravcomp || (m.opt.disableflags & code(DisableBit::gravity))) acts = false;
  if (!any(acts)) return acts;
  for (int body = 1; body < m.nbody; body++) {
    const Vec3<Real> force = gravity * -(m.body_mass[body] * m.body_gravcomp[body]);
    const Vec3<Real> torque{Real(0), Real(0), Real(0)};
    d.body_work6.set(body, about_center(m, d, body, d.xipos[body], force, torque));
  }
  add_body_forces(m, d, acts, d.qfrc_gravcomp);
  return acts;
}

template <class Real>
LOCKSTEP_FN void clear_passive(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int dof = 0; dof < m.nv; dof++) {
    d.qfrc_spring[dof] = d.qfrc_damper[dof] = Real(0);
    d.qfrc_gravcomp[dof] = d.qfrc_fluid[dof] = Real(0);
    d.qfrc_adhesion[dof] = d.qfrc_passive[dof] = Real(0);
  }
}

// springs and dampers can be switched off one by one; without both nothing passive is left
template <class Real>
LOCKSTEP_FN void passive(const ModelView<Real>& m, const DataView<Real>& d) {
  const bool springs = !(m.opt.disableflags & code(DisableBit::spring));
  const bool dampers = !(m.opt.disableflags & code(DisableBit::damper));
  clear_passive(m, d);
  const Sleepers<Real> asleep(m, d);
  if (!springs && !dampers) return;
  if (springs) {
    for (int joint = 0; joint < m.njnt; joint++) add_joint_spring(m, d, joint);
    for (int tendon = 0; tendon < m.ntendon; tendon++) {
      const Real force = tendon_spring(m, tendon).force(tendon_stretch(m, d, tendon));
      add_tendon_force(m, d, tendon, force, d.qfrc_spring);
    }
  }
  if (dampers) {
    for (int dof = 0; dof < m.nv; dof++) {
      if (asleep.dof(dof)) continue;  // does not move
      d.qfrc_damper[dof] = Real(0) + dof_damper(m, dof).force(d.qvel[dof]);
    }
    for (int tendon = 0; tendon < m.ntendon; tendon++) {
      const Real force = tendon_damper(m, tendon).force(d.ten_velocity[tendon]);
      add_tendon_force(m, d, tendon, force, d.qfrc_damper);
    }
  }
  const Mask<Real> floats = gravcomp(m, d);
  const Mask<Real> wet = fluid(m, d);
  const Mask<Real> sticks = adhesion(m, d);
  for (int dof = 0; dof < m.nv; dof++) {
    Real sum = d.qfrc_spring[dof] + d.qfrc_damper[dof];
    sum = select(wet, sum + d.qfrc_fluid[dof], sum);
    if (!m.jnt_actgravcomp[m.dof_jntid[dof]]) {
      sum = select(floats, sum + d.qfrc_gravcomp[dof], sum);
    }
    d.qfrc_passive[dof] = select(sticks, sum + d.qfrc_adhesion[dof], sum);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
