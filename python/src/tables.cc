// tables.cc: enumerations and constants as data; lockstep/enums.py and constants.py make names of
// them.
#include <nanobind/stl/string.h>

#include "bind.h"
#include "model/data.h"
#include "model/types.h"
#include "model_object.h"
#include "step/engine.h"

namespace lockstep::python {

nb::object make_enum(const char* name, int value) {
  return nb::module_::import_("lockstep.enums").attr(name)(value);
}

namespace {

const char* dtype_name(Dtype dtype) {
  switch (dtype) {
    case Dtype::f64: return "float64";
    case Dtype::f32: return "float32";
    case Dtype::i32: return "int32";
    case Dtype::i64: return "int64";
    case Dtype::u8: return "uint8";
    case Dtype::boolean: return "bool";
    case Dtype::chr: return "bytes";
  }
  return "";
}

// (name, type, size that counts the rows, documentation) of each array
nb::list field_table(const std::vector<FieldInfo>& fields) {
  nb::list table;
  auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
  for (const FieldInfo& field : fields) {
    table.append(nb::make_tuple(text(field.name), dtype_name(field.dtype), text(field.rows_name),
                                text(field.doc)));
  }
  return table;
}

// which stage writes a field of Data
nb::dict field_stages() {
  nb::dict writers;
#define FIELD(element, name, rows, cols, stage, doc) writers[#name] = #stage;
#define SCRATCH(element, name, rows, cols)
#define SCALAR(element, name, count, stage, doc) writers[#name] = #stage;
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
#define ROOM(name, doc)
#define ARENA(element, name, rows, cols, stage, doc) \
  if (!std::string_view(#name).starts_with("con_")) writers[#name] = #stage;
#define WORK(element, name, rows, cols)
#define REPORT(element, name, rows, cols, stage, doc) writers[#name] = #stage;
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT
  return writers;
}

}  // namespace

void bind_tables(nb::module_& m) {
  nb::dict enums;
  for (const EnumInfo& info : all_enums()) {
    nb::dict values;
    for (const EnumValue& value : info.values) {
      values[nb::str(value.name.data(), value.name.size())] = value.number;
    }
    enums[nb::str(info.name.data(), info.name.size())] = values;
  }
  m.attr("enum_table") = enums;
  nb::dict constants;
#define CONSTANT(name) constants[#name] = name;
  CONSTANT(mjNEQDATA)
  CONSTANT(mjNDYN)
  CONSTANT(mjNGAIN)
  CONSTANT(mjNBIAS)
  CONSTANT(mjNFLUID)
  CONSTANT(mjNREF)
  CONSTANT(mjNIMP)
  CONSTANT(mjNPOLY)
  CONSTANT(mjNSENS)
  CONSTANT(mjNISLAND)
  CONSTANT(mjNSOLVER)
  CONSTANT(mjMINAWAKE)
  CONSTANT(mjMINVAL)
  CONSTANT(mjPI)
#undef CONSTANT
  m.attr("constant_table") = constants;
  m.attr("model_fields") = field_table(Model().fields());
  std::vector<FieldInfo> of_data = Data().fields(Model()), arena = Data().arena_fields(Model());
  for (const FieldInfo& field : arena) {
    if (!field.name.starts_with("con_")) of_data.push_back(field);  // those are in MjData.contact
  }
  m.attr("data_fields") = field_table(of_data);
  m.attr("field_stages") = field_stages();
  nb::list stages;
  for (int i = 0; i < stage_count(); i++) {
    const StageInfo stage = stage_info(i);
    stages.append(
        nb::make_tuple(int(stage.phase), std::string(stage.name), std::string(stage.what)));
  }
  m.attr("stages") = stages;
}

}  // namespace lockstep::python
