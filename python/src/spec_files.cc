// spec_files.cc: MjSpec from and to files; compiling.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "compile/compile.h"
#include "compile/mesh/load.h"
#include "mjcf/mjcf.h"
#include "model/model_io.h"
#include "model_object.h"
#include "spec_values.h"

namespace lockstep::python {

namespace {

// "Error: message", then the element: how MuJoCo's users know it
std::string error_text(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& entry : diagnostics.all()) {
    if (entry.severity != Severity::error) continue;
    if (!text.empty()) text += "\n";
    if (entry.source.line) {
      text += to_string(entry);
      continue;
    }
    text += "Error: " + entry.message;
    if (entry.element.empty()) continue;
    text += fmt::format("\nElement name '{}', id {}", entry.name, entry.id);
    if (!entry.info.empty()) text += ", " + entry.info;
    if (!entry.expected.empty()) text += fmt::format("\nexpected {}", entry.expected);
    if (!entry.found.empty()) text += fmt::format("\nfound {}", entry.found);
  }
  return text;
}

}  // namespace

void report_spec(const Diagnostics& diagnostics) {
  if (diagnostics.failed()) throw nb::value_error(error_text(diagnostics).c_str());
  for (const Diagnostic& entry : diagnostics.all()) {
    if (entry.severity != Severity::warning) continue;
    std::string text = entry.source.line ? to_string(entry) : entry.message;
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1)) throw nb::python_error();
  }
}

namespace {

using SpecClass = nb::class_<SpecObject>;

// files given to a call: dictionaries, or an MjVfs
void add_files(nb::handle mapping, Assets& files) {
  if (mapping.is_none()) return;
  for (nb::handle item : nb::object(mapping.attr("items")())) {
    nb::tuple pair = nb::cast<nb::tuple>(item);
    nb::object content = pair[1];
    if (nb::isinstance<nb::str>(content)) content = content.attr("encode")();
    nb::bytes bytes(content);
    auto* start = static_cast<const uint8_t*>(bytes.data());
    files.add(nb::cast<std::string>(pair[0]), Bytes(start, start + bytes.size()));
  }
}

std::shared_ptr<Assets> files_of(nb::handle assets, nb::handle include, nb::handle vfs) {
  auto files = std::make_shared<Assets>();
  add_files(assets, *files);
  add_files(include, *files);
  add_files(vfs, *files);
  return files;
}

template <class Read>
nb::object read_spec(nb::handle assets, nb::handle include, nb::handle vfs, const Read& read) {
  std::shared_ptr<Assets> files = files_of(assets, include, vfs);
  Diagnostics diagnostics;
  std::unique_ptr<Spec> spec;
  {
    nb::gil_scoped_release released;
    spec = read(files, diagnostics);
  }
  report_spec(diagnostics);
  SpecObject object;
  object.core->spec = std::move(spec);
  if (!assets.is_none())
    object.assets = nb::cast<nb::dict>(nb::module_::import_("builtins").attr("dict")(assets));
  return nb::cast(std::move(object));
}

nb::object from_string(nb::object xml, nb::object include, nb::object assets, nb::object vfs) {
  if (nb::isinstance<nb::bytes>(xml)) xml = xml.attr("decode")();
  std::string text = to_text(xml);
  return read_spec(assets, include, vfs, [&](auto files, Diagnostics& diagnostics) {
    return read_mjcf_text(text, "", files, diagnostics);
  });
}

// a mesh file is read as a spec with that mesh, which has no name yet
std::unique_ptr<Spec> read_mesh(mesh::Format format, const std::string& path,
                                std::shared_ptr<Assets> files, Diagnostics& diagnostics) {
  std::optional<Bytes> bytes = read_bytes(path, files.get());
  std::string error;
  mesh::Surface surface;
  if (!bytes) {
    error = fmt::format("cannot open '{}'", path);
  } else if (mesh::load(format, path, *bytes, surface, error)) {
    auto spec = std::make_unique<Spec>();
    spec->assets = std::move(files);
    Mesh* mesh = spec->add<Mesh>();
    mesh->file = path;
    mesh->uservert = surface.vert;
    mesh->usernormal = surface.normal;
    mesh->usertexcoord = surface.texcoord;
    mesh->userface = surface.face;
    mesh->userfacenormal = surface.facenormal;
    mesh->userfacetexcoord = surface.facetexcoord;
    return spec;
  }
  diagnostics.error({}, error);
  return nullptr;
}

nb::object from_file(nb::object filename, nb::object include, nb::object assets, nb::object vfs) {
  std::string path = nb::cast<std::string>(nb::module_::import_("os").attr("fsdecode")(filename));
  const mesh::Format format = mesh::format_of(path, "");
  return read_spec(assets, include, vfs, [&](auto files, Diagnostics& diagnostics) {
    return format == mesh::Format::obj || format == mesh::Format::stl
               ? read_mesh(format, path, files, diagnostics)
               : read_mjcf_file(path, files, diagnostics);
  });
}

}  // namespace

CompileFiles::CompileFiles(SpecObject& self, nb::handle vfs)
    : before(self.spec().assets), spec(self.spec()) {
  if (!vfs.is_none() && self.assets.size() > 0) {
    throw nb::value_error("Cannot use both assets and vfs.");
  }
  auto files = files_of(self.assets, nb::none(), vfs);
  if (before) {
    for (const auto& [name, bytes] : before->all()) {
      if (!files->find(name)) files->add(name, bytes);
    }
  }
  spec.assets = files;
}

namespace {

std::unique_ptr<Compiled> compile_spec(SpecObject& self, nb::handle vfs) {
  if (self.spec().attached) {
    throw nb::value_error(
        "Error: cannot compile child spec if attached by reference to a parent spec");
  }
  CompileFiles files(self, vfs);
  Diagnostics diagnostics;
  std::unique_ptr<Compiled> compiled;
  {
    nb::gil_scoped_release released;
    compiled = compile(self.spec(), diagnostics);
  }
  self.core->timer.fill(0);
  if (compiled) self.core->timer = compiled->timer;
  if (!compiled && !diagnostics.failed()) throw nb::value_error("the spec could not be compiled");
  report_spec(diagnostics);
  return compiled;
}

nb::object compile_model(SpecObject& self, nb::object vfs) {
  std::unique_ptr<Compiled> compiled = compile_spec(self, vfs);
  self.core->compiled = std::move(compiled->spec);
  return wrap_model(std::move(compiled->model), self.core->compiled);
}

// as compiled if the settings ask for it, compiling now if something was added meanwhile
std::string to_xml(SpecObject& self) {
  Spec& spec = self.spec();
  if (!spec.compiler->savecompiled) return write_mjcf(spec);
  bool fresh = self.core->compiled && spec.signature && !spec.attached &&
               self.core->compiled->signature == spec.signature;
  if (fresh) return write_mjcf(*self.core->compiled, {.compiled = true});
  SpecObject copy;
  copy.core->spec = spec.copy();
  copy.assets = self.assets;
  CompileFiles files(copy, nb::none());
  Diagnostics diagnostics;
  std::unique_ptr<Compiled> compiled = compile(copy.spec(), diagnostics);
  return compiled ? write_mjcf(*compiled->spec, {.compiled = true}) : write_mjcf(spec);
}

void write_file(const std::string& path, const std::string& text) {
  if (!write_bytes(path, text.data(), text.size())) {
    throw nb::value_error(fmt::format("could not write '{}'", path).c_str());
  }
}

nb::object copy_spec(SpecObject& self) {
  SpecObject copy;
  copy.core->spec = self.spec().copy();
  copy.core->compiled = self.core->compiled;
  copy.core->copy_during_attach = self.core->copy_during_attach;
  copy.assets = nb::borrow<nb::dict>(self.assets.attr("copy")());
  copy.override_assets = self.override_assets;
  return nb::cast(std::move(copy));
}

}  // namespace

void add_spec_files(SpecClass& type) {
  type.def_static("from_string", from_string, nb::arg("xml"), nb::arg("include") = nb::none(),
                  nb::arg("assets") = nb::none(), nb::arg("vfs") = nb::none())
      .def_static("from_file", from_file, nb::arg("filename"), nb::arg("include") = nb::none(),
                  nb::arg("assets") = nb::none(), nb::arg("vfs") = nb::none())
      .def("compile", compile_model, nb::arg("vfs") = nb::none())
      .def("to_xml", to_xml)
      .def("to_file",
           [](SpecObject& self, const std::string& path) { write_file(path, to_xml(self)); })
      .def("copy", copy_spec)
      .def("__copy__", copy_spec)
      .def(
          "__deepcopy__", [](SpecObject& self, nb::object) { return copy_spec(self); },
          nb::arg("memo"));
}

}  // namespace lockstep::python
