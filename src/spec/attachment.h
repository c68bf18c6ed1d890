// attachment.h: one attachment on its way: grafts the part (attach_tree.cc), then fetches what
// belongs to it (attach_lists.cc).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "spec/attach.h"
#include "spec/references.h"

namespace lockstep {

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
  bool too_large() const;

 private:
  bool foreign() const { return &from_ != &to_; }

  // the element that stands in the target for one of the source
  template <class T>
  T* take(T* source);
  template <class T>
  T* take_leaf(T* source, Body* parent);
  void take_contents(Body* target, Body& source);  // a copy: the lists of the original may grow
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

}  // namespace lockstep
