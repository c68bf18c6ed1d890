#include "spec/dedup.h"

#include <unordered_map>

namespace lockstep {
namespace {

using NewNames = std::unordered_map<std::string, std::string>;

// files are looked up in these directories
bool same_place(const CompilerSpec& a, const CompilerSpec& b, std::string CompilerSpec::* dir) {
  return a.*dir == b.*dir && a.modelfiledir == b.modelfiledir;
}

template <class T>
NewNames merge(Spec& spec, std::vector<T*> list, std::string CompilerSpec::* dir) {
  NewNames names;
  std::vector<T*> kept;
  for (T* item : list) {
    T* twin = nullptr;
    for (T* other : kept) {
      bool same = item->attributes() == other->attributes() &&
                  same_place(*item->compiler, *other->compiler, dir);
      if (same && !item->name.empty() && !other->name.empty()) twin = other;
      if (twin) break;
    }
    if (twin) {
      names[item->name] = twin->name;
      spec.remove(item);
    } else {
      kept.push_back(item);
    }
  }
  return names;
}

void turn(std::string& name, const NewNames& names) {
  if (auto found = names.find(name); found != names.end()) name = found->second;
}

void turn_sensors(Spec& spec, ObjType kind, const NewNames& names) {
  for (Sensor* sensor : spec.sensors) {
    if (sensor->objtype == kind) turn(sensor->objname, names);
    if (sensor->reftype == kind) turn(sensor->refname, names);
  }
  for (Tuple* tuple : spec.tuples) {
    for (size_t i = 0; i < tuple->objname.size() && i < tuple->objtype.size(); ++i) {
      if (tuple->objtype[i] == code(kind)) turn(tuple->objname[i], names);
    }
  }
}

}  // namespace

int dedup_assets(Spec& spec) {
  NewNames textures = merge(spec, spec.textures, &CompilerSpec::texturedir);
  for (Material* material : spec.materials) {
    for (std::string& texture : material->textures) turn(texture, textures);
  }
  for (Light* light : spec.all<Light>()) turn(light->texture, textures);
  NewNames meshes = merge(spec, spec.meshes, &CompilerSpec::meshdir);
  for (Geom* geom : spec.all<Geom>()) turn(geom->meshname, meshes);
  for (Site* site : spec.all<Site>()) turn(site->meshname, meshes);
  for (Default* def : spec.defaults()) {
    for (std::string& texture : def->material.textures) turn(texture, textures);
    turn(def->light.texture, textures);
    turn(def->geom.meshname, meshes);
    turn(def->site.meshname, meshes);
  }
  turn_sensors(spec, ObjType::texture, textures);
  turn_sensors(spec, ObjType::mesh, meshes);
  return static_cast<int>(textures.size() + meshes.size());
}

}  // namespace lockstep
