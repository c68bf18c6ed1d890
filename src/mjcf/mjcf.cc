#include "mjcf/mjcf.h"

#include <fmt/core.h>

#include "base/zip.h"
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
  const bool urdf = document.root.name == "robot";
  if (!urdf && document.root.name != "mujoco") {
    Diagnostic& d = diagnostics.error(document.root.source, "not a model");
    d.element = document.root.name;
    d.expected = "a root element 'mujoco' or 'robot'";
    return nullptr;
  }
  auto spec = std::make_unique<Spec>();
  spec->modelfiledir = document.directory;
  spec->assets = std::move(assets);
  spec->source = document.root.source;
  Reader reader(*spec, document, diagnostics, depth);
  urdf ? reader.read_urdf() : reader.read();
  if (has_errors_since(diagnostics, begin)) return nullptr;
  return spec;
}

// the member that is the model, and all members as files in memory
std::unique_ptr<Spec> read_archive(const Bytes& bytes, const std::string& name,
                                   const std::shared_ptr<Assets>& assets, int depth,
                                   Diagnostics& diagnostics) {
  std::string problem;
  std::vector<ZipMember> members = read_zip(bytes, problem);
  if (!problem.empty()) {
    diagnostics.error({std::make_shared<std::string>(name), 0}, problem);
    return nullptr;
  }
  std::string stem = file_name_of(name);
  stem = stem.substr(0, stem.rfind('.'));
  auto inside = std::make_shared<Assets>(assets ? *assets : Assets());
  for (ZipMember& member : members) inside->add(member.name, std::move(member.bytes));
  for (const std::string& candidate :
       {std::string("model.xml"), stem + ".xml", stem + "/" + stem + ".xml", stem + "/model.xml"}) {
    auto found = inside->all().find(candidate);
    if (found == inside->all().end()) continue;
    const Bytes& text = found->second;
    return read_text(std::string(text.begin(), text.end()), candidate, inside, depth, diagnostics);
  }
  Diagnostic& d =
      diagnostics.error({std::make_shared<std::string>(name), 0}, "no model in the archive");
  d.expected = fmt::format("model.xml or {}.xml", stem);
  return nullptr;
}

std::unique_ptr<Spec> read_model(const std::string& path, std::shared_ptr<Assets> assets, int depth,
                                 Diagnostics& diagnostics) {
  std::optional<Bytes> bytes = read_bytes(path, assets.get());
  if (!bytes) {
    diagnostics.error({}, fmt::format("cannot open '{}'", path));
    return nullptr;
  }
  if (looks_like_zip(*bytes)) {
    return read_archive(*bytes, path, assets, depth, diagnostics);
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

std::unique_ptr<Spec> read_mjz(const Bytes& bytes, const std::string& name,
                               std::shared_ptr<Assets> assets, Diagnostics& diagnostics) {
  return mjcf::read_archive(bytes, name, assets, 0, diagnostics);
}

Bytes write_mjz(const Spec& spec, const WriteOptions& options) {
  std::vector<ZipMember> members;
  const std::string text = write_mjcf(spec, options);
  members.push_back({"model.xml", Bytes(text.begin(), text.end())});
  std::set<std::string> stored{"model.xml"};
  using Directory = std::string CompilerSpec::*;
  // assets of attached models are read from their places, and stored where the text names them
  auto store = [&](const Element& asset, Directory directory, const std::string& file) {
    if (file.empty()) return;
    std::string name = join_path((*spec.compiler).*directory, file);
    if (is_absolute(name) || !stored.insert(name).second) return;
    const std::string beside = asset.compiler->modelfiledir.value_or(spec.modelfiledir);
    const std::string path = join_path(beside, join_path((*asset.compiler).*directory, file));
    auto bytes = read_bytes(path, spec.assets.get());
    if (bytes) members.push_back({name, std::move(*bytes)});
  };
  constexpr Directory meshes = &CompilerSpec::meshdir, textures = &CompilerSpec::texturedir;
  for (const Mesh* mesh : spec.meshes) store(*mesh, meshes, mesh->file);
  for (const HField* hfield : spec.hfields) store(*hfield, meshes, hfield->file);
  for (const Skin* skin : spec.skins) store(*skin, meshes, skin->file);
  for (const Texture* texture : spec.textures) {
    store(*texture, textures, texture->file);
    for (const std::string& face : texture->cubefiles) store(*texture, textures, face);
  }
  return write_zip(members);
}

}  // namespace lockstep
