#include "python.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

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

}  // namespace

int become_python(const std::string& module, const std::vector<std::string>& arguments) {
  const fs::path here = own_directory();
  std::vector<std::string> words{find_python(here), "-m", module};
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

}  // namespace lockstep::cli
