// attach.cc: see attach.h.
#include "spec/attach.h"

#include "spec/attachment.h"
#include "spec/key_parts.h"
#include "spec/lists.h"
#include "spec/merge_settings.h"
#include "spec/nesting.h"

namespace lockstep {
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

// whether bodies would stand around each other more often than trees may be deep
bool nests_too_deeply(const Element* parent, const Element* child) {
  const Body* around = parent->kind == ObjType::body
                           ? static_cast<const Body*>(parent)
                           : static_cast<const TreeElement*>(parent)->parent;
  const int room = max_body_nesting - nesting(*around) - 1;
  if (child->kind == ObjType::body) return too_deep(*static_cast<const Body*>(child), room);
  const auto* frame = static_cast<const Frame*>(child);
  for (const Body* body : frame->parent->bodies) {
    if (stands_in(body, frame) && too_deep(*body, room)) return true;
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
  if (nests_too_deeply(parent, child)) return "attaching nests bodies too deeply";
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
