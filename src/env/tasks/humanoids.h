// humanoids.h: a body with arms and legs: Humanoid and HumanoidStandup.
#pragma once

#include "env/tasks/roamer.h"

namespace lockstep::env {

// what both observe and report
class HumanBody : public Roamer {
 public:
  explicit HumanBody(const Settings& s)
      : Roamer(s),
        cost_weight_(s["ctrl_cost_weight"]),
        shows_cinert_(s.flag("include_cinert_in_observation")),
        shows_cvel_(s.flag("include_cvel_in_observation")),
        shows_motors_(s.flag("include_qfrc_actuator_in_observation")),
        shows_forces_(s.flag("include_cfrc_ext_in_observation")) {}

  // without the world body, and without the free joint, which has no motor
  void observe(const World& w, Sheet& to) const override {
    Roamer::observe(w, to);
    if (shows_cinert_) to.put("cinert", w[cinert], 10);
    if (shows_cvel_) to.put("cvel", w[cvel], 6);
    if (shows_motors_) to.put("qfrc_actuator", w[qfrc_actuator], 6);
    if (shows_forces_) to.put("cfrc_ext", w[cfrc_ext], 6);
  }

 protected:
  void report_tendons(const World& w, Sheet& to) const {
    to.put("tendon_length", w[ten_length]);
    to.put("tendon_velocity", w[ten_velocity]);
  }
  double control_cost(const World& w) const { return cost_weight_ * squares(w[ctrl]); }

  const Field cinert = reads("cinert"), cvel = reads("cvel"), ctrl = reads("ctrl"),
              qfrc_actuator = reads("qfrc_actuator"), cfrc_ext = reads("cfrc_ext"),
              ten_length = reads("ten_length"), ten_velocity = reads("ten_velocity");

 private:
  const double cost_weight_;
  const bool shows_cinert_, shows_cvel_, shows_motors_, shows_forces_;
};

// Humanoid-v5: it walks
class Humanoid final : public HumanBody {
 public:
  explicit Humanoid(const Settings& s)
      : HumanBody(s),
        forward_weight_(s["forward_reward_weight"]),
        contact_weight_(s["contact_cost_weight"]),
        contact_costs_(s.range("contact_cost_range")),
        healthy_reward_(s["healthy_reward"]),
        terminates_(s.flag("terminate_when_unhealthy")),
        heights_(s.range("healthy_z_range")) {}

  void report(const World& w, Sheet& to) const override {
    Roamer::report(w, to);
    report_tendons(w, to);
  }
  Place place(const World& w) const override {  // of all of it
    const Row com = w[subtree_com];
    return {com[0], com[1]};
  }
  Verdict judge(const World& w, Sheet& to) const override {
    const bool upright = heights_.inside(w[qpos][2]);
    const double forward = forward_weight_ * w.velocity[0], survive = upright * healthy_reward_;
    const double cost = control_cost(w);
    const double contact = contact_costs_.clip(contact_weight_ * squares(w[cfrc_ext]));
    to.put("x_velocity", w.velocity[0]);
    to.put("y_velocity", w.velocity[1]);
    to.put("reward_survive", survive);
    to.put("reward_forward", forward);
    to.put("reward_ctrl", -cost);
    to.put("reward_contact", -contact);
    return {forward + survive - (cost + contact), terminates_ && !upright};
  }

 private:
  const Field subtree_com = reads("subtree_com");
  const double forward_weight_, contact_weight_;
  const Range contact_costs_;
  const double healthy_reward_;
  const bool terminates_;
  const Range heights_;
};

// HumanoidStandup-v5: it lies and should get up
class HumanoidStandup final : public HumanBody {
 public:
  explicit HumanoidStandup(const Settings& s)
      : HumanBody(s),
        impact_weight_(s["impact_cost_weight"]),
        impact_costs_(s.range("impact_cost_range")),
        start_height_(s["start_height"]),
        timestep_(s["timestep"]) {}

  void report(const World& w, Sheet& to) const override {
    to.put("x_position", w[qpos][0]);
    to.put("y_position", w[qpos][1]);
    report_tendons(w, to);
    to.put("z_distance_from_origin", w[qpos][2] - start_height_);
  }
  Verdict judge(const World& w, Sheet& to) const override {
    const double up = w[qpos][2] / timestep_, cost = control_cost(w);
    const double impact = impact_costs_.clip(impact_weight_ * squares(w[cfrc_ext]));
    to.put("reward_linup", up);
    to.put("reward_quadctrl", -cost);
    to.put("reward_impact", -impact);
    return {up - cost - impact + 1};
  }

 private:
  const double impact_weight_;
  const Range impact_costs_;
  const double start_height_, timestep_;
};

}  // namespace lockstep::env
