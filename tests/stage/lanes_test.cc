// each lane of a pack computes the very bits of one world in double; single precision stays near.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/pack.h"
#include "stage/golden.h"
#include "step/engine.h"
#include "step/pipeline.h"

namespace lockstep {
namespace {

constexpr int width = 4;
using Lanes = Pack<double, width>;

// a Model and a Data of any Real
template <class Real>
struct World {
  ModelView<Real> m;
  DataView<Real> d;
  Block model_block, data_block;

  explicit World(const Model& model)
      : model_block(lay_out(model, nullptr, m)), data_block(lay_out(model, nullptr, d)) {
    lay_out(model, model_block.start(), m);
    lay_out(model, data_block.start(), d);
  }
};

template <class Rows>
auto* start_of(Rows& rows) {
  if constexpr (std::is_pointer_v<Rows>) {
    return rows;
  } else {
    return rows.start;
  }
}

// copies the inputs of one world into lane `i`
template <class Real>
void put_input(const Model& m, const Data& from, const DataView<Real>& to, int i) {
  const auto put = [i](const double* host, Real* rows, int64_t count) {
    for (int64_t k = 0; k < count; k++) set_lane(rows[k], i, static_cast<Scalar<Real>>(host[k]));
  };
  put(from.qpos, to.qpos, m.nq);
  put(from.qvel, to.qvel, m.nv);
  put(from.mocap_pos, to.mocap_pos.start, 3 * m.nmocap);
  put(from.mocap_quat, to.mocap_quat.start, 4 * m.nmocap);
}

// number of cells that differ between one world and lane `i`
int64_t differences(const Model& m, const Data& one, const DataView<Lanes>& many, int i) {
  int64_t count = 0;
#define SIZE(name, doc) [[maybe_unused]] const int64_t name = m.name;
#include "model/sizes.def"
#undef SIZE
  const auto compare = [&](const auto* host, const auto* rows, int64_t cells) {
    for (int64_t k = 0; k < cells; k++) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*rows)>, Lanes>) {
        count += to_bits(host[k]) != to_bits(lane(rows[k], i));
      } else {
        count += host[k] != rows[k * width + i];
      }
    }
  };
#define FIELD(element, name, rows, cols, stage, doc) \
  compare(one.name, start_of(many.name), rows* cols* detail::width_##element);
#define ARENA(element, name, rows, cols, stage, doc)
#define SCRATCH(element, name, rows, cols)
#define SCALAR(element, name, count, stage, doc)
#include "model/data_fields.def"
#undef FIELD
#undef ARENA
#undef SCRATCH
#undef SCALAR
  return count;
}

TEST(Lanes, EqualOneWorldBitForBit) {
  int compared = 0;
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    World<Lanes> world(golden.model);
    std::vector<Data> singles;
    for (int i = 0; i < width; i++) {
      Data& d = singles.emplace_back(make_data(golden.model));
      set_input(golden, golden.states[i % golden.states.size()], d);
      std::copy_n(golden.model.eq_active0, golden.model.neq, d.eq_active);
      for (int eq = 0; eq < golden.model.neq; eq++) world.d.eq_active.set(eq, i, d.eq_active[eq]);
      put_input(golden.model, d, world.d, i);
      run_phases(golden.model, d, Phase::position, Phase::velocity);
    }
    run_phases(world.m, world.d, Phase::position, Phase::velocity);
    for (int i = 0; i < width; i++) {
      EXPECT_EQ(differences(golden.model, singles[i], world.d, i), 0) << file << " lane " << i;
      compared++;
    }
  }
  EXPECT_GT(compared, 0);
}

TEST(Lanes, SinglePrecisionStaysNear) {
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    const Model& m = golden.model;
    World<float> world(m);
    Data d = make_data(m);
    set_input(golden, golden.states.back(), d);
    put_input(m, d, world.d, 0);
    run_phases(m, d, Phase::position, Phase::velocity);
    run_phases(world.m, world.d, Phase::position, Phase::velocity);
    const auto near = [&](const double* exact, const float* single, int64_t count,
                          const char* name) {
      double scale = 1;
      for (int64_t k = 0; k < count; k++) scale = std::max(scale, std::abs(exact[k]));
      for (int64_t k = 0; k < count; k++)
        ASSERT_NEAR(exact[k], single[k], 1e-4 * scale) << file << name;
    };
    near(d.geom_xpos, world.d.geom_xpos.start, 3 * m.ngeom, "geom_xpos");
    near(d.M, world.d.M, m.nC, "M");
    near(d.ten_length, world.d.ten_length, m.ntendon, "ten_length");
    near(d.qfrc_bias, world.d.qfrc_bias, m.nv, "qfrc_bias");
  }
}

}  // namespace
}  // namespace lockstep
