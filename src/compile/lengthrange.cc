// lengthrange.cc: length ranges of actuators, by simulation where the compiler settings ask for it.
#include "compile/build.h"
#include "compile/constants.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

bool wants_lengthrange(const Model& m, int actuator, const LengthRangeOptions& options) {
  int gain = m.actuator_gaintype[actuator], bias = m.actuator_biastype[actuator];
  bool muscle = gain == code(GainType::muscle) || bias == code(BiasType::muscle);
  bool user = gain == code(GainType::user) || bias == code(BiasType::user);
  switch (static_cast<LRMode>(options.mode)) {
    case LRMode::none: return false;
    case LRMode::muscle: return muscle;
    case LRMode::muscleuser: return muscle || user;
    default: return true;
  }
}

}  // namespace

void compute_lengthranges(Build& b) {
  const LengthRangeOptions& options = b.spec.compiler->LRopt;
  for (const Actuator* actuator : b.spec.actuators) {
    if (!wants_lengthrange(b.model, actuator->id, options)) continue;
    std::string problem = set_lengthrange(b.model, actuator->id, options);
    if (!problem.empty()) b.error(*actuator, "lengthrange", problem);
  }
}

}  // namespace lockstep
