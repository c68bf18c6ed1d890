// pendulums.h: poles on a cart: InvertedPendulum and InvertedDoublePendulum.
#pragma once

#include <cmath>

#include "env/task.h"
#include "math/elementary.h"

namespace lockstep::env {

// InvertedPendulum-v5: a pole on a cart
class InvertedPendulum final : public Task {
 public:
  explicit InvertedPendulum(const Settings&) {}

  void observe(const World& w, Sheet& to) const override {
    to.put("qpos", w[qpos]);
    to.put("qvel", w[qvel]);
  }
  Verdict judge(const World& w, Sheet& to) const override {
    const bool upright = all_finite(w[qpos]) && all_finite(w[qvel]) && std::abs(w[qpos][1]) <= 0.2;
    to.put("reward_survive", upright);
    return {double(upright), !upright};
  }

 private:
  const Field qpos = reads("qpos"), qvel = reads("qvel");
};

// InvertedDoublePendulum-v5: two poles on a cart
class InvertedDoublePendulum final : public Task {
 public:
  explicit InvertedDoublePendulum(const Settings& s) : healthy_reward_(s["healthy_reward"]) {}

  void observe(const World& w, Sheet& to) const override {
    const double first = w[qpos][1], second = w[qpos][2];
    to.put("cart", w[qpos][0]);
    to.put("sin", {sin(first), sin(second)});
    to.put("cos", {cos(first), cos(second)});
    to.put("qvel", w[qvel], 0, {-10, 10});
    to.put("qfrc_constraint", Range{-10, 10}.clip(w[qfrc_constraint][0]));
  }
  Verdict judge(const World& w, Sheet& to) const override {
    const double x = w[site_xpos][0], z = w[site_xpos][2];  // of the tip
    const double distance = 0.01 * x * x + (z - 2) * (z - 2);
    const double v1 = w[qvel][1], v2 = w[qvel][2];
    const double speed = 1e-3 * v1 * v1 + 5e-3 * v2 * v2;
    const bool fallen = z <= 1;
    const double alive = fallen ? 0 : healthy_reward_;
    to.put("reward_survive", alive);
    to.put("distance_penalty", -distance);
    to.put("velocity_penalty", -speed);
    return {alive - distance - speed, fallen};
  }

 private:
  const Field qpos = reads("qpos"), qvel = reads("qvel"), site_xpos = reads("site_xpos"),
              qfrc_constraint = reads("qfrc_constraint");
  const double healthy_reward_;
};

}  // namespace lockstep::env
