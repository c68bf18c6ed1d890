// prints a hash over steps of each golden model with each integrator, and of a heap with each
// solver and cone, for every compiled kind of lanes; kinds of the same precision must agree.
// scripts/check_bits links kernels of the other compiler beside those of the library.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "stage/golden.h"
#include "step/engine.h"
#include "step/kernels.h"
#include "step/world.h"

namespace lockstep {

// compiled by scripts/check_bits
extern const Kernels kernels_clang_sse2_double, kernels_clang_sse2_float, kernels_clang_avx2_double;

namespace {

struct Hash {
  uint64_t value = 0xcbf29ce484222325u;
  void add(uint64_t x) {
    value = (value ^ x) * 0x100000001b3u;
    value ^= value >> 29;
  }
};

// hash of the states of lane 0, whose inputs are the same for every Real
template <class Real, class View, class Step>
uint64_t run(const Model& m, const View& d, int steps, Step&& step) {
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
      fill(d.ctrl, m.nu, 2);
      fill(d.qfrc_applied, m.nv, 0.2);
    }
    step();
    for (int i = 0; i < m.nq; i++) hash.add(to_bits(lane(d.qpos[i], 0)));
    for (int i = 0; i < m.nv; i++) hash.add(to_bits(lane(d.qvel[i], 0)));
    for (int i = 0; i < m.na; i++) hash.add(to_bits(lane(d.act[i], 0)));
  }
  return hash.value;
}

template <class Real>
uint64_t run_kernels(const Model& m, const Kernels& kernels, int steps) {
  World<Real> world(m);
  return run<Real>(m, world.d, steps, [&] { kernels.step(&world.m, &world.d, Detail::motion); });
}

uint64_t run_kernels(const Model& m, const Kernels& kernels, int steps) {
  switch (kernels.width) {
    case 1:
      return kernels.single_precision ? run_kernels<float>(m, kernels, steps)
                                      : run_kernels<double>(m, kernels, steps);
    case 2: return run_kernels<Pack<double, 2>>(m, kernels, steps);
    case 4: return run_kernels<Pack<double, 4>>(m, kernels, steps);
    case 8:
      return kernels.single_precision ? run_kernels<Pack<float, 8>>(m, kernels, steps)
                                      : run_kernels<Pack<double, 8>>(m, kernels, steps);
    default: return run_kernels<Pack<float, 16>>(m, kernels, steps);
  }
}

// one world in double on the base instruction set, as main_() asks for
uint64_t run_one(const Model& m, int steps) {
  Data d = make_data(m);
  return run<double>(m, d, steps, [&] { step(m, d, 1, Detail::motion); });
}

struct Run {
  Hash total;
  bool equal = true;
  std::vector<const Kernels*> kinds{all_kernels().begin(), all_kernels().end()};

  Run() {
    kinds.insert(kinds.end(), {&kernels_clang_sse2_double, &kernels_clang_sse2_float,
                               &kernels_clang_avx2_double});
  }

  void add(const Model& m, int steps, const std::string& name) {
    const int short_steps = steps / 10;  // in single precision
    const uint64_t in_double = run_one(m, steps);
    const uint64_t in_single = run_kernels(m, kernels_clang_sse2_float, short_steps);
    for (const Kernels* kernels : kinds) {
      const bool single = kernels->single_precision;
      if (run_kernels(m, *kernels, single ? short_steps : steps) ==
          (single ? in_single : in_double)) {
        continue;
      }
      std::fprintf(stderr, "%s: %s, %d lanes of %s differ\n", name.c_str(), kernels->isa,
                   kernels->width, single ? "float" : "double");
      equal = false;
    }
    total.add(in_double);
    total.add(in_single);
  }
};

std::vector<std::filesystem::path> sorted(std::vector<std::filesystem::path> files) {
  std::sort(files.begin(), files.end());
  return files;
}

int main_() {
  setenv("LOCKSTEP_ISA", "base", 1);
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
