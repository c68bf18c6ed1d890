// episodes: where results lie, when episodes end and begin, what becomes of worlds that fail.
#include "env/episodes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stage/golden.h"
#include "step/engine.h"

namespace lockstep::env {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Model model() { return read_golden((test_data() / "stage" / "probe1.bin").string()).model.copy(); }

double* qvel_of(const Batch& batch, int world) {
  return reinterpret_cast<double*>(batch.state().row(world)) + 1 + batch.model().nq;
}

TEST(Episodes, LayoutIsFrozen) {
  const ResultLayout at = ResultLayout::of(10, 15, Dtype::f64);
  EXPECT_EQ(at.states, 0);
  EXPECT_EQ(at.rewards, 1216);  // 10 * 15 * 8 bytes, to the next 64
  EXPECT_EQ(at.terminated, 1344);
  EXPECT_EQ(at.truncated, 1408);
  EXPECT_EQ(at.errors, 1472);
  EXPECT_EQ(at.bytes, 1536);
  EXPECT_EQ(ResultLayout::of(10, 15, Dtype::f32).rewards, 640);
}

TEST(Episodes, StatesAreThoseOfAWorldAlone) {
  const Model m = model();
  constexpr int n = 9;
  BatchOptions two;
  two.nthread = 2;
  Batch batch(m, n, two);
  Episodes episodes(batch);
  const std::vector<double> actions(size_t(n * m.nu), 0.1);
  Data d = make_data(m);
  std::fill_n(d.ctrl, m.nu, 0.1);
  for (int i = 0; i < 5; i++) {
    EXPECT_EQ(episodes.step(actions, 3), 0);
    step(m, d, 3);
    const std::span<double> state = episodes.results().state<double>(n - 1);
    EXPECT_TRUE(std::equal(d.qpos, d.qpos + m.nq, state.begin()));
    EXPECT_TRUE(std::equal(d.qvel, d.qvel + m.nv, state.begin() + m.nq));
  }
  EXPECT_THROW(episodes.step(std::span<const double>(), 1), std::invalid_argument);
}

TEST(Episodes, TimeEndsThem) {
  const Model m = model();
  Batch batch(m, 3);
  Episodes episodes(batch);
  episodes.max_steps()[0] = 2;
  episodes.max_seconds()[1] = 3 * m.opt.timestep;
  const std::vector<float> actions(size_t(3 * m.nu));
  const bool expected[][3] = {{false, false, false}, {true, false, false}, {false, true, false}};
  for (const auto& ends : expected) {
    episodes.step(actions);
    const ResultArrays to = episodes.results();
    for (size_t world = 0; world < 3; world++) EXPECT_EQ(to.truncated[world], ends[world]);
  }
  EXPECT_EQ(episodes.steps()[0], 0);  // begun anew
  EXPECT_EQ(episodes.steps()[2], 3);
}

// a world that is driven to NaN, with either policy; its neighbours keep their bits
TEST(Episodes, FailuresAreFlaggedAndAlone) {
  const Model m = model();
  constexpr int n = 37, bad = 6;
  const std::vector<double> actions(size_t(n * m.nu), 0.1);
  for (const OnFailure policy : {OnFailure::reset, OnFailure::keep}) {
    Batch batch(m, n), other(m, n);
    Episodes broken(batch, nullptr, {.on_failure = policy}), clean(other);
    for (int i = 0; i < 4; i++) {
      if (i == 2) qvel_of(batch, bad)[0] = nan;
      EXPECT_EQ(broken.step(actions, 2), i == 2 ? 1 : 0);
      clean.step(actions, 2);
      const ResultArrays a = broken.results(), b = clean.results();
      EXPECT_EQ(a.errors[bad], i == 2 ? error_of(Warning::badqvel) : 0);
      EXPECT_EQ(a.terminated[bad], i == 2 && policy == OnFailure::reset);
      for (int world = 0; world < n; world++) {
        const std::span<double> x = a.state<double>(world), y = b.state<double>(world);
        EXPECT_TRUE(std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }));
        EXPECT_TRUE(world == bad || std::equal(x.begin(), x.end(), y.begin())) << world;
      }
    }
  }
}

TEST(Episodes, AllMayFail) {
  const Model m = model();
  for (const int n : {1, 5, 64}) {
    Batch batch(m, n);
    Episodes episodes(batch);
    const std::vector<double> actions(size_t(n * m.nu));
    for (int world = 0; world < n; world++) qvel_of(batch, world)[0] = nan;
    EXPECT_EQ(episodes.step(actions), n);
    EXPECT_EQ(episodes.step(actions), 0);
  }
}

}  // namespace
}  // namespace lockstep::env
