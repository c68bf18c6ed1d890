#include "step/timing.h"

#include <chrono>

#include "step/engine.h"

namespace lockstep {
namespace {

// parts of a step that MuJoCo times as a whole
Timer part_of(const StageInfo& stage) {
  switch (stage.phase) {
    case Phase::position: return Timer::position;
    case Phase::velocity: return Timer::velocity;
    case Phase::actuation: return Timer::actuation;
    case Phase::integration: return Timer::advance;
    default: return stage.timer == Timer::constraint ? Timer::constraint : Timer::step;
  }
}

}  // namespace

double clock_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

StageTimer::StageTimer(Data& d, Clock clock)
    : data_(d), clock_(clock), stages_(static_cast<size_t>(stage_count())) {
  stage = [](Watch& self, int stage, bool done) {
    static_cast<StageTimer&>(self).look(stage, done);
  };
}

void StageTimer::begin(bool step) {
  step_ = step;
  part_ = finer_ = Timer::step;
}

void StageTimer::look(int stage, bool done) {
  if (!done) {
    start_ = clock_();
    return;
  }
  const double seconds = clock_() - start_;
  const StageInfo info = stage_info(stage);
  Data::TimerStat& own = stages_[static_cast<size_t>(stage)];
  own.duration += seconds;
  own.number++;
  const Timer part = part_of(info), finer = info.timer == part ? Timer::step : info.timer;
  // stages of one kind in a row are one run of it
  count(part, part_, seconds);
  count(finer, finer_, seconds);
  part_ = part;
  finer_ = finer;
  if (!step_ || part == Timer::advance) return;
  const bool last = part == Timer::constraint;
  count(Timer::forward, last ? Timer::step : Timer::forward, seconds);
}

void StageTimer::count(Timer timer, Timer before, double seconds) {
  if (timer == Timer::step) return;
  data_.timer[code(timer)].duration += seconds;
  data_.timer[code(timer)].number += timer != before;
}

}  // namespace lockstep
