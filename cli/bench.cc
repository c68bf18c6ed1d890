// bench.cc: `lockstep bench`: how fast a model runs, beside an installed MuJoCo. It becomes the
// Python module lockstep.bench.
#include "commands.h"
#include "python.h"

namespace lockstep::cli {

void add_bench(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "bench", "Measure how fast models run, one world and many (runs Python)");
  auto models = std::make_shared<std::vector<std::string>>();
  auto words = std::make_shared<std::map<std::string, std::string>>();
  command->add_option("models", *models, "MJCF files (.xml), MJZ archives or binary models")
      ->required();
  command->add_option("--worlds", (*words)["--worlds"], "in a batch (1024)");
  command->add_option("--threads", (*words)["--threads"],
                      "numbers of threads to measure with, as 1,2 (1); 0: all processors");
  command->add_option("--seconds", (*words)["--seconds"], "to measure each way for (1)");
  command->add_option("--json", (*words)["--json"], "file to write all figures to");
  auto mjx = std::make_shared<bool>();
  command->add_flag("--mjx", *mjx, "measure MJX on the CPU too (mujoco-mjx, jax): takes minutes");
  command->footer(
      "One world, and a batch of many in double and single precision, are measured alternately\n"
      "with MuJoCo's mj_step, mujoco.batch and mujoco.rollout, under random controls. The ratio\n"
      "compares with the fastest of those with as many threads; above 1, Lockstep is faster.\n"
      "It needs the Python package lockstep, and mujoco to compare with; LOCKSTEP_PYTHON names "
      "the\n"
      "interpreter. `python -m lockstep.bench` is the same command.\n"
      "Examples:\n"
      "  lockstep bench robot.xml\n"
      "  lockstep bench robot.xml --worlds 4096 --threads 1,2 --json speed.json");
  command->callback([models, words, mjx, &exit_code] {
    std::vector<std::string> arguments = *models;
    for (const auto& [name, value] : *words) {
      if (value.empty()) continue;
      arguments.push_back(name);
      arguments.push_back(value);
    }
    if (*mjx) arguments.push_back("--mjx");
    exit_code = become_python("lockstep.bench", arguments);
  });
}

}  // namespace lockstep::cli
