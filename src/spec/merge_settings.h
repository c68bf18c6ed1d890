// merge_settings.h: options and sizes of two specs that become one.
#pragma once

#include "spec/spec.h"

namespace lockstep {

// Compares what the child says about the whole model with what the parent says. The parent's
// compiler setting `conflict` tells what to do where they differ: keep the parent's values and
// warn, merge, or refuse. False if refused, with an error; the parent is then unchanged.
bool merge_settings(Spec& parent, const Spec& child, Diagnostics& diagnostics);

}  // namespace lockstep
