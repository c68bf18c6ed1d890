// reference_constraint.h: velocities along the rows, and the acceleration each row wants.
//   vel = J qvel (+ surface velocities),   aref = -B vel - K d (pos - margin)
//   connect, weld, distance: also - dJ/dt qvel;   sticky contacts: also + R adhesion
//   discrete steps: with the place at the end of the step, over g (row_gain)
// reads efc_J efc_KBIP efc_pos efc_margin efc_R con_* qvel cvel cdof cdof_dot
// writes efc_vel efc_aref
#pragma once

#include "stage/constraint/equality.h"
#include "stage/solver/jacobian.h"

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

// the same for a distance, whose line turns:  d/dt (n . v) = n . a + |v across n|^2 / length
template <class Real>
LOCKSTEP_FN void subtract_distance_bias(const ModelView<Real>& m, const DataView<Real>& d, int eq,
                                        int row) {
  ArenaView<Real>& arena = *d.arena;
  const CenterLine<Real> line = center_line(m, d, eq);
  Vec3<Real> vel[2], acc[2];
  for (int k = 0; k < 2; k++) {
    vel[k] = point_velocity(d.cvel[line.body[k]], from_center(m, d, line.body[k], line.point[k]));
    acc[k] = bias_acceleration(m, d, line.body[k], line.point[k]).lin;
  }
  const Vec3<Real> v = vel[0] - vel[1];
  const Vec3<Real> across = v - line.along * dot(line.along, v);
  const Mask<Real> has_length = line.length > Real(min_val);
  const Real turning =
      select(has_length, dot(across, across) / select(has_length, line.length, Real(1)), Real(0));
  const Real aref = arena.efc_aref[row], bias = dot(line.along, acc[0] - acc[1]) + turning;
  arena.efc_aref[row] = select(arena.efc_D[row] != Real(0), aref - bias, aref);
}

// calls f(row, direction of the basis, share of it) for the rows of a contact
template <class Real, class F>
LOCKSTEP_FN void each_direction(const ArenaView<Real>& arena, int contact, int directions, F&& f) {
  const int adr = arena.con_efc_address[contact];
  const Real* friction = arena.con_friction + 5 * contact;
  const bool pyramid = arena.efc_type[adr] == code(Constraint::contact_pyramidal);
  for (int j = 1; j <= min(directions, arena.con_dim[contact] - 1); j++) {
    if (!pyramid) {
      f(adr + j, j, Real(1));
    } else {
      f(adr + 2 * j - 2, j, friction[j - 1]);
      f(adr + 2 * j - 1, j, -friction[j - 1]);
    }
  }
}

// the surfaces themselves move: tangents and spin
template <class Real>
LOCKSTEP_FN void add_surface_velocities(ArenaView<Real>& arena) {
  for (int contact = 0; contact < arena.ncon; contact++) {
    if (arena.con_efc_address[contact] < 0) continue;
    const Vec3<Real> surface = arena.con_surfacevel[contact];
    each_direction(arena, contact, 3, [&](int row, int j, Real share) {
      const Mask<Real> here = arena.efc_D[row] != Real(0);
      const Real vel = arena.efc_vel[row];
      arena.efc_vel[row] = select(here, vel + share * surface[j - 1], vel);
    });
  }
}

// sticky contacts: the pull is a force of its own, so that the rows want as much more
template <class Real>
LOCKSTEP_FN void add_adhesion(ArenaView<Real>& arena) {
  for (int contact = 0; contact < arena.ncon; contact++) {
    const int adr = arena.con_efc_address[contact], dim = arena.con_dim[contact];
    if (adr < 0) continue;
    const bool pyramid = arena.efc_type[adr] == code(Constraint::contact_pyramidal);
    const int rows = pyramid ? 2 * (dim - 1) : 1;
    const Real pull = arena.con_adhesion[contact] / Real(rows);
    for (int row = adr; row < adr + rows; row++) {
      const Real aref = arena.efc_aref[row];
      const Mask<Real> here = arena.efc_D[row] != Real(0) && pull != Real(0);
      arena.efc_aref[row] = select(here, aref + arena.efc_R[row] * pull, aref);
    }
  }
}

template <class Real>
LOCKSTEP_FN void reference_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  mul_jac(arena, d.qvel, arena.efc_vel);
  if (m.flg_surfacevel) add_surface_velocities(arena);
  for (int row = 0; row < arena.nefc; row++) {
    const Real *kbip = arena.efc_KBIP + 4 * row, vel = arena.efc_vel[row];
    Real pos = arena.efc_pos[row] - arena.efc_margin[row];
    if (steps_discretely(m)) pos = pos + m.opt.timestep * vel;
    arena.efc_aref[row] = -kbip[1] * vel - kbip[0] * kbip[2] * pos;
  }
  for (int row = 0; row < arena.ne;) {
    const int eq = arena.efc_id[row], type = m.eq_type[eq];
    const bool weld = type == code(EqType::weld);
    if (weld || type == code(EqType::connect)) subtract_bias(m, d, eq, row);
    if (type == code(EqType::distance)) subtract_distance_bias(m, d, eq, row);
    row += equality_rows(m, eq);
  }
  if (steps_discretely(m)) {
    for (int row = 0; row < arena.nefc; row++) {
      arena.efc_aref[row] = arena.efc_aref[row] / row_gain(m, arena.efc_KBIP + 4 * row);
    }
  }
  if (m.flg_adhesion) add_adhesion(arena);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
