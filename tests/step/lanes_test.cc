// over a thousand steps each lane of a pack keeps the very bits of one world in double, also when a
// neighbour fails and is reset.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "stage/golden.h"
#include "step/lane_world.h"

namespace lockstep {
namespace {

using Lanes = Pack<double, 4>;
constexpr int width = lanes<Lanes>;
constexpr int steps = 1000 / LOCKSTEP_TEST_SHARE;

// both get the same numbers
void set_input(const Model& m, Data& one, const DataView<Lanes>& many, int i,
               std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto fill = [&](double* host, Lanes* rows, int64_t count, double scale) {
    for (int64_t k = 0; k < count; k++) {
      host[k] = scale * number(random);
      set_lane(rows[k], i, host[k]);
    }
  };
  fill(one.ctrl, many.ctrl, m.nu, 1);
  fill(one.qfrc_applied, many.qfrc_applied, m.nv, 0.1);
  if (m.nbody > 1) fill(one.xfrc_applied + 6, many.xfrc_applied.start + 6, 6, 0.1 * (i % 2));
}

void run(const Model& m, const Kernels* kernels, const std::string& name) {
  LaneWorld<Lanes> world(m, kernels);
  std::vector<Data> singles;
  std::vector<std::mt19937> randoms;
  for (int i = 0; i < width; i++) {
    singles.push_back(make_data(m));
    randoms.emplace_back(i);
  }
  for (int at = 0; at < steps; at++) {
    for (int i = 0; i < width; i++) {
      if (at % 50 == 0) set_input(m, singles[i], world.d, i, randoms[i]);
      if (i == 2 && at == steps / 3 && m.nv) {
        singles[i].qvel[0] = std::numeric_limits<double>::quiet_NaN();
        set_lane(world.d.qvel[0], i, singles[i].qvel[0]);
      }
      step(m, singles[i]);
    }
    world.step();
  }
  for (int i = 0; i < width; i++) {
    EXPECT_EQ(differences(m, singles[i], world.d, i), 0) << name << " lane " << i;
  }
  if (m.nv) {
    EXPECT_GT(singles[2].warning[code(Warning::badqvel)], 0);
  }
}

TEST(Lanes, KeepTheBitsOfOneWorld) {
  int compared = 0;
  for (const std::filesystem::path& file : golden_files()) {
    Golden golden = read_golden(file);
    for (int integrator : {0, 1, 2, 3, 4, 5}) {
      golden.model.opt.integrator = integrator;
      for (const Kernels* kernels : kernels_of<Lanes>()) {
        run(golden.model, kernels,
            file.filename().string() + " integrator " + std::to_string(integrator) + ", " +
                kernels->isa);
        compared++;
      }
    }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace lockstep
