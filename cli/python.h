// python.h: commands that need MuJoCo are modules of the Python package.
#pragma once

#include <string>
#include <vector>

namespace lockstep::cli {

// this process goes on as `python -m module arguments`; returns an exit code only if there is none
int become_python(const std::string& module, const std::vector<std::string>& arguments);

}  // namespace lockstep::cli
