// each lane of a pack sees the very rows that one world in double sees, in its order and bit for
// bit, and zeros in the places of rows that only other lanes have.
#include <gtest/gtest.h>

#include <random>

#include "api/lockstep.h"
#include "step/lane_world.h"

namespace lockstep {
namespace {

using Lanes = Pack<double, 4>;

constexpr const char* model_text = R"(
<mujoco>
  <option cone="CONE" impratio="3"><flag diagexact="EXACT"/></option>
  <worldbody>
    <geom type="plane" size="3 3 1" condim="3" friction="0.8 0.1 0.1" surfacevel="0.3 0.2 0 0 0 1"/>
    <site name="w" pos="0 0 1"/>
    <body name="a" pos="0 0 0.5">
      <joint name="a" axis="1 2 3" limited="true" range="-60 30" margin="0.2" frictionloss="0.3"/>
      <geom type="capsule" size="0.05 0.2" pos="0.1 0 0" adhesion="2"/>
      <body name="b" pos="0.3 0 0">
        <joint name="b" type="ball" limited="true" range="0 40" solimplimit="0.2 0.9 1 0.3 3"/>
        <geom type="sphere" size="0.1" condim="4"/>
        <site name="b" pos="0.1 0 0"/>
      </body>
    </body>
    <body name="c" pos="0.5 0.3 0.3">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.1" condim="6"/>
      <site name="c" pos="0.1 0.2 0"/>
      <body name="d" pos="0.2 0 0">
        <joint name="d" type="slide" axis="1 0 0" limited="true" range="-0.1 0.1"/>
        <geom type="sphere" size="0.08" condim="1"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="t" limited="true" range="0.4 0.9" frictionloss="0.1" margin="0.1">
      <site site="b"/><site site="c"/>
    </spatial>
    <fixed name="f" limited="true" range="-0.1 0.1"><joint joint="a" coef="1"/><joint joint="d" coef="2"/></fixed>
  </tendon>
  <equality>
    <connect body1="a" body2="c" anchor="0.1 0.2 0.3"/>
    <weld body1="b" body2="d" torquescale="0.7"/>
    <weld site1="c" site2="w"/>
    <joint joint1="a" joint2="d" polycoef="0.1 0.2 0.3 0.4 0.5"/>
    <tendon tendon1="t" tendon2="f" polycoef="0 1 0.5"/>
  </equality>
</mujoco>)";

Model compile_with(const std::string& cone, const std::string& exact) {
  std::string text = model_text;
  text.replace(text.find("CONE"), 4, cone);
  text.replace(text.find("EXACT"), 5, exact);
  Result<ModelSpec> spec = ModelSpec::parse(text);
  EXPECT_TRUE(spec.ok()) << spec.error();
  Result<Model> model = spec->compile();
  EXPECT_TRUE(model.ok()) << model.error();
  return std::move(model).value();
}

void randomize(const Model& m, Data& d, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < m.nq; i++) d.qpos[i] = m.qpos0[i] + 0.5 * number(random);
  for (int i = 0; i < m.nv; i++) d.qvel[i] = number(random);
  for (int i = 0; i < m.neq; i++) d.eq_active[i] = random() % 2 == 0;
}

// all numbers of a row in one lane
template <class Real>
std::vector<double> row_numbers(const ModelView<Real>& m, const ArenaView<Real>& rows, int row,
                                int i) {
  std::vector<double> numbers;
  const auto add = [&](const Real* field, int at) { numbers.push_back(lane(field[at], i)); };
  for (const Real* field : {rows.efc_pos, rows.efc_margin, rows.efc_frictionloss, rows.efc_diagA,
                            rows.efc_D, rows.efc_R, rows.efc_vel, rows.efc_aref}) {
    add(field, row);
  }
  for (int k = 0; k < 4; k++) add(rows.efc_KBIP, 4 * row + k);
  for (int k = 0; k < rows.efc_J_rownnz[row]; k++) add(rows.efc_J, rows.efc_J_rowadr[row] + k);
  if (rows.efc_type[row] >= code(Constraint::contact_frictionless)) {
    add(rows.con_mu, rows.efc_id[row]);
  }
  (void)m;
  return numbers;
}

// number of rows that lane `i` has and that are the same in one world; -1 if any differs
int compare(const Model& m, Data& one, const World<Lanes>& many, int i) {
  const ModelView<double> model = view(m);
  const ArenaView<double>& own = *view(one).arena;
  const ArenaView<Lanes>& all = *many.d.arena;
  int row = 0;
  for (int slot = 0; slot < all.nefc; slot++) {
    const std::vector<double> numbers = row_numbers(many.m, all, slot, i);
    if (lane(all.efc_D[slot], i) == 0) {
      const bool contact = all.efc_type[slot] >= code(Constraint::contact_frictionless);
      for (size_t k = 0; k + (contact ? 1 : 0) < numbers.size(); k++) {
        if (numbers[k] != 0) return -1;
      }
      continue;
    }
    if (row >= own.nefc || own.efc_type[row] != all.efc_type[slot]) return -1;
    const std::vector<double> expected = row_numbers(model, own, row, 0);
    if (numbers.size() != expected.size()) return -1;
    for (size_t k = 0; k < numbers.size(); k++) {
      if (to_bits(numbers[k]) != to_bits(expected[k])) return -1;
    }
    for (int k = 0; k < own.efc_J_rownnz[row]; k++) {
      if (own.efc_J_colind[own.efc_J_rowadr[row] + k] !=
          all.efc_J_colind[all.efc_J_rowadr[slot] + k]) {
        return -1;
      }
    }
    row++;
  }
  const DataView<Lanes>& d = many.d;
  const bool counts = d.ne.get(0, i) == *one.ne && d.nf.get(0, i) == *one.nf &&
                      d.nl.get(0, i) == *one.nl && d.nefc.get(0, i) == *one.nefc &&
                      d.nJ.get(0, i) == *one.nJ;
  return counts && row == own.nefc ? row : -1;
}

class Rows : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Rows, OfALaneAreThoseOfOneWorld) {
  const Model m = compile_with(GetParam().first, GetParam().second);
  std::mt19937 random(1);
  LaneWorld<Lanes> world(m, find_kernels(false, lanes<Lanes>));
  int rows = 0, differing = 0;
  for (int round = 0; round < 30; round++) {
    std::vector<Data> singles;
    for (int i = 0; i < lanes<Lanes>; i++) {
      singles.push_back(make_data(m));
      randomize(m, singles.back(), random);
      put_input(m, singles.back(), world.d, i);
      run_phases(m, singles.back(), Phase::position, Phase::velocity);
    }
    world.run_phases(Phase::position, Phase::velocity);
    for (int i = 0; i < lanes<Lanes>; i++) {
      const int same = compare(m, singles[size_t(i)], world, i);
      EXPECT_GE(same, 0) << "round " << round << ", lane " << i;
      rows += same;
      differing += world.d.arena->nefc > same;
    }
  }
  EXPECT_GT(rows, 1000);
  EXPECT_GT(differing, 60);
}

INSTANTIATE_TEST_SUITE_P(Options, Rows,
                         testing::Values(std::pair("pyramidal", "disable"),
                                         std::pair("elliptic", "disable"),
                                         std::pair("elliptic", "enable")));

}  // namespace
}  // namespace lockstep
