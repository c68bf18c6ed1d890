// env_settings.h: numbers by name, as a compiled task is made with.
#pragma once

#include <nanobind/nanobind.h>

#include "env/task.h"

namespace lockstep::python {

// of a dictionary of lists
env::Settings settings_of(const nanobind::dict& given);

}  // namespace lockstep::python
