// data_bind.cc: MjData: the state and results of one world; arrays from the list.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "bind.h"
#include "compile/constants.h"
#include "data_object.h"

namespace lockstep::python {
namespace {

using nb::arg;

DataObject make(nb::object model) {
  return {model, std::make_shared<DataHolder>(nb::cast<ModelObject&>(model).holder)};
}

DataObject copy(DataObject& self) {
  DataObject other{self.model, std::make_shared<DataHolder>(self.holder->model)};
  for (size_t i = 0; i < self.holder->fields.size(); i++) {
    const FieldInfo &from = self.holder->fields[i], &to = other.holder->fields[i];
    if (from.bytes()) std::memcpy(to.data, from.data, size_t(from.bytes()));
  }
  return other;
}

void add_fields(nb::class_<DataObject>& type) {
  std::vector<FieldInfo> fields = Data().fields(Model());
  for (size_t i = 0; i < fields.size(); i++) {
    if (fields[i].name == "time" || fields[i].name.starts_with("warning")) continue;
    std::string name(fields[i].name);
    auto get = [i](DataObject& self) { return self.array(i); };
    auto set = [i](DataObject& self, nb::object value) { assign_array(self.array(i), value); };
    add_property(type, name.c_str(), nb::cpp_function(get), nb::cpp_function(set), fields[i].doc);
  }
}

void set_constants(ModelObject& m, DataObject& d) {
  std::string wrong;
  Data& data = data_for(m, d);
  {
    nb::gil_scoped_release released;
    wrong = set_const(m.model(), &data);
  }
  if (!wrong.empty()) throw FatalError("mj_setConst: " + wrong);
}

}  // namespace

nb::object DataObject::array(size_t index) {
  nb::object& array = arrays[index];
  if (array.is_valid()) return array;
  if (!owner.is_valid()) owner = owner_of(holder);
  const FieldInfo& field = holder->fields[index];
  std::vector<size_t> shape{size_t(field.rows)};
  if (!field.flat) shape.push_back(size_t(field.cols));
  return array = make_array(field.data, field.dtype, shape, owner);
}

Data& data_for(ModelObject& m, DataObject& d) {
  const Model &own = d.holder->model->model, &other = m.model();
  if (&own != &other) {
    auto a = own.sizes(), b = other.sizes();
    for (size_t i = 0; i < a.size(); i++) {
      if (*a[i].value != *b[i].value) throw FatalError("the data was made for another model");
    }
  }
  return d.holder->data;
}

void bind_data(nb::module_& m) {
  nb::class_<DataObject> type(m, "MjData");
  type.def(
      "__init__", [](DataObject* self, nb::object model) { new (self) DataObject(make(model)); },
      arg("model"));
  add_fields(type);
  type.def_prop_ro("model", [](DataObject& self) { return self.model; })
      .def_prop_rw(
          "time", [](DataObject& self) { return *self.holder->data.time; },
          [](DataObject& self, double time) { *self.holder->data.time = time; })
      .def_prop_ro("_address",
                   [](DataObject& self) { return reinterpret_cast<size_t>(&self.holder->data); })
      .def("__copy__", copy)
      .def("__deepcopy__", [](DataObject& self, nb::object) { return copy(self); }, arg("memo"));
  m.def(
      "mj_resetData", [](ModelObject& m, DataObject& d) { reset(m.model(), data_for(m, d)); },
      arg("m"), arg("d"), "Sets the data to the initial state.");
  m.def("mj_setConst", set_constants, arg("m"), arg("d"),
        "Derives constant fields of a model from its other fields.");
}

}  // namespace lockstep::python
