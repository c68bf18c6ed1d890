// activation.h: rates of the states of actuators, and a state after a time.
//   integrator w' = u;   filter w' = (u - w) / tau, exact: w += (u - w)(1 - exp(-h / tau));
//   muscle, dcmotor: see there;   pid: slew-limited setpoint, integrated error;   user: by a
//   callback, or 0
#pragma once

#include "stage/actuation/circle.h"
#include "stage/actuation/dcmotor.h"
#include "stage/actuation/muscle.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// states of a pid controller; the order is slew, integral. Lane 0 speaks for all
// (switching_numbers.h)
template <class Real>
LOCKSTEP_FN int pid_slew_state(const ActuatorView<Real>& a) {
  const bool limited = a.dyntype() == code(DynType::pid) && lane(a.dynprm()[1], 0) > 0;
  return limited && a.states() > 0 ? a.state() : -1;
}
template <class Real>
LOCKSTEP_FN int pid_integral_state(const ActuatorView<Real>& a) {
  if (a.dyntype() != code(DynType::pid) || !(lane(a.gainprm()[0], 0) > 0)) return -1;
  const int place = pid_slew_state(a) >= 0;
  return place < a.states() ? a.state() + place : -1;
}

template <class Real>
LOCKSTEP_FN void pid_dynamics(const ActuatorView<Real>& a) {
  const int slew = pid_slew_state(a), integral = pid_integral_state(a);
  const Real turn = servo_turn(a);
  if (slew >= 0) {
    a.ctrl() = nearest(a.ctrl(), a.d.act[slew], turn);
    slew_input(a, slew, a.dynprm()[1]);
  }
  if (integral >= 0) {
    const Real error = nearest(a.input(CtrlInput::pos), a.length(), turn) - a.length();
    a.d.act_dot[integral] = integral_rate(a.d.act[integral], error, a.dynprm()[0]);
  }
}

// act_dot of one actuator
template <class Real>
LOCKSTEP_FN void activation_rate(const ActuatorView<Real>& a) {
  const DataView<Real>& d = a.d;
  for (int k = 0; k < a.states(); k++) d.act_dot[a.state() + k] = Real(0);
  const int type = a.dyntype(), last = a.last_state();
  if (type == code(DynType::integrator)) {
    const int count = a.m.actuator_ctrlnum[a.id];
    for (int k = 0; k < count; k++) d.act_dot[last - count + 1 + k] = a.ctrl(k);
  } else if (type == code(DynType::filter) || type == code(DynType::filterexact)) {
    const Real target = nearest(a.ctrl(), d.act[last], servo_turn(a));
    d.act_dot[last] = (target - d.act[last]) / max(Real(min_val), a.dynprm()[0]);
  } else if (type == code(DynType::muscle)) {
    d.act_dot[last] = muscle_dynamics(a.ctrl(), d.act[last], a.dynprm());
  } else if (type == code(DynType::dcmotor)) {
    dcmotor_dynamics(a);
  } else if (type == code(DynType::pid)) {
    pid_dynamics(a);
  } else if (type == code(DynType::user)) {
    // several states: the callback writes their rates itself
    const Real rate = a.of_user(Watch::Term::rate, Real(0));
    if (a.states() == 1) d.act_dot[last] = rate;
  }
}

// a state after the time h at a rate
template <class Real>
LOCKSTEP_FN Real next_activation(const ActuatorView<Real>& a, int state, Real rate, Real h) {
  const int type = a.dyntype();
  if (type == code(DynType::dcmotor)) return dcmotor_next(a, state, rate, h);
  Real next = a.d.act[state] + rate * h;
  if (type == code(DynType::filterexact)) {
    const Real tau = max(Real(min_val), a.dynprm()[0]);
    next = a.d.act[state] + rate * tau * (Real(1) - exp(-h / tau));
  }
  if (!a.m.actuator_actlimited[a.id]) return next;
  const Real* range = a.m.actuator_actrange + 2 * a.id;
  return clamp(next, range[0], range[1]);
}

// the state that makes force: now, or already after this step
template <class Real>
LOCKSTEP_FN Real acting_state(const ActuatorView<Real>& a, int state) {
  if (!a.m.actuator_actearly[a.id]) return a.d.act[state];
  return next_activation(a, state, a.d.act_dot[state], Real(a.m.opt.timestep));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
