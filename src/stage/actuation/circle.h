// circle.h: setpoints of position servos live on a circle where their transmission does: of all
// equivalent ones the nearest acts.
#pragma once

#include "math/rounding.h"
#include "stage/actuation/actuator.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// Length of a full turn, for actuators that turn a ball joint or a site against another; else zero.
template <class Real>
LOCKSTEP_FN Real turn_length(const ActuatorView<Real>& a) {
  const int trn = a.trntype();
  const int id = a.m.actuator_trnid[2 * a.id], ref = a.m.actuator_trnid[2 * a.id + 1];
  const Real* gear = a.m.actuator_gear + 6 * a.out();
  const bool joint = trn == code(TrnType::joint) || trn == code(TrnType::jointinparent);
  if (joint && a.m.jnt_type[id] == code(JointType::ball)) {
    return Real(2 * pi) * norm(load3(gear));
  }
  if (trn != code(TrnType::site) || ref < 0) return Real(0);
  const Mask<Real> turns = gear[0] == Real(0) && gear[1] == Real(0) && gear[2] == Real(0);
  return select(turns, Real(2 * pi) * norm(load3(gear + 3)), Real(0));
}

// the same for servos; zero for actuators whose control or state is not a setpoint
template <class Real>
LOCKSTEP_FN Real servo_turn(const ActuatorView<Real>& a) {
  if (a.gaintype() == code(GainType::pid)) return turn_length(a);
  const int dyn = a.dyntype();
  const bool setpoint = dyn == code(DynType::none) || dyn == code(DynType::integrator) ||
                        dyn == code(DynType::filter) || dyn == code(DynType::filterexact);
  if (a.gaintype() != code(GainType::fixed) || a.biastype() != code(BiasType::affine)) {
    return Real(0);
  }
  if (!setpoint) return Real(0);
  return select(a.gainprm()[0] == -a.biasprm()[1], turn_length(a), Real(0));
}

// x plus the whole turns that bring it nearest to a place
template <class Real>
LOCKSTEP_FN Real nearest(Real x, Real place, Real turn) {
  const Mask<Real> circle = turn > Real(0);
  const Real period = select(circle, turn, Real(1));
  return select(circle, x - period * round((x - place) / period), x);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
