// walkers.h: what goes along x in a plane: HalfCheetah, Hopper, Walker2d. Observed are positions
// and velocities, all but where it is; rewarded is speed.
#pragma once

#include "env/task.h"

namespace lockstep::env {

class Walker : public Task {
 public:
  explicit Walker(const Settings& s)
      : skipped_(s.flag("exclude_current_positions_from_observation")),
        forward_weight_(s["forward_reward_weight"]),
        cost_weight_(s["ctrl_cost_weight"]) {}

  void observe(const World& w, Sheet& to) const override {
    to.put("qpos", w[qpos], skipped_);
    to.put("qvel", w[qvel], 0, speeds_);
  }
  void report(const World& w, Sheet& to) const override { to.put("x_position", w[qpos][0]); }
  Place place(const World& w) const override { return {w[qpos][0]}; }
  Verdict judge(const World& w, Sheet& to) const override {
    const double forward = forward_weight_ * w.velocity[0];
    const double cost = cost_weight_ * squares(w.action);
    to.put("x_velocity", w.velocity[0]);
    to.put("reward_forward", forward);
    to.put("reward_ctrl", -cost);
    return {forward - cost};
  }

 protected:
  const Field qpos = reads("qpos"), qvel = reads("qvel");
  Range speeds_;  // as seen

 private:
  const int64_t skipped_;
  const double forward_weight_, cost_weight_;
};

// HalfCheetah-v5: a planar runner with six motors
class HalfCheetah final : public Walker {
 public:
  using Walker::Walker;
};

// Walker2d-v5: two legs in a plane, rewarded while they stay upright
class Walker2d : public Walker {
 public:
  explicit Walker2d(const Settings& s)
      : Walker(s),
        heights_(s.range("healthy_z_range")),
        angles_(s.range("healthy_angle_range")),
        healthy_reward_(s["healthy_reward"]),
        terminates_(s.flag("terminate_when_unhealthy")),
        start_height_(s["start_height"]) {
    speeds_ = {-10, 10};
  }

  void report(const World& w, Sheet& to) const override {
    Walker::report(w, to);
    to.put("z_distance_from_origin", w[qpos][1] - start_height_);
  }
  Verdict judge(const World& w, Sheet& to) const override {
    const bool upright = healthy(w);
    const double survive = upright ? healthy_reward_ : 0;
    const Verdict verdict = Walker::judge(w, to);
    to.put("reward_survive", survive);
    return {verdict.reward + survive, terminates_ && !upright};
  }

 protected:
  virtual bool healthy(const World& w) const {
    return heights_.inside(w[qpos][1]) && angles_.inside(w[qpos][2]);
  }

 private:
  const Range heights_, angles_;
  const double healthy_reward_;
  const bool terminates_;
  const double start_height_;
};

// Hopper-v5: a leg that hops
class Hopper final : public Walker2d {
 public:
  explicit Hopper(const Settings& s) : Walker2d(s), states_(s.range("healthy_state_range")) {}

 protected:
  bool healthy(const World& w) const override {
    return Walker2d::healthy(w) && all_inside(w[qpos], 2) && all_inside(w[qvel], 0);
  }

 private:
  bool all_inside(const Row& row, int64_t first) const {
    for (int64_t i = first; i < row.size(); i++) {
      if (!states_.inside(row[i])) return false;
    }
    return true;
  }
  const Range states_;
};

}  // namespace lockstep::env
