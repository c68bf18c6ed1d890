#include "mjcf/mjcf.h"

#include <fmt/core.h>

#include "mjcf/reader.h"

namespace lockstep {
namespace mjcf {
namespace {

bool has_errors_since(const Diagnostics& diagnostics, size_t begin) {
  for (size_t i = begin; i < diagnostics.all().size(); i++) {
    if (diagnostics.all()[i].severity == Severity::error) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Spec> read_text(const std::string& text, const std::string& name,
                                std::shared_ptr<Assets> assets, int depth,
                                Diagnostics& diagnostics) {
  const size_t begin = diagnostics.all().size();
  Document document;
  if (!document.load(text, name, assets.get(), diagnostics)) return nullptr;
  if (document.root.name == "robot") {
    diagnostics.error(document.root.source, "URDF models cannot be read yet").element = "robot";
    return nullptr;
  }
  if (document.root.name != "mujoco") {
    Diagnostic& d = diagnostics.error(document.root.source, "not a model");
    d.element = document.root.name;
    d.expected = "a root element 'mujoco'";
    return nullptr;
  }
  auto spec = std::make_unique<Spec>();
  spec->modelfiledir = document.directory;
  spec->assets = std::move(assets);
  spec->source = document.root.source;
  Reader reader(*spec, document, diagnostics, depth);
  reader.read();
  if (has_errors_since(diagnostics, begin)) return nullptr;
  return spec;
}

std::unique_ptr<Spec> read_model(const std::string& path, std::shared_ptr<Assets> assets, int depth,
                                 Diagnostics& diagnostics) {
  std::optional<Bytes> bytes = read_bytes(path, assets.get());
  if (!bytes) {
    diagnostics.error({}, fmt::format("cannot open '{}'", path));
    return nullptr;
  }
  return read_text(std::string(bytes->begin(), bytes->end()), path, std::move(assets), depth,
                   diagnostics);
}

}  // namespace mjcf

std::unique_ptr<Spec> read_mjcf_file(const std::string& path, std::shared_ptr<Assets> assets,
                                     Diagnostics& diagnostics) {
  return mjcf::read_model(path, std::move(assets), 0, diagnostics);
}

std::unique_ptr<Spec> read_mjcf_text(const std::string& text, const std::string& name,
                                     std::shared_ptr<Assets> assets, Diagnostics& diagnostics) {
  return mjcf::read_text(text, name, std::move(assets), 0, diagnostics);
}

}  // namespace lockstep
