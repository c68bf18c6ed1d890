// swimmer.h: Swimmer-v5: three links in a viscous fluid.
#pragma once

#include "env/tasks/roamer.h"

namespace lockstep::env {

class Swimmer final : public Roamer {
 public:
  explicit Swimmer(const Settings& s)
      : Roamer(s),
        forward_weight_(s["forward_reward_weight"]),
        cost_weight_(s["ctrl_cost_weight"]) {}

  Place place(const World& w) const override { return {w[qpos][0], w[qpos][1]}; }
  Verdict judge(const World& w, Sheet& to) const override {
    const double forward = forward_weight_ * w.velocity[0];
    const double cost = cost_weight_ * squares(w.action);
    to.put("x_velocity", w.velocity[0]);
    to.put("y_velocity", w.velocity[1]);
    to.put("reward_forward", forward);
    to.put("reward_ctrl", -cost);
    return {forward - cost};
  }

 private:
  const double forward_weight_, cost_weight_;
};

}  // namespace lockstep::env
