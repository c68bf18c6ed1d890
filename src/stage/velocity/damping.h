// damping.h: dampers with polynomial coefficients, and how actuators reflect theirs. Not a stage.
//   force = -(a v + b v |v| + c v^3);   -d force / d v = a + 2 b |v| + 3 c v^2
#pragma once

#include "stage/position/reflected.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Damper {
  Real a, b, c;

  LOCKSTEP_INLINE Real force(Real v) const { return -(v * (a + abs(v) * (b + abs(v) * c))); }
  // slope of the resistance
  LOCKSTEP_INLINE Real slope(Real v) const {
    return a + abs(v) * (Real(2) * b + Real(3) * abs(v) * c);
  }
  LOCKSTEP_INLINE Mask<Real> acts() const { return a > Real(0) || b != Real(0) || c != Real(0); }
};

// the damper of actuators that drive a joint or tendon is added to its own
template <class Real>
LOCKSTEP_FN Damper<Real> with_actuators(const ModelView<Real>& m, Damper<Real> damper, int only,
                                        bool tendon, int id) {
  each_reflected(m, only, tendon, id, [&](int actuator, Real gear2) {
    const Real* poly = m.actuator_dampingpoly + mjNPOLY * actuator;
    damper.a = damper.a + gear2 * m.actuator_damping[actuator];
    damper.b = damper.b + gear2 * poly[0];
    damper.c = damper.c + gear2 * poly[1];
  });
  return damper;
}

template <class Real>
LOCKSTEP_FN Damper<Real> dof_damper(const ModelView<Real>& m, int dof) {
  const Real* poly = m.dof_dampingpoly + mjNPOLY * dof;
  const int joint = m.dof_jntid[dof];
  return with_actuators(m, {m.dof_damping[dof], poly[0], poly[1]}, m.jnt_actuatorid[joint], false,
                        joint);
}

template <class Real>
LOCKSTEP_FN Damper<Real> tendon_damper(const ModelView<Real>& m, int tendon) {
  const Real* poly = m.tendon_dampingpoly + mjNPOLY * tendon;
  return with_actuators(m, {m.tendon_damping[tendon], poly[0], poly[1]},
                        m.tendon_actuatorid[tendon], true, tendon);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
