#include "spec/attach.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "spec/key_parts.h"
#include "spec/lists.h"
#include "spec/merge_settings.h"
#include "spec/references.h"

namespace lockstep {
namespace {
constexpr size_t max_elements = 200'000;  // copies of copies grow exponentially
}  // namespace

// one attachment on its way: grafts the part, then fetches what belongs to it
class Attachment {
 public:
  Attachment(Spec& from, Spec& to, const AttachOptions& options)
      : from_(from),
        to_(to),
        options_(options),
        rename_{options.prefix, options.suffix},
        own_index_(to),
        index_(options.names ? *options.names : own_index_) {}

  Body* graft(Body* source, Body* parent, Frame* frame);
  Frame* graft(Frame* source, Body* parent, Frame* frame);
  void carry_defaults();
  bool carry_lists(Diagnostics& diagnostics);
  void carry_keys();
  void share_storage();
  bool too_large() const { return to_.pool_->size() > max_elements; }

 private:
  bool foreign() const { return &from_ != &to_; }

  // the element that stands in the target for one of the source
  template <class T>
  T* take(T* source);
  template <class T>
  T* take_leaf(T* source, Body* parent);
  void take_contents(Body* target, Body source);  // a copy: the lists of the original may grow
  Frame* frame_for(Frame* source) const;
  Default* class_for(Default* source) const;
  std::shared_ptr<CompilerSpec> settings(const std::shared_ptr<CompilerSpec>& source);

  void rename(Body& body);
  void rename(Frame& frame) { rename_class(frame.childclass); }
  void rename(Joint&) {}
  void rename(Geom& geom);
  void rename(Site& site);
  void rename(Camera& camera) { rename_target(camera.targetbody); }
  void rename(Light& light);
  void rename_class(std::string& name);
  void rename_target(std::string& name);
  void rename_asset(std::string& name);

  template <class T>
  bool carry_asset(const std::vector<T*>& list, Diagnostics& diagnostics);
  template <class T>
  bool carry_referring(const std::vector<T*>& list, Diagnostics& diagnostics);
  template <class T>
  bool place(T* element, Diagnostics& diagnostics);
  void carry_plugins();
  void adapt(Mesh& mesh);
  void adapt(Material& material);
  template <class T>
  void adapt(T&) {}
  void rename_extras(Skin& skin) { rename_asset(skin.material); }
  void rename_extras(Tendon& tendon) { rename_asset(tendon.material); }
  void rename_extras(Flex& flex);
  void rename_extras(Actuator& actuator) { use_plugin(actuator.plugin); }
  void rename_extras(Sensor& sensor) { use_plugin(sensor.plugin); }
  template <class T>
  void rename_extras(T&) {}
  void use_plugin(PluginRef& plugin);

  Spec& from_;
  Spec& to_;
  AttachOptions options_;
  Renaming rename_;
  NameIndex own_index_;
  NameIndex& index_;
  std::unordered_map<const Element*, Element*> taken_;
  std::unordered_map<const Default*, Default*> classes_;
  std::unordered_map<const CompilerSpec*, std::shared_ptr<CompilerSpec>> settings_;
  std::vector<std::string> plugins_;  // instances that the part uses, old names
};

namespace {
bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool stands_in(const TreeElement* element, const Frame* frame) {
  const Frame* f = element->frame;
  while (f && f != frame) f = f->frame;
  return f == frame;
}
}  // namespace

template <class T>
T* Attachment::take(T* source) {
  T* element = source;
  if (options_.copy) {
    auto clone = std::make_unique<T>(*source);
    element = clone.get();
    to_.pool_->push_back(std::move(clone));
    element->compiler = settings(source->compiler);
    element->origin = nullptr;
  }
  taken_[source] = element;
  element->spec = &to_;
  element->id = -1;
  element->def = class_for(source->def);
  return element;
}

template <class T>
T* Attachment::take_leaf(T* source, Body* parent) {
  T* element = take(source);
  element->parent = parent;
  rename_.apply(element->name);
  rename(*element);
  index_.insert(T::type_code, element->name);
  return element;
}

Frame* Attachment::frame_for(Frame* source) const {
  if (!options_.copy) return source;
  auto found = taken_.find(source);
  return found == taken_.end() ? nullptr : static_cast<Frame*>(found->second);
}

Default* Attachment::class_for(Default* source) const {
  if (!foreign()) return source;
  auto found = classes_.find(source);
  return found == classes_.end() ? to_.main_default() : found->second;
}

std::shared_ptr<CompilerSpec> Attachment::settings(const std::shared_ptr<CompilerSpec>& source) {
  if (!foreign() || !source) return source;
  auto& copy = settings_[source.get()];
  if (!copy) {
    copy = std::make_shared<CompilerSpec>(*source);
    if (copy->modelfiledir.empty()) copy->modelfiledir = from_.modelfiledir;
  }
  return copy;
}

Body* Attachment::graft(Body* source, Body* parent, Frame* frame) {
  const Body contents = *source;
  Body* body = take(source);
  rename_.apply(body->name);
  index_.insert(ObjType::body, body->name);
  rename(*body);
  body->bodies.clear();
  for_each_leaf_list(*body, [](auto& list) { list.clear(); });
  take_contents(body, contents);
  body->inertial_frame = frame_for(body->inertial_frame);
  body->parent = parent;
  body->frame = frame;
  parent->bodies.push_back(body);
  return body;
}

void Attachment::take_contents(Body* target, Body source) {
  for_each_leaf_list(source, [&](auto& list) {
    using T = std::remove_pointer_t<typename std::decay_t<decltype(list)>::value_type>;
    for (T*& item : list) {
      item = take_leaf(item, target);
      list_of<T>(*target).push_back(item);
    }
  });
  // now that all frames are there, whatever their order
  for_each_leaf_list(source, [&](auto& list) {
    for (auto* item : list) item->frame = frame_for(item->frame);
  });
  for (Body* child : source.bodies) graft(child, target, frame_for(child->frame));
}

Frame* Attachment::graft(Frame* source, Body* parent, Frame* frame) {
  Body part = *source->parent;  // lists as they are before anything is added
  part.frames.insert(part.frames.begin(), nullptr);
  for_each_leaf_list(part, [&](auto& list) {
    std::erase_if(list, [&](auto* item) { return item && !stands_in(item, source); });
  });
  std::erase_if(part.bodies, [&](Body* item) { return !stands_in(item, source); });
  part.frames[0] = source;

  take_contents(parent, std::move(part));
  Frame* result = frame_for(source);
  result->frame = frame;
  return result;
}

void Attachment::rename(Body& body) {
  rename_class(body.childclass);
  use_plugin(body.plugin);
}

void Attachment::rename(Geom& geom) {
  rename_asset(geom.material);
  rename_asset(geom.hfieldname);
  rename_asset(geom.meshname);
  use_plugin(geom.plugin);
}

void Attachment::rename(Site& site) {
  rename_asset(site.material);
  rename_asset(site.meshname);
}

void Attachment::rename(Light& light) {
  rename_target(light.targetbody);
  rename_asset(light.texture);
}

void Attachment::rename_class(std::string& name) {
  if (foreign() && name != "main") rename_.apply(name);
}

void Attachment::rename_target(std::string& name) {
  if (name != "world") rename_.apply(name);
}

// within one spec, a copy uses the assets of the original
void Attachment::rename_asset(std::string& name) {
  if (foreign()) rename_.apply(name);
}

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
  if (from_.compiler->modelfiledir.empty()) from_.compiler->modelfiledir = from_.modelfiledir;
}

namespace {

// the frame that stands for a site
Frame* frame_at(Site* site) {
  Frame* frame = site->spec->add<Frame>(site->parent, nullptr, site->frame);
  frame->pos = site->pos;
  frame->quat = site->quat;
  frame->alt = site->alt;
  frame->compiler = site->compiler;
  return frame;
}

bool holds_attached(const Body& body, const Spec* spec) {
  if (body.spec != spec) return true;
  for (const Body* child : body.bodies) {
    if (holds_attached(*child, spec)) return true;
  }
  return false;
}

bool part_is_attached(const Element* child, const Spec* spec) {
  if (child->kind == ObjType::body) return holds_attached(*static_cast<const Body*>(child), spec);
  const auto* frame = static_cast<const Frame*>(child);
  for (const Body* body : frame->parent->bodies) {
    if (stands_in(body, frame) && holds_attached(*body, spec)) return true;
  }
  return false;
}

// what forbids the attachment, or ""
std::string objection(const Element* parent, const Element* child, const AttachOptions& options) {
  if (!parent || !child) return "attaching needs a parent and a child";
  bool child_ok = child->kind == ObjType::frame ||
                  (child->kind == ObjType::body && parent->kind != ObjType::body);
  if (parent->kind != ObjType::frame && parent->kind != ObjType::site &&
      parent->kind != ObjType::body) {
    return "parent element is not a frame, body or site";
  }
  if (!child_ok) {
    return parent->kind == ObjType::body ? "child element is not a frame"
                                         : "child element is not a body or frame";
  }
  if (!parent->alive || !child->alive) return "element is not in this model";
  if (options.copy) return "";
  if (child->spec == parent->spec) {
    return "the child stands in the same spec as its parent; only a deep copy can be attached";
  }
  if (part_is_attached(child, child->spec)) {
    return "parts of the child are attached already; only a deep copy can be attached again";
  }
  return "";
}

}  // namespace

Element* attach(Element* parent, Element* child, const AttachOptions& options,
                Diagnostics& diagnostics) {
  std::string reason = objection(parent, child, options);
  if (!reason.empty()) {
    diagnostics.error(parent ? parent->source : Source{}, reason);
    return nullptr;
  }
  Spec& from = *child->spec;
  Spec& to = *parent->spec;
  bool foreign = &from != &to;
  if (foreign && !merge_settings(to, from, diagnostics)) return nullptr;
  if (foreign && options.prefix.empty() && options.suffix.empty()) {
    to.warnings.warning({},
                        "names and classes of two models in one, without a prefix, may prevent the "
                        "model from being saved correctly");
  }
  if (foreign || !options.keys_in_place) take_keys_apart(from);
  if (!options.keys_in_place) take_keys_apart(to);

  Attachment attachment(from, to, options);
  if (attachment.too_large()) {
    diagnostics.error(child->source, "attaching makes too many elements");
    return nullptr;
  }
  attachment.carry_defaults();
  Body* body = parent->kind == ObjType::body ? static_cast<Body*>(parent)
                                             : static_cast<TreeElement*>(parent)->parent;
  Frame* frame = parent->kind == ObjType::frame  ? static_cast<Frame*>(parent)
                 : parent->kind == ObjType::site ? frame_at(static_cast<Site*>(parent))
                                                 : nullptr;
  Element* result = nullptr;
  if (child->kind == ObjType::body) {
    result = attachment.graft(static_cast<Body*>(child), body, frame);
  } else {
    result = attachment.graft(static_cast<Frame*>(child), body, frame);
  }
  to.signature = 0;
  if (!attachment.carry_lists(diagnostics)) return nullptr;
  attachment.carry_keys();
  attachment.share_storage();
  return result;
}

Frame* attach(Element* parent, Spec& child, const AttachOptions& options,
              Diagnostics& diagnostics) {
  if (child.attached && !options.copy) {
    diagnostics.error({}, "the child is attached already; only a deep copy can be attached again");
    return nullptr;
  }
  Frame* all = child.add<Frame>(child.world());
  for_each_leaf_list(*child.world(), [all](auto& list) {
    for (auto* item : list) {
      if (!item->frame && item != static_cast<TreeElement*>(all)) item->frame = all;
    }
  });
  for (Body* body : child.world()->bodies) {
    if (!body->frame) body->frame = all;
  }
  return static_cast<Frame*>(attach(parent, all, options, diagnostics));
}

}  // namespace lockstep
