// phase.h: the parts of a step, in order. A report is what people ask of a part: nothing after it
// depends on it.
#pragma once

namespace lockstep {

enum class Phase {
  position,
  position_report,
  velocity,
  velocity_report,
  actuation,
  acceleration,
  integration
};

}  // namespace lockstep
