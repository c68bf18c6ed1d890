// ant.h: Ant-v5: a torso with four legs.
#pragma once

#include "env/tasks/roamer.h"

namespace lockstep::env {

class Ant final : public Roamer {
 public:
  explicit Ant(const Settings& s)
      : Roamer(s),
        body_(s.id("body")),
        shows_forces_(s.flag("include_cfrc_ext_in_observation")),
        forces_(s.range("contact_force_range")),
        heights_(s.range("healthy_z_range")),
        forward_weight_(s["forward_reward_weight"]),
        cost_weight_(s["ctrl_cost_weight"]),
        contact_weight_(s["contact_cost_weight"]),
        healthy_reward_(s["healthy_reward"]),
        terminates_(s.flag("terminate_when_unhealthy")) {}

  void observe(const World& w, Sheet& to) const override {
    Roamer::observe(w, to);
    if (shows_forces_) to.put("cfrc_ext", w[cfrc_ext], 6, forces_);  // from body 1 on
  }
  Place place(const World& w) const override {
    const Row at = w[xpos];
    return {at[3 * body_], at[3 * body_ + 1]};
  }
  Verdict judge(const World& w, Sheet& to) const override {
    const bool upright = healthy(w);
    const double forward = w.velocity[0] * forward_weight_, survive = upright * healthy_reward_;
    const double cost = cost_weight_ * squares(w.action);
    const double contact = contact_weight_ * squares(w[cfrc_ext], forces_);
    to.put("x_velocity", w.velocity[0]);
    to.put("y_velocity", w.velocity[1]);
    to.put("reward_forward", forward);
    to.put("reward_ctrl", -cost);
    to.put("reward_contact", -contact);
    to.put("reward_survive", survive);
    return {forward + survive - (cost + contact), terminates_ && !upright};
  }

 private:
  bool healthy(const World& w) const {
    const double z = w[qpos][2];
    return all_finite(w[qpos]) && all_finite(w[qvel]) && heights_.low <= z && z <= heights_.high;
  }

  const Field xpos = reads("xpos"), cfrc_ext = reads("cfrc_ext");
  const int body_;
  const bool shows_forces_;
  const Range forces_, heights_;
  const double forward_weight_, cost_weight_, contact_weight_, healthy_reward_;
  const bool terminates_;
};

}  // namespace lockstep::env
