// limits.h: what "auto" means for limits that have a range.
#pragma once

#include <array>

#include "compile/build.h"

namespace lockstep {

// Whether a limit holds. With autolimits off, a range without a word about the limit is an error:
// reported, and false.
bool is_limited(Build& b, const Element& element, std::string_view attribute, Limited limited,
                const std::array<double, 2>& range);

}  // namespace lockstep
