// erase.cc: taking bodies and frames out of the tree, with or without what they hold.
#include "spec/attach.h"
#include "spec/key_parts.h"
#include "spec/lists.h"
#include "spec/references.h"

namespace lockstep {
namespace {

template <class T>
void drop_unbound(std::vector<T*>& list, const std::vector<bool>& was_bound, NameIndex& names) {
  size_t i = 0;
  std::erase_if(list, [&](T* element) {
    bool was = was_bound[i++];
    T probe = *element;
    if (!was || rebind(probe, {}, names)) return false;
    element->alive = false;
    return true;
  });
}

template <class T>
std::vector<bool> bound(const std::vector<T*>& list, NameIndex& names) {
  std::vector<bool> result;
  for (const T* element : list) {
    T probe = *element;
    result.push_back(rebind(probe, {}, names));
  }
  return result;
}

}  // namespace

Frame* body_to_frame(Body* body) {
  Body* parent = body->parent;
  if (!parent) return nullptr;
  Frame* frame = body->spec->add<Frame>(parent, nullptr, body->frame);
  frame->pos = body->pos;
  frame->quat = body->quat;
  frame->alt = body->alt;
  frame->compiler = body->compiler;
  frame->source = body->source;
  auto move = [&](auto& from, auto& to) {
    for (auto* item : from) {
      item->parent = parent;
      if (!item->frame) item->frame = frame;
      to.push_back(item);
    }
    from.clear();
  };
  for_each_leaf_list(*body, [&](auto& list) {
    using T = std::remove_pointer_t<typename std::decay_t<decltype(list)>::value_type>;
    move(list, list_of<T>(*parent));
  });
  move(body->bodies, parent->bodies);
  body->spec->remove(body);
  return frame;
}

void erase(Element* element) {
  Spec& spec = *element->spec;
  if (element->kind != ObjType::body && element->kind != ObjType::frame) {
    spec.remove(element);
    return;
  }
  take_keys_apart(spec);
  // elements that were wrong before are left for the compiler to complain about
  NameIndex before(spec);
  auto pairs = bound(spec.pairs, before);
  auto excludes = bound(spec.excludes, before);
  auto tendons = bound(spec.tendons, before);
  auto equalities = bound(spec.equalities, before);
  auto actuators = bound(spec.actuators, before);
  auto sensors = bound(spec.sensors, before);

  spec.remove(element);
  // a fresh index each: tendons that go take actuators along, these take sensors
  auto drop = [&spec](auto& list, const std::vector<bool>& was_bound) {
    NameIndex names(spec);
    drop_unbound(list, was_bound, names);
  };
  drop(spec.pairs, pairs);
  drop(spec.excludes, excludes);
  drop(spec.tendons, tendons);
  drop(spec.equalities, equalities);
  drop(spec.actuators, actuators);
  drop(spec.sensors, sensors);
}

}  // namespace lockstep
