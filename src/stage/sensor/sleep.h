// sleep.h: which sensors sleep: they keep the readings they had when what they measure fell asleep.
// Not a stage.
#pragma once

#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// of something a sensor is attached to; what has no state of its own counts as awake
template <class Real>
LOCKSTEP_FN SleepState object_state(const ModelView<Real>& m, const DataView<Real>& d, int type,
                                    int id) {
  switch (ObjType{type}) {
    case ObjType::body:
    case ObjType::xbody: return body_state(d, id);
    case ObjType::joint: return body_state(d, m.jnt_bodyid[id]);
    case ObjType::geom: return body_state(d, m.geom_bodyid[id]);
    case ObjType::site: return body_state(d, m.site_bodyid[id]);
    case ObjType::camera: return body_state(d, m.cam_bodyid[id]);
    case ObjType::tendon: return tendon_state(m, d, id);
    case ObjType::actuator: return actuator_state(m, d, id);
    default: return SleepState::awake;
  }
}

template <class Real>
LOCKSTEP_FN bool sensor_sleeps(const ModelView<Real>& m, const DataView<Real>& d, int id) {
  const int type = m.sensor_type[id], object = m.sensor_objtype[id], other = m.sensor_reftype[id];
  constexpr int none = code(ObjType::unknown), site = code(ObjType::site);
  if (type == code(SensorType::user) || type == code(SensorType::plugin) ||
      type == code(SensorType::rangefinder)) {
    return false;
  }
  if (type == code(SensorType::contact) && (object == site || other == site)) return false;
  if (object == none && other == none) return false;
  const bool nowhere = object == none || object == code(ObjType::mesh);  // taxels are on a geom
  const SleepState first = object_state(m, d, object, m.sensor_objid[id]);
  const SleepState second = object_state(m, d, other, m.sensor_refid[id]);
  if (nowhere) return second == SleepState::asleep;
  if (other == none) return first == SleepState::asleep;
  return first != SleepState::awake && second != SleepState::awake;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
