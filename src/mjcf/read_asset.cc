// read_asset.cc: meshes, height fields, skins, textures, materials, models.
#include <fmt/core.h>

#include <filesystem>

#include "mjcf/mjcf.h"
#include "mjcf/reader.h"
#include "mjcf/schema/words.h"

namespace lockstep::mjcf {
namespace {

bool file_exists(const std::string& path, const Assets* assets) {
  if (assets && assets->find(path)) return true;
  std::error_code code;
  return std::filesystem::is_regular_file(path, code);
}

std::string without_extension(const std::string& file) {
  std::string name = file_name_of(file);
  return name.substr(0, name.rfind('.'));
}

}  // namespace

// files are looked for beside the model first, then beside the included file that names them
std::string Reader::file_name(const Node& node, std::string_view attribute,
                              const std::string& directory) {
  std::string file(node.text(attribute));
  if (file.empty() || node.directory.empty() || is_absolute(file)) return file;
  std::string base = join_path(document_.directory, directory);
  if (!base.empty() && base.back() != '/') base += '/';
  if (file_exists(join_path(base, file), spec_.assets.get())) return file;
  std::string beside = join_path(std::string(node.directory), file);
  if (base.empty() || is_absolute(beside)) return beside;
  std::error_code code;
  std::filesystem::path full = std::filesystem::absolute(beside, code);
  return code ? beside : full.string();
}

void Reader::name_from_file(Element& element, const std::string& file, const Node& node) {
  if (!element.name.empty() || file.empty()) return;
  element.name = without_extension(file);
  if (!enter_name(element)) {
    error(node, "file", fmt::format("another {} has this name", keyword_of(element.kind)));
  }
}

void Reader::asset(const Node& section) {
  for (const Node& node : section.children) {
    if (node.name == "mesh") {
      Mesh* element = spec_.add<Mesh>(class_of(node));
      identify(*element, node);
      mesh(node, *element, false);
      name_from_file(*element, element->file, node);
    } else if (node.name == "texture") {
      Texture* element = spec_.add<Texture>(class_of(node));
      identify(*element, node);
      texture(node, *element, false);
      name_from_file(*element, element->file, node);
    } else if (node.name == "material") {
      Material* element = spec_.add<Material>(class_of(node));
      identify(*element, node);
      material(node, *element, false);
    } else if (node.name == "hfield") {
      hfield(node);
    } else if (node.name == "skin") {
      skin(node);
    } else if (node.name == "model") {
      model(node);
    }
  }
}

void Reader::mesh(const Node& node, MeshSpec& mesh, bool in_default) {
  rows(node, mesh_rule, &mesh, in_default);
  int count = 0;
  if (integer(node, "maxhullvert", count)) {
    if (count != -1 && count < 4) {
      error(node, "maxhullvert", "too small").expected = "-1 or an integer above 3";
    } else {
      mesh.maxhullvert = count;
    }
  }
  if (in_default) return;
  if (node.has("file")) mesh.file = file_name(node, "file", spec_.compiler->meshdir);
  if (const Node* child = node.child("plugin")) plugin(*child, mesh.plugin);
  int shape = keyword_number(node, "builtin", enum_values<MeshBuiltin>());
  if (shape < 0) return;
  mesh.builtin = static_cast<MeshBuiltin>(shape);
  mesh.builtin_params = numbers(node, "params", 0, ~0u);
  if (mesh.builtin != MeshBuiltin::none && mesh.builtin_params.empty()) {
    error(node, "params", "required attribute is missing").expected =
        "parameters of the built-in shape";
  }
}

void Reader::hfield(const Node& node) {
  HField* hfield = spec_.add<HField>();
  identify(*hfield, node);
  rows(node, hfield_rule, &hfield->attributes());
  if (node.has("file")) {
    hfield->file = file_name(node, "file", spec_.compiler->meshdir);
    name_from_file(*hfield, hfield->file, node);
    return;
  }
  if (hfield->nrow <= 0 || hfield->ncol <= 0) return;
  const int64_t nrow = hfield->nrow, ncol = hfield->ncol;
  if (!afford(node, "nrow", nrow * ncol)) return;
  std::vector<double> given = numbers(node, "elevation", 0, ~0u);
  if (!given.empty() && static_cast<int64_t>(given.size()) != nrow * ncol) {
    error(node, "elevation", "wrong number of values").expected =
        fmt::format("{} numbers", nrow * ncol);
    return;
  }
  // the file has the top row first
  hfield->userdata.assign(static_cast<size_t>(nrow * ncol), 0.0f);
  if (given.empty()) return;
  for (int64_t row = 0; row < nrow; row++) {
    for (int64_t column = 0; column < ncol; column++) {
      hfield->userdata[(nrow - 1 - row) * ncol + column] =
          static_cast<float>(given[row * ncol + column]);
    }
  }
}

void Reader::skin(const Node& node) {
  Skin* skin = spec_.add<Skin>();
  identify(*skin, node);
  rows(node, skin_rule, &skin->attributes());
  if (skin->group < 0 || skin->group > 5) {
    error(node, "group", "no such group").expected = "an integer from 0 to 5";
  }
  if (node.has("file")) skin->file = file_name(node, "file", spec_.compiler->meshdir);
  name_from_file(*skin, skin->file, node);
  for (const Node& bone : node.children) {
    if (bone.name != "bone") continue;
    std::array<double, 3> pos{};
    std::array<double, 4> quat{1, 0, 0, 0};
    array(bone, "bindpos", pos);
    array(bone, "bindquat", quat);
    skin->bodyname.emplace_back(bone.text("body"));
    skin->bindpos.insert(skin->bindpos.end(), pos.begin(), pos.end());
    skin->bindquat.insert(skin->bindquat.end(), quat.begin(), quat.end());
    skin->vertid.push_back(integers(bone, "vertid", 0, ~0u));
    std::vector<double> weights = numbers(bone, "vertweight", 0, ~0u);
    skin->vertweight.emplace_back(weights.begin(), weights.end());
  }
}

void Reader::texture(const Node& node, TextureSpec& texture, bool in_default) {
  rows(node, texture_rule, &texture, in_default);
  if (const Attribute* layout = node.find("gridlayout")) {
    int64_t cells = int64_t{texture.gridsize[0]} * texture.gridsize[1];
    if (layout->value.size() > 12) {
      error(node, "gridlayout", "too long").expected = "at most 12 letters";
    } else if (static_cast<int64_t>(layout->value.size()) != cells) {
      error(node, "gridlayout", "does not match gridsize").expected =
          fmt::format("{} letters", cells);
    } else {
      texture.gridlayout = layout->value;
    }
  }
  if (in_default) return;
  const std::string& directory = spec_.compiler->texturedir;
  if (node.has("file")) texture.file = file_name(node, "file", directory);
  constexpr std::string_view faces[] = {"fileright", "fileleft",  "fileup",
                                        "filedown",  "filefront", "fileback"};
  for (size_t face = 0; face < 6; face++) {
    if (node.has(faces[face])) {
      texture.cubefiles[face] = file_name(node, faces[face], directory);
    }
  }
}

void Reader::material(const Node& node, MaterialSpec& material, bool in_default) {
  rows(node, material_rule, &material, in_default);
  const Attribute* color = node.find("texture");
  if (color) material.textures[code(TextureRole::rgb)] = color->value;
  for (const Node& layer : node.children) {
    if (layer.name != "layer") continue;
    if (color) error(layer, "", "a material has either a texture or layers");
    int role = keyword_number(layer, "role", texture_roles());
    if (role >= 0) material.textures[role] = layer.text("texture");
  }
}

void Reader::model(const Node& node) {
  std::string file(node.text("file"));
  if (file.empty()) {
    if (node.has("file")) error(node, "file", "no file is named");
    return;
  }
  std::string path = join_path(document_.directory, file);
  if (depth_ >= max_model_depth) {
    error(node, "file", "models are nested too deeply");
    return;
  }
  std::unique_ptr<Spec> child = read_model(path, spec_.assets, depth_ + 1, diagnostics_);
  if (!child) {
    error(node, "file", "the model cannot be read");
    return;
  }
  if (const Attribute* name = node.find("name")) child->modelname = name->value;
  models_.push_back(std::move(child));
}

}  // namespace lockstep::mjcf
