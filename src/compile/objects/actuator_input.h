// actuator_input.h: controls and states of an actuator, which follow from its gain, bias and
// dynamics.
#pragma once

#include "compile/build.h"

namespace lockstep {

// meaning and number of controls, number of outputs; false after an error
bool plan_inputs(Build& b, const Actuator& actuator, ActuatorPlan& plan);

// number of states; false after an error
bool plan_states(Build& b, const Actuator& actuator, ActuatorPlan& plan);

// limits of the controls
void pack_inputs(Model& m, const Actuator& actuator, const ActuatorPlan& plan);

}  // namespace lockstep
