// attach.h: putting a part of one spec into another, or a copy of a part into the same spec; and
// deleting a part together with what refers to it.
#pragma once

#include "spec/spec.h"

namespace lockstep {

class NameIndex;

struct AttachOptions {
  std::string prefix;
  std::string suffix;
  // true: the parent gets a copy; false: the very elements become the parent's, and the child spec
  // keeps looking at them
  bool copy = false;
  // true while a file is read: its keyframes are written for the finished model, so they are left
  // alone, and a part attached to its own spec brings no keyframes
  bool keys_in_place = false;
  bool keys_follow = false;  // keyframes that wait are about the copy from now on
  // names in use in the parent's spec, kept by a caller who attaches many parts in a row; null:
  // collected anew
  NameIndex* names = nullptr;
};

// Attaches a body or frame to a frame, site or body (frames only) and returns the attached element,
// or null with an error in `diagnostics`. All names of the part get prefix and suffix, as do the
// references to them. With it come: from another spec, the default classes and all assets; from
// any spec, whatever outside the tree refers to the part (tendons, actuators, sensors, ...).
Element* attach(Element* parent, Element* child, const AttachOptions& options,
                Diagnostics& diagnostics);

// Attaches all that stands in the world of another spec, gathered in a new frame, which is
// returned.
Frame* attach(Element* parent, Spec& child, const AttachOptions& options, Diagnostics& diagnostics);

// Turns a body into a frame of its parent, which gets all that the body held; the body is gone.
Frame* body_to_frame(Body* body);

// Deletes an element. A body or frame takes along its contents and all pairs, excludes, tendons,
// equalities, actuators and sensors that refer to them.
void erase(Element* element);

}  // namespace lockstep
