// arms.h: arms that reach and push: Reacher and Pusher.
#pragma once

#include <cmath>

#include "env/task.h"
#include "math/elementary.h"

namespace lockstep::env {

// places of bodies
class Bodies {
 public:
  explicit Bodies(const Row& xpos) : xpos_(xpos) {}
  Place operator[](int body) const {
    return {xpos_[3 * body], xpos_[3 * body + 1], xpos_[3 * body + 2]};
  }
  Place between(int from, int to) const {
    const Place a = (*this)[from], b = (*this)[to];
    return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  }
  double distance(int from, int to) const {
    const Place v = between(from, to);
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }

 private:
  Row xpos_;
};

// Reacher-v5: two links that reach for a target
class Reacher final : public Task {
 public:
  explicit Reacher(const Settings& s)
      : tip_(s.id("tip")),
        target_(s.id("target")),
        distance_weight_(s["reward_dist_weight"]),
        control_weight_(s["reward_control_weight"]) {}

  void observe(const World& w, Sheet& to) const override {
    const double first = w[qpos][0], second = w[qpos][1];
    const Place missing = Bodies(w[xpos]).between(target_, tip_);
    to.put("cos", {cos(first), cos(second)});
    to.put("sin", {sin(first), sin(second)});
    to.put("target", w[qpos], 2);
    to.put("qvel", {w[qvel][0], w[qvel][1]});
    to.put("missing", {missing[0], missing[1]});
  }
  Verdict judge(const World& w, Sheet& to) const override {
    const double distance = -Bodies(w[xpos]).distance(target_, tip_) * distance_weight_;
    const double control = -squares(w.action) * control_weight_;
    to.put("reward_dist", distance);
    to.put("reward_ctrl", control);
    return {distance + control};
  }

 private:
  const Field qpos = reads("qpos"), qvel = reads("qvel"), xpos = reads("xpos");
  const int tip_, target_;
  const double distance_weight_, control_weight_;
};

// Pusher-v5: an arm that moves an object to a goal
class Pusher final : public Task {
 public:
  explicit Pusher(const Settings& s)
      : tip_(s.id("tip")),
        object_(s.id("object")),
        goal_(s.id("goal")),
        near_weight_(s["reward_near_weight"]),
        distance_weight_(s["reward_dist_weight"]),
        control_weight_(s["reward_control_weight"]) {}

  void observe(const World& w, Sheet& to) const override {
    const Bodies bodies(w[xpos]);
    to.put("qpos", w[qpos].first(7));  // of the arm
    to.put("qvel", w[qvel].first(7));
    to.put("tip", bodies[tip_]);
    to.put("object", bodies[object_]);
    to.put("goal", bodies[goal_]);
  }
  Verdict judge(const World& w, Sheet& to) const override {
    const Bodies bodies(w[xpos]);
    const double near = -bodies.distance(tip_, object_) * near_weight_;
    const double distance = -bodies.distance(goal_, object_) * distance_weight_;
    const double control = -squares(w.action) * control_weight_;
    to.put("reward_dist", distance);
    to.put("reward_ctrl", control);
    to.put("reward_near", near);
    return {distance + control + near};
  }

 private:
  const Field qpos = reads("qpos"), qvel = reads("qvel"), xpos = reads("xpos");
  const int tip_, object_, goal_;
  const double near_weight_, distance_weight_, control_weight_;
};

}  // namespace lockstep::env
