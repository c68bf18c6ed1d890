#include "model_load.h"

#include <nanobind/stl/string.h>

#include <set>

#include "compile/compile.h"
#include "mjcf/mjcf.h"
#include "model/model_io.h"
#include "struct_object.h"

namespace lockstep::python {

void report(const Diagnostics& diagnostics) {
  if (diagnostics.failed()) throw nb::value_error(diagnostics.text(Severity::error).c_str());
  for (const Diagnostic& entry : diagnostics.all()) {
    if (entry.severity != Severity::warning) continue;
    if (PyErr_WarnEx(PyExc_UserWarning, to_string(entry).c_str(), 1)) throw nb::python_error();
  }
}

namespace {

// `names`, if given, are file names seen so far: paths alone do not tell two files apart
void add_files(nb::handle mapping, Assets& assets, std::set<std::string>* names = nullptr) {
  for (nb::handle item : nb::object(mapping.attr("items")())) {
    nb::tuple pair = nb::cast<nb::tuple>(item);
    nb::object content = pair[1];
    if (nb::isinstance<nb::str>(content)) content = content.attr("encode")();
    nb::bytes bytes(content);
    auto* start = static_cast<const uint8_t*>(bytes.data());
    std::string name = nb::cast<std::string>(pair[0]);
    if (names && !names->insert(file_name_of(name)).second) {
      throw nb::value_error(("Repeated file name in assets: " + file_name_of(name)).c_str());
    }
    assets.add(name, Bytes(start, start + bytes.size()));
  }
}

}  // namespace

std::shared_ptr<Assets> assets_of(nb::handle mapping, nb::handle vfs) {
  if (mapping.is_none() && vfs.is_none()) return nullptr;
  auto assets = std::make_shared<Assets>();
  std::set<std::string> names;
  if (!mapping.is_none()) add_files(mapping, *assets, &names);
  if (!vfs.is_none()) add_files(vfs, *assets);
  return assets;
}

std::string path_of(nb::handle path) {
  return nb::cast<std::string>(nb::module_::import_("os").attr("fsdecode")(path));
}

namespace {

// reads and compiles without the GIL
template <class Read>
nb::object load(const Read& read) {
  Diagnostics diagnostics;
  std::unique_ptr<Compiled> compiled;
  {
    nb::gil_scoped_release released;
    if (std::unique_ptr<Spec> spec = read(diagnostics)) compiled = compile(*spec, diagnostics);
  }
  report(diagnostics);
  if (!compiled) throw nb::value_error("the model could not be compiled");
  return wrap_model(std::move(compiled->model), std::move(compiled->spec));
}

nb::object from_xml_path(nb::object filename, nb::object assets, nb::object vfs) {
  return load([path = path_of(filename), files = assets_of(assets, vfs)](Diagnostics& diagnostics) {
    return read_mjcf_file(path, files, diagnostics);
  });
}

nb::object from_xml_string(const std::string& xml, nb::object assets, nb::object vfs) {
  return load([&xml, files = assets_of(assets, vfs)](Diagnostics& diagnostics) {
    return read_mjcf_text(xml, "<string>", files, diagnostics);
  });
}

nb::object from_bytes(std::span<const uint8_t> bytes, const std::string& file) {
  Model model;
  std::string wrong;
  {
    nb::gil_scoped_release released;
    wrong = load_model(bytes, model);
  }
  if (!wrong.empty()) throw nb::value_error((file.empty() ? wrong : file + ": " + wrong).c_str());
  return wrap_model(std::move(model), nullptr);
}

nb::object from_binary_path(nb::object filename, nb::object assets, nb::object vfs) {
  std::string path = path_of(filename);
  std::optional<Bytes> bytes = read_bytes(path, assets_of(assets, vfs).get());
  if (!bytes) throw nb::value_error((path + ": cannot be read").c_str());
  return from_bytes(*bytes, path);
}

nb::object get_state(ModelObject& self) {
  std::vector<uint8_t> bytes = save_model(self.model());
  return nb::make_tuple(nb::bytes(bytes.data(), bytes.size()));
}

void set_state(ModelObject* self, nb::tuple state) {
  auto bytes = nb::cast<nb::bytes>(state[0]);
  nb::object model = from_bytes({static_cast<const uint8_t*>(bytes.data()), bytes.size()}, "");
  new (self) ModelObject(nb::cast<ModelObject&>(model).holder);
}

// members of a struct from the attributes of an object of the same shape
void copy_members(nb::handle from, void* to, std::span<const MemberInfo> table) {
  for (const MemberInfo& member : table) {
    nb::object group =
        member.group.empty() ? nb::borrow(from) : from.attr(std::string(member.group).c_str());
    nb::object value = group.attr(std::string(member.name).c_str());
    char* cell = static_cast<char*>(to) + member.offset;
    if (member.count == 1) {
      write_number(cell, member.dtype, value);
    } else if (nb::len(value)) {  // MuJoCo 4.0.0 gives vis.rgba.bv as an empty array
      assign_array(make_array(cell, member.dtype, {size_t(member.count)}, nb::none()), value);
    }
  }
}

// A copy of a model that another implementation of the API compiled: engines can be compared apart
// from compilers.
nb::object from_mujoco(nb::object other) {
  Model model;
  for (const SizeInfo& size : model.sizes()) {
    *size.value = nb::cast<int64_t>(other.attr(std::string(size.name).c_str()));
  }
  if (!model.allocate()) throw nb::value_error("the sizes of the model are out of range");
  for (const FieldInfo& field : model.fields()) {
    nb::object value = other.attr(std::string(field.name).c_str());
    if (nb::isinstance<nb::bytes>(value)) {
      value = nb::module_::import_("numpy").attr("frombuffer")(value, nb::arg("dtype") = "uint8");
    }
    std::vector<size_t> shape{size_t(field.rows)};
    if (!field.flat) shape.push_back(size_t(field.cols));
    assign_array(make_array(field.data, field.dtype, shape, nb::none()), value);
  }
  model.derive();
  copy_members(other.attr("opt"), &model.opt, option_members());
  copy_members(other.attr("stat"), &model.stat, statistic_members());
  copy_members(other.attr("vis"), &model.vis, visual_members());
  model.flg_gravcomp = nb::cast<bool>(other.attr("flg_gravcomp"));
  model.flg_surfacevel = nb::cast<bool>(other.attr("flg_surfacevel"));
  model.flg_adhesion = nb::cast<bool>(other.attr("flg_adhesion"));
  model.signature = nb::cast<uint64_t>(other.attr("signature"));
  return wrap_model(std::move(model), nullptr);
}

}  // namespace

void bind_loaders(nb::class_<ModelObject>& type) {
  type.def_static("from_xml_path", from_xml_path, nb::arg("filename"),
                  nb::arg("assets") = nb::none(), nb::arg("vfs") = nb::none(),
                  "Loads a model from an MJCF file or MJZ archive.")
      .def_static("from_xml_string", from_xml_string, nb::arg("xml"),
                  nb::arg("assets") = nb::none(), nb::arg("vfs") = nb::none(),
                  "Loads a model from MJCF text.")
      .def_static("from_binary_path", from_binary_path, nb::arg("filename"),
                  nb::arg("assets") = nb::none(), nb::arg("vfs") = nb::none(),
                  "Loads a model that mj_saveModel wrote.")
      .def_static("_from_mujoco", from_mujoco, nb::arg("model"),
                  "Copies a model of MuJoCo's own Python package.")
      .def("__getstate__", get_state)
      .def("__setstate__", set_state);
}

}  // namespace lockstep::python
