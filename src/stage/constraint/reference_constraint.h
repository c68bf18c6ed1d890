// reference_constraint.h: velocities along the rows, and the acceleration each row wants.
//   vel = J qvel,   aref = -B vel - K d (pos - margin);   connect and weld: also - dJ/dt qvel
// reads efc_J efc_KBIP efc_pos efc_margin qvel cvel cdof cdof_dot    writes efc_vel efc_aref
#pragma once

#include "stage/constraint/equality.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// accelerations that remain at qacc = 0: of a point of a body, and of its turning
template <class Real>
struct BiasAcceleration {
  Vec3<Real> lin, rot;
};
template <class Real>
LOCKSTEP_FN BiasAcceleration<Real> bias_acceleration(const ModelView<Real>& m,
                                                     const DataView<Real>& d, int body,
                                                     const Vec3<Real>& point) {
  const Vec3<Real> offset = from_center(m, d, body, point);
  Vec6<Real> acc = zero6<Real>();
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    const int joint = m.dof_jntid[dof], type = m.jnt_type[joint];
    // axes of a ball turn with the body itself
    const bool turns = type == code(JointType::ball) ||
                       (type == code(JointType::free) && dof >= m.jnt_dofadr[joint] + 3);
    const Vec6<Real> rate =
        turns ? cross_motion(d.cvel[m.dof_bodyid[dof]], d.cdof[dof]) : d.cdof_dot[dof];
    acc += rate * d.qvel[dof];
  }
  const Vec6<Real> vel = d.cvel[body];
  return {point_velocity(acc, offset) + cross(vel.rot, point_velocity(vel, offset)), acc.rot};
}

// aref of the rows of a connect or weld, less what J changes
template <class Real>
LOCKSTEP_FN void subtract_bias(const ModelView<Real>& m, const DataView<Real>& d, int eq, int row) {
  ArenaView<Real>& arena = *d.arena;
  const Anchors<Real> ends = anchors_of(m, d, eq);
  const BiasAcceleration<Real> a0 = bias_acceleration(m, d, ends.body[0], ends.point[0]);
  const BiasAcceleration<Real> a1 = bias_acceleration(m, d, ends.body[1], ends.point[1]);
  const auto subtract_at = [&](int at, Real x) {
    const Mask<Real> here = arena.efc_D[at] != Real(0);
    arena.efc_aref[at] = select(here, arena.efc_aref[at] - x, arena.efc_aref[at]);
  };
  for (int k = 0; k < 3; k++) subtract_at(row + k, a0.lin[k] - a1.lin[k]);
  if (m.eq_type[eq] != code(EqType::weld)) return;
  // d/dt of vec(q1* w q0) / 2, with w the turning of one body against the other
  const WeldQuats<Real> q = weld_quats(m, d, eq);
  const Vec3<Real> w0 = d.cvel[ends.body[0]].rot, w1 = d.cvel[ends.body[1]].rot, w = w0 - w1;
  const Quat<Real> back = conj(q.second), back_rate = conj(derivative(q.second, w1));
  const Vec3<Real> rate = sandwich(back_rate, w, q.first) +
                          sandwich(back, a0.rot - a1.rot, q.first) +
                          sandwich(back, w, derivative(q.first, w0));
  const Real scale = Real(0.5) * torquescale_of(m, eq);
  for (int k = 0; k < 3; k++) subtract_at(row + 3 + k, rate[k] * scale);
}

template <class Real>
LOCKSTEP_FN void reference_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  for (int row = 0; row < arena.nefc; row++) {
    const int adr = arena.efc_J_rowadr[row], end = adr + arena.efc_J_rownnz[row];
    Real vel(0);
    for (int k = adr; k < end; k++) vel = vel + arena.efc_J[k] * d.qvel[arena.efc_J_colind[k]];
    const Real* kbip = arena.efc_KBIP + 4 * row;
    arena.efc_vel[row] = vel;
    arena.efc_aref[row] =
        -kbip[1] * vel - kbip[0] * kbip[2] * (arena.efc_pos[row] - arena.efc_margin[row]);
  }
  for (int row = 0; row < arena.ne;) {
    const int eq = arena.efc_id[row], type = m.eq_type[eq];
    const bool weld = type == code(EqType::weld);
    if (weld || type == code(EqType::connect)) subtract_bias(m, d, eq, row);
    row += weld ? 6 : type == code(EqType::connect) ? 3 : 1;
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
