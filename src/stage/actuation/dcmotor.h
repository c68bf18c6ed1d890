// dcmotor.h: a motor with winding, controller, heat and friction.
//   drive    v = clamp((R/K) (kp (u - l) + kd (w - l') + ki x + f) + K l', vmax) + voltage
//   current  i = (v - K l') / R(T)   or, with inductance,   te i' = (v - K l') / R(T) - i
//   force    K i, clamped by forcerange, + cogging - bristle friction
// states, each present if its parameter is positive: slew, integral, temperature, bristle, current
#pragma once

#include "math/elementary.h"
#include "stage/actuation/actuator.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// what decides which states a motor has, in their order: a parameter of dynprm or gainprm that is
// positive
struct MotorState {
  bool gain;
  int prm;
};
inline constexpr MotorState motor_states[] = {
    {false, 7}, {true, 5}, {false, 2}, {false, 5}, {false, 0}};

template <class Real>
struct DcMotor {
  ActuatorView<Real> a;
  int slew = -1, integral = -1, temperature = -1, bristle = -1, current = -1;  // addresses, or -1

  // which states exist is part of the Model's layout, so that lane 0 speaks for all
  // (switching_numbers.h)
  LOCKSTEP_FN explicit DcMotor(const ActuatorView<Real>& actuator) : a(actuator) {
    int* const states[] = {&slew, &integral, &temperature, &bristle, &current};
    int next = a.state();
    const int end = next + a.states();
    for (int i = 0; i < 5; i++) {
      const Real* prm = motor_states[i].gain ? a.gainprm() : a.dynprm();
      if (lane(prm[motor_states[i].prm], 0) > 0 && next < end) *states[i] = next++;
    }
  }

  LOCKSTEP_INLINE Real cold_resistance() const { return a.gainprm()[0]; }
  LOCKSTEP_INLINE Real constant() const { return a.gainprm()[1]; }
  LOCKSTEP_INLINE Real time_constant() const { return a.dynprm()[0]; }
  LOCKSTEP_INLINE Real integral_limit() const { return a.dynprm()[8]; }
  LOCKSTEP_INLINE bool controlled() const {
    constexpr int inputs = code(CtrlInput::pos) | code(CtrlInput::vel) | code(CtrlInput::ff);
    return a.m.actuator_ctrlspec[a.id] & inputs;
  }

  // of the winding, at its temperature above the ambient one
  LOCKSTEP_INLINE Real resistance() const {
    if (temperature < 0) return cold_resistance();
    const Real rise = a.d.act[temperature] + a.dynprm()[4] - a.gainprm()[3];
    return cold_resistance() * (Real(1) + a.gainprm()[2] * rise);
  }

  // the torque that the controller asks for
  LOCKSTEP_INLINE Real command() const {
    const Real* g = a.gainprm();
    Real torque = g[4] * (a.input(CtrlInput::pos) - a.length()) +
                  g[6] * (a.input(CtrlInput::vel) - a.velocity());
    if (integral >= 0) torque = torque + g[5] * a.d.act[integral];
    return torque + a.input(CtrlInput::ff);
  }

  // what the controller would put on the terminals without its limit
  LOCKSTEP_INLINE Real drive() const {
    return cold_resistance() / constant() * command() + constant() * a.velocity();
  }

  // at the terminals
  LOCKSTEP_FN Real voltage() const {
    const Real direct = a.input(CtrlInput::voltage);
    if (!controlled()) return direct;
    const Real limit = a.gainprm()[7], wanted = drive();
    return select(limit > Real(0), clamp(wanted, -limit, limit), wanted) + direct;
  }

  // z' = decay z + l'; the friction at which bristles slip goes from static to Coulomb with speed
  LOCKSTEP_INLINE Real bristle_decay() const {
    const Real* b = a.biasprm();
    const Real ratio = a.velocity() / max(Real(min_val), b[5]);
    const Real slip = b[3] + (b[4] - b[3]) * exp(-ratio * ratio);
    return -a.dynprm()[5] * abs(a.velocity()) / max(Real(min_val), slip);
  }
};

// the first input moves to where it is told at a limited rate; its state is the input as it acts
template <class Real>
LOCKSTEP_FN void slew_input(const ActuatorView<Real>& a, int state, Real rate) {
  const Real h = a.m.opt.timestep, now = a.d.act[state], reach = rate * h;
  const Real next = clamp(a.ctrl(), now - reach, now + reach);
  a.d.act_dot[state] = (next - now) / h;
  a.ctrl() = next;
}

// rate of an integrated position error; it does not grow beyond a limit (0: none)
template <class Real>
LOCKSTEP_FN Real integral_rate(Real x, Real error, Real limit) {
  const Mask<Real> limited = limit > Real(0);
  const Real bounded =
      select(x >= limit, min(error, Real(0)), select(x <= -limit, max(error, Real(0)), error));
  return select(limited, bounded, error);
}

template <class Real>
LOCKSTEP_FN void dcmotor_dynamics(const ActuatorView<Real>& a) {
  const DcMotor<Real> motor(a);
  const DataView<Real>& d = a.d;
  if (motor.slew >= 0) slew_input(a, motor.slew, a.dynprm()[7]);
  if (motor.integral >= 0) {
    const Real error = a.input(CtrlInput::pos) - a.length();
    d.act_dot[motor.integral] = integral_rate(d.act[motor.integral], error, motor.integral_limit());
  }
  const Real r = motor.resistance(), back = motor.constant() * a.velocity();
  const Real volts = motor.voltage();
  if (motor.temperature >= 0) {  // C T' = R i^2 - T / RT
    const Real amps = motor.current >= 0 ? d.act[motor.current] : (volts - back) / r;
    const Real lost = d.act[motor.temperature] / a.dynprm()[2];
    d.act_dot[motor.temperature] = (r * amps * amps - lost) / a.dynprm()[3];
  }
  if (motor.bristle >= 0) {
    d.act_dot[motor.bristle] = motor.bristle_decay() * d.act[motor.bristle] + a.velocity();
  }
  if (motor.current >= 0) {
    const Real limit = a.dynprm()[1];
    const Real rate = (volts / r - motor.constant() / r * a.velocity() - d.act[motor.current]) /
                      motor.time_constant();
    d.act_dot[motor.current] = select(limit > Real(0), clamp(rate, -limit, limit), rate);
  }
}

// force of the current; the others are not limited by forcerange
template <class Real>
LOCKSTEP_FN Real dcmotor_force(const ActuatorView<Real>& a, Real current_state) {
  const DcMotor<Real> motor(a);
  if (motor.current >= 0) return motor.constant() * current_state;
  const Real gain = motor.constant() / max(Real(min_val), motor.resistance());
  return gain * motor.voltage() - gain * motor.constant() * a.velocity();
}

// cogging and bristles
template <class Real>
LOCKSTEP_FN Real dcmotor_friction(const ActuatorView<Real>& a) {
  const DcMotor<Real> motor(a);
  const Real* b = a.biasprm();
  const Real cogging = b[0] * sin(b[1] * a.length() + b[2]);
  if (motor.bristle < 0) return cogging;
  return cogging -
         (a.dynprm()[5] * a.d.act[motor.bristle] + a.dynprm()[6] * a.d.act_dot[motor.bristle]);
}

// a state after the time h
template <class Real>
LOCKSTEP_FN Real dcmotor_next(const ActuatorView<Real>& a, int state, Real rate, Real h) {
  const DcMotor<Real> motor(a);
  const Real now = a.d.act[state];
  if (state == motor.current) {  // exact for a constant voltage
    const Real te = max(Real(min_val), motor.time_constant());
    return now + rate * te * (Real(1) - exp(-h / te));
  }
  if (state == motor.bristle) {  // exact for a constant speed
    const Real decay = motor.bristle_decay(), left = exp(decay * h);
    const Mask<Real> slides = abs(decay) > Real(min_val);
    const Real sum = select(slides, (left - Real(1)) / select(slides, decay, Real(1)), h);
    return left * now + sum * a.velocity();
  }
  const Real next = now + rate * h;
  if (state != motor.integral) return next;
  const Real limit = motor.integral_limit();
  return select(limit > Real(0), clamp(next, -limit, limit), next);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
