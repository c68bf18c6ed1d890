// run.cc: `lockstep run`: steps a model, writes its trajectory, says how it went.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <random>

#include "base/files.h"
#include "commands.h"
#include "load.h"
#include "step/engine.h"
#include "step/solver_report.h"
#include "trajectory.h"

namespace lockstep::cli {
namespace {

struct RunOptions {
  std::string file, out, ctrl = "0", key;
  double time = 10;  // seconds
  double dt = 0;     // seconds; 0: the model's
  uint64_t seed = 0;
  int64_t every = 1;  // steps between records
  bool json = false, quiet = false;
};

// what a run was like
struct Summary {
  int64_t steps = 0;
  double simulated = 0, wall = 0;           // seconds
  double energy_start = 0, energy_end = 0;  // J
  std::vector<std::pair<std::string, int>> warnings;
  std::string error;  // what ended it before its time
};

// numbers that are the same on every machine
class Random {
 public:
  explicit Random(uint64_t seed) : bits_(seed) {}
  double between(double low, double high) {
    constexpr double unit = 0x1p-53;
    return low + (high - low) * (double(bits_() >> 11) * unit);
  }

 private:
  std::mt19937_64 bits_;
};

// controls of a step: the same number for all, or random ones within their ranges, else within ±1
void choose_controls(const Model& m, Data& d, const RunOptions& options, Random& random) {
  for (int u = 0; u < m.nu; u++) {
    if (options.ctrl != "random") {
      d.ctrl[u] = std::stod(options.ctrl);
      continue;
    }
    const bool limited = m.actuator_ctrllimited[u];
    d.ctrl[u] = limited
                    ? random.between(m.actuator_ctrlrange[2 * u], m.actuator_ctrlrange[2 * u + 1])
                    : random.between(-1, 1);
  }
}

int find_key(const Model& m, const std::string& key) {
  const int id = name2id(m, ObjType::key, key);
  if (id >= 0) return id;
  size_t used = 0;
  int number = -1;
  try {
    number = std::stoi(key, &used);
  } catch (const std::exception&) {
  }
  return used == key.size() && number >= 0 && number < m.nkey ? number : -1;
}

void show_progress(int64_t step, int64_t steps, double seconds) {
  constexpr int width = 30;
  const int filled = int(width * step / steps);
  const double left = step ? seconds * double(steps - step) / double(step) : 0;
  std::cerr << fmt::format("\r[{:=<{}}{: <{}}] {:3.0f} %  {:.1f} s left ", "", filled, "",
                           width - filled, 100.0 * double(step) / double(steps), left)
            << std::flush;
}

Summary simulate(Model& m, Data& d, const RunOptions& options, Trajectory& trajectory) {
  using Clock = std::chrono::steady_clock;
  const auto total = [&d] { return d.energy[0] + d.energy[1]; };
  const int64_t steps = std::llround(std::ceil(options.time / m.opt.timestep - 1e-9));
  const bool progress = !options.quiet && isatty(STDERR_FILENO);
  Summary summary;
  summary.steps = steps;
  Random random(options.seed);
  forward(m, d);
  summary.energy_start = total();
  trajectory.record(m, d);
  const double start_time = *d.time;
  auto start = Clock::now(), shown = start;
  const auto seconds = [&start](Clock::time_point now) {
    return std::chrono::duration<double>(now - start).count();
  };
  for (int64_t i = 1; i <= steps; i++) {
    choose_controls(m, d, options, random);
    if (step(m, d) != Status::ok) {
      summary.error = unsolved_text(m, d);
      summary.steps = i - 1;
      break;
    }
    if (i % options.every == 0 || i == steps) trajectory.record(m, d);
    const auto now = Clock::now();
    if (progress && now - shown > std::chrono::milliseconds(100)) {
      shown = now;
      show_progress(i, steps, seconds(now));
    }
  }
  summary.wall = seconds(Clock::now());
  if (progress) std::cerr << "\r\033[K";
  summary.simulated = *d.time - start_time;
  for (int kind = 0; kind < mjNWARNING; kind++) {
    if (!d.warning[kind]) continue;
    summary.warnings.emplace_back(keyword_of(static_cast<Warning>(kind)), d.warning[kind]);
  }
  forward(m, d);
  summary.energy_end = total();
  return summary;
}

double drift(const Summary& s) { return s.energy_end - s.energy_start; }

void print_summary(const RunOptions& options, const Summary& s, int64_t rows) {
  std::cout << fmt::format("{}: {} steps, {:.6g} s simulated in {:.3g} s\n", options.file, s.steps,
                           s.simulated, s.wall);
  std::cout << fmt::format("  steps per second   {:.4g}\n", double(s.steps) / s.wall);
  std::cout << fmt::format("  real-time factor   {:.4g}\n", s.simulated / s.wall);
  std::cout << fmt::format("  energy             {:.9g} J at the start, {:.9g} J at the end\n",
                           s.energy_start, s.energy_end);
  std::cout << fmt::format("  energy drift       {:.3g} J\n", drift(s));
  for (const auto& [kind, count] : s.warnings) {
    std::cerr << fmt::format("warning: {} was raised {} times\n", kind, count);
  }
  if (!options.out.empty()) std::cout << fmt::format("  {}: {} rows\n", options.out, rows);
}

Json summary_json(const RunOptions& options, const Summary& s, int64_t rows) {
  Json report{{"file", options.file},
              {"steps", s.steps},
              {"simulated_seconds", s.simulated},
              {"wall_seconds", s.wall},
              {"steps_per_second", double(s.steps) / s.wall},
              {"real_time_factor", s.simulated / s.wall}};
  report["energy"] = {{"start", s.energy_start}, {"end", s.energy_end}, {"drift", drift(s)}};
  report["warnings"] = Json::object();
  for (const auto& [kind, count] : s.warnings) report["warnings"][kind] = count;
  if (!options.out.empty()) report["out"] = {{"file", options.out}, {"rows", rows}};
  return report;
}

bool write_trajectory(const std::string& path, const Trajectory& trajectory) {
  bool good;
  if (extension_of(path) == "npz") {
    const Bytes bytes = trajectory.npz();
    good = write_bytes(path, bytes.data(), bytes.size());
  } else {
    const std::string text = trajectory.csv();
    good = write_bytes(path, text.data(), text.size());
  }
  if (!good) std::cerr << fmt::format("error: {}: cannot be written\n", path);
  return good;
}

// what can be wrong with options before a model is loaded; empty if nothing is
std::string wrong_options(const RunOptions& options) {
  if (!(options.time > 0) || !std::isfinite(options.time)) return "--time must be positive";
  if (!(options.dt >= 0) || !std::isfinite(options.dt)) return "--dt must be positive";
  if (options.every < 1) return "--every must be at least 1";
  const std::string kind = extension_of(options.out);
  if (!options.out.empty() && kind != "npz" && kind != "csv") {
    return options.out + ": unknown kind of file; known are .npz (NumPy) and .csv";
  }
  if (options.ctrl == "random") return "";
  char* end = nullptr;
  const double value = std::strtod(options.ctrl.c_str(), &end);
  const bool number = end && !*end && !options.ctrl.empty() && std::isfinite(value);
  return number ? "" : "--ctrl must be a number or \"random\"";
}

int run(const RunOptions& options) {
  if (std::string wrong = wrong_options(options); !wrong.empty()) {
    std::cerr << "error: " << wrong << "\n";
    return 2;
  }
  Loaded loaded = load(options.file);
  print_diagnostics(loaded.diagnostics);
  if (!loaded.compiled) return 1;
  Model& m = loaded.compiled->model;
  if (options.dt > 0) m.opt.timestep = options.dt;
  m.opt.enableflags |= code(EnableBit::energy);
  if (const std::string names = not_simulated(m); !names.empty()) {
    std::cerr << "warning: not simulated yet: " << names << "\n";
  }
  Data d = make_data(m);
  if (!options.key.empty()) {
    const int key = find_key(m, options.key);
    if (key < 0) {
      std::cerr << fmt::format("error: {}: there is no keyframe \"{}\"\n", options.file,
                               options.key);
      return 1;
    }
    reset_keyframe(m, d, key);
  }
  Trajectory trajectory(m);
  const Summary summary = simulate(m, d, options, trajectory);
  if (!options.out.empty() && !write_trajectory(options.out, trajectory)) return 1;
  if (options.json) {
    std::cout << summary_json(options, summary, trajectory.rows()).dump(2) << "\n";
  } else {
    print_summary(options, summary, trajectory.rows());
  }
  if (summary.error.empty()) return 0;
  std::cerr << fmt::format("error: step {}: {}\n", summary.steps + 1, summary.error);
  return 1;
}

}  // namespace

void add_run(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = program.add_subcommand("run", "Simulate a model and record its trajectory");
  command->add_option("model", options->file, "MJCF file (.xml), MJZ archive or binary model")
      ->required();
  command->add_option("--time", options->time, "seconds to simulate (10)");
  command->add_option("--dt", options->dt, "time step in seconds, instead of the model's");
  command->add_option("--out", options->out,
                      "file for the trajectory: .npz (NumPy arrays) or .csv");
  command->add_option("--every", options->every, "record every so many steps (1)");
  command->add_option("--ctrl", options->ctrl,
                      "controls: one number for all, or \"random\" within their ranges (0)");
  command->add_option("--seed", options->seed, "of random controls (0)");
  command->add_option("--key", options->key, "keyframe to start from, by name or number");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->add_flag("--quiet", options->quiet, "no progress bar");
  command->footer(
      "The trajectory has time, qpos, qvel, act, ctrl, sensordata and energy, a row per record,\n"
      "the first one before the first step.\n"
      "Examples:\n"
      "  lockstep run robot.xml --time 10 --out trajectory.npz\n"
      "  lockstep run robot.xml --ctrl random --seed 3 --every 10 --out trajectory.csv\n"
      "  lockstep run robot.xml --key stand --json | jq .real_time_factor");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace lockstep::cli
