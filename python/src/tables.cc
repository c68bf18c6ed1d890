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
  CONSTANT(mjMINVAL)
  CONSTANT(mjPI)
#undef CONSTANT
  m.attr("constant_table") = constants;
}

}  // namespace lockstep::python
