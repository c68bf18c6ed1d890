#include "compile/compile.h"

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

struct Pass {
  const char* name;
  void (*run)(Build&);
};

// clang-format off
constexpr Pass passes[] = {
    // the working copy is edited and numbered
    {"number elements",      number_elements},
    // the model is sized and allocated
    {"allocate",             allocate_model},
    // the working copy is packed
};
// clang-format on

// elements of the user's spec get the numbers of their copies; those that the compiler removed have
// none
void write_back_ids(Spec& spec, const Spec& copy) {
  for (int kind = 0; kind < mjNOBJECT; kind++) {
    for (Element* element : spec.all(static_cast<ObjType>(kind))) element->id = -1;
  }
  for (int kind = 0; kind < mjNOBJECT; kind++) {
    for (const Element* element : copy.all(static_cast<ObjType>(kind))) {
      if (element->origin) element->origin->id = element->id;
    }
  }
}

}  // namespace

std::unique_ptr<Compiled> compile(Spec& spec, Diagnostics& diagnostics) {
  auto result = std::make_unique<Compiled>();
  result->spec = spec.copy();
  Diagnostics own;
  Build build(*result->spec, result->model, own);
  for (const Pass& pass : passes) {
    pass.run(build);
    if (own.failed()) break;
  }
  diagnostics.append(own);
  if (own.failed()) return nullptr;
  write_back_ids(spec, *result->spec);
  spec.signature = result->spec->signature = result->model.signature;
  return result;
}

}  // namespace lockstep
