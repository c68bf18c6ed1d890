// roamer.h: what goes in all directions: Ant, Swimmer and the humanoids are roamers. Observed are
// positions and velocities, all but where it is.
#pragma once

#include <cmath>

#include "env/task.h"

namespace lockstep::env {

class Roamer : public Task {
 public:
  explicit Roamer(const Settings& s)
      : skipped_(s.flag("exclude_current_positions_from_observation") ? 2 : 0) {}

  void observe(const World& w, Sheet& to) const override {
    to.put("qpos", w[qpos], skipped_);
    to.put("qvel", w[qvel]);
  }
  void report(const World& w, Sheet& to) const override {
    const double x = w[qpos][0], y = w[qpos][1];
    to.put("x_position", x);
    to.put("y_position", y);
    to.put("distance_from_origin", std::sqrt(x * x + y * y));
  }

 protected:
  const Field qpos = reads("qpos"), qvel = reads("qvel");

 private:
  const int64_t skipped_;
};

}  // namespace lockstep::env
