// history.h: buffers of past controls and readings.
#pragma once

#include <cstdint>

#include "compile/build.h"

namespace lockstep {

// false after an error
bool check_history(Build& b, const Element& element, int nsample, double delay);

// address of a new buffer in the history vector, -1 if there is nothing to keep
int history_address(Model& m, int nsample, int dim);

}  // namespace lockstep
