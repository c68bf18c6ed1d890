// tables.cc: enumerations and constants as data; lockstep/enums.py and constants.py make names of
// them.
#include <nanobind/stl/string.h>

#include "bind.h"
#include "model/types.h"
#include "model_object.h"

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
}

}  // namespace lockstep::python
