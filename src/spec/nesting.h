// nesting.h: how many bodies stand around each other. Trees are walked by recursion, which needs a
// bound: MuJoCo's.
#pragma once

#include "spec/spec.h"

namespace lockstep {

inline constexpr int max_body_nesting = 1023;  // below the world

// levels below the world, which has none
int nesting(const Body& body);
// a body more than `room` levels below `root`, or null
const Body* too_deep(const Body& root, int room);

}  // namespace lockstep
