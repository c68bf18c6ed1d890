#include "model_load.h"

#include <nanobind/stl/string.h>

#include "compile/compile.h"
#include "mjcf/mjcf.h"

namespace lockstep::python {

void report(const Diagnostics& diagnostics) {
  if (diagnostics.failed()) throw nb::value_error(diagnostics.text(Severity::error).c_str());
  for (const Diagnostic& entry : diagnostics.all()) {
    if (entry.severity != Severity::warning) continue;
    if (PyErr_WarnEx(PyExc_UserWarning, to_string(entry).c_str(), 1)) throw nb::python_error();
  }
}

std::shared_ptr<Assets> assets_of(nb::handle mapping) {
  if (mapping.is_none()) return nullptr;
  auto assets = std::make_shared<Assets>();
  for (nb::handle item : nb::object(mapping.attr("items")())) {
    nb::tuple pair = nb::cast<nb::tuple>(item);
    nb::object content = pair[1];
    if (nb::isinstance<nb::str>(content)) content = content.attr("encode")();
    nb::bytes bytes(content);
    auto* start = static_cast<const uint8_t*>(bytes.data());
    assets->add(nb::cast<std::string>(pair[0]), Bytes(start, start + bytes.size()));
  }
  return assets;
}

#ifndef LOCKSTEP_HAS_MJCF
}  // namespace lockstep::python
namespace lockstep {
std::unique_ptr<Spec> read_mjcf_file(const std::string&, std::shared_ptr<Assets>, Diagnostics& d) {
  d.error({}, "no reader yet");
  return nullptr;
}
std::unique_ptr<Spec> read_mjcf_text(const std::string&, const std::string&,
                                     std::shared_ptr<Assets>, Diagnostics& d) {
  d.error({}, "no reader yet");
  return nullptr;
}
}  // namespace lockstep
namespace lockstep::python {
#endif

namespace {

std::string path_of(nb::handle path) {
  return nb::cast<std::string>(nb::module_::import_("os").attr("fsdecode")(path));
}

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

nb::object from_xml_path(nb::object filename, nb::object assets, nb::object) {
  return load([path = path_of(filename), files = assets_of(assets)](Diagnostics& diagnostics) {
    return read_mjcf_file(path, files, diagnostics);
  });
}

nb::object from_xml_string(const std::string& xml, nb::object assets, nb::object) {
  return load([&xml, files = assets_of(assets)](Diagnostics& diagnostics) {
    return read_mjcf_text(xml, "<string>", files, diagnostics);
  });
}

}  // namespace

void bind_loaders(nb::class_<ModelObject>& type) {
  type.def_static("from_xml_path", from_xml_path, nb::arg("filename"),
                  nb::arg("assets") = nb::none(), nb::arg("vfs") = nb::none(),
                  "Loads a model from an MJCF file or MJZ archive.")
      .def_static("from_xml_string", from_xml_string, nb::arg("xml"),
                  nb::arg("assets") = nb::none(), nb::arg("vfs") = nb::none(),
                  "Loads a model from MJCF text.");
}

}  // namespace lockstep::python
