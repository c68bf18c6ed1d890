// strict_test.cc: a step that a strict solver could not solve says so and is not taken.
#include <gtest/gtest.h>

#include <vector>

#include "api/lockstep.h"
#include "model/state.h"
#include "step/engine.h"
#include "step/solver_report.h"

namespace lockstep {
namespace {

constexpr const char* text = R"(<mujoco><option solver="cgstrict"/><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
  <body pos="0 0 .298"><freejoint/><geom type="box" size=".1 .1 .1" mass="30"/></body>
</worldbody></mujoco>)";

std::vector<double> state_of(const Model& m, const Data& d) {
  std::vector<double> state(size_t(state_size(m, code(State::integration))));
  get_state(m, d, code(State::integration), state.data());
  return state;
}

TEST(Strict, UnsolvedStepsAreNotTaken) {
  for (Integrator integrator : {Integrator::euler, Integrator::implicitfast, Integrator::rk4}) {
    Model m = std::move(ModelSpec::parse(text).value().compile().value());
    m.opt.integrator = code(integrator);
    Data d = make_data(m);
    d.qvel[0] = 0.3;
    EXPECT_EQ(step(m, d, 5), Status::ok);
    EXPECT_TRUE(solver_report(m, d).converged);
    const std::vector<double> before = state_of(m, d);
    m.opt.iterations = 1;
    m.opt.tolerance = 1e-14;
    EXPECT_EQ(step(m, d, 5), Status::unsolved);
    EXPECT_EQ(state_of(m, d), before);
    EXPECT_EQ(forward(m, d), Status::unsolved);
    EXPECT_EQ(integrate_by(m, d, Integrator::euler), Status::unsolved);
    EXPECT_EQ(state_of(m, d), before);
    const SolverReport report = solver_report(m, d);
    EXPECT_FALSE(report.converged);
    EXPECT_FALSE(report.fallback);
    EXPECT_GT(report.residual, 0);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_NE(unsolved_text(m, d).find("cgstrict"), std::string::npos);
    m.opt.iterations = 100;
    m.opt.tolerance = 1e-8;
    EXPECT_EQ(step(m, d), Status::ok);
    EXPECT_GT(*d.time, before[0]);
  }
}

TEST(Strict, OtherSolversAreNeverRefused) {
  Model m = std::move(ModelSpec::parse(text).value().compile().value());
  Data d = make_data(m);
  m.opt.iterations = 1;
  m.opt.tolerance = 1e-14;
  for (Solver solver : {Solver::pgs, Solver::cg, Solver::newton}) {
    m.opt.solver = code(solver);
    d.qvel[0] = 0.3;
    EXPECT_EQ(step(m, d), Status::ok);
    EXPECT_FALSE(solver_report(m, d).converged);
  }
}

}  // namespace
}  // namespace lockstep
