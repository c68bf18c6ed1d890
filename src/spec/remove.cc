// remove.cc: taking elements out of a spec. They stay in memory, marked dead, so that pointers to
// them remain valid.
#include "spec/lists.h"

namespace lockstep {
namespace {

template <class T>
void drop_dead(std::vector<T*>& list) {
  std::erase_if(list, [](const T* item) { return !item->alive; });
}

void kill_body(Body* body) {
  body->alive = false;
  for_each_leaf_list(*body, [](auto& list) {
    for (auto* item : list) item->alive = false;
  });
  for (Body* child : body->bodies) kill_body(child);
}

// a frame goes with what stands in it
void kill_frame(Frame* frame) {
  Body* body = frame->parent;
  for_each_leaf_list(*body, [&](auto& list) {
    for (auto* item : list) {
      if (stands_in(item, frame)) item->alive = false;
    }
  });
  for (Body* child : body->bodies) {
    if (stands_in(child, frame)) kill_body(child);
  }
  frame->alive = false;
}

void kill_default(Default* def) {
  def->alive = false;
  for (Default* child : def->children) kill_default(child);
}

bool in_tree(ObjType kind) {
  switch (kind) {
    case ObjType::body:
    case ObjType::frame:
    case ObjType::joint:
    case ObjType::geom:
    case ObjType::site:
    case ObjType::camera:
    case ObjType::light: return true;
    default: return false;
  }
}

}  // namespace

void Spec::remove(Element* element) {
  if (!element || element->spec != this || !element->alive) return;
  if (element == world_ || element == main_) return;  // a model has these two
  signature = 0;
  Body* parent = in_tree(element->kind) ? static_cast<TreeElement*>(element)->parent : nullptr;
  if (element->kind == ObjType::body) {
    kill_body(static_cast<Body*>(element));
  } else if (element->kind == ObjType::frame) {
    kill_frame(static_cast<Frame*>(element));
  } else if (element->kind == ObjType::default_) {
    auto* def = static_cast<Default*>(element);
    kill_default(def);
    drop_dead(def->parent->children);
    drop_dead(defaults_);
  } else {
    element->alive = false;
  }
  if (parent) {
    drop_dead(parent->bodies);
    for_each_leaf_list(*parent, [](auto& list) { drop_dead(list); });
  } else {
    for_each_list(*this, [](auto& list) { drop_dead(list); });
  }
}

}  // namespace lockstep
