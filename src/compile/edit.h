// edit.h: what the compiler can do to a spec itself, on request.
#pragma once

#include "base/diagnostic.h"
#include "spec/spec.h"

namespace lockstep {

// Bodies that cannot move become frames of their parents; returns how many, -1 after an error.
int fuse_static(Spec& spec, Diagnostics& diagnostics);

// What is only seen leaves the spec, its inertia stays; returns the number of elements, -1 after an
// error, which leaves the spec as it was.
int discard_visual(Spec& spec, Diagnostics& diagnostics);

// The inertial that compilation infers for a body becomes its own. False after an error.
bool adopt_inertial(Body& body, Diagnostics& diagnostics);

}  // namespace lockstep
