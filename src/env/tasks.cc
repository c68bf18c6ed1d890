// tasks.cc: tasks by name: those of Gymnasium, and those of shared libraries by their path.
#include "env/tasks.h"

#include <dlfcn.h>

#include "env/tasks/ant.h"
#include "env/tasks/arms.h"
#include "env/tasks/humanoids.h"
#include "env/tasks/pendulums.h"
#include "env/tasks/swimmer.h"
#include "env/tasks/walkers.h"

namespace lockstep::env {
namespace {

template <class T>
Task* make(const Settings& settings) {
  return new T(settings);
}

struct Entry {
  std::string_view name;
  Maker make;
};
constexpr Entry tasks[] = {
    {"Ant", make<Ant>},
    {"HalfCheetah", make<HalfCheetah>},
    {"Hopper", make<Hopper>},
    {"Humanoid", make<Humanoid>},
    {"HumanoidStandup", make<HumanoidStandup>},
    {"InvertedDoublePendulum", make<InvertedDoublePendulum>},
    {"InvertedPendulum", make<InvertedPendulum>},
    {"Pusher", make<Pusher>},
    {"Reacher", make<Reacher>},
    {"Swimmer", make<Swimmer>},
    {"Walker2d", make<Walker2d>},
};

// a library stays loaded: tasks made of it have their functions there
Maker load(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::invalid_argument(std::string("cannot load a task: ") + dlerror());
  void* found = dlsym(library, "lockstep_make_task");
  if (!found) throw std::invalid_argument(path + " has no LOCKSTEP_TASK");
  const auto* layout = static_cast<const int*>(dlsym(library, "lockstep_task_layout"));
  if (!layout || *layout != task_layout) {
    throw std::invalid_argument(path + " was compiled with another version of task.h");
  }
  return reinterpret_cast<Maker>(found);
}

}  // namespace

std::unique_ptr<Task> make_task(const std::string& name, const Settings& settings) {
  for (const Entry& entry : tasks) {
    if (entry.name == name) return std::unique_ptr<Task>(entry.make(settings));
  }
  if (name.find('/') == std::string::npos) {
    throw std::invalid_argument("there is no task " + name +
                                ", and the path of a library should have a /");
  }
  return std::unique_ptr<Task>(load(name)(settings));
}

}  // namespace lockstep::env
