// spec_edits.cc: changes of a spec as a whole: deleting, attaching, assets.
#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "compile/pose.h"
#include "spec/attach.h"
#include "spec/orientation.h"
#include "spec_values.h"

namespace lockstep::python {
namespace {

using SpecClass = nb::class_<SpecObject>;

void delete_element(SpecObject& self, nb::object object) {
  Element* element = nullptr;
  if (nb::isinstance<PluginView>(object)) {
    element = nb::cast<PluginView&>(object).instance;
  } else if (nb::isinstance<Handle>(object)) {
    element = nb::cast<Handle&>(object).element;
  } else {
    throw nb::type_error("delete: expected an element of a spec");
  }
  Spec& spec = self.spec();
  if (spec.attached) throw nb::value_error("Cannot delete element from an attached mjSpec.");
  if (!element || element->spec != &spec || !element->alive) {
    bool is_frame = element && element->kind == ObjType::frame;
    throw nb::value_error(is_frame ? "Error: frame is not in this model"
                                   : "Error: element is not in this model");
  }
  if (element == spec.world()) throw nb::value_error("Error: the world cannot be deleted");
  if (element == spec.main_default()) {
    throw nb::value_error("Error: cannot remove the global default ('main')");
  }
  erase(element);
}

// "path/cube.obj" -> "path/prefix-cube-suffix.obj"
std::string asset_name(const std::string& name, const std::string& prefix,
                       const std::string& suffix, bool rooted) {
  std::string directory = directory_of(name), file = file_name_of(name);
  size_t dot = file.rfind('.');
  std::string stem = file.substr(0, dot);
  std::string extension = dot == std::string::npos ? "" : file.substr(dot);
  std::string separator = rooted && prefix.empty() && !directory.empty() ? "/" : "";
  return directory + separator + prefix + stem + suffix + extension;
}

struct Renamed {
  std::string old_name, new_name;
};

// names of the child's files in the parent; throws if one is taken and may not be replaced
std::vector<Renamed> rename_assets(SpecObject& self, SpecObject& child, const std::string& prefix,
                                   const std::string& suffix) {
  std::vector<Renamed> names;
  for (auto [key, value] : child.assets) {
    std::string name = nb::cast<std::string>(key);
    std::string renamed = asset_name(name, prefix, suffix, true);
    if (!self.override_assets && self.assets.contains(renamed.c_str())) {
      throw nb::value_error(fmt::format("Asset {} already exists in parent spec.", name).c_str());
    }
    names.push_back({name, renamed});
  }
  return names;
}

void rename_file(std::string& file, const std::vector<Renamed>& names) {
  for (const Renamed& name : names) {
    if (file == name.old_name) {
      file = name.new_name;
      return;
    }
  }
}

// elements that came with the child follow the new names of their files
void rename_files(Spec& spec, const std::shared_ptr<CompilerSpec>& own,
                  const std::vector<Renamed>& names) {
  auto foreign = [&](const Element* element) { return element->compiler != own; };
  for (Mesh* mesh : spec.meshes) {
    if (foreign(mesh)) rename_file(mesh->file, names);
  }
  for (HField* hfield : spec.hfields) {
    if (foreign(hfield)) rename_file(hfield->file, names);
  }
  for (Skin* skin : spec.skins) {
    if (foreign(skin)) rename_file(skin->file, names);
  }
  for (Texture* texture : spec.textures) {
    if (!foreign(texture)) continue;
    rename_file(texture->file, names);
    for (std::string& file : texture->cubefiles) rename_file(file, names);
  }
}

Element* attach_place(SpecObject& self, const nb::object& site, const nb::object& frame) {
  if (site.is_none() == frame.is_none()) {
    throw nb::value_error(site.is_none() ? "One of frame or site must be specified."
                                         : "Only one of frame or site can be specified.");
  }
  const nb::object& place = site.is_none() ? frame : site;
  if (nb::isinstance<Handle>(place)) return &nb::cast<Handle&>(place).get();
  std::string name = to_text(place);
  Element* found = self.spec().find(site.is_none() ? ObjType::frame : ObjType::site, name);
  if (!found) throw nb::value_error(site.is_none() ? "Frame not found." : "Site not found.");
  if (found->spec != &self.spec()) throw nb::value_error("the element is in another spec");
  return found;
}

nb::object attach_spec(nb::handle_t<SpecObject> object, nb::handle_t<SpecObject> child_object,
                       std::optional<std::string> prefix, std::optional<std::string> suffix,
                       nb::object site, nb::object frame) {
  auto& self = nb::cast<SpecObject&>(object);
  auto& child = nb::cast<SpecObject&>(child_object);
  Element* place = attach_place(self, site, frame);
  AttachOptions options{prefix.value_or(""), suffix.value_or(""), self.core->copy_during_attach,
                        false};
  std::vector<Renamed> names = rename_assets(self, child, options.prefix, options.suffix);
  Diagnostics diagnostics;
  Frame* result = attach(place, child.spec(), options, diagnostics);
  report_spec(diagnostics);
  for (const Renamed& name : names) {
    self.assets[nb::str(name.new_name.c_str())] = child.assets[nb::str(name.old_name.c_str())];
  }
  rename_files(self.spec(), self.spec().compiler, names);
  child.parent = nb::borrow(object);
  if (!options.copy) child.core->attached_to = self.core;
  return wrap<Frame>(self.core, result);
}

std::array<double, 4> resolve(nb::object degree, nb::object sequence,
                              OrientationView& orientation) {
  std::string axes = "xyz";
  if (nb::isinstance<TextView>(sequence)) {
    axes = *nb::cast<TextView&>(sequence).text;
  } else if (!sequence.is_none()) {
    set_text(axes, sequence, "sequence", 3);
  }
  std::array<double, 4> quat{1, 0, 0, 0};
  CompilerSpec settings;
  settings.degree = to_boolean(degree);
  settings.eulerseq = axes;
  std::string problem = resolve_orientation(*orientation.value, settings, quat);
  if (!problem.empty()) throw nb::value_error(problem.c_str());
  return quat;
}

}  // namespace

void add_spec_edits(SpecClass& type) {
  type.def("delete", delete_element)
      .def("attach", attach_spec, nb::arg("child"), nb::arg("prefix") = nb::none(),
           nb::arg("suffix") = nb::none(), nb::arg("site") = nb::none(),
           nb::arg("frame") = nb::none())
      .def_static("resolve_orientation", resolve, nb::arg("degree"),
                  nb::arg("sequence") = nb::none(), nb::arg("orientation"))
      .def_prop_ro("parent", [](SpecObject& self) { return self.parent; })
      .def_prop_rw(
          "assets", [](SpecObject& self) { return self.assets; },
          [](SpecObject& self, nb::dict assets) { self.assets = assets; })
      .def_rw("override_assets", &SpecObject::override_assets)
      .def_prop_rw(
          "copy_during_attach",
          [](SpecObject&) -> bool {
            throw nb::attribute_error("copy_during_attach can only be set.");
          },
          [](SpecObject& self, nb::object value) {
            self.core->copy_during_attach = to_boolean(value);
          });
}

}  // namespace lockstep::python
