// functions.cc: mj_* functions about models.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind.h"
#include "model_object.h"

namespace lockstep::python {
namespace {

constexpr int mujoco_version = 4000000;  // the API that the package speaks

int find_id(ModelObject& m, int type, const std::string& name) {
  return m.id_of(static_cast<ObjType>(type), name);
}

std::optional<std::string> find_name(ModelObject& m, int type, int id) {
  std::string_view name = id2name(m.model(), static_cast<ObjType>(type), id);
  if (name.empty()) return std::nullopt;
  return std::string(name);
}

}  // namespace

void bind_functions(nb::module_& m) {
  m.def("mj_version", [] { return mujoco_version; }, "Version of the API, as a number.");
  m.def("mj_versionString", [] { return "4.0.0"; }, "Version of the API.");
  m.def("mj_name2id", find_id, nb::arg("m"), nb::arg("type"), nb::arg("name"),
        "Id of an object, -1 if there is none.");
  m.def("mj_id2name", find_name, nb::arg("m"), nb::arg("type"), nb::arg("id"),
        "Name of an object, None if it has none.");
}

}  // namespace lockstep::python
