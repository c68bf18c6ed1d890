// 07_episodes.cc: a thousand pendulums in episodes, their results read through spans.
#include <algorithm>
#include <cstdio>
#include <numeric>

#include "api/lockstep.h"
#include "env/episodes.h"

using namespace lockstep;
using namespace lockstep::env;

int main() {
  ModelSpec spec;
  const BodyId pole = spec.add_body(spec.world());
  spec.add_joint(pole, {.type = JointType::hinge, .axis = {0, 1, 0}}, "hinge");
  spec.add_geom(pole, {.type = GeomType::capsule, .pos = {0, 0, -0.5}, .size = {0.05, 0.5}});
  spec.add<Actuator>({.trntype = TrnType::joint, .target = "hinge"});
  Result<Model> model = spec.compile();
  if (!model) return std::fputs(model.error().c_str(), stderr), 1;

  constexpr int n = 1000;
  Batch batch(*model, n);
  const Rows* damping = batch.parameters().expand("dof_damping");  // a number for each world
  for (int i = 0; i < n; i++) *reinterpret_cast<double*>(damping->row(i)) = 0.001 * i;

  Episodes episodes(batch, nullptr, {.on_failure = OnFailure::keep});
  std::ranges::fill(episodes.max_seconds(), 1.0);
  for (int i = 0; i < n; i++) episodes.starts()[size_t(2 * i)] = 0.5;  // rows of angle and speed
  episodes.reset();
  const std::vector<double> actions(n, 0.1);
  int ends = 0;
  for (int step = 0; step < 250; step++) {
    episodes.step(actions, 5);
    ends += int(std::ranges::count(episodes.results().truncated, true));
  }
  const std::vector<std::byte> saved = batch.save();
  const double first = episodes.results().state<double>(0)[0];
  std::printf("%d episodes of 1 s, %zu bytes saved, the first angle is %.3f rad\n", ends,
              saved.size(), first);
}
