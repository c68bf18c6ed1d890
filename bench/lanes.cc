// lanes.cc: steps a batch of one model under random controls, for profilers: callgrind counts its
// instructions, perf sees where time goes.
//   bench_lanes model.xml [--float] [--width W] [--worlds N] [--steps N] [--repeat N] [--call N]
//   [--alike K] [--each] [--stages]
// Worlds are first driven to typical motion. Prints the least processor time of a repetition, in
// microseconds per world and step, and a hash of the states it ends in. --alike K gives every K
// worlds the state of the first of them before each call: what lanes would cost if their worlds did
// not differ.
#include "step/lanes.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "api/lockstep.h"
#include "batch/batch.h"
#include "model/state.h"
#include "step/engine.h"

using namespace lockstep;

namespace {

struct Settings {
  std::string path;
  int worlds = 256, steps = 200, repeat = 5, call = 20, alike = 1;  // call: steps in one
  bool stages = false, each = false;
  BatchOptions batch{.nthread = 1};
};

Settings read(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::stoi(argv[++i]) : 0; };
    if (word == "--float")
      s.batch.single_precision = true;
    else if (word == "--width")
      s.batch.width = number();
    else if (word == "--worlds")
      s.worlds = number();
    else if (word == "--steps")
      s.steps = number();
    else if (word == "--repeat")
      s.repeat = number();
    else if (word == "--call")
      s.call = number();
    else if (word == "--alike")
      s.alike = std::max(1, number());
    else if (word == "--each")
      s.each = true;
    else if (word == "--stages")
      s.stages = true;
    else
      s.path = word;
  }
  return s;
}

class Drive {
 public:
  Drive(const Model& m, const Settings& s)
      : m_(m),
        batch_(m, s.worlds, s.batch),
        float_(s.batch.single_precision),
        call_(s.call),
        alike_(s.alike) {
    for (const StatePart& part : state_parts(m)) {
      if (part.bit == State::ctrl) break;
      if (code(State::integration) & code(part.bit)) ctrl_ += part.count;
    }
  }
  // new controls every 20 steps
  void run(int steps) {
    for (int done = 0; done < steps; done += 20) {
      for (int world = 0; world < batch_.nsim(); world++) {
        for (int i = 0; i < m_.nu; i++) {
          const bool limited = m_.actuator_ctrllimited[i];
          const double low = limited ? m_.actuator_ctrlrange[2 * i] : -1,
                       high = limited ? m_.actuator_ctrlrange[2 * i + 1] : 1;
          const double value = low + (high - low) * double(random_() >> 11) * 0x1p-53;
          std::byte* const row = batch_.state().row(world);
          if (float_)
            reinterpret_cast<float*>(row)[ctrl_ + i] = float(value);
          else
            reinterpret_cast<double*>(row)[ctrl_ + i] = value;
        }
      }
      for (int i = 0; i < 20; i += call_) {
        for (int world = 0; alike_ > 1 && world < batch_.nsim(); world++) {
          const Rows& state = batch_.state();
          std::memmove(state.row(world), state.row(world - world % alike_),
                       size_t(state.row_bytes()));
        }
        batch_.step({}, call_);
      }
    }
  }
  unsigned long hash() const {
    unsigned long h = 1469598103934665603ul;
    const std::byte* const bytes = batch_.state().row(0);
    const int64_t count = batch_.nsim() * batch_.state().row_bytes();
    for (int64_t i = 0; i < count; i++) h = (h ^ unsigned(bytes[i])) * 1099511628211ul;
    return h;
  }
  int width() const { return batch_.width(); }

 private:
  const Model& m_;
  Batch batch_;
  bool float_;
  int64_t ctrl_ = 0;  // where controls begin in a row
  const int call_, alike_;
  std::mt19937_64 random_{1};
};

double now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(since).count();
}

// every lane goes on from the state of the first of its group
template <class T>
void make_alike(const LaneWorlds& block, const std::vector<FieldInfo>& fields, int group) {
  for (size_t i = 0; i < fields.size(); i++) {
    const std::string_view name = fields[i].name;
    if (name != "qpos" && name != "qvel" && name != "act" && name != "qacc_warmstart" &&
        name != "ctrl") {
      continue;
    }
    T* const cell = static_cast<T*>(block.data[i].start);
    for (int64_t k = 0; k < block.data[i].count; k++) {
      for (int lane = 0; lane < block.width; lane++) {
        cell[k * block.width + lane] = cell[k * block.width + lane - lane % group];
      }
    }
  }
}

// one block of lanes, stage by stage
template <class T>
void print_stages(const Model& m, const Settings& s) {
  // null: one world, without the instructions of the machine
  const Kernels* kernels = find_kernels(s.batch.single_precision, s.batch.width);
  if (!kernels && s.batch.width != 1) {
    std::fprintf(stderr, "no lanes of this width and precision are compiled\n");
    std::exit(1);
  }
  Model own = m.copy();
  const std::unique_ptr<LaneWorlds> block = kernels && kernels->width > 1
                                                ? make_lane_worlds(m, *kernels)
                                                : make_one_world(own, s.batch.single_precision);
  const Data shape = make_data(m);
  const auto fields = shape.fields(m);
  size_t ctrl = 0;
  while (fields[ctrl].name != "ctrl") ctrl++;
  std::mt19937_64 random{1};
  const int count = stage_count(), again = 10;
  std::vector<double> in_step(static_cast<size_t>(count)), repeated(in_step);
  int samples = 0;
  for (int step = 0; step < s.steps * s.repeat; step++) {
    for (int i = 0; step % 20 == 0 && i < m.nu; i++) {
      const bool limited = m.actuator_ctrllimited[i];
      const double low = limited ? m.actuator_ctrlrange[2 * i] : -1,
                   high = limited ? m.actuator_ctrlrange[2 * i + 1] : 1;
      for (int lane = 0; lane < block->width; lane++) {
        static_cast<T*>(block->data[ctrl].start)[i * block->width + lane] =
            T(low + (high - low) * double(random() >> 11) * 0x1p-53);
      }
    }
    if (step % s.call == 0 && s.alike > 1) make_alike<T>(*block, fields, s.alike);
    if (step < 200) {
      block->step(Detail::state);
      continue;
    }
    samples++;
    const bool hot =
        step % 2;  // after a step whose stages were repeated, caches are as usual again
    for (int stage = 0; stage < count; stage++) {
      if (is_sensor(stage_info(stage).phase)) continue;
      const double from = now();
      block->run_stage(stage);
      const double once = now();
      if (!hot) in_step[size_t(stage)] += once - from;
      if (!hot || stage == count - 1) continue;
      for (int i = 0; i < again; i++) block->run_stage(stage);
      repeated[size_t(stage)] += (now() - once) / again;
    }
  }
  double sums[2] = {};
  std::printf("ns per world       in a step  repeated\n");
  for (int stage = 0; stage < count; stage++) {
    const double per = 2.0 / samples / block->width, a = in_step[size_t(stage)] * per,
                 b = repeated[size_t(stage)] * per;
    sums[0] += a, sums[1] += b;
    std::printf("%-20s %8.1f %8.1f\n", std::string(stage_info(stage).name).c_str(), a, b);
  }
  std::printf("%-20s %8.1f %8.1f\n", "all", sums[0], sums[1]);
}

}  // namespace

int main(int argc, char** argv) {
  const Settings s = read(argc, argv);
  Result<ModelSpec> spec = ModelSpec::load(s.path);
  if (!spec) return std::fprintf(stderr, "%s\n", spec.error().c_str()), 1;
  Result<Model> model = spec->compile();
  if (!model) return std::fprintf(stderr, "%s\n", model.error().c_str()), 1;
  if (s.stages) {
    s.batch.single_precision ? print_stages<float>(*model, s) : print_stages<double>(*model, s);
    return 0;
  }
  Drive drive(*model, s);
  drive.run(200);
  double least = 1e300;
  for (int i = 0; i < s.repeat; i++) {
    const std::clock_t from = std::clock();  // of the processor: others may share it
    drive.run(s.steps);
    const double took = 1e6 * double(std::clock() - from) / CLOCKS_PER_SEC;
    const double per = took / s.steps / s.worlds;
    if (s.each) std::printf("%.4f ", per);
    least = std::min(least, per);
  }
  std::printf("%.4f us, %d lanes, hash %016lx\n", least, drive.width(), drive.hash());
}
