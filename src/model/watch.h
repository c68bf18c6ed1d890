// watch.h: how a host looks on while stages run: clocks, callbacks of users. Kernels only call it,
// and only where one is set; what happens there is the host's.
#pragma once

namespace lockstep {

struct Watch {
  // terms of an actuator that the user computes
  enum class Term { rate, gain, bias };

  // before and after a stage of the table in pipeline.h, by its place there
  void (*stage)(Watch& self, int stage, bool done) = nullptr;
  // velocities are known, forces of actuators are not: the moment to choose controls
  void (*control)(Watch& self) = nullptr;
  // a term of an actuator of type user
  double (*actuator)(Watch& self, Term term, int id) = nullptr;
};

}  // namespace lockstep
