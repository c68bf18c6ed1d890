// chain.h: the order of the points along a rod.
#pragma once

#include <vector>

namespace lockstep::flexcomp {

// Points of a single open chain of lines (2 points each) from end to end, empty if the lines are
// anything else. It begins with an end that stands first in its line, or else with the lower one.
std::vector<int> open_chain(const std::vector<int>& lines);

}  // namespace lockstep::flexcomp
