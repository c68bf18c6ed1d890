#include "compile/paths.h"

#include <fmt/core.h>

#include <cstring>
#include <filesystem>

#include "compile/passes.h"

namespace lockstep {
namespace {

// calls f(path, address in the Model) for every asset that may have a file, in the order of the
// Model
template <class F>
void for_each_path(Build& b, F&& f) {
  Model& m = b.model;
  for (const HField* hfield : b.spec.hfields)
    f(path_of(b.spec, *hfield), m.hfield_pathadr, *hfield);
  for (const Mesh* mesh : b.spec.meshes) f(path_of(b.spec, *mesh), m.mesh_pathadr, *mesh);
  for (const Skin* skin : b.spec.skins) f(path_of(b.spec, *skin), m.skin_pathadr, *skin);
  for (const Texture* texture : b.spec.textures) {
    f(path_of(b.spec, *texture), m.tex_pathadr, *texture);
  }
  for (const Texture* texture : b.spec.textures) {
    f(texture->content_type, m.tex_contenttypeadr, *texture);
  }
}

}  // namespace

std::string asset_path(const Spec& spec, const CompilerSpec& settings, const std::string& directory,
                       const std::string& file) {
  if (file.empty()) return "";
  std::string name = spec.strippath ? file_name_of(file) : file;
  const std::string& beside = settings.modelfiledir ? *settings.modelfiledir : spec.modelfiledir;
  std::string path = join_path(beside, join_path(directory, name));
  return std::filesystem::path(path).lexically_normal().generic_string();
}

std::optional<Bytes> read_asset(Build& b, const Element& asset, const std::string& path) {
  std::optional<Bytes> bytes = read_bytes(path, b.spec.assets.get());
  if (!bytes) b.error(asset, "file", fmt::format("cannot open file '{}'", path));
  return bytes;
}

std::string path_of(const Spec& spec, const Mesh& mesh) {
  return asset_path(spec, *mesh.compiler, mesh.compiler->meshdir, mesh.file);
}
std::string path_of(const Spec& spec, const HField& hfield) {
  return asset_path(spec, *hfield.compiler, hfield.compiler->meshdir, hfield.file);
}
std::string path_of(const Spec& spec, const Skin& skin) {
  return asset_path(spec, *skin.compiler, skin.compiler->meshdir, skin.file);
}
std::string path_of(const Spec& spec, const Texture& texture) {
  return asset_path(spec, *texture.compiler, texture.compiler->texturedir, texture.file);
}

void compile_path_sizes(Build& b) {
  b.model.npaths = 0;
  for_each_path(b, [&](const std::string& path, int*, const Element&) {
    if (!path.empty()) b.model.npaths += static_cast<int64_t>(path.size()) + 1;
  });
  if (b.model.npaths == 0) b.model.npaths = 1;
}

void pack_paths(Build& b) {
  int64_t adr = 0;
  for_each_path(b, [&](const std::string& path, int* table, const Element& asset) {
    table[asset.id] = path.empty() ? -1 : static_cast<int>(adr);
    if (path.empty()) return;
    std::memcpy(b.model.paths + adr, path.c_str(), path.size() + 1);
    adr += static_cast<int64_t>(path.size()) + 1;
  });
}

}  // namespace lockstep
