// names.cc: names: given or taken from files, unique within their kind; their text and hash tables.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

// kinds of named objects in the order of their names in the Model
constexpr ObjType kinds[] = {
    ObjType::body,    ObjType::joint,    ObjType::geom,   ObjType::site,    ObjType::camera,
    ObjType::light,   ObjType::flex,     ObjType::mesh,   ObjType::skin,    ObjType::hfield,
    ObjType::texture, ObjType::material, ObjType::pair,   ObjType::exclude, ObjType::equality,
    ObjType::tendon,  ObjType::actuator, ObjType::sensor, ObjType::numeric, ObjType::text,
    ObjType::tuple,   ObjType::key,      ObjType::plugin};

constexpr int slots_per_name = 2;  // of the hash tables

std::string stem(const std::string& file) {
  std::string name = file_name_of(file);
  return name.substr(0, name.rfind('.'));
}

template <class T>
void name_from_file(Build& b, std::vector<T*>& list, bool may_be_empty(const T&)) {
  for (T* asset : list) {
    if (asset->name.empty()) asset->name = stem(asset->file);
    if (asset->name.empty() && !may_be_empty(*asset)) {
      b.error(*asset, "name", "an asset needs a name");
    }
  }
}

uint64_t hash(std::string_view name) {
  uint64_t h = 5381;
  for (char c : name) h = ((h << 5) + h) ^ static_cast<uint64_t>(static_cast<int>(c));
  return h;
}

// there may be more objects than elements: keyframes that a file only counts
std::vector<std::string> names_by_id(const Build& b, ObjType kind) {
  std::vector<std::string> names(names_of(b.model, kind).count);
  for (const Element* element : b.spec.all(kind)) {
    if (element->id >= 0 && element->id < static_cast<int>(names.size())) {
      names[element->id] = element->name;
    }
  }
  return names;
}

int* addresses(Model& m, ObjType kind) { return const_cast<int*>(names_of(m, kind).adr); }

}  // namespace

void check_names(Build& b) {
  name_from_file<Mesh>(b, b.spec.meshes, [](const Mesh&) { return false; });
  name_from_file<HField>(b, b.spec.hfields, [](const HField&) { return false; });
  name_from_file<Skin>(b, b.spec.skins, [](const Skin&) { return true; });
  name_from_file<Texture>(b, b.spec.textures, [](const Texture& texture) {
    return texture.type == TextureType::skybox;
  });
  for (const Material* material : b.spec.materials) {
    if (material->name.empty()) b.error(*material, "name", "an asset needs a name");
  }
  auto check = [&](ObjType kind) {
    std::unordered_set<std::string_view> known;
    for (const Element* element : b.spec.all(kind)) {
      if (element->name.empty() || known.insert(element->name).second) continue;
      b.error(*element, "name",
              fmt::format("repeated name '{}' in {}", element->name, keyword_of(kind)));
    }
  };
  for (ObjType kind : kinds) check(kind);
  check(ObjType::frame);
}

void compile_name_sizes(Build& b) {
  Model& m = b.model;
  m.nnames = static_cast<int64_t>(b.spec.modelname.size()) + 1;
  m.nnames_map = 0;
  for (ObjType kind : kinds) {
    for (const std::string& name : names_by_id(b, kind)) {
      m.nnames += static_cast<int64_t>(name.size()) + 1;
      m.nnames_map += slots_per_name;
    }
  }
}

void pack_names(Build& b) {
  Model& m = b.model;
  int64_t adr = 0;
  auto append = [&](const std::string& name) {
    std::memcpy(m.names + adr, name.c_str(), name.size() + 1);
    int64_t start = adr;
    adr += static_cast<int64_t>(name.size()) + 1;
    return static_cast<int>(start);
  };
  append(b.spec.modelname);
  std::fill_n(m.names_map, m.nnames_map, -1);
  int* table = m.names_map;
  for (ObjType kind : kinds) {
    std::vector<std::string> names = names_by_id(b, kind);
    uint64_t size = names.size() * slots_per_name;
    for (size_t id = 0; id < names.size(); id++) {
      addresses(m, kind)[id] = append(names[id]);
      if (names[id].empty()) continue;
      uint64_t slot = hash(names[id]) % size;
      while (table[slot] != -1) slot = (slot + 1) % size;
      table[slot] = static_cast<int>(id);
    }
    table += size;
  }
}

}  // namespace lockstep
