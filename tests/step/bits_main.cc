// prints one hash over steps of each golden model with each integrator, and of a heap with each
// solver and cone, for one world in double, for lanes and for single precision; scripts/check_bits
// compares builds.
#include <algorithm>
#include <cstdio>
#include <random>

#include "stage/golden.h"
#include "step/drive.h"
#include "step/world.h"

namespace lockstep {
namespace {

struct Hash {
  uint64_t value = 0xcbf29ce484222325u;
  void add(uint64_t x) {
    value = (value ^ x) * 0x100000001b3u;
    value ^= value >> 29;
  }
};

// hash of the states of lane 0, whose inputs are the same for every Real
template <class Real>
uint64_t run(const Model& m, int steps) {
  World<Real> world(m);
  std::mt19937 random(1);
  const auto fill = [&](Real* rows, int64_t count, double scale) {
    for (int64_t k = 0; k < count; k++) {
      const double x = scale * (double(random()) / 4294967296.0 - 0.5);
      for (int i = 0; i < lanes<Real>; i++) set_lane(rows[k], i, Scalar<Real>(x * (i + 1)));
    }
  };
  Hash hash;
  for (int at = 0; at < steps; at++) {
    if (at % 50 == 0) {
      fill(world.d.ctrl, m.nu, 2);
      fill(world.d.qfrc_applied, m.nv, 0.2);
    }
    step(world.m, world.d);
    for (int i = 0; i < m.nq; i++) hash.add(to_bits(lane(world.d.qpos[i], 0)));
    for (int i = 0; i < m.nv; i++) hash.add(to_bits(lane(world.d.qvel[i], 0)));
    for (int i = 0; i < m.na; i++) hash.add(to_bits(lane(world.d.act[i], 0)));
  }
  return hash.value;
}

struct Run {
  Hash total;
  bool equal = true;

  void add(const Model& m, int steps, const std::string& name) {
    const uint64_t one = run<double>(m, steps);
    if (one != run<Pack<double, 4>>(m, steps)) {
      std::printf("%s: lanes differ\n", name.c_str());
      equal = false;
    }
    total.add(one);
    total.add(run<float>(m, steps / 10));
  }
};

std::vector<std::filesystem::path> sorted(std::vector<std::filesystem::path> files) {
  std::sort(files.begin(), files.end());
  return files;
}

int main_() {
  Run all;
  for (const std::filesystem::path& file : sorted(golden_files())) {
    Golden golden = read_golden(file);
    for (int integrator = 0; integrator <= code(Integrator::implicitspringdamper); integrator++) {
      golden.model.opt.integrator = integrator;
      all.add(golden.model, 1000,
              file.filename().string() + ", integrator " + std::to_string(integrator));
    }
  }
  for (const std::filesystem::path& file : sorted(golden_in(test_data() / "contact"))) {
    Golden golden = read_golden(file);
    for (Solver solver : {Solver::newton, Solver::cg, Solver::pgs}) {
      for (Cone cone : {Cone::pyramidal, Cone::elliptic}) {
        golden.model.opt.solver = code(solver);
        golden.model.opt.cone = code(cone);
        all.add(golden.model, 500,
                file.filename().string() + ", solver " + std::to_string(code(solver)) + ", cone " +
                    std::to_string(code(cone)));
      }
    }
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(all.total.value));
  return all.equal ? 0 : 1;
}

}  // namespace
}  // namespace lockstep

int main() { return lockstep::main_(); }
