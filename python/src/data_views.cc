// data_views.cc: named access to data: data.joint("hip").qpos.
#include <nanobind/stl/string.h>

#include <algorithm>

#include "views.h"

namespace lockstep::python {
namespace {

// a kind of object with named access; attributes are fields without the prefix
struct Kind {
  ObjType type;
  const char* title;
  std::vector<const char*> methods;
  std::string_view prefix;
  std::vector<const char*> attributes;
};

const Kind kinds[] = {
    {ObjType::actuator,
     "Actuator",
     {"actuator"},
     "actuator_",
     {"ctrl", "force", "length", "velocity"}},
    {ObjType::body,
     "Body",
     {"body"},
     "",
     {"cacc", "cfrc_ext", "cfrc_int", "cinert", "crb", "cvel", "subtree_angmom", "subtree_com",
      "subtree_linvel", "xfrc_applied", "ximat", "xipos", "xiquat", "xmat", "xpos", "xquat"}},
    {ObjType::camera, "Camera", {"cam", "camera"}, "cam_", {"xmat", "xpos"}},
    {ObjType::geom, "Geom", {"geom"}, "geom_", {"xmat", "xpos", "xquat"}},
    {ObjType::joint,
     "Joint",
     {"jnt", "joint"},
     "",
     {"cdof", "cdof_dot", "plastic", "qLDiagInv", "qacc", "qacc_smooth", "qacc_warmstart",
      "qfrc_actuator", "qfrc_applied", "qfrc_bias", "qfrc_constraint", "qfrc_inverse",
      "qfrc_passive", "qfrc_smooth", "qpos", "qvel", "xanchor", "xaxis"}},
    {ObjType::light, "Light", {"light"}, "light_", {"xdir", "xpos"}},
    {ObjType::sensor, "Sensor", {"sensor"}, "sensor", {"data"}},
    {ObjType::site, "Site", {"site"}, "site_", {"xmat", "xpos", "xquat"}},
    {ObjType::tendon,
     "Tendon",
     {"ten", "tendon"},
     "ten_",
     {"length", "plastic", "velocity", "wrapadr", "wrapnum"}},
};
constexpr int nkind = std::size(kinds);

// number of the field behind an attribute
size_t field_of(const Kind& kind, std::string_view attribute) {
  const std::string prefixed = std::string(kind.prefix).append(attribute);
  const std::vector<FieldInfo> fields = Data().fields(Model());
  auto named = [&](std::string_view name) {
    return std::find_if(fields.begin(), fields.end(),
                        [&](const FieldInfo& field) { return field.name == name; });
  };
  auto found = named(prefixed);
  if (found == fields.end()) found = named(attribute);
  return size_t(found - fields.begin());
}

// an object of a model, as data sees it; arrays are made when first asked for
struct DataObjectView {
  DataObjectView(DataObject& data, int kind, int id)
      : holder(data.holder), owner(data.array_owner()), kind(kind), id(id) {}

  std::shared_ptr<DataHolder> holder;
  nb::object owner;
  int kind;
  int id;
  std::unordered_map<size_t, nb::object> arrays;

  const Model& model() const { return holder->model->model; }
  nb::object array(size_t index) {
    nb::object& array = arrays[index];
    if (array.is_valid()) return array;
    const FieldInfo& field = holder->fields[index];
    return array =
               rows_array(field, rows_of(model(), kinds[kind].type, field.rows_name, id), owner);
  }
};
template <int number>
struct DataViewOf : DataObjectView {
  DataViewOf(DataObject& data, int id) : DataObjectView(data, number, id) {}
};

// moment arms are sparse: a copy as a matrix with all dofs, to be read only
nb::object dense_moment(DataObjectView& self) {
  const Model& m = self.model();
  const Data& d = self.holder->data;
  const int first = m.actuator_outadr[self.id], count = m.actuator_outnum[self.id];
  const size_t rows = size_t(count), cols = size_t(m.nv);
  nb::object numpy = nb::module_::import_("numpy");
  nb::object dense = numpy.attr("zeros")(nb::make_tuple(rows, cols));
  for (int row = 0; row < count; row++) {
    const int64_t start = std::max(d.moment_rowadr[first + row], 0);
    const int64_t end = std::min(start + d.moment_rownnz[first + row], m.nJmom);
    for (int64_t k = start; k < end; k++) {
      dense[nb::make_tuple(row, d.moment_colind[k])] = d.actuator_moment[k];
    }
  }
  if (count == 1) dense = dense[0];
  dense.attr("setflags")(nb::arg("write") = false);
  return dense;
}

template <int kind>
nb::object view_by_id(DataObject& data, int id) {
  check_id(data.holder->model->model, kinds[kind].type, id);
  nb::object& view = data.views[int64_t{kind} << 32 | id];
  if (!view.is_valid()) view = nb::cast(DataViewOf<kind>(data, id));
  return view;
}

template <int kind>
nb::object view_by_name(DataObject& data, const std::string& name) {
  ModelObject& model = nb::cast<ModelObject&>(data.model);
  return view_by_id<kind>(data, id_or_error(model, kinds[kind].type, name));
}

template <int kind>
void bind_kind(nb::class_<DataObject>& data, nb::handle scope) {
  const std::string title = std::string("_MjData") + kinds[kind].title + "Views";
  nb::class_<DataViewOf<kind>, DataObjectView> type(scope, title.c_str());
  std::vector<std::string> names{"id", "name"};
  for (const char* attribute : kinds[kind].attributes) {
    const size_t index = field_of(kinds[kind], attribute);
    auto get = [index](DataObjectView& self) { return self.array(index); };
    auto set = [index](DataObjectView& self, nb::object value) {
      assign_array(self.array(index), value);
    };
    add_property(type, attribute, nb::cpp_function(get), nb::cpp_function(set), "");
    names.emplace_back(attribute);
  }
  if (kinds[kind].type == ObjType::actuator) {
    type.def_prop_ro("moment", dense_moment);
    names.emplace_back("moment");
  }
  std::sort(names.begin(), names.end());
  type.def("__repr__", [names, title](nb::handle_t<DataViewOf<kind>> self) {
    return describe_object(self, title, names);
  });
  for (const char* method : kinds[kind].methods) {
    scope.attr("data_view_methods")[method] = title;
    data.def(method, view_by_id<kind>, nb::arg());
    data.def(method, view_by_name<kind>, nb::arg("name") = "");
  }
}

template <int... kind>
void bind_all(nb::class_<DataObject>& data, nb::handle scope, std::integer_sequence<int, kind...>) {
  (bind_kind<kind>(data, scope), ...);
}

}  // namespace

void bind_data_views(nb::class_<DataObject>& data, nb::handle scope) {
  scope.attr("data_view_methods") = nb::dict();  // method -> class, for the stubs
  nb::class_<DataObjectView>(scope, "_MjDataViews")
      .def_prop_ro("id", [](DataObjectView& self) { return self.id; })
      .def_prop_ro("name", [](DataObjectView& self) {
        return std::string(id2name(self.model(), kinds[self.kind].type, self.id));
      });
  bind_all(data, scope, std::make_integer_sequence<int, nkind>());
}

}  // namespace lockstep::python
