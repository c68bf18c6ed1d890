// activation.h: states of actuators after a time step, and controls remembered for delays. Not a
// stage: the integrators call it, before qvel and time move on.
//   act <- next(act, act_dot, h);   history <- (time, ctrl)
// reads act ctrl time actuator_length actuator_velocity    writes act history
#pragma once

#include "stage/actuation/control.h"
#include "stage/actuation/force.h"
#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// Setpoints on a circle or of an orientation stay within a turn: the same force, smaller numbers.
template <class Real>
LOCKSTEP_FN void rewind_setpoint(const ActuatorView<Real>& a) {
  if (a.gaintype() == code(GainType::fixed)) {
    Real& setpoint = a.d.act[a.last_state()];
    setpoint = nearest(setpoint, a.length(), servo_turn(a));
  }
  if (a.gaintype() != code(GainType::so3)) return;
  Real* v = a.d.act + a.state();
  const Real angle = norm(load3(v)), turn(2 * pi);
  const Mask<Real> far = angle > Real(pi);
  const Real safe = select(far, angle, Real(1));
  const Real scale = (safe - turn * round(safe / turn)) / safe;
  for (int k = 0; k < 3; k++) v[k] = select(far, v[k] * scale, v[k]);
}

// lengths or velocities of actuators decide about their next states
template <class Real>
LOCKSTEP_FN Mask<Real> needs_lengths(const ModelView<Real>& m, const DataView<Real>& d) {
  Mask<Real> needs = false;
  for (int id = 0; id < m.nactuator; id++) {
    const ActuatorView<Real> a{m, d, id};
    if (a.states() == 0 || a.gaintype() != code(GainType::fixed)) continue;
    needs = needs || servo_turn(a) > Real(0);
  }
  return needs;
}
template <class Real>
LOCKSTEP_FN bool needs_velocities(const ModelView<Real>& m) {
  bool needs = false;
  for (int id = 0; id < m.nactuator; id++) {
    needs |= m.actuator_dyntype[id] == code(DynType::dcmotor);
  }
  return needs;
}

template <class Real>
LOCKSTEP_FN void advance_activation(const ModelView<Real>& m, const DataView<Real>& d,
                                    const Real* act_dot, Real h) {
  if (m.na == 0 || (m.opt.disableflags & code(DisableBit::actuation))) return;
  const Sleepers<Real> asleep(m, d);
  for (int id = 0; id < m.nactuator; id++) {
    const ActuatorView<Real> a{m, d, id};
    if (a.states() == 0) continue;
    if (asleep.actuator(id)) continue;
    for (int state = a.state(); state <= a.last_state(); state++) {
      const Real rate = a.disabled() ? Real(0) : act_dot[state];
      d.act[state] = next_activation(a, state, rate, h);
    }
    rewind_setpoint(a);
  }
}

// controls of this moment, for those who read them later
template <class Real>
LOCKSTEP_FN void advance_history(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (m.actuator_history[2 * actuator] <= 0) continue;
    const History<Real> history = control_history(m, d, actuator);
    for_each_lane<Real>([&](int at) {
      const int rank = insert_history(history, lane(d.time[0], at), at);
      for (int i = 0; i < history.dim; i++) {
        history.set_value(rank, i, at, lane(d.ctrl[m.actuator_ctrladr[actuator] + i], at));
      }
    });
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
