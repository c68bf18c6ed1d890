// needs.h: what sensors need beside what every step computes. Not a stage.
#pragma once

#include "model/view.h"
#include "stage/acceleration/rne_post_constraint.h"
#include "stage/velocity/subtree_vel.h"

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

template <class Real>
LOCKSTEP_FN void subtree_vel_if_sensed(const ModelView<Real>& m, const DataView<Real>& d) {
  if (has_sensor(m, SensorType::subtreelinvel, SensorType::subtreeangmom)) subtree_vel(m, d);
}

template <class Real>
LOCKSTEP_FN void rne_post_if_sensed(const ModelView<Real>& m, const DataView<Real>& d) {
  if (has_sensor(m, SensorType::accelerometer, SensorType::force, SensorType::torque,
                 SensorType::framelinacc, SensorType::frameangacc)) {
    rne_post_constraint(m, d);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
