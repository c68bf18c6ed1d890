// flex.cc: flexes are read and kept in the user's spec, but not simulated yet.
#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {

void drop_flexes(Build& b) {
  for (Flex* flex : std::vector<Flex*>(b.spec.flexes)) {
    b.warning(*flex, "", "flexes are not simulated yet: the model is compiled without it");
    b.spec.remove(flex);
  }
  for (const Body* body : b.spec.all<Body>()) {
    for (const Verbatim& element : body->verbatim) {
      b.diagnostics.warning(element.source, "not simulated yet: the model is compiled without it")
          .element = element.name;
    }
  }
  for (Equality* equality : std::vector<Equality*>(b.spec.equalities)) {
    if (equality->type == EqType::flex || equality->type == EqType::flexstrain) {
      b.spec.remove(equality);
    }
  }
}

}  // namespace lockstep
