// attach_lists.cc: what belongs to an attached part: default classes, assets, whatever refers to
// it, plugins and keyframes.
#include <fmt/core.h>

#include <algorithm>

#include "spec/attachment.h"
#include "spec/key_parts.h"
#include "spec/lists.h"

namespace lockstep {
namespace {

constexpr size_t max_elements = 200'000;  // copies of copies grow exponentially

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool Attachment::too_large() const { return to_.pool_->size() > max_elements; }

void Attachment::rename_extras(Flex& flex) {
  for (std::string& material : flex.material) rename_asset(material);
}

void Attachment::use_plugin(PluginRef& plugin) {
  if (plugin.name.empty()) return;
  plugins_.push_back(plugin.name);
  rename_.apply(plugin.name);
}

void Attachment::adapt(Mesh& mesh) {
  rename_asset(mesh.material);
  use_plugin(mesh.plugin);
}

void Attachment::adapt(Material& material) {
  for (std::string& texture : material.textures) rename_asset(texture);
}

void Attachment::carry_defaults() {
  if (!foreign()) return;
  for (Default* source : from_.defaults()) {
    std::string name = rename_(source->name);
    Default* parent = class_for(source->parent);
    Default* def = to_.add_default(name, parent);
    if (!def) {  // the same class came with an earlier part
      classes_[source] = to_.find_default(name);
      continue;
    }
    Default* outer = def->parent;
    std::vector<Default*> children = def->children;
    *def = *source;
    def->name = name;
    def->parent = outer;
    def->children = children;
    def->compiler = options_.copy ? settings(source->compiler) : source->compiler;
    def->spec = &to_;
    def->origin = nullptr;
    rename_asset(def->geom.material);
    rename_asset(def->geom.hfieldname);
    rename_asset(def->geom.meshname);
    rename_asset(def->site.material);
    rename_asset(def->tendon.material);
    rename_asset(def->mesh.material);
    for (std::string& texture : def->material.textures) rename_asset(texture);
    for (std::string& material : def->flex.material) rename_asset(material);
    classes_[source] = def;
  }
  // an element of the child's main class belongs to the parent's, with the values it has
  classes_[from_.main_default()] = to_.main_default();
}

template <class T>
bool Attachment::place(T* element, Diagnostics& diagnostics) {
  if (!element->name.empty() && index_.contains(T::type_code, element->name)) {
    diagnostics.error(element->source, fmt::format("repeated name '{}' in {}", element->name,
                                                   keyword_of(T::type_code)));
    return false;
  }
  index_.insert(T::type_code, element->name);
  list_of<T>(to_).push_back(element);
  return true;
}

template <class T>
bool Attachment::carry_asset(const std::vector<T*>& list, Diagnostics& diagnostics) {
  for (T* source : list) {
    if (source->spec != &from_) continue;  // an earlier attachment took it
    T* element = take(source);
    rename_.apply(element->name);
    adapt(*element);
    if (!place(element, diagnostics)) return false;
  }
  return true;
}

template <class T>
bool Attachment::carry_referring(const std::vector<T*>& list, Diagnostics& diagnostics) {
  const std::vector<T*> sources = list;  // within one spec the list grows meanwhile
  for (T* source : sources) {
    if (source->spec != &from_) continue;
    T renamed = *source;
    rename_.apply(renamed.name);
    if (!rebind(renamed, rename_, index_)) continue;
    T* element = take(source);
    element->name = renamed.name;
    element->attributes() = renamed.attributes();
    if constexpr (std::is_same_v<T, Tendon>) element->path = renamed.path;
    rename_extras(*element);
    if (!place(element, diagnostics)) return false;
    if (too_large()) {
      diagnostics.error(element->source, "attaching makes too many elements");
      return false;
    }
  }
  return true;
}

bool Attachment::carry_lists(Diagnostics& d) {
  if (foreign()) {
    bool ok = carry_asset(from_.meshes, d) && carry_asset(from_.hfields, d) &&
              carry_asset(from_.textures, d) && carry_asset(from_.materials, d) &&
              carry_asset(from_.numerics, d) && carry_asset(from_.texts, d);
    if (!ok) return false;
  }
  bool ok = carry_referring(from_.skins, d) && carry_referring(from_.flexes, d) &&
            carry_referring(from_.pairs, d) && carry_referring(from_.excludes, d) &&
            carry_referring(from_.tendons, d) && carry_referring(from_.equalities, d) &&
            carry_referring(from_.actuators, d) && carry_referring(from_.sensors, d) &&
            carry_referring(from_.tuples, d);
  if (ok) carry_plugins();
  return ok;
}

// plugins that the child asks for, and instances that the part uses
void Attachment::carry_plugins() {
  for (const std::string& plugin : from_.active_plugins) {
    if (!contains(to_.active_plugins, plugin)) to_.active_plugins.push_back(plugin);
  }
  const std::vector<Plugin*> sources = from_.plugins;
  for (Plugin* source : sources) {
    if (source->spec != &from_ || !contains(plugins_, source->name)) continue;
    std::string name = rename_(source->name);
    if (index_.contains(ObjType::plugin, name)) continue;
    Plugin* plugin = take(source);
    plugin->name = name;
    index_.insert(ObjType::plugin, name);
    to_.plugins.push_back(plugin);
  }
}

void Attachment::carry_keys() {
  if (!foreign() && options_.keys_follow) {
    for (Key* key : to_.keys) {
      for (KeyPart& part : key->parts) {
        if (auto found = taken_.find(part.element); found != taken_.end())
          part.element = found->second;
      }
    }
  }
  if (!foreign() && options_.keys_in_place) return;
  const std::vector<Key*> sources = from_.keys;
  for (const Key* source : sources) {
    if (!source->pending) continue;
    Key* key = to_.add<Key>();
    key->name = rename_(source->name);
    key->time = source->time;
    key->source = source->source;
    key->pending = true;
    for (const KeyPart& part : source->parts) {
      auto found = taken_.find(part.element);
      if (found != taken_.end()) key->parts.push_back({found->second, part.values});
    }
  }
}

// elements taken by reference live as long as either spec
void Attachment::share_storage() {
  if (options_.copy || !foreign()) return;
  to_.adopted_.push_back(from_.pool_);
  to_.adopted_.insert(to_.adopted_.end(), from_.adopted_.begin(), from_.adopted_.end());
  from_.attached = true;
  if (!from_.compiler->modelfiledir) from_.compiler->modelfiledir = from_.modelfiledir;
}

}  // namespace lockstep
