// compare.cc: `lockstep compare`: against an installed MuJoCo. MuJoCo is reached through its Python
// package, so this command becomes the Python module lockstep.compare.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "commands.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

// where this program is
fs::path own_directory() {
  std::error_code error;
  fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : path.parent_path();
}

// as told, else the Python this program was installed with, else the first on the path
std::string find_python(const fs::path& here) {
  if (const char* told = std::getenv("LOCKSTEP_PYTHON")) return told;
  const fs::path beside = here / "python";
  return !here.empty() && access(beside.c_str(), X_OK) == 0 ? beside.string() : "python3";
}

// in a build tree, the package stands beside the program
void add_built_package(const fs::path& here) {
  const fs::path package = here.parent_path() / "python";
  if (!fs::exists(package / "lockstep" / "__init__.py")) return;
  const char* old = std::getenv("PYTHONPATH");
  const std::string path = old ? package.string() + ":" + old : package.string();
  setenv("PYTHONPATH", path.c_str(), 1);
}

int become_python(const std::vector<std::string>& arguments) {
  const fs::path here = own_directory();
  std::vector<std::string> words{find_python(here), "-m", "lockstep.compare"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  add_built_package(here);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::cout.flush();
  execvp(pointers[0], pointers.data());
  std::cerr << fmt::format(
      "error: {}: cannot be run; LOCKSTEP_PYTHON names the Python that has lockstep and mujoco\n",
      words[0]);
  return 2;
}

}  // namespace

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
    exit_code = become_python(arguments);
  });
}

}  // namespace lockstep::cli
