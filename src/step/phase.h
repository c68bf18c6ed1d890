// phase.h: the parts of a step, in order.
#pragma once

namespace lockstep {

enum class Phase { position, velocity, actuation, acceleration, integration };

}  // namespace lockstep
