// force.h: force of one actuator before limits.    force = gain * (control or state) + bias
//   affine p0 + p1 l + p2 l';   pid kp (u - l) + kv (w - l') + ki x + f;   so3 kp log(q^-1 q*) - kv
//   w
#pragma once

#include "stage/actuation/activation.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_INLINE Muscle<Real> muscle_of(const ActuatorView<Real>& a, const Real* prm) {
  return {prm, a.m.actuator_lengthrange + 2 * a.out(), a.m.actuator_acc0[a.out()]};
}

template <class Real>
LOCKSTEP_INLINE Real affine(const Real* prm, Real length, Real velocity) {
  return prm[0] + prm[1] * length + prm[2] * velocity;
}

// what the gain multiplies
template <class Real>
LOCKSTEP_INLINE Real actuator_drive(const ActuatorView<Real>& a) {
  const Real setpoint = a.states() == 0 ? a.ctrl() : acting_state(a, a.last_state());
  return nearest(setpoint, a.length(), servo_turn(a));
}

template <class Real>
LOCKSTEP_FN Real actuator_gain(const ActuatorView<Real>& a) {
  const int type = a.gaintype();
  const Real* prm = a.gainprm();
  if (type == code(GainType::fixed)) return prm[0];
  if (type == code(GainType::affine)) return affine(prm, a.length(), a.velocity());
  if (type == code(GainType::muscle)) {
    return muscle_gain(muscle_of(a, prm), a.length(), a.velocity());
  }
  return a.of_user(Watch::Term::gain, Real(1));
}

template <class Real>
LOCKSTEP_FN Real actuator_bias(const ActuatorView<Real>& a) {
  const int type = a.biastype();
  const Real* prm = a.biasprm();
  if (type == code(BiasType::affine)) return affine(prm, a.length(), a.velocity());
  if (type == code(BiasType::muscle)) return muscle_bias(muscle_of(a, prm), a.length());
  if (type == code(BiasType::user)) return a.of_user(Watch::Term::bias, Real(0));
  return Real(0);  // none
}

template <class Real>
LOCKSTEP_FN Real pid_force(const ActuatorView<Real>& a) {
  const Real* prm = a.biasprm();
  const Real setpoint = nearest(a.input(CtrlInput::pos), a.length(), servo_turn(a));
  Real force = -prm[1] * setpoint - prm[2] * a.input(CtrlInput::vel);
  const int integral = pid_integral_state(a) >= 0 ? a.last_state() : -1;
  if (integral >= 0) force = force + a.gainprm()[0] * acting_state(a, integral);
  return force + a.input(CtrlInput::ff) + actuator_bias(a);
}

template <class Real>
LOCKSTEP_FN Quat<Real> from_rotation_vector(const Vec3<Real>& v) {
  const Real angle = norm(v);
  const Mask<Real> tiny = angle < Real(min_val);
  const Real safe = select(tiny, Real(1), angle);
  const Quat<Real> turn = from_axis_angle(Vec3<Real>{v.x / safe, v.y / safe, v.z / safe}, angle);
  return select(tiny, identity_quat<Real>(), turn);
}

// the orientation that an so3 servo aims at
template <class Real>
LOCKSTEP_FN Quat<Real> so3_target(const ActuatorView<Real>& a) {
  if (a.m.actuator_ctrlspec[a.id] == code(CtrlChart::quat)) {
    return normalize(Quat<Real>{a.ctrl(0), a.ctrl(1), a.ctrl(2), a.ctrl(3)});
  }
  Vec3<Real> v;
  for (int k = 0; k < 3; k++) {
    v[k] = a.dyntype() == code(DynType::none) ? a.ctrl(k) : acting_state(a, a.state() + k);
  }
  return from_rotation_vector(v);
}

// three torques
template <class Real>
LOCKSTEP_FN void so3_force(const ActuatorView<Real>& a) {
  const DataView<Real>& d = a.d;
  const int out = a.out();
  const Quat<Real> now = from_rotation_vector(load3(d.actuator_length + out));
  const Vec3<Real> error = subtract(so3_target(a), now);
  const Real* prm = a.biasprm();
  for (int k = 0; k < 3; k++) {
    d.actuator_force[out + k] =
        a.gainprm()[0] * error[k] + prm[0] + prm[2] * d.actuator_velocity[out + k];
  }
}

template <class Real>
LOCKSTEP_FN void actuator_force(const ActuatorView<Real>& a) {
  const int type = a.gaintype();
  if (type == code(GainType::so3)) {
    so3_force(a);
  } else if (type == code(GainType::pid)) {
    a.d.actuator_force[a.out()] = pid_force(a);
  } else if (type == code(GainType::dcmotor)) {
    const DcMotor<Real> motor(a);
    const Real current = motor.current >= 0 ? acting_state(a, motor.current) : Real(0);
    a.d.actuator_force[a.out()] = dcmotor_force(a, current);
  } else {
    a.d.actuator_force[a.out()] = actuator_gain(a) * actuator_drive(a) + actuator_bias(a);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
