// switching_numbers.h: numbers of a Model that decide what there is rather than how much of it:
// which states an actuator has, which site a tendon passes, whether a geom has a bounding sphere.
// Lanes are taken through the same stages, so that worlds in which these differ cannot share them.
#pragma once

#include <string_view>
#include <vector>

#include "model/model.h"

namespace lockstep {

struct SwitchingNumber {
  std::string_view field;
  int64_t cell;
  bool sign;  // only whether it is positive matters
};

std::vector<SwitchingNumber> switching_numbers(const Model& m);

}  // namespace lockstep
