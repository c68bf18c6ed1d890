// reflected.h: actuators add inertia and damping to the joints and tendons they drive. Not a stage.
//   seen at the joint: coefficient * gear^2
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// calls f(actuator, gear^2) for the actuators that drive one joint or tendon. `only` is
// jnt_actuatorid or tendon_actuatorid: -1 none, -2 several
template <class Real, class F>
LOCKSTEP_FN void each_reflected(const ModelView<Real>& m, int only, bool tendon, int id, F&& f) {
  const auto reflect = [&](int actuator) {
    const Real gear = m.actuator_gear[6 * m.actuator_outadr[actuator]];
    f(actuator, gear * gear);
  };
  if (only >= 0) reflect(only);
  if (only != -2) return;
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    const int type = m.actuator_trntype[actuator];
    const bool match = tendon
                           ? type == code(TrnType::tendon)
                           : type == code(TrnType::joint) || type == code(TrnType::jointinparent);
    if (match && m.actuator_trnid[2 * actuator] == id) reflect(actuator);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
