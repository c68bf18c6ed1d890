// custom.cc: numbers, texts and tuples that mean something to the user only.
#include <fmt/core.h>

#include <algorithm>

#include "compile/objects/common.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

constexpr int max_numeric = 1 << 28;

void size_numeric(Build& b, Numeric& numeric) {
  const int given = static_cast<int>(numeric.data.size());
  if (numeric.size == 0) numeric.size = given;
  if (numeric.size <= 0) {
    expect(b.error(numeric, "size", "a numeric field needs a size or data"), "a positive size",
           std::to_string(numeric.size));
  } else if (numeric.size < given) {
    expect(b.error(numeric, "size", "smaller than the data given"),
           fmt::format("{} or more", given), std::to_string(numeric.size));
  } else if (numeric.size > max_numeric) {
    expect(b.error(numeric, "size", "absurdly large"), fmt::format("at most {}", max_numeric),
           std::to_string(numeric.size));
  } else {
    b.model.nnumericdata += numeric.size;
  }
}

void size_tuple(Build& b, const Tuple& tuple) {
  const size_t size = tuple.objtype.size();
  if (size == 0) {
    b.error(tuple, "", "a tuple needs at least one element");
    return;
  }
  if (tuple.objname.size() != size || tuple.objprm.size() != size) {
    expect(b.error(tuple, "", "types, names and parameters of a tuple differ in number"),
           fmt::format("{} of each", size),
           fmt::format("{} names, {} parameters", tuple.objname.size(), tuple.objprm.size()));
    return;
  }
  for (size_t i = 0; i < size; i++) {
    b.resolve(tuple, "objname", static_cast<ObjType>(tuple.objtype[i]), tuple.objname[i]);
  }
  b.model.ntupledata += static_cast<int64_t>(size);
}

}  // namespace

void compile_custom(Build& b) {
  for (Numeric* numeric : b.spec.numerics) size_numeric(b, *numeric);
  for (const Text* text : b.spec.texts) {
    if (text->data.empty()) b.error(*text, "data", "a text cannot be empty");
    b.model.ntextdata += static_cast<int64_t>(text->data.size()) + 1;
  }
  for (const Tuple* tuple : b.spec.tuples) size_tuple(b, *tuple);
}

void pack_custom(Build& b) {
  Model& m = b.model;
  int adr = 0;
  for (const Numeric* numeric : b.spec.numerics) {
    m.numeric_adr[numeric->id] = adr;
    m.numeric_size[numeric->id] = numeric->size;
    std::copy(numeric->data.begin(), numeric->data.end(), m.numeric_data + adr);
    adr += numeric->size;
  }
  adr = 0;
  for (const Text* text : b.spec.texts) {
    const int size = static_cast<int>(text->data.size()) + 1;
    m.text_adr[text->id] = adr;
    m.text_size[text->id] = size;
    std::copy(text->data.begin(), text->data.end(), m.text_data + adr);
    adr += size;
  }
  adr = 0;
  for (const Tuple* tuple : b.spec.tuples) {
    m.tuple_adr[tuple->id] = adr;
    m.tuple_size[tuple->id] = static_cast<int>(tuple->objtype.size());
    for (size_t i = 0; i < tuple->objtype.size(); i++, adr++) {
      m.tuple_objtype[adr] = tuple->objtype[i];
      m.tuple_objid[adr] =
          b.resolve(*tuple, "objname", static_cast<ObjType>(tuple->objtype[i]), tuple->objname[i]);
      m.tuple_objprm[adr] = tuple->objprm[i];
    }
  }
}

}  // namespace lockstep
