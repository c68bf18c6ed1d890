// timing.h: how long the stages of a step take, for those who ask. A plain step reads no clock.
#pragma once

#include <vector>

#include "model/data.h"

namespace lockstep {

// Seconds of an arbitrary start, by the clock of the machine.
double clock_seconds();

// Measures every stage that runs while it is the watch of a Data, and adds to the timers of the
// Data by MuJoCo's categories. What is called as a whole (step, forward, inverse) the caller times.
class StageTimer : public Watch {
 public:
  using Clock = double (*)();
  explicit StageTimer(Data& d, Clock clock = clock_seconds);

  // something else is called now; within a step its stages count as forward too
  void begin(bool step);
  // before or after a stage, by its place in the table
  void look(int stage, bool done);

  // by place in the table of stages (engine.h: stage_info)
  const std::vector<Data::TimerStat>& stages() const { return stages_; }

 private:
  void count(Timer timer, Timer before, double seconds);

  Data& data_;
  Clock clock_;
  std::vector<Data::TimerStat> stages_;
  double start_ = 0;
  bool step_ = false;
  Timer part_ = Timer::step, finer_ = Timer::step;  // of the stage before; step is none
};

}  // namespace lockstep
