// phase.h: the parts of a step, in order. A report is what people ask of a part: nothing after it
// depends on it. Sensors belong to reports too, but the inner stages of Runge-Kutta leave them out.
#pragma once

namespace lockstep {

enum class Phase {
  position,
  position_report,
  position_sensor,
  velocity,
  velocity_report,
  velocity_sensor,
  actuation,
  acceleration,
  acceleration_sensor,
  integration
};

// how much of a step: what moves, also readings that the state remembers, all but sensors, all
enum class Detail { motion, state, unsensed, all };
inline constexpr bool is_bare(Detail detail) { return detail <= Detail::state; }
inline constexpr bool has_sensors(Detail detail) {
  return detail == Detail::state || detail == Detail::all;
}

inline constexpr bool is_sensor(Phase phase) {
  return phase == Phase::position_sensor || phase == Phase::velocity_sensor ||
         phase == Phase::acceleration_sensor;
}

}  // namespace lockstep
