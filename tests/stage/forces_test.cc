// forces and inverse dynamics in lanes: the very bits of one world, also where a spring, a damper
// or the medium exists in some lanes only.
#include <gtest/gtest.h>

#include <random>

#include "api/lockstep.h"
#include "step/lane_world.h"

namespace lockstep {
namespace {

using Lanes = Pack<double, 4>;
constexpr int width = lanes<Lanes>;

constexpr const char* xml = R"(
<mujoco>
  <option density="1.2" viscosity=".3" wind="1 2 3" integrator="implicitfast">
    <flag energy="enable" invdiscrete="enable"/>
  </option>
  <worldbody>
    <site name="w" pos="0 0 1"/>
    <geom name="ball" size=".1" pos=".2 .1 .5"/>
    <body gravcomp=".5">
      <joint name="a" stiffness="2 1 .5" damping="1 .5 .2" springyield=".1"/>
      <geom type="box" size=".1 .2 .3"/>
      <site name="s" pos=".3 0 .1"/>
      <body pos=".4 0 0" gravcomp="1">
        <joint type="ball" stiffness="2 1" damping="1" actuatorgravcomp="true"/>
        <geom type="capsule" size=".1 .2" fluidshape="ellipsoid"/>
        <site name="t" pos="0 .2 .1"/>
      </body>
    </body>
    <body pos="0 1 0">
      <joint type="free" stiffness="3 0 1" damping=".1"/>
      <geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/>
      <site name="u" pos=".1 0 .1"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="p" stiffness="2 1" springlength=".1 .5" damping="1" springyield=".2" armature=".1">
      <site site="w"/><site site="s"/><pulley divisor="2"/><site site="t"/><site site="u"/>
    </spatial>
    <spatial name="q" stiffness="3" damping=".5">
      <site site="w"/><geom geom="ball"/><site site="s"/>
    </spatial>
    <fixed name="f" stiffness="1" armature=".2"><joint joint="a" coef="2"/></fixed>
  </tendon>
  <actuator>
    <motor tendon="p" gear="2" damping=".5" armature=".1"/>
    <motor joint="a" gear="-3" damping="0 1"/>
  </actuator>
</mujoco>)";

// some of the numbers that decide whether a force exists, switched off in this lane
void switch_off(Model& m, int lane) {
  if (lane == 0) return;
  const auto clear = [lane](double* values, int64_t count) {
    for (int64_t i = lane - 1; i < count; i += 2) values[i] = 0;
  };
  clear(m.jnt_stiffness, m.njnt);
  clear(m.jnt_stiffnesspoly, 2 * m.njnt);
  clear(m.tendon_stiffness, m.ntendon);
  clear(m.tendon_armature, m.ntendon);
  clear(m.dof_damping, m.nv);
  clear(m.body_gravcomp, m.nbody);
  clear(m.geom_fluid, mjNFLUID * m.ngeom);
  if (lane == 2) m.opt.density = m.opt.viscosity = 0;
  if (lane == 3) m.opt.gravity = {0, 0, 0};
}

// numbers of one Model into one lane of a view
void put_model(const Model& m, const ModelView<Lanes>& view, int i) {
  const auto put = [i](const double* host, const Lanes* rows, int64_t count) {
    for (int64_t k = 0; k < count; k++) set_lane(const_cast<Lanes&>(rows[k]), i, host[k]);
  };
  put(m.jnt_stiffness, view.jnt_stiffness, m.njnt);
  put(m.jnt_stiffnesspoly, view.jnt_stiffnesspoly, 2 * m.njnt);
  put(m.tendon_stiffness, view.tendon_stiffness, m.ntendon);
  put(m.tendon_armature, view.tendon_armature, m.ntendon);
  put(m.dof_damping, view.dof_damping, m.nv);
  put(m.body_gravcomp, view.body_gravcomp, m.nbody);
  put(m.geom_fluid, view.geom_fluid, mjNFLUID * m.ngeom);
  put(m.opt.gravity.data(), view.opt.gravity.value, 3);
  put(&m.opt.density, &view.opt.density.value, 1);
  put(&m.opt.viscosity, &view.opt.viscosity.value, 1);
}

void randomize(const Model& m, Data& d, std::mt19937& random) {
  std::normal_distribution<double> number;
  const auto fill = [&](double* values, int64_t count) {
    for (int64_t i = 0; i < count; i++) values[i] = number(random);
  };
  fill(d.qpos, m.nq);
  fill(d.qvel, m.nv);
  fill(d.qacc, m.nv);
  fill(d.plastic, m.nplastic);
  fill(d.xfrc_applied, 6 * m.nbody);
}

TEST(Forces, LanesEqualOneWorldBitForBit) {
  Result<ModelSpec> spec = ModelSpec::parse(xml);
  ASSERT_TRUE(spec);
  Result<Model> compiled = spec->compile();
  ASSERT_TRUE(compiled);
  std::mt19937 random(1);
  for (int round = 0; round < 20; round++) {
    LaneWorld<Lanes> world(*compiled, find_kernels(false, width));
    std::vector<Data> singles;
    for (int i = 0; i < width; i++) {
      Result<Model> m = spec->compile();
      switch_off(*m, i);
      put_model(*m, world.m, i);
      Data& d = singles.emplace_back(make_data(*m));
      randomize(*m, d, random);
      put_input(*m, d, world.d, i);
      for (int dof = 0; dof < m->nv; dof++) set_lane(world.d.qacc[dof], i, d.qacc[dof]);
      inverse(*m, d);
      run_stage(*m, d, "subtree_vel");
      run_stage(*m, d, "rne_post_constraint");
    }
    world.inverse();
    world.run_on_demand("subtree_vel");
    world.run_on_demand("rne_post_constraint");
    for (int i = 0; i < width; i++) {
      EXPECT_EQ(differences(*compiled, singles[i], world.d, i), 0) << "lane " << i;
    }
  }
}

}  // namespace
}  // namespace lockstep
