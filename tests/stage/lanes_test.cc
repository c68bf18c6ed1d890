// each lane of a pack computes the very bits of one world in double; single precision stays near.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stage/golden.h"
#include "step/lane_world.h"

namespace lockstep {
namespace {

using Lanes = Pack<double, 4>;
constexpr int width = lanes<Lanes>;

TEST(Lanes, EqualOneWorldBitForBit) {
  int compared = 0;
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    LaneWorld<Lanes> world(golden.model, find_kernels(false, width));
    std::vector<Data> singles;
    for (int i = 0; i < width; i++) {
      Data& d = singles.emplace_back(make_data(golden.model));
      set_input(golden, golden.states[i % golden.states.size()], d);
      put_input(golden.model, d, world.d, i);
      run_phases(golden.model, d, Phase::position, Phase::velocity);
    }
    world.run_phases(Phase::position, Phase::velocity);
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
    LaneWorld<float> world(m, find_kernels(true, 1));
    Data d = make_data(m);
    set_input(golden, golden.states.back(), d);
    put_input(m, d, world.d, 0);
    run_phases(m, d, Phase::position, Phase::velocity);
    world.run_phases(Phase::position, Phase::velocity);
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
