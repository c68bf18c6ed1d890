// 06_own_task.cc: a task of your own: what a pendulum observes and what it is rewarded for.
// Compiled into a program it steps a batch; as a shared library Python loads it (docs/gym.md).
#include <cstdio>

#include "api/lockstep.h"
#include "env/environment.h"

using namespace lockstep;
using namespace lockstep::env;

// swing up: the higher the better, and turning costs a little
class SwingUp final : public Task {
 public:
  explicit SwingUp(const Settings& s) : cost_(s["speed_cost"]) {}

  void observe(const World& w, Sheet& to) const override {
    to.put("angle", w[qpos_]);
    to.put("speed", w[qvel_], 0, {-10, 10});
  }
  Verdict judge(const World& w, Sheet& reports) const override {
    const double height = w[xipos_][3 * 1 + 2];  // center of body 1
    reports.put("height", height);
    return {height - cost_ * squares(w[qvel_]) - 1e-3 * squares(w.action), height > 0.49};
  }

 private:
  const Field qpos_ = reads("qpos"), qvel_ = reads("qvel"), xipos_ = reads("xipos");
  const double cost_;
};

LOCKSTEP_TASK(SwingUp)

int main() {
  ModelSpec spec;
  const BodyId pole = spec.add_body(spec.world());
  spec.add_joint(pole, {.type = JointType::hinge, .axis = {0, 1, 0}}, "hinge");
  spec.add_geom(pole, {.type = GeomType::capsule, .pos = {0, 0, -0.5}, .size = {0.05, 0.5}});
  spec.add<Actuator>({.trntype = TrnType::joint, .target = "hinge"});
  Result<Model> model = spec.compile();
  if (!model) return std::fputs(model.error().c_str(), stderr), 1;

  constexpr int n = 100;
  Batch batch(*model, n);
  Environment worlds(batch, std::make_unique<SwingUp>(Settings({{"speed_cost", {0.01}}})));
  std::vector<double> qpos(n), qvel(n), observation(n * 2), reward(n), height(n);
  std::vector<float> actions(n);
  bool terminated[n];
  for (int i = 0; i < n; i++) qpos[i] = 0.03 * i;  // from hanging to almost upright
  for (int i = 0; i < n; i++) actions[i] = 0.1f;
  worlds.start({}, qpos.data(), qvel.data(),
               {.observation = observation.data(), .report = height.data()});
  const Environment::Results to{observation.data(), reward.data(), terminated, height.data()};
  worlds.step({}, 5, actions.data(), Dtype::f32, to);
  std::printf("%zu parts, height of the first %.3f m, of the last %.3f m\n",
              worlds.observation().size(), height[0], height[n - 1]);
}
