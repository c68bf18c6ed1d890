// pose.h: positions moved by velocities, and back. Not a stage.
#pragma once

#include "math/quat.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_INLINE Quat<Real> load_quat(const Real* p) {
  return {p[0], p[1], p[2], p[3]};
}
template <class Real>
LOCKSTEP_INLINE void store_quat(Real* p, const Quat<Real>& q) {
  for (int k = 0; k < 4; k++) p[k] = q[k];
}

// qpos moved by a velocity for a time; quaternions turn. some joints may stay where they are
template <class Real, class F>
LOCKSTEP_FN void integrate_pos(const ModelView<Real>& m, Real* qpos, const Real* qvel, Real dt,
                               F&& stays) {
  for (int joint = 0; joint < m.njnt; joint++) {
    if (stays(joint)) continue;
    Real* q = qpos + m.jnt_qposadr[joint];
    const Real* v = qvel + m.jnt_dofadr[joint];
    int type = m.jnt_type[joint];
    if (type == code(JointType::free)) {
      for (int k = 0; k < 3; k++) q[k] = q[k] + dt * v[k];
      q += 3, v += 3;
      type = code(JointType::ball);
    }
    if (type == code(JointType::ball)) {
      store_quat(q, integrate(load_quat(q), load3(v), dt));
    } else {
      q[0] = q[0] + dt * v[0];
    }
  }
}

template <class Real>
LOCKSTEP_FN void integrate_pos(const ModelView<Real>& m, Real* qpos, const Real* qvel, Real dt) {
  integrate_pos(m, qpos, qvel, dt, [](int) { return false; });
}

// the velocity that takes qpos1 to qpos2 in time dt
template <class Real>
LOCKSTEP_FN void differentiate_pos(const ModelView<Real>& m, Real* qvel, Real dt, const Real* qpos1,
                                   const Real* qpos2) {
  for (int joint = 0; joint < m.njnt; joint++) {
    int q = m.jnt_qposadr[joint], v = m.jnt_dofadr[joint];
    int type = m.jnt_type[joint];
    if (type == code(JointType::free)) {
      for (int k = 0; k < 3; k++) qvel[v + k] = (qpos2[q + k] - qpos1[q + k]) / dt;
      q += 3, v += 3;
      type = code(JointType::ball);
    }
    if (type == code(JointType::ball)) {
      const Quat<Real> turn = conj(load_quat(qpos1 + q)) * load_quat(qpos2 + q);
      store3(qvel + v, quat_to_vel(turn, dt));
    } else {
      qvel[v] = (qpos2[q] - qpos1[q]) / dt;
    }
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
