// derive.cc: what follows from the packed arrays of a Model by computation.
#include "compile/build.h"
#include "compile/constants.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

std::vector<SpringDamper> spring_dampers(const Build& b) {
  std::vector<SpringDamper> result;
  for (const Joint* joint : b.joints) {
    const auto& pair = joint->springdamper;
    if (pair[0] > 0 && pair[1] > 0) result.push_back({joint->id, pair[0], pair[1]});
  }
  return result;
}

}  // namespace

void compute_constants(Build& b) {
  Model& m = b.model;
  if (std::string problem = set_const(m); !problem.empty()) {
    b.diagnostics.error(b.spec.source, problem);
    return;
  }
  if (int tendon = wrapped_armature_tendon(m); tendon >= 0) {
    b.error(*b.spec.tendons[tendon], "armature",
            "a tendon that wraps around geoms cannot have armature");
  }
  set_springdamper(m, spring_dampers(b));
  set_dampratio(m);
  set_springlength(m);
  set_statistic(m, b.spec.stat);
}

}  // namespace lockstep
