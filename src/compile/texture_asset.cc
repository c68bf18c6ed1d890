// texture_asset.cc: textures: files found and read, processed, packed; or left by reference.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "compile/build.h"
#include "compile/passes.h"
#include "compile/paths.h"

namespace lockstep {
namespace {

// why a texture cannot be left in its file; "" if it can
const char* must_embed(const Build& b, const Texture& texture) {
  if (texture.builtin != Builtin::none) return "is generated";
  if (!texture.data.empty()) return "is given as a buffer";
  if (texture.file.empty()) return "is not one file";
  if (texture.hflip || texture.vflip) return "is flipped";
  if (texture.gridsize[0] != 1 || texture.gridsize[1] != 1) return "is cut out of a grid";
  if (b.spec.assets && b.spec.assets->find(path_of(b.spec, texture))) return "is held in memory";
  return "";
}

bool by_reference(Build& b, const Texture& texture) {
  if (texture.embed == Embed::true_) return false;
  bool policy = b.spec.compiler->passthrough == Passthrough::textures;
  if (texture.embed == Embed::auto_ && !policy) return false;
  std::string reason = must_embed(b, texture);
  if (!reason.empty() && texture.embed == Embed::false_) {
    b.error(texture, "embed", fmt::format("the texture {}: its pixels must be embedded", reason));
  }
  return reason.empty();
}

mesh::TextureInput input_of(const Texture& texture) {
  mesh::TextureInput input;
  input.type = texture.type;
  input.colorspace = texture.colorspace;
  input.builtin = texture.builtin;
  input.mark = texture.mark;
  input.rgb1 = texture.rgb1;
  input.rgb2 = texture.rgb2;
  input.markrgb = texture.markrgb;
  input.random = texture.random;
  input.width = texture.width;
  input.height = texture.height;
  input.nchannel = texture.nchannel;
  input.content_type = texture.content_type;
  input.gridsize = texture.gridsize;
  input.gridlayout = texture.gridlayout;
  input.hflip = texture.hflip;
  input.vflip = texture.vflip;
  input.data = texture.data;
  return input;
}

bool settle(Build& b, const Texture& texture, mesh::TextureData& data) {
  mesh::TextureInput input = input_of(texture);
  std::array<Bytes, 7> contents;
  auto open = [&](const std::string& file, mesh::TextureFile& target, Bytes& content) {
    if (file.empty()) return true;
    target.name = asset_path(b.spec, *texture.compiler, texture.compiler->texturedir, file);
    std::optional<Bytes> bytes = read_asset(b, texture, target.name);
    if (!bytes) return false;
    content = std::move(*bytes);
    target.bytes = &content;
    return true;
  };
  if (texture.builtin == Builtin::none) {
    if (!open(texture.file, input.file, contents[6])) return false;
    for (size_t i = 0; i < std::min<size_t>(6, texture.cubefiles.size()); i++) {
      if (!open(texture.cubefiles[i], input.cubefile[i], contents[i])) return false;
    }
  }
  std::string problem;
  if (mesh::process_texture(input, data, problem)) return true;
  b.error(texture, texture.file.empty() ? "" : "file", problem);
  return false;
}

}  // namespace

void compile_textures(Build& b) {
  constexpr int64_t max_total = std::numeric_limits<int>::max();  // bytes; addresses have 32 bits
  for (const Texture* texture : b.spec.textures) {
    mesh::TextureData data;
    if (by_reference(b, *texture)) {
      data.nchannel = texture->nchannel;
      data.colorspace = texture->colorspace;
    } else if (settle(b, *texture, data)) {
      b.model.ntexdata += static_cast<int64_t>(data.data.size());
    }
    b.meshes.textures.push_back(std::move(data));
    if (b.model.ntexdata > max_total) {
      b.error(*texture, "", "all textures together are too large");
      return;
    }
  }
}

void pack_textures(Build& b) {
  Model& m = b.model;
  int64_t adr = 0;
  for (const Texture* texture : b.spec.textures) {
    int i = texture->id;
    const mesh::TextureData& data = b.meshes.textures[i];
    m.tex_type[i] = code(texture->type);
    m.tex_colorspace[i] = code(data.colorspace);
    m.tex_width[i] = data.width;
    m.tex_height[i] = data.height;
    m.tex_nchannel[i] = data.nchannel;
    m.tex_adr[i] = data.data.empty() ? -1 : adr;
    std::copy(data.data.begin(), data.data.end(), m.tex_data + adr);
    adr += static_cast<int64_t>(data.data.size());
  }
}

}  // namespace lockstep
