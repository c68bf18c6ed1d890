// sizes.cc: sizes a file asks for, and the allocation of the arrays once all are known.
#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {

void allocate_model(Build& b) {
  Model& m = b.model;
  if (!m.allocate()) {
    b.diagnostics.error(b.spec.source, "the model is too large to be held in memory");
    return;
  }
  // -1: as many as are needed
  m.njmax = b.spec.njmax;
  m.nconmax = b.spec.nconmax;
}

}  // namespace lockstep
