// model_bind.cc: MjModel: sizes, arrays and structs from the lists; copying and pickling.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind.h"
#include "model_load.h"
#include "model_object.h"
#include "struct_object.h"
#include "views.h"

namespace lockstep::python {

ModelObject::ModelObject(std::shared_ptr<ModelHolder> share)
    : holder(std::move(share)), arrays(holder->fields.size()) {}

nb::object ModelObject::array(size_t index) {
  nb::object& array = arrays[index];
  if (!array.is_valid()) {
    const FieldInfo& field = holder->fields[index];
    std::vector<size_t> shape{size_t(field.rows)};
    if (!field.flat) shape.push_back(size_t(field.cols));
    array = make_array(field.data, field.dtype, shape, array_owner());
  }
  return array;
}

const nb::object& ModelObject::array_owner() {
  if (!owner.is_valid()) owner = owner_of(holder);
  return owner;
}

int ModelObject::id_of(ObjType kind, const std::string& name) {
  auto [entry, fresh] = ids.try_emplace(code(kind));
  if (fresh) {
    NameTable table = names_of(model(), kind);
    for (int id = 0; id < table.count; id++) entry->second.emplace(id2name(model(), kind, id), id);
    entry->second.erase("");
  }
  auto found = entry->second.find(name);
  return found == entry->second.end() ? -1 : found->second;
}

int field_index(std::string_view name) {
  static const std::unordered_map<std::string_view, int> indices = [] {
    std::unordered_map<std::string_view, int> map;
    for (const FieldInfo& field : Model().fields()) map.emplace(field.name, int(map.size()));
    return map;
  }();
  auto found = indices.find(name);
  return found == indices.end() ? -1 : found->second;
}

nb::object wrap_model(Model model, std::shared_ptr<Spec> spec) {
  return nb::cast(ModelObject(std::make_shared<ModelHolder>(std::move(model), std::move(spec))));
}

namespace {

using ModelClass = nb::class_<ModelObject>;

// text blocks of a model are bytes in Python; plugin attributes are an array of small integers
bool is_text(const FieldInfo& field) {
  return field.dtype == Dtype::chr && field.name != "plugin_attr";
}

void add_fields(ModelClass& type) {
  std::vector<FieldInfo> fields = Model().fields();
  for (size_t i = 0; i < fields.size(); i++) {
    std::string name(fields[i].name);
    nb::object get, set = nb::none();
    if (is_text(fields[i])) {
      get = nb::cpp_function([i](ModelObject& self) {
        const FieldInfo& field = self.holder->fields[i];
        nb::object& text = self.arrays[i];
        if (!text.is_valid()) {
          text = nb::bytes(static_cast<const char*>(field.data), size_t(field.size()));
        }
        return text;
      });
    } else {
      get = nb::cpp_function([i](ModelObject& self) { return self.array(i); });
      set = nb::cpp_function(
          [i](ModelObject& self, nb::object value) { assign_array(self.array(i), value); },
          nb::arg(), nb::arg("value").none());
    }
    add_property(type, name.c_str(), get, set, fields[i].doc);
  }
}

void add_sizes(ModelClass& type) {
  for (const SizeInfo& size : Model().sizes()) {
    std::string name(size.name);
    int64_t Model::* member = nullptr;
#define SIZE(size_name, doc) \
  if (name == #size_name) member = &Model::size_name;
#include "model/sizes.def"
#undef SIZE
    auto get = [member](ModelObject& self) { return self.model().*member; };
    add_property(type, name.c_str(), nb::cpp_function(get), nb::none(), size.doc);
  }
}

void add_structs(ModelClass& type) {
  type.def_prop_rw(
          "opt",
          [](ModelObject& self) { return struct_of(self.opt, self.holder, self.model().opt); },
          [](ModelObject& self, StructObject<Option>& other) { self.model().opt = *other.value; })
      .def_prop_rw(
          "stat",
          [](ModelObject& self) { return struct_of(self.stat, self.holder, self.model().stat); },
          [](ModelObject& self, StructObject<Statistic>& other) {
            self.model().stat = *other.value;
          })
      .def_prop_rw(
          "vis",
          [](ModelObject& self) {
            if (!self.vis.is_valid()) {
              self.vis = visual_object(std::shared_ptr<Visual>(self.holder, &self.model().vis));
            }
            return self.vis;
          },
          [](ModelObject& self, nb::object other) { self.model().vis = visual_of(other); })
      .def_prop_ro("signature", [](ModelObject& self) { return self.model().signature; })
      .def_prop_rw(
          "flg_gravcomp", [](ModelObject& self) { return self.model().flg_gravcomp; },
          [](ModelObject& self, bool flag) {
            Model& m = self.model();
            m.flg_gravcomp = flag;
            m.ngravcomp = flag ? std::max<int64_t>(m.ngravcomp, 1) : 0;
          })
      .def_prop_rw(
          "flg_surfacevel", [](ModelObject& self) { return self.model().flg_surfacevel; },
          [](ModelObject& self, bool flag) { self.model().flg_surfacevel = flag; })
      .def_prop_rw(
          "flg_adhesion", [](ModelObject& self) { return self.model().flg_adhesion; },
          [](ModelObject& self, bool flag) { self.model().flg_adhesion = flag; })
      .def_prop_ro("_address",
                   [](ModelObject& self) { return reinterpret_cast<size_t>(&self.model()); });
}

// tuples of names, and the sizes as one array
void add_tables(ModelClass& type) {
  std::vector<std::string> sizes, all;
  for (const SizeInfo& size : Model().sizes()) sizes.emplace_back(size.name);
  all = sizes;
  for (const FieldInfo& field : Model().fields()) all.emplace_back(field.name);
  type.attr("_size_fields") = nb::tuple(nb::cast(sizes));
  type.attr("_all_fields") = nb::tuple(nb::cast(all));
  type.def_prop_ro("_sizes", [](ModelObject& self) {
    std::vector<int64_t> values;
    for (const SizeInfo& size : self.model().sizes()) values.push_back(*size.value);
    return nb::object(
        nb::module_::import_("numpy").attr("array")(values, nb::arg("dtype") = "int64"));
  });
}

nb::object copy_model(ModelObject& self) {
  auto holder = std::make_shared<ModelHolder>(self.model().copy(), nullptr);
  holder->spec = self.holder->spec;
  holder->baseline = self.holder->baseline;
  return nb::cast(ModelObject(std::move(holder)));
}

}  // namespace

void bind_model(nb::module_& m) {
  ModelClass type(m, "MjModel");
  add_fields(type);
  add_sizes(type);
  add_structs(type);
  add_tables(type);
  bind_loaders(type);
  bind_views(type, m);
  type.def("__copy__", copy_model)
      .def(
          "__deepcopy__", [](ModelObject& self, nb::object) { return copy_model(self); },
          nb::arg("memo"));
}

}  // namespace lockstep::python
