// slope.h: how the force of an actuator changes with its length and velocity, for integrators that
// look ahead. The same for all outputs of an actuator; zero where a limit holds the force.
// reads act act_dot ctrl_work actuator_length actuator_velocity actuator_force qfrc_actuator, all
// of this step
#pragma once

#include "stage/actuation/force.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct ForceSlope {
  Real by_length, by_velocity;
};

template <class Real>
LOCKSTEP_INLINE Mask<Real> at_limit(Real x, const Real* range) {
  return x <= range[0] || x >= range[1];
}

// force of the current alone
template <class Real>
LOCKSTEP_FN ForceSlope<Real> dcmotor_slope(const ActuatorView<Real>& a) {
  const DcMotor<Real> motor(a);
  const Real* g = a.gainprm();
  const Real zero(0), k = motor.constant();
  ForceSlope<Real> volts{zero, zero};
  if (motor.controlled()) {
    const Real limit = g[7], share = motor.cold_resistance() / k, drive = motor.drive();
    const Mask<Real> held = limit > zero && (drive <= -limit || drive >= limit);
    volts.by_length = select(held, zero, -share * g[4]);
    volts.by_velocity = select(held, zero, k - share * g[6]);
  }
  Real gain = k / max(Real(min_val), motor.resistance());
  if (motor.current >= 0) {  // the part of the way that the current goes in a step
    const Real te = motor.time_constant(), limit = a.dynprm()[1];
    const Real rate = a.d.act_dot[motor.current];
    const Mask<Real> held = limit > zero && (rate <= -limit || rate >= limit);
    gain = select(held, zero, gain * (Real(1) - exp(-Real(a.m.opt.timestep) / te)));
  }
  return {gain * volts.by_length, gain * (volts.by_velocity - k)};
}

// cogging, and bristles as they are bent
template <class Real>
LOCKSTEP_FN ForceSlope<Real> dcmotor_friction_slope(const ActuatorView<Real>& a) {
  const Real* b = a.biasprm();
  const Real cogging = b[0] * b[1] * cos(b[1] * a.length() + b[2]);
  return {cogging, DcMotor<Real>(a).bristle < 0 ? Real(0) : -a.dynprm()[6]};
}

template <class Real>
LOCKSTEP_FN ForceSlope<Real> gain_slope(const ActuatorView<Real>& a) {
  const int type = a.gaintype();
  const Real* prm = a.gainprm();
  if (type == code(GainType::affine)) return {prm[1], prm[2]};
  if (type != code(GainType::muscle)) return {Real(0), Real(0)};
  const Muscle<Real> muscle = muscle_of(a, prm);
  return {muscle_gain_len(muscle, a.length(), a.velocity()),
          muscle_gain_vel(muscle, a.length(), a.velocity())};
}

template <class Real>
LOCKSTEP_FN ForceSlope<Real> bias_slope(const ActuatorView<Real>& a) {
  const int type = a.biastype();
  const Real* prm = a.biasprm();
  if (type == code(BiasType::affine) || type == code(BiasType::so3)) return {prm[1], prm[2]};
  if (type != code(BiasType::muscle)) return {Real(0), Real(0)};
  return {muscle_bias_len(muscle_of(a, prm), a.length()), Real(0)};
}

// before limits, without the friction of motors
template <class Real>
LOCKSTEP_FN ForceSlope<Real> free_slope(const ActuatorView<Real>& a) {
  const int type = a.gaintype();
  if (type == code(GainType::dcmotor)) return dcmotor_slope(a);
  const ForceSlope<Real> bias = bias_slope(a);
  if (type != code(GainType::affine) && type != code(GainType::muscle)) return bias;
  const ForceSlope<Real> gain = gain_slope(a);
  const Real by = a.states() == 0 ? a.ctrl() : acting_state(a, a.last_state());
  return {bias.by_length + gain.by_length * by, bias.by_velocity + gain.by_velocity * by};
}

// the range of the actuator itself holds the force
template <class Real>
LOCKSTEP_FN Mask<Real> held_by_actuator(const ActuatorView<Real>& a) {
  if (!a.m.actuator_forcelimited[a.id]) return false;
  const Real* range = a.m.actuator_forcerange + 2 * a.id;
  const Real* force = a.d.actuator_force + a.out();
  if (a.gaintype() == code(GainType::so3)) return norm(load3(force)) >= range[1];
  if (a.gaintype() != code(GainType::dcmotor)) return at_limit(force[0], range);
  const DcMotor<Real> motor(a);  // without friction, which the range does not hold
  const Real current = motor.current >= 0 ? acting_state(a, motor.current) : Real(0);
  return at_limit(dcmotor_force(a, current), range);
}

// the range of the joint that it acts on holds all forces of actuators
template <class Real>
LOCKSTEP_FN Mask<Real> held_by_joint(const ActuatorView<Real>& a) {
  const int type = a.trntype(), id = a.m.actuator_trnid[2 * a.id];
  if (type != code(TrnType::joint) && type != code(TrnType::jointinparent)) return false;
  if (!a.m.jnt_actfrclimited[id]) return false;
  return at_limit(a.d.qfrc_actuator[a.m.jnt_dofadr[id]], a.m.jnt_actfrcrange + 2 * id);
}

// the range of the tendon that it acts on scales its force, but for the friction of motors
template <class Real>
LOCKSTEP_FN Mask<Real> held_by_tendon(const ActuatorView<Real>& a) {
  const int tendon = a.m.actuator_trnid[2 * a.id];
  if (a.trntype() != code(TrnType::tendon) || !a.m.tendon_actfrclimited[tendon]) return false;
  Real total(0);
  for (int id = 0; id < a.m.nactuator; id++) {
    const ActuatorView<Real> other{a.m, a.d, id};
    if (other.trntype() != a.trntype() || a.m.actuator_trnid[2 * id] != tendon) continue;
    total = total + a.d.actuator_force[other.out()];
    if (other.idle() || other.biastype() != code(BiasType::dcmotor)) continue;
    total = total - dcmotor_friction(other);
  }
  // scaled forces add up to the limit but for rounding
  const Real* range = a.m.tendon_actfrcrange + 2 * tendon;
  const Real low = range[0] + Real(1e-12) * abs(range[0]);
  const Real high = range[1] - Real(1e-12) * abs(range[1]);
  return total <= low || total >= high;
}

// its force can depend on length and velocity at all
template <class Real>
LOCKSTEP_FN bool has_slope(const ModelView<Real>& m, int actuator) {
  const int gain = m.actuator_gaintype[actuator], bias = m.actuator_biastype[actuator];
  const bool flat_gain = gain == code(GainType::fixed) || gain == code(GainType::user);
  return !flat_gain || (bias != code(BiasType::none) && bias != code(BiasType::user));
}

// d force / d length and d force / d velocity, as each output of the actuator feels them
template <class Real>
LOCKSTEP_FN ForceSlope<Real> actuator_slope(const ModelView<Real>& m, const DataView<Real>& d,
                                            int actuator) {
  const ActuatorView<Real> a{m, d, actuator};
  const Real zero(0);
  if (a.idle() || (m.opt.disableflags & code(DisableBit::actuation))) return {zero, zero};
  ForceSlope<Real> slope = free_slope(a);
  const Mask<Real> held = held_by_actuator(a) || held_by_tendon(a);
  slope = {select(held, zero, slope.by_length), select(held, zero, slope.by_velocity)};
  if (a.biastype() == code(BiasType::dcmotor)) {
    const ForceSlope<Real> friction = dcmotor_friction_slope(a);
    slope.by_length = slope.by_length + friction.by_length;
    slope.by_velocity = slope.by_velocity + friction.by_velocity;
  }
  const Mask<Real> stuck = held_by_joint(a);
  return {select(stuck, zero, slope.by_length), select(stuck, zero, slope.by_velocity)};
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
