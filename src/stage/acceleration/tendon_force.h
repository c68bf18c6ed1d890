// tendon_force.h: what pulls along a tendon, part by part, when someone asks for it. Not a stage.
//   positive parts lengthen the tendon:  qfrc = J' force
// reads ten_length ten_velocity plastic actuator_force
#pragma once

#include "stage/position/springs.h"
#include "stage/velocity/damping.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct TendonForce {
  Real spring, damper, limit, friction, actuator;

  LOCKSTEP_INLINE Real sum() const { return spring + damper + limit + friction + actuator; }
};

template <class Real>
LOCKSTEP_FN TendonForce<Real> tendon_force(const ModelView<Real>& m, const DataView<Real>& d,
                                           int tendon) {
  TendonForce<Real> force{};
  if (!(m.opt.disableflags & code(DisableBit::spring))) {
    force.spring = tendon_spring(m, tendon).force(tendon_stretch(m, d, tendon));
  }
  if (!(m.opt.disableflags & code(DisableBit::damper))) {
    force.damper = tendon_damper(m, tendon).force(d.ten_velocity[tendon]);
  }
  // limit and friction: from their constraint rows, once there are rows
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (m.actuator_trntype[actuator] != code(TrnType::tendon)) continue;
    if (m.actuator_trnid[2 * actuator] != tendon) continue;
    const int out = m.actuator_outadr[actuator];
    force.actuator = force.actuator + m.actuator_gear[6 * out] * d.actuator_force[out];
  }
  return force;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
