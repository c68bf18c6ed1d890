// needs.h: what sensors need beside what every step computes. Not a stage.
#pragma once

#include "stage/acceleration/rne_post_constraint.h"
#include "stage/sensor/has_sensor.h"
#include "stage/velocity/subtree_vel.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN bool senses_momentum(const ModelView<Real>& m) {
  return has_sensor(m, SensorType::subtreelinvel, SensorType::subtreeangmom);
}
template <class Real>
LOCKSTEP_FN bool senses_forces(const ModelView<Real>& m) {
  return has_sensor(m, SensorType::accelerometer, SensorType::force, SensorType::torque,
                    SensorType::framelinacc, SensorType::frameangacc);
}

template <class Real>
LOCKSTEP_FN void subtree_vel_if_sensed(const ModelView<Real>& m, const DataView<Real>& d) {
  if (senses_momentum(m)) subtree_vel(m, d);
}
template <class Real>
LOCKSTEP_FN void rne_post_if_sensed(const ModelView<Real>& m, const DataView<Real>& d) {
  if (senses_forces(m)) rne_post_constraint(m, d);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
