// copy.cc: deep copy of a spec. Every living element is cloned, then all pointers are turned from
// the source's elements to their clones.
#include <unordered_map>

#include "spec/lists.h"

namespace lockstep {
namespace {

class Cloner {
 public:
  Cloner(Spec& target, std::vector<std::unique_ptr<Element>>& pool)
      : target_(target), pool_(pool) {}

  template <class T>
  T* clone(const T* source) {
    auto element = std::make_unique<T>(*source);
    T* result = element.get();
    result->spec = &target_;
    result->origin = const_cast<T*>(source);
    result->compiler = settings(source->compiler);
    clones_[source] = result;
    pool_.push_back(std::move(element));
    return result;
  }

  template <class T>
  T* clone_of(T* source) const {
    auto found = clones_.find(source);
    return found == clones_.end() ? nullptr : static_cast<T*>(found->second);
  }

  // class of a cloned element; the main one if its own was removed
  Default* class_of(const Element* element) const {
    Default* def = clone_of(element->def);
    return def ? def : target_.main_default();
  }

  // settings shared by elements of the source are shared by their clones
  std::shared_ptr<CompilerSpec> settings(const std::shared_ptr<CompilerSpec>& source) {
    if (!source) return nullptr;
    auto& copy = settings_[source.get()];
    if (!copy) copy = std::make_shared<CompilerSpec>(*source);
    return copy;
  }

  Body* clone_body(const Body* source) {
    Body* body = clone(source);
    for_each_leaf_list(*body, [this](auto& list) {
      for (auto& item : list) item = clone(item);
    });
    for (Body*& child : body->bodies) child = clone_body(child);
    return body;
  }

  // second round: every element is cloned, so every pointer has its counterpart
  // (parents come from the walk: elements attached elsewhere by reference point to other specs)
  void turn_body(Body* body, Body* parent) {
    turn(body, parent);
    for_each_leaf_list(*body, [&](auto& list) {
      for (auto* item : list) turn(item, body);
    });
    body->inertial_frame = clone_of(body->inertial_frame);
    for (Body* child : body->bodies) turn_body(child, body);
  }
  void turn(TreeElement* element, Body* parent) {
    element->def = class_of(element);
    element->parent = parent;
    element->frame = clone_of(element->frame);
  }
  void turn_parts(Key* key) {
    std::erase_if(key->parts, [this](const KeyPart& part) { return !clone_of(part.element); });
    for (KeyPart& part : key->parts) part.element = clone_of(part.element);
  }

 private:
  Spec& target_;
  std::vector<std::unique_ptr<Element>>& pool_;
  std::unordered_map<const Element*, Element*> clones_;
  std::unordered_map<const CompilerSpec*, std::shared_ptr<CompilerSpec>> settings_;
};

void copy_settings(const Spec& source, Spec& target) {
  static_cast<SizeSpec&>(target) = source;
  target.modelname = source.modelname;
  target.comment = source.comment;
  target.modelfiledir = source.modelfiledir;
  target.strippath = source.strippath;
  target.option = source.option;
  target.visual = source.visual;
  target.stat = source.stat;
  target.assets = source.assets;
  target.source = source.source;
  target.signature = source.signature;
  target.authored = source.authored;
  target.active_plugins = source.active_plugins;
  target.warnings = source.warnings;
}

}  // namespace

std::unique_ptr<Spec> Spec::copy() const {
  auto result = std::make_unique<Spec>();
  result->pool_->clear();
  Cloner cloner(*result, *result->pool_);
  copy_settings(*this, *result);
  result->compiler = cloner.settings(compiler);

  result->defaults_ = defaults_;
  for (Default*& def : result->defaults_) def = cloner.clone(def);
  result->main_ = cloner.clone_of(main_);
  for (Default* def : result->defaults_) {
    def->parent = cloner.clone_of(def->parent);
    for (Default*& child : def->children) child = cloner.clone_of(child);
  }

  result->world_ = cloner.clone_body(world_);
  cloner.turn_body(result->world_, nullptr);

  auto& from = const_cast<Spec&>(*this);
  for_each_list(*result, [&](auto& list) {
    using T = std::remove_pointer_t<typename std::decay_t<decltype(list)>::value_type>;
    list = list_of<T>(from);
    for (T*& item : list) {
      item = cloner.clone(item);
      item->def = cloner.class_of(item);
    }
  });
  for (Key* key : result->keys) cloner.turn_parts(key);
  return result;
}

}  // namespace lockstep
