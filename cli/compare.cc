// compare.cc: `lockstep compare`: against an installed MuJoCo. MuJoCo is reached through its Python
// package, so this command becomes the Python module lockstep.compare.
#include "commands.h"
#include "python.h"

namespace lockstep::cli {

void add_compare(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "compare", "Compare with an installed MuJoCo, stage by stage (runs Python)");
  auto model = std::make_shared<std::string>();
  auto numbers = std::make_shared<std::map<std::string, int>>();
  auto all = std::make_shared<bool>(false);
  command->add_option("model", *model, "MJCF file (.xml), MJZ archive or binary model")->required();
  command->add_option("--states", (*numbers)["--states"] = 20,
                      "random states to compare from (20)");
  command->add_option("--steps", (*numbers)["--steps"] = 100,
                      "steps of the trajectory to compare (100)");
  command->add_option("--seed", (*numbers)["--seed"] = 0, "of the random states (0)");
  command->add_flag("--all", *all, "show all fields, not only the worst of each stage");
  command->footer(
      "From random states, both engines compute everything that follows and one step. The table\n"
      "shows the worst residual of each stage; the last line names the first field that deviates,\n"
      "and the exit code is 1 if there is one.\n"
      "MuJoCo is reached through Python: the interpreter beside this program, or python3, or what\n"
      "LOCKSTEP_PYTHON says, needs the packages lockstep and mujoco. `python -m lockstep.compare`\n"
      "is the same command.\n"
      "Examples:\n"
      "  lockstep compare robot.xml\n"
      "  lockstep compare robot.xml --states 100 --all");
  command->callback([model, numbers, all, &exit_code] {
    std::vector<std::string> arguments{*model};
    for (const auto& [name, value] : *numbers) {
      arguments.push_back(name);
      arguments.push_back(std::to_string(value));
    }
    if (*all) arguments.push_back("--all");
    exit_code = become_python("lockstep.compare", arguments);
  });
}

}  // namespace lockstep::cli
