// copy_back.h: numbers that a user changed in a Model go back into the spec it was compiled from.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compile/compile.h"

namespace lockstep {

// The arrays of elements as they were compiled, by field. A spec may say a number in another way
// (a damping ratio, a pose in a frame), so only what was changed since is copied.
using Baseline = std::vector<std::vector<uint8_t>>;
Baseline take_baseline(const Model& m);

// Into the compiled spec itself (Compiled::spec), for saving it with its new numbers.
void copy_back(const Model& m, const Baseline& baseline, Spec& compiled);

// Into the spec that was compiled, each number as what compiles to it: poses in their frames,
// angles in the unit of the file. `compiled` is the Compiled::spec of that time. The result is what
// the spec compiles to now; null after an error, if a number was changed that the spec cannot
// express, and nothing is copied then.
std::unique_ptr<Compiled> copy_back(const Model& m, const Baseline& baseline, const Spec& compiled,
                                    Spec& spec, Diagnostics& diagnostics);

}  // namespace lockstep
