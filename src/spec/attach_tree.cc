// attach_tree.cc: the part itself: bodies, frames and what stands in them, renamed.
#include <memory>

#include "spec/attachment.h"
#include "spec/lists.h"

namespace lockstep {

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
    if (!copy->modelfiledir) copy->modelfiledir = from_.modelfiledir;
  }
  return copy;
}

Body* Attachment::graft(Body* source, Body* parent, Frame* frame) {
  const auto contents = std::make_unique<Body>(*source);  // trees may be deep, and stacks small
  Body* body = take(source);
  rename_.apply(body->name);
  index_.insert(ObjType::body, body->name);
  rename(*body);
  body->bodies.clear();
  for_each_leaf_list(*body, [](auto& list) { list.clear(); });
  take_contents(body, *contents);
  body->inertial_frame = frame_for(body->inertial_frame);
  body->parent = parent;
  body->frame = frame;
  parent->bodies.push_back(body);
  return body;
}

void Attachment::take_contents(Body* target, Body& source) {
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

  take_contents(parent, part);
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

}  // namespace lockstep
