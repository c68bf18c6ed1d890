// has_sensor.h: which kinds of sensors a Model has. Not a stage.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// whether the Model has a sensor of one of these kinds, and sensors are on
template <class Real, class... Types>
LOCKSTEP_FN bool has_sensor(const ModelView<Real>& m, Types... types) {
  if (m.opt.disableflags & code(DisableBit::sensor)) return false;
  for (int sensor = 0; sensor < m.nsensor; sensor++) {
    if (((m.sensor_type[sensor] == code(types)) || ...)) return true;
  }
  return false;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
