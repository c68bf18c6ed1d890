#include "views.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

namespace lockstep::python {
namespace {

// a kind of object with named access; its fields start with one of the prefixes
struct Kind {
  ObjType type;
  const char* title;
  std::vector<const char*> methods;
  std::vector<const char*> prefixes;
  const char* count;  // size that counts the objects
};

const Kind kinds[] = {
    {ObjType::actuator, "Actuator", {"actuator"}, {"actuator_"}, "nactuator"},
    {ObjType::body, "Body", {"body"}, {"body_"}, "nbody"},
    {ObjType::camera, "Camera", {"cam", "camera"}, {"cam_"}, "ncam"},
    {ObjType::equality, "Equality", {"eq", "equality"}, {"eq_"}, "neq"},
    {ObjType::exclude, "Exclude", {"exclude"}, {"exclude_"}, "nexclude"},
    {ObjType::geom, "Geom", {"geom"}, {"geom_"}, "ngeom"},
    {ObjType::hfield, "Hfield", {"hfield"}, {"hfield_"}, "nhfield"},
    {ObjType::joint, "Joint", {"jnt", "joint"}, {"dof_", "jnt_", "qpos"}, "njnt"},
    {ObjType::key, "Keyframe", {"key", "keyframe"}, {"key_"}, "nkey"},
    {ObjType::light, "Light", {"light"}, {"light_"}, "nlight"},
    {ObjType::material, "Material", {"mat", "material"}, {"mat_"}, "nmat"},
    {ObjType::mesh, "Mesh", {"mesh"}, {"mesh_"}, "nmesh"},
    {ObjType::numeric, "Numeric", {"numeric"}, {"numeric_"}, "nnumeric"},
    {ObjType::pair, "Pair", {"pair"}, {"pair_"}, "npair"},
    {ObjType::sensor, "Sensor", {"sensor"}, {"sensor_"}, "nsensor"},
    {ObjType::site, "Site", {"site"}, {"site_"}, "nsite"},
    {ObjType::skin, "Skin", {"skin"}, {"skin_"}, "nskin"},
    {ObjType::tendon, "Tendon", {"tendon"}, {"tendon_", "ten_"}, "ntendon"},
    {ObjType::texture, "Texture", {"tex", "texture"}, {"tex_"}, "ntex"},
    {ObjType::tuple, "Tuple", {"tuple"}, {"tuple_"}, "ntuple"},
};
constexpr int nkind = std::size(kinds);

// size that counts the objects of a kind
std::string_view count_of(ObjType type) {
  for (const Kind& kind : kinds) {
    if (kind.type == type) return kind.count;
  }
  return "";
}

int width_of(int joint_type, int free, int ball) {
  return joint_type == code(JointType::free)   ? free
         : joint_type == code(JointType::ball) ? ball
                                               : 1;
}

// "['a', 'world']", sorted
std::string name_list(const Model& m, ObjType type) {
  std::vector<std::string> names;
  for (int id = 0; id < names_of(m, type).count; id++) {
    if (std::string_view name = id2name(m, type, id); !name.empty()) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  std::string text("[");
  for (const std::string& name : names)
    text.append(text.size() > 1 ? ", '" : "'").append(name).append("'");
  return text.append("]");
}

}  // namespace

Rows rows_of(const Model& m, ObjType kind, std::string_view rows, int id) {
  if (rows == count_of(kind)) return {id, 1};
  switch (kind) {
    case ObjType::joint:
      if (rows == "nv") return {m.jnt_dofadr[id], width_of(m.jnt_type[id], 6, 3), true};
      if (rows == "nq") return {m.jnt_qposadr[id], width_of(m.jnt_type[id], 7, 4), true};
      if (rows == "nplastic") {
        const int count = m.jnt_plasticadr[id] < 0 ? 0 : width_of(m.jnt_type[id], 0, 4);
        return {std::max(m.jnt_plasticadr[id], 0), count, true};
      }
      break;
    case ObjType::actuator:
      if (rows == "nu") return {m.actuator_ctrladr[id], m.actuator_ctrlnum[id]};
      if (rows == "nout") return {m.actuator_outadr[id], m.actuator_outnum[id]};
      break;
    case ObjType::tendon:
      if (rows == "nJten") return {m.ten_J_rowadr[id], m.ten_J_rownnz[id]};
      if (rows == "nplastic") {
        return {std::max(m.tendon_plasticadr[id], 0), m.tendon_plasticadr[id] < 0 ? 0 : 2, true};
      }
      break;
    case ObjType::sensor:
      if (rows == "nsensordata") return {m.sensor_adr[id], m.sensor_dim[id], true};
      break;
    case ObjType::numeric:
      if (rows == "nnumericdata") return {m.numeric_adr[id], m.numeric_size[id]};
      break;
    case ObjType::tuple:
      if (rows == "ntupledata") return {m.tuple_adr[id], m.tuple_size[id]};
      break;
    case ObjType::hfield:
      if (rows == "nhfielddata") {
        size_t nrow = size_t(m.hfield_nrow[id]), ncol = size_t(m.hfield_ncol[id]);
        return {m.hfield_adr[id], int64_t(nrow * ncol), false, {nrow, ncol}};
      }
      break;
    case ObjType::texture:
      if (rows == "ntexdata") {
        size_t height = size_t(m.tex_height[id]), width = size_t(m.tex_width[id]),
               depth = size_t(m.tex_nchannel[id]);
        if (m.tex_adr[id] < 0)
          return {0, 0, false, {0, width, depth}};  // pixels are not in the model
        return {m.tex_adr[id], int64_t(height * width * depth), false, {height, width, depth}};
      }
      break;
    default: break;
  }
  return {};
}

nb::object rows_array(const FieldInfo& field, const Rows& rows, nb::handle owner) {
  std::vector<size_t> shape = rows.shape;
  if (shape.empty()) {
    if (rows.many || rows.count != 1 || field.flat) shape.push_back(size_t(rows.count));
    if (!field.flat) shape.push_back(size_t(field.cols));
  }
  int64_t cell = field.size() ? field.bytes() / field.size() : 1;
  return make_array(static_cast<char*>(field.data) + rows.start * field.cols * cell, field.dtype,
                    shape, owner);
}

void check_id(const Model& m, ObjType type, int id) {
  int64_t count = names_of(m, type).count;
  if (id >= 0 && id < count) return;
  std::string text("Invalid index ");
  text.append(std::to_string(id))
      .append(". Valid indices from 0 to ")
      .append(std::to_string(count - 1));
  throw nb::index_error(text.c_str());
}

int id_or_error(ModelObject& model, ObjType type, const std::string& name) {
  int id = model.id_of(type, name);
  if (id >= 0) return id;
  std::string text("Invalid name '");
  text.append(name).append("'. Valid names: ").append(name_list(model.model(), type));
  throw nb::key_error(text.c_str());
}

namespace {

// does a field have rows of this kind, as far as its name tells?
bool belongs(const Kind& kind, std::string_view rows) {
  static const std::pair<ObjType, std::string_view> others[] = {
      {ObjType::joint, "nv"},         {ObjType::joint, "nq"},
      {ObjType::actuator, "nu"},      {ObjType::actuator, "nout"},
      {ObjType::tendon, "nJten"},     {ObjType::numeric, "nnumericdata"},
      {ObjType::tuple, "ntupledata"}, {ObjType::hfield, "nhfielddata"},
      {ObjType::texture, "ntexdata"},
  };
  if (rows == kind.count) return true;
  return std::find(std::begin(others), std::end(others), std::pair(kind.type, rows)) !=
         std::end(others);
}

// attribute of a view: name and field
using Slots = std::vector<std::pair<std::string, size_t>>;

Slots slots_of(const Kind& kind) {
  Slots slots;
  std::vector<FieldInfo> fields = Model().fields();
  for (const char* prefix : kind.prefixes) {
    for (size_t i = 0; i < fields.size(); i++) {
      if (!fields[i].name.starts_with(prefix) || !belongs(kind, fields[i].rows_name)) continue;
      std::string_view rest = fields[i].name.substr(std::string_view(prefix).size());
      std::string name(std::string_view(prefix) == "qpos" ? fields[i].name : rest);
      auto same =
          std::find_if(slots.begin(), slots.end(), [&](auto& slot) { return slot.first == name; });
      if (same == slots.end()) {
        slots.emplace_back(name, i);
      } else if (name != "bodyid") {
        same->second = i;  // solver parameters of a joint are those of its limit
      }
    }
  }
  std::sort(slots.begin(), slots.end());
  return slots;
}

// an object of a model; arrays are made when first asked for
struct View {
  View(ModelObject& model, int kind, int id)
      : holder(model.holder), owner(model.array_owner()), kind(kind), id(id) {}

  std::shared_ptr<ModelHolder> holder;
  nb::object owner;
  int kind;
  int id;
  std::unordered_map<size_t, nb::object> arrays;

  nb::object array(size_t index) {
    nb::object& array = arrays[index];
    if (!array.is_valid()) array = make(holder->fields[index]);
    return array;
  }

 private:
  nb::object make(const FieldInfo& field) const {
    return rows_array(field, rows_of(holder->model, kinds[kind].type, field.rows_name, id), owner);
  }
};

template <int number>
struct ViewOf : View {
  ViewOf(ModelObject& model, int id) : View(model, number, id) {}
};

template <int kind>
nb::object view_by_id(ModelObject& model, int id) {
  check_id(model.model(), kinds[kind].type, id);
  nb::object& view = model.views[int64_t{kind} << 32 | id];
  if (!view.is_valid()) view = nb::cast(ViewOf<kind>(model, id));
  return view;
}

template <int kind>
nb::object view_by_name(ModelObject& model, const std::string& name) {
  return view_by_id<kind>(model, id_or_error(model, kinds[kind].type, name));
}

template <int kind>
void bind_kind(nb::class_<ModelObject>& model, nb::handle scope) {
  std::string title("_MjModel");
  title.append(kinds[kind].title).append("Views");
  nb::class_<ViewOf<kind>, View> type(scope, title.c_str());
  std::vector<std::string> names{"id", "name"};
  for (const auto& [name, index] : slots_of(kinds[kind])) {
    auto get = [index = index](View& self) { return self.array(index); };
    auto set = [index = index](View& self, nb::object value) {
      assign_array(self.array(index), value);
    };
    add_property(type, name.c_str(), nb::cpp_function(get), nb::cpp_function(set), "");
    // MuJoCo 4.0.0 names attributes of tendons by what follows "tendon", with the underscore
    if (kinds[kind].type == ObjType::tendon) {
      add_property(type, ("_" + name).c_str(), nb::cpp_function(get), nb::cpp_function(set), "");
    }
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  type.def("__repr__", [names, title](nb::handle_t<ViewOf<kind>> self) {
    return describe_object(self, title, names);
  });
  for (const char* method : kinds[kind].methods) {
    scope.attr("view_methods")[method] = title;
    model.def(method, view_by_id<kind>, nb::arg());
    model.def(method, view_by_name<kind>, nb::arg("name") = "");
  }
}

template <int... kind>
void bind_all(nb::class_<ModelObject>& model, nb::handle scope,
              std::integer_sequence<int, kind...>) {
  (bind_kind<kind>(model, scope), ...);
}

template <int... kind>
nb::object find_view(ModelObject& model, ObjType type, int id,
                     std::integer_sequence<int, kind...>) {
  nb::object view = nb::none();
  ((kinds[kind].type == type ? void(view = view_by_id<kind>(model, id)) : void()), ...);
  return view;
}

}  // namespace

nb::object view_of(ModelObject& model, ObjType type, int id) {
  return find_view(model, type, id, std::make_integer_sequence<int, nkind>());
}

void bind_views(nb::class_<ModelObject>& model, nb::handle scope) {
  scope.attr("view_methods") = nb::dict();  // method -> class, for the stubs
  nb::class_<View>(scope, "_MjModelViews")
      .def_prop_ro("id", [](View& self) { return self.id; })
      .def_prop_ro("name", [](View& self) {
        return std::string(id2name(self.holder->model, kinds[self.kind].type, self.id));
      });
  bind_all(model, scope, std::make_integer_sequence<int, nkind>());
}

}  // namespace lockstep::python
