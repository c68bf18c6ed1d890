// write_asset.cc: extensions, textures, materials, meshes, height fields.
#include <algorithm>

#include "mjcf/schema/words.h"
#include "mjcf/writer.h"

namespace lockstep::mjcf {

void Writer::plugin(OutNode& node, const PluginRef& ref) {
  if (!ref.name.empty()) {
    node.set("instance", ref.name);
    return;
  }
  node.set_text("plugin", ref.plugin_name);
  for (const auto& [key, value] : ref.config) {
    OutNode& config = node.add("config");
    config.set_text("key", key);
    config.set_text("value", value);
  }
}

void Writer::extension(OutNode& root) {
  if (spec_.active_plugins.empty()) return;
  OutNode& node = root.add("extension");
  std::vector<std::string_view> seen;
  OutNode* current = nullptr;
  for (const Plugin* instance : spec_.plugins) {
    if (!current || seen.back() != instance->plugin_name) {
      current = &node.add("plugin");
      current->set("plugin", instance->plugin_name);
      seen.push_back(instance->plugin_name);
    }
    OutNode& element = current->add("instance");
    element.set("name", instance->name);
    for (const auto& [key, value] : instance->config) {
      OutNode& config = element.add("config");
      config.set_text("key", key);
      config.set_text("value", value);
    }
  }
  for (const std::string& name : spec_.active_plugins) {
    if (std::find(seen.begin(), seen.end(), name) == seen.end()) {
      node.add("plugin").set("plugin", name);
    }
  }
}

void Writer::asset(OutNode& root) {
  OutNode& section = root.add("asset");
  for (const Texture* t : spec_.textures) texture(section.add("texture"), *t);
  auto begin = [&](std::string_view tag, const Element& element) -> OutNode& {
    OutNode& node = section.add(tag);
    node.set_text("name", element.name);
    if (element.def->name != "main") node.set("class", element.def->name);
    return node;
  };
  for (const Material* m : spec_.materials) {
    material(begin("material", *m), *m, m->def->material);
  }
  for (const Mesh* m : spec_.meshes) {
    if (!m->plugin.active) {
      mesh(begin("mesh", *m), *m, m->def->mesh);
      continue;
    }
    OutNode& node = section.add("mesh");
    node.set_text("name", m->name);
    node.set_text("file", m->file);
    plugin(node.add("plugin"), m->plugin);
  }
  for (const HField* h : spec_.hfields) hfield(section.add("hfield"), *h);
  root.drop_last_if_empty();
}

void Writer::texture(OutNode& node, const Texture& texture) {
  TextureSpec given = texture;
  const TextureSpec& base = texture.def->texture;
  // the six faces of a pattern stand below each other
  if (compiled_ && given.builtin != Builtin::none && given.type != TextureType::two_d) {
    given.height = 6 * given.width;
  }
  auto put = [&](std::string_view name, const void* other) {
    row(node, texture_rule, name, &given, other);
  };
  put("type", nullptr);
  put("colorspace", compiled_ ? nullptr : &base);
  put("embed", &base);
  node.set_text("name", texture.name);
  if (texture.def->name != "main") node.set("class", texture.def->name);
  put("builtin", &base);
  if (given.builtin != Builtin::none) {
    for (const char* name : {"mark", "rgb1", "rgb2", "markrgb", "random", "width", "height"}) {
      put(name, &base);
    }
    return;
  }
  node.set_text("content_type", given.content_type);
  node.set_text("file", given.file);
  constexpr std::string_view faces[] = {"fileright", "fileleft",  "fileup",
                                        "filedown",  "filefront", "fileback"};
  for (size_t face = 0; face < 6; face++) node.set_text(faces[face], given.cubefiles[face]);
  for (const char* name : {"hflip", "vflip", "nchannel", "rgb1", "rgb2", "gridsize"}) {
    put(name, &base);
  }
  if (given.gridlayout != base.gridlayout) node.set("gridlayout", given.gridlayout);
}

namespace {

std::string mesh_content_type(const std::string& file) {
  const std::string extension = extension_of(file);
  if (extension == "stl" || extension == "obj") return "model/" + extension;
  return extension == "msh" ? "model/vnd.mujoco.msh" : "";
}

}  // namespace

void Writer::mesh(OutNode& node, const MeshSpec& mesh, const MeshSpec& base) {
  node.set_text("content_type", compiled_ && mesh.content_type.empty()
                                    ? mesh_content_type(mesh.file)
                                    : mesh.content_type);
  node.set_text("file", mesh.file);
  for (const char* name : {"vertex", "normal", "texcoord", "face"}) {
    row(node, mesh_rule, name, &mesh, nullptr);
  }
  rows(node, mesh_rule, &mesh, &base);
  if (mesh.maxhullvert != base.maxhullvert) {
    node.set("maxhullvert", std::to_string(mesh.maxhullvert));
  }
  if (mesh.material != base.material) node.set_text("material", mesh.material);
  if (mesh.builtin != MeshBuiltin::none) {
    node.set("builtin", std::string(keyword_of(mesh.builtin)));
    node.set("params",
             format_numbers(mesh.builtin_params.data(), mesh.builtin_params.size(), digits_));
  }
}

void Writer::material(OutNode& node, const MaterialSpec& material, const MaterialSpec& base) {
  const auto& textures = material.textures;
  bool layered = false;
  for (const EnumValue& role : texture_roles()) {
    layered = layered || (role.number != code(TextureRole::rgb) && !textures[role.number].empty());
  }
  if (layered) {
    for (const EnumValue& role : texture_roles()) {
      if (textures[role.number].empty()) continue;
      OutNode& layer = node.add("layer");
      layer.set("texture", textures[role.number]);
      layer.set("role", std::string(role.keyword));
    }
  } else if (textures[code(TextureRole::rgb)] != base.textures[code(TextureRole::rgb)]) {
    node.set_text("texture", textures[code(TextureRole::rgb)]);
  }
  rows(node, material_rule, &material, &base);
}

void Writer::hfield(OutNode& node, const HField& hfield) {
  node.set_text("name", hfield.name);
  numbers<double>(node, "size", hfield.size.data(), 4, nullptr);
  if (!hfield.file.empty()) {
    node.set_text("content_type", hfield.content_type);
    node.set_text("file", hfield.file);
    return;
  }
  node.set("nrow", std::to_string(hfield.nrow));
  node.set("ncol", std::to_string(hfield.ncol));
  const size_t nrow = static_cast<size_t>(std::max(hfield.nrow, 0));
  const size_t ncol = static_cast<size_t>(std::max(hfield.ncol, 0));
  if (hfield.userdata.empty() || hfield.userdata.size() != nrow * ncol) return;
  // the file has the top row first
  std::string text;
  for (size_t row = nrow; row-- > 0;) {
    text += "\n            ";
    text += format_numbers(&hfield.userdata[row * ncol], ncol, digits_);
  }
  node.set("elevation", text);
}

}  // namespace lockstep::mjcf
