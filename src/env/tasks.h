// tasks.h: tasks by name: Gymnasium's, and those of shared libraries.
#pragma once

#include <memory>
#include <string>

#include "env/task.h"

namespace lockstep::env {

// A name of the table in tasks.cc, or the path of a library that has a LOCKSTEP_TASK. Throws
// std::invalid_argument if there is none, or if it lacks a setting.
std::unique_ptr<Task> make_task(const std::string& name, const Settings& settings);

}  // namespace lockstep::env
