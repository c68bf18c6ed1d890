// copy_back.h: what a user changed in a Model goes back into the compiled spec, for saving as MJCF.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"
#include "spec/spec.h"

namespace lockstep::python {

// The arrays of elements as they were compiled, by field. A spec may say a number in another way
// (a damping ratio, a pose in a frame), so only what was changed since is copied.
using Baseline = std::vector<std::vector<uint8_t>>;
Baseline take_baseline(const Model& m);

void copy_back(const Model& m, const Baseline& baseline, Spec& spec);

}  // namespace lockstep::python
