// sizes.cc: sizes a file asks for, and the allocation of the arrays once all are known.
#include <limits>

#include "compile/build.h"
#include "compile/passes.h"
#include "model/data.h"

namespace lockstep {
namespace {

// constraint rows of equalities
int rows_of(EqType type) {
  switch (type) {
    case EqType::connect: return 3;
    case EqType::weld: return 7;  // with its torque scale
    default: return 1;
  }
}

// The engine could address more, but no model of this size was ever meant: what asks for it is a
// slip of the pen that would exhaust memory.
constexpr int64_t max_bytes = int64_t{1} << 32;  // of a Model, and of a Data

bool fits_memory(const Model& m) {
  int64_t total = 0;
  for (const FieldInfo& field : m.fields()) {
    if (field.cols > 0 && field.rows > max_bytes / field.cols) return false;
    total += field.bytes();
    if (total > max_bytes) return false;
  }
  DataView<double> unused;
  return lay_out(m, nullptr, unused) <= max_bytes;
}

}  // namespace

void compile_sizes(Build& b) {
  Model& m = b.model;
  m.nuserdata = b.spec.nuserdata;
  m.nemax = 0;
  for (const Equality* equality : b.spec.equalities) m.nemax += rows_of(equality->type);
}

void allocate_model(Build& b) {
  Model& m = b.model;
  // addresses are 32-bit numbers
  for (const SizeInfo& size : m.sizes()) {
    if (*size.value <= std::numeric_limits<int>::max()) continue;
    b.diagnostics.error(b.spec.source, "the model is too large").found = size.name;
    return;
  }
  if (!fits_memory(m) || !m.allocate()) {
    b.diagnostics.error(b.spec.source, "the model is too large to be held in memory");
    return;
  }
  // -1: as many as are needed
  m.njmax = b.spec.njmax;
  m.nconmax = b.spec.nconmax;
}

}  // namespace lockstep
