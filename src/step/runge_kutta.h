// runge_kutta.h: a step by the classical fourth-order method. Orientations follow Munthe-Kaas:
// stages and result turn the first orientation by a rotation vector u, whose rate is
//   K = w + u x w / 2 + c u x (u x w),   c = (1 - (t/2) cot(t/2)) / t^2,  t = |u|
// so that the order holds for ball and free joints too.
#pragma once

#include "stage/integrate/advance.h"
#include "stage/solver/outcome.h"
#include "step/pipeline.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN Vec3<Real> rotation_rate(const Vec3<Real>& step, const Vec3<Real>& w) {
  // beyond half a turn the same rotation the shorter way
  const Real angle = norm(step);
  const Mask<Real> far = angle > Real(pi);
  const Real turns = round(angle / Real(2 * pi));
  const Real shrink = Real(1) - Real(2 * pi) * turns / select(far, angle, Real(1));
  const Vec3<Real> u = select(far, step * shrink, step);
  const Real t2 = dot(u, u);
  const Mask<Real> small = t2 < Real(0.01);
  // Taylor series where the closed form cancels; its next term is below 1e-17 there
  const Real series =
      Real(1.0 / 12) + t2 * (Real(1.0 / 720) + t2 * (Real(1.0 / 30240) + t2 * Real(1.0 / 1209600)));
  const Real t = sqrt(select(small, Real(1), t2)), half = Real(0.5) * t;
  const SinCos<Real> turn = sincos(half);
  const Real closed = (Real(1) - half * turn.cos / turn.sin) / (t * t);
  const Vec3<Real> uw = cross(u, w);
  return w + uw * Real(0.5) + cross(u, uw) * select(small, series, closed);
}

// rates of the coordinates of a stage, for a velocity and the step u that led to it
template <class Real>
LOCKSTEP_FN void stage_rate(const ModelView<Real>& m, const Real* u, const Real* qvel, Real* rate) {
  for (int dof = 0; dof < m.nv; dof++) rate[dof] = qvel[dof];
  for (int joint = 0; joint < m.njnt; joint++) {
    const int type = m.jnt_type[joint];
    if (type != code(JointType::ball) && type != code(JointType::free)) continue;
    const int dof = m.jnt_dofadr[joint] + (type == code(JointType::free) ? 3 : 0);
    store3(rate + dof, rotation_rate(load3(u + dof), load3(qvel + dof)));
  }
}

// the state of stage 1, 2 or 3: the first one moved by a fraction of the step along the rates of
// the stage before
template <class Real>
LOCKSTEP_FN void enter_stage(const ModelView<Real>& m, const DataView<Real>& d, int stage, Real dt,
                             Real start) {
  const Real *rate = d.rk_rate + m.nv * (stage - 1), *acc = d.rk_acc + m.nv * (stage - 1);
  const Real* act_dot = d.rk_act_dot + m.na * (stage - 1);
  for (int i = 0; i < m.nq; i++) d.qpos[i] = d.rk_qpos[i];
  integrate_pos(m, d.qpos, rate, dt);
  for (int dof = 0; dof < m.nv; dof++) d.qvel[dof] = d.rk_qvel[dof] + dt * acc[dof];
  for (int i = 0; i < m.na; i++) d.act[i] = d.rk_act[i] + dt * act_dot[i];
  d.time[0] = start + dt;
}

// what a stage found; u is the step that led to it
template <class Real>
LOCKSTEP_FN void leave_stage(const ModelView<Real>& m, const DataView<Real>& d, int stage,
                             const Real* u) {
  stage_rate(m, u, d.qvel, d.rk_rate + m.nv * stage);
  const Sleepers<Real> asleep(m, d);
  for (int dof = 0; dof < m.nv; dof++) {
    d.rk_acc[m.nv * stage + dof] = asleep.dof(dof) ? Real(0) : d.qacc[dof];
  }
  for (int i = 0; i < m.na; i++) d.rk_act_dot[m.na * stage + i] = d.act_dot[i];
}

// sum of the four stages with the weights of the method
template <class Real>
LOCKSTEP_INLINE Real weigh(const Real* values, int stride, int i) {
  return Real(1.0 / 6) * values[i] + Real(1.0 / 3) * values[stride + i] +
         Real(1.0 / 3) * values[2 * stride + i] + Real(1.0 / 6) * values[3 * stride + i];
}

// tendons yield from where they were at the start: as in MuJoCo, a model with such tendons keeps
// the lengths and Jacobians of stage 0
template <class Real>
LOCKSTEP_FN void keep_tendons(const ModelView<Real>& m, const DataView<Real>& d, bool restore) {
  bool yields = false;
  for (int tendon = 0; tendon < m.ntendon; tendon++) yields |= m.tendon_plasticadr[tendon] >= 0;
  if (!yields) return;
  const auto copy = [restore](Real* now, Real* kept, int count) {
    for (int i = 0; i < count; i++) (restore ? now : kept)[i] = (restore ? kept : now)[i];
  };
  copy(d.ten_length, d.rk_ten_length, m.ntendon);
  copy(d.ten_J, d.rk_ten_J, m.nJten);
}

// states of actuators go on from where these were at the start, likewise
template <class Real>
LOCKSTEP_FN void keep_actuators(const ModelView<Real>& m, const DataView<Real>& d, bool restore) {
  if (m.na == 0) return;
  const Mask<Real> lengths = needs_lengths(m, d);
  const bool velocities = needs_velocities(m);
  for (int out = 0; out < m.nout; out++) {
    Real &length = d.actuator_length[out], &velocity = d.actuator_velocity[out];
    if (!restore) {
      d.rk_out_length[out] = length;
      d.rk_out_velocity[out] = velocity;
      continue;
    }
    length = select(lengths, d.rk_out_length[out], length);
    if (velocities) velocity = d.rk_out_velocity[out];
  }
}

// A stage that a strict solver gave up fails the step: what it said of that stays until the end, in
// the lanes where it did.
template <class Real>
struct StageFailures {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  Mask<Real> failed = false;
  Real residual{0};
  int flags[lanes<Real>] = {}, niter[mjNISLAND * lanes<Real>] = {};

  // after a stage
  LOCKSTEP_FN void note() {
    if (m.opt.solver != code(Solver::cgstrict)) return;
    const Mask<Real> next = unsolved(m, d) && !failed;
    residual = select(next, d.solver_residual[0], residual);
    for_each_lane<Real>(next, [&](int i) {
      flags[i] = d.solver_flags.get(0, i);
      for (int k = 0; k < mjNISLAND; k++) niter[k * lanes<Real> + i] = d.solver_niter.get(k, i);
    });
    failed = failed || next;
    d.solver_residual[0] = select(failed, residual, d.solver_residual[0]);
    for_each_lane<Real>(failed, [&](int i) {
      d.solver_flags.set(0, i, flags[i]);
      for (int k = 0; k < mjNISLAND; k++) d.solver_niter.set(k, i, niter[k * lanes<Real> + i]);
    });
  }
};

// the forces of the current state are known: stage 0
template <class Real>
LOCKSTEP_FN void runge_kutta(const ModelView<Real>& m, const DataView<Real>& d,
                             Detail detail = Detail::all) {
  const Real h = m.opt.timestep, start = d.time[0];
  const Real fraction[4] = {Real(0), Real(0.5), Real(0.5), Real(1)};
  Real* u = d.dof_work;
  if (m.nhistory > 0) advance_sensor_history(m, d);  // as the state is now, not as stages leave it
  for (int i = 0; i < m.nq; i++) d.rk_qpos[i] = d.qpos[i];
  for (int dof = 0; dof < m.nv; dof++) d.rk_qvel[dof] = d.qvel[dof], u[dof] = Real(0);
  for (int i = 0; i < m.na; i++) d.rk_act[i] = d.act[i];
  keep_tendons(m, d, false);
  keep_actuators(m, d, false);
  leave_stage(m, d, 0, u);
  StageFailures<Real> failures{m, d};
  failures.note();
  for (int stage = 1; stage < 4; stage++) {
    const Real dt = h * fraction[stage];
    // what the last stage leaves is seen, as in MuJoCo
    const Detail part = detail == Detail::all && stage == 3 ? Detail::unsensed : Detail::motion;
    enter_stage(m, d, stage, dt, start);
    run_phases(m, d, Phase::position, Phase::velocity_report, part);
    choose_controls(m, d);
    run_phases(m, d, Phase::actuation, Phase::acceleration, part);
    for (int dof = 0; dof < m.nv; dof++) u[dof] = dt * d.rk_rate[m.nv * (stage - 1) + dof];
    leave_stage(m, d, stage, u);
    failures.note();
  }
  keep_tendons(m, d, true);
  keep_actuators(m, d, true);
  // back to the start, and forward by the mean of the stages
  for (int i = 0; i < m.nq; i++) d.qpos[i] = d.rk_qpos[i];
  for (int i = 0; i < m.na; i++) {
    d.act[i] = d.rk_act[i];
    d.rk_act_dot[i] = weigh(d.rk_act_dot, m.na, i);  // act_dot stays that of the last stage
  }
  d.time[0] = start;
  if (m.nhistory > 0) advance_history(m, d);
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc_warmstart[dof] = d.qacc[dof];
    d.qacc[dof] = weigh(d.rk_acc, m.nv, dof);
    d.qvel[dof] = d.rk_qvel[dof] + h * d.qacc[dof];
    u[dof] = weigh(d.rk_rate, m.nv, dof);
  }
  advance_pos(m, d, u, d.rk_act_dot);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
