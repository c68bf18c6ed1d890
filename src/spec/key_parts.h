// key_parts.h: keyframes across changes of the tree. A keyframe is a vector for the whole model;
// before elements come or go it is taken apart by element, and the next compilation puts it
// together again for the tree as it then is.
#pragma once

#include "spec/spec.h"

namespace lockstep {

// numbers of an actuator in the vectors act and ctrl
struct ActuatorWidth {
  int act = 0;
  int ctrl = 1;
};
ActuatorWidth actuator_width(const ActuatorSpec& actuator);
int qpos_width(JointType type);
int dof_width(JointType type);

// Takes the keyframes of a spec apart. A keyframe whose sizes do not fit the spec stays as it is,
// for the compiler to complain about; one that waits already is left alone.
void take_keys_apart(Spec& spec);

}  // namespace lockstep
