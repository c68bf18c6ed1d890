// over a thousand steps in which contacts are made and broken differently in each lane, each lane
// of a pack keeps the very bits of one world in double.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "api/lockstep.h"
#include "stage/island/solve_islands.h"
#include "step/lane_world.h"

namespace lockstep {
namespace {

using Lanes = Pack<double, 4>;
constexpr int width = lanes<Lanes>;
constexpr int steps = 1000 / LOCKSTEP_TEST_SHARE;

// things that fall on a floor, over each other and against walls, tied and limited, with sensors of
// what contacts, rays and distances give
constexpr const char* heap = R"(
<mujoco>
  <option timestep="0.004"/>
  <default><geom friction="0.7 0.02 0.01"/></default>
  <worldbody>
    <geom type="plane" size="3 3 1"/>
    <geom type="box" size="0.02 1 0.2" pos="0.6 0 0.2"/>
    <body pos="0 0 0.3"><freejoint/><geom type="box" size="0.1 0.08 0.06"/></body>
    <body pos="0.05 0.02 0.6"><freejoint/><geom type="capsule" size="0.05 0.1" condim="4"/></body>
    <body pos="-0.03 0.05 0.9"><freejoint/><geom type="sphere" size="0.08" condim="6"/></body>
    <body pos="0 -0.05 1.2"><freejoint/><geom type="ellipsoid" size="0.1 0.07 0.05"/></body>
    <body name="arm" pos="0.3 0 0.5">
      <joint name="a" axis="0 1 0" range="-60 60" limited="true" frictionloss="0.05" damping="0.1"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.3"/>
      <body pos="0 0 -0.3">
        <joint name="b" axis="1 0 0" range="-90 90" limited="true"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.2" condim="1"/>
        <site name="eye" pos="0 0.1 0" euler="170 0 0"/>
        <camera name="view" pos="0 0.1 0" resolution="3 2" fovy="70"/>
      </body>
    </body>
    <body name="ball" pos="-0.3 0 0.4"><freejoint/><geom type="sphere" size="0.05"/></body>
    <body name="cube" pos="-0.3 0 0.6"><freejoint/><geom type="box" size="0.05 0.05 0.05"/>
      <site name="skin" type="box" size="0.06 0.06 0.06"/><site name="room" type="sphere" size="0.4"/></body>
  </worldbody>
  <equality><connect body1="ball" body2="cube" anchor="0 0 0.1"/></equality>
  <actuator><motor joint="a" gear="3"/><motor joint="b" gear="2"/></actuator>
  <sensor>
    <rangefinder site="eye" data="dist point normal"/>
    <rangefinder camera="view" data="dist dir depth"/>
    <distance body1="ball" body2="arm" cutoff="1"/>
    <normal body1="cube" body2="arm" cutoff="0.3"/>
    <fromto body1="cube" body2="arm" cutoff="0.3"/>
    <insidesite site="room" objtype="body" objname="ball"/>
    <touch site="skin"/>
    <contact num="3" data="found force torque dist pos normal tangent linvel angvel"/>
    <contact num="2" data="found dist" reduce="mindist" body1="cube"/>
    <contact num="2" data="force" reduce="maxforce" subtree2="arm"/>
    <contact data="found force torque pos" reduce="netforce" site="room"/>
    <accelerometer site="skin"/><force site="skin"/><torque site="eye"/>
  </sensor>
</mujoco>)";

// a pile large enough to be solved island by island, which differ from lane to lane; some bodies
// touch nothing
std::string pile() {
  std::string bodies;
  const char* const shapes[] = {"<geom type='box' size='0.06 0.05 0.04'/>",
                                "<geom type='sphere' size='0.06' condim='4'/>",
                                "<geom type='capsule' size='0.03 0.05'/>"};
  for (int i = 0; i < 12; i++) {
    const std::string pos = std::to_string(0.15 * (i % 3)) + " " +
                            std::to_string(0.2 * (i / 3 % 2)) + " " +
                            std::to_string(0.1 + 0.15 * (i / 6));
    bodies += "<body name='b" + std::to_string(i) + "' pos='" + pos + "'><freejoint/>" +
              shapes[i % 3] + "</body>";
  }
  for (int i = 0; i < 8; i++) {
    bodies += "<body><freejoint/><geom size='0.1' contype='0' conaffinity='0'/></body>";
  }
  return R"(<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="3 3 1"/>)" +
         bodies + R"(<body pos="1 0 0.3"><joint axis="0 1 0" frictionloss="0.1" range="-30 30"
         limited="true"/><geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.28"/></body>
         </worldbody><equality><connect body1="b0" body2="b4" anchor="0.1 0 0"/></equality></mujoco>)";
}

// towers that sway: the same islands in all lanes, solved at once, with rows of their own and
// factors that follow them now in one lane, now in another
std::string towers() {
  std::string bodies;
  for (int i = 0; i < 24; i++) {
    const std::string pos =
        std::to_string(0.4 * (i / 8)) + " 0 " + std::to_string(0.05 + 0.0999 * (i % 8));
    bodies += "<body pos='" + pos + "'><freejoint/><geom type='box' size='0.06 0.06 0.05'/></body>";
  }
  return R"(<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="3 3 1"/>)" +
         bodies + "</worldbody></mujoco>";
}

// the same random state and controls for both
void start(const Model& m, Data& one, const DataView<Lanes>& many, int i, double speed,
           std::mt19937& random) {
  std::normal_distribution<double> number(0, speed);
  for (int dof = 0; dof < m.nv; dof++) one.qvel[dof] = number(random);
  for (int64_t k = 0; k < m.nq; k++) one.qpos[k] += 0.02 * number(random);
  put_input(m, one, many, i);
}

void run(Model& m, const Kernels* kernels, const std::string& name, double speed = 1) {
  LaneWorld<Lanes> world(m, kernels);
  std::vector<Data> singles;
  std::vector<std::mt19937> randoms;
  for (int i = 0; i < width; i++) {
    singles.push_back(make_data(m));
    randoms.emplace_back(i);
    start(m, singles[size_t(i)], world.d, i, speed, randoms.back());
  }
  int differing = 0, contacts = 0, solved = 0, unsolved = 0;
  for (int at = 0; at < steps; at++) {
    for (int i = 0; i < width; i++) {
      Data& one = singles[size_t(i)];
      if (at % 50 == 0) {
        std::uniform_real_distribution<double> number(-1, 1);
        for (int64_t k = 0; k < m.nu; k++) {
          one.ctrl[k] = number(randoms[size_t(i)]);
          set_lane(world.d.ctrl[k], i, one.ctrl[k]);
        }
      }
      if (i == 2 && at == steps / 3) {
        one.qvel[0] = std::numeric_limits<double>::quiet_NaN();
        set_lane(world.d.qvel[0], i, one.qvel[0]);
      }
      (step(m, one) == Status::ok ? solved : unsolved)++;
      contacts += *one.ncon;
    }
    world.step();
    differing += *singles[0].ncon != *singles[1].ncon;
    for (int i = 0; i < width; i++) {
      std::string field;
      ASSERT_EQ(differences(m, singles[size_t(i)], world.d, i, &field), 0)
          << name << ", lane " << i << ", step " << at << ": " << field;
    }
  }
  EXPECT_GT(solved, 0) << name;
  if (m.opt.solver == code(Solver::cgstrict)) {  // lanes stop one by one, each where it must
    EXPECT_GT(unsolved, 0) << name;
    return;
  }
  // the lanes went different ways, and something was touched
  EXPECT_GT(differing, steps / 10) << name;
  EXPECT_GT(contacts, steps) << name;
}

TEST(ContactLanes, SolveIslandsWithTheBitsOfOneWorld) {
  Result<ModelSpec> spec = ModelSpec::parse(pile());
  ASSERT_TRUE(spec.ok()) << spec.error();
  Result<Model> model = spec->compile();
  ASSERT_TRUE(model.ok()) << model.error();
  ASSERT_TRUE(solves_by_islands(view(*model)));
  for (Solver solver : {Solver::newton, Solver::cg, Solver::pgs, Solver::cgstrict}) {
    for (Cone cone : {Cone::pyramidal, Cone::elliptic}) {
      model->opt.iterations = solver == Solver::cgstrict ? 20 : 100;
      model->opt.solver = code(solver);
      model->opt.cone = code(cone);
      model->opt.noslip_iterations = solver == Solver::cg ? 2 : 0;
      for (const Kernels* kernels : kernels_of<Lanes>()) {
        run(*model, kernels,
            "pile, solver " + std::to_string(model->opt.solver) + " cone " +
                std::to_string(model->opt.cone) + ", " + kernels->isa);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ContactLanes, SolveTheSameIslandsAtOnceWithTheBitsOfOneWorld) {
  Result<ModelSpec> spec = ModelSpec::parse(towers());
  ASSERT_TRUE(spec.ok()) << spec.error();
  Result<Model> model = spec->compile();
  ASSERT_TRUE(model.ok()) << model.error();
  ASSERT_TRUE(solves_by_islands(view(*model)));
  for (Solver solver : {Solver::newton, Solver::cg}) {
    for (Cone cone : {Cone::pyramidal, Cone::elliptic}) {
      model->opt.solver = code(solver);
      model->opt.cone = code(cone);
      for (const Kernels* kernels : kernels_of<Lanes>()) {
        run(*model, kernels,
            "towers, solver " + std::to_string(model->opt.solver) + " cone " +
                std::to_string(model->opt.cone) + ", " + kernels->isa,
            0.03);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ContactLanes, KeepTheBitsOfOneWorld) {
  Result<ModelSpec> spec = ModelSpec::parse(heap);
  ASSERT_TRUE(spec.ok()) << spec.error();
  Result<Model> model = spec->compile();
  ASSERT_TRUE(model.ok()) << model.error();
  Model& m = *model;
  for (Solver solver : {Solver::newton, Solver::cg, Solver::pgs, Solver::cgstrict}) {
    // in some lanes it does not converge; they stay where they are
    m.opt.iterations = solver == Solver::cgstrict ? 8 : 100;
    for (Cone cone : {Cone::pyramidal, Cone::elliptic}) {
      for (Integrator integrator : {Integrator::euler, Integrator::implicitfast, Integrator::rk4}) {
        const bool all = solver == Solver::newton || solver == Solver::cgstrict;
        if (integrator != Integrator::euler && !all) continue;
        m.opt.solver = code(solver);
        m.opt.cone = code(cone);
        m.opt.integrator = code(integrator);
        m.opt.noslip_iterations = integrator == Integrator::implicitfast ? 2 : 0;
        for (const Kernels* kernels : kernels_of<Lanes>()) {
          run(m, kernels,
              "solver " + std::to_string(m.opt.solver) + " cone " + std::to_string(m.opt.cone) +
                  " integrator " + std::to_string(m.opt.integrator) + ", " + kernels->isa);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep
