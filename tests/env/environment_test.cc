// environments: what a task is shown and where its numbers go; the same bits for any threads, lanes
// and neighbours.
#include "env/environment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "env/tasks.h"
#include "stage/golden.h"
#include "step/engine.h"

namespace lockstep::env {
namespace {

constexpr int nstep = 3;

// shows everything that a world can: state, results, what only steps have, actions, velocity
class Probe final : public Task {
 public:
  void observe(const World& w, Sheet& to) const override {
    to.put("qpos", w[qpos_], 1);
    to.put("qvel", w[qvel_], 0, {-0.5, 0.5});
    to.put("forces", {squares(w[cfrc_ext_]), squares(w[xpos_])});
  }
  void report(const World& w, Sheet& to) const override { to.put("first", w[qpos_][0]); }
  Place place(const World& w) const override { return {w[qpos_][0], w[xpos_][3]}; }
  Verdict judge(const World& w, Sheet& to) const override {
    to.put("velocity", w.velocity);
    return {w.velocity[0] - squares(w.action), w[qpos_][0] > 0};
  }

 private:
  const Field qpos_ = reads("qpos"), qvel_ = reads("qvel"), cfrc_ext_ = reads("cfrc_ext"),
              xpos_ = reads("xpos");
};

Model model() { return read_golden((test_data() / "stage" / "probe1.bin").string()).model.copy(); }

struct Seen {
  std::vector<double> observation, reward, report, start_report;
  std::vector<char> terminated;
};

double number(int world, int64_t i) { return std::sin(1.0 + 0.7 * world + 1.3 * double(i)); }

// starts worlds, steps them twice, starts every third again; results of the first few worlds
struct Worlds {
  Worlds(const Model& model, int count, const BatchOptions& options)
      : m(model), n(count), batch(m, n, options), env(batch, std::make_unique<Probe>()) {
    run.observation.resize(size_t(n * env.observation_size()));
    run.report.resize(size_t(n * env.report_size()));
    run.reward.resize(size_t(n));
    run.terminated.resize(size_t(n));
    to = {run.observation.data(), run.reward.data(), reinterpret_cast<bool*>(run.terminated.data()),
          run.report.data()};
  }
  void start(const std::vector<int>& ids) {
    std::vector<double> qpos, qvel;
    for (int id : ids) {
      for (int64_t i = 0; i < m.nq; i++) qpos.push_back(m.qpos0[i] + 0.1 * number(id, i));
      for (int64_t i = 0; i < m.nv; i++) qvel.push_back(number(id, i));
    }
    run.start_report.resize(ids.size() * size_t(env.start_report_size()));
    EXPECT_EQ(
        env.start(ids, qpos.data(), qvel.data(), {to.observation, {}, {}, run.start_report.data()}),
        0);
  }
  void step() {
    std::vector<float> actions;
    for (int id = 0; id < n; id++) {
      for (int64_t i = 0; i < m.nu; i++) actions.push_back(float(number(id, i)));
    }
    EXPECT_EQ(env.step({}, nstep, actions.data(), Dtype::f32, to), 0);
  }
  std::vector<int> every(int stride) const {
    std::vector<int> ids;
    for (int id = 0; id < n; id += stride) ids.push_back(id);
    return ids;
  }

  const Model& m;
  int n;
  Batch batch;
  Environment env;
  Seen run;
  Environment::Results to;
};

TEST(Environment, DescribesItself) {
  const Model m = model();
  Worlds worlds(m, 2, {});
  const auto& parts = worlds.env.observation();
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].name, "qpos");
  EXPECT_EQ(parts[0].size, m.nq - 1);
  EXPECT_EQ(worlds.env.observation_size(), m.nq - 1 + m.nv + 2);
  EXPECT_EQ(worlds.env.start_reports(), 1u);
  EXPECT_EQ(worlds.env.report_size(), 4);
}

// against one world stepped by hand
TEST(Environment, ShowsAWorldToItsTask) {
  const Model m = model();
  Worlds worlds(m, 5, {.nthread = 1});
  worlds.start(worlds.every(1));
  constexpr int world = 3;
  Model own = m.copy();
  Data d = make_data(own);
  for (int64_t i = 0; i < m.nq; i++) d.qpos[i] = m.qpos0[i] + 0.1 * number(world, i);
  for (int64_t i = 0; i < m.nv; i++) d.qvel[i] = number(world, i);
  for (int64_t i = 0; i < m.nu; i++) d.ctrl[i] = double(float(number(world, i)));
  const int64_t width = worlds.env.observation_size();
  const double* seen = worlds.run.observation.data() + world * width;
  EXPECT_EQ(seen[0], d.qpos[1]);
  EXPECT_EQ(seen[width - 2], 0) << "forces are cleared at starts";
  EXPECT_EQ(worlds.run.start_report[world], d.qpos[0]);
  const double before = d.qpos[0];
  worlds.step();
  lockstep::step(own, d, nstep);
  const double velocity = (d.qpos[0] - before) / (m.opt.timestep * nstep);
  double cost = 0;
  for (int64_t i = 0; i < m.nu; i++) cost += d.ctrl[i] * d.ctrl[i];
  for (int64_t i = 1; i < m.nq; i++) EXPECT_EQ(seen[i - 1], d.qpos[i]);
  for (int64_t i = 0; i < m.nv; i++) {
    EXPECT_EQ(seen[m.nq - 1 + i], std::min(std::max(d.qvel[i], -0.5), 0.5));
  }
  const double* report = worlds.run.report.data() + world * worlds.env.report_size();
  EXPECT_EQ(report[0], d.qpos[0]);
  EXPECT_EQ(report[1], velocity);
  EXPECT_EQ(worlds.run.reward[world], velocity - cost);
  EXPECT_EQ(bool(worlds.run.terminated[world]), d.qpos[0] > 0);
}

TEST(Environment, DoesNotDependOnThreadsLanesAndNeighbours) {
  const Model m = model();
  constexpr int compared = 7;
  const auto play = [&](int n, const BatchOptions& options) {
    Worlds worlds(m, n, options);
    worlds.start(worlds.every(1));
    worlds.step();
    worlds.step();
    worlds.start(worlds.every(3));
    worlds.step();
    worlds.run.observation.resize(size_t(compared * worlds.env.observation_size()));
    worlds.run.report.resize(size_t(compared * worlds.env.report_size()));
    worlds.run.reward.resize(compared);
    worlds.run.terminated.resize(compared);
    return worlds.run;
  };
  const Seen alone = play(compared, {.nthread = 1, .width = 1});
  // the last so many that a second thread has time to begin, which the thread sanitizer needs
  for (const int n : {compared, 2000}) {
    for (const int nthread : {1, 2}) {
      const Seen run = play(n, {.nthread = nthread});
      EXPECT_EQ(run.observation, alone.observation);
      EXPECT_EQ(run.reward, alone.reward);
      EXPECT_EQ(run.report, alone.report);
      EXPECT_EQ(run.terminated, alone.terminated);
    }
  }
}

class Beyond final : public Task {
 public:
  void observe(const World& w, Sheet& to) const override {
    to.put("last", w[qpos_][w[qpos_].size()]);
  }
  Verdict judge(const World&, Sheet&) const override { return {}; }

 private:
  const Field qpos_ = reads("qpos");
};

// one number, but in one place another count
class Unsteady final : public Task {
 public:
  explicit Unsteady(int count) : count_(count) {}
  void observe(const World& w, Sheet& to) const override {
    for (int i = 0; i < (w[qpos_][0] == 5 ? count_ : 1); i++) to.put("number", 0);
  }
  Verdict judge(const World&, Sheet&) const override { return {}; }

 private:
  const Field qpos_ = reads("qpos");
  const int count_;
};

TEST(Environment, RefusesTasksThatChangeTheirMind) {
  const Model m = model();
  for (const int count : {0, 2}) {
    Batch batch(m, 1);
    Environment env(batch, std::make_unique<Unsteady>(count));
    std::vector<double> qpos(size_t(m.nq)), qvel(size_t(m.nv)), observation(2), report(1);
    ASSERT_EQ(env.observation_size(), 1);
    EXPECT_EQ(env.start({}, qpos.data(), qvel.data(), {observation.data(), {}, {}, report.data()}),
              0);
    qpos[0] = 5;
    EXPECT_THROW(
        env.start({}, qpos.data(), qvel.data(), {observation.data(), {}, {}, report.data()}),
        std::length_error);
  }
}

class Unknown final : public Task {
 public:
  void observe(const World&, Sheet&) const override {}
  Verdict judge(const World&, Sheet&) const override { return {}; }

 private:
  const Field field_ = reads("qops");
};

TEST(Environment, RefusesWhatIsNotThere) {
  const Model m = model();
  Batch batch(m, 2);
  EXPECT_THROW(Environment(batch, std::make_unique<Beyond>()), std::out_of_range);
  EXPECT_THROW(Environment(batch, std::make_unique<Unknown>()), std::invalid_argument);
  EXPECT_THROW(make_task("Hoper", {}), std::invalid_argument);
  EXPECT_THROW(make_task("Hopper", {}), std::invalid_argument) << "settings are missing";
  EXPECT_THROW(make_task("./no_such_library.so", {}), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep::env
