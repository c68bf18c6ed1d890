// orientation.cc: every way to write an orientation becomes a quaternion in the working copy.
#include "spec/orientation.h"

#include <cmath>

#include "compile/build.h"
#include "compile/passes.h"
#include "compile/pose.h"

namespace lockstep {
namespace {

void settle(Build& b, const Element& element, Orientation& alt, std::array<double, 4>& quat) {
  std::string problem = resolve_orientation(alt, *element.compiler, quat);
  if (!problem.empty()) {
    b.error(element, keyword_of(alt.type), problem);
    return;
  }
  alt = Orientation{};
}

void settle_all(Build& b, Body& body) {
  settle(b, body, body.alt, body.quat);
  if (!std::isnan(body.fullinertia[0]) && body.ialt.type != OrientationType::quat) {
    b.error(body, "fullinertia", "a full inertia cannot be combined with an orientation");
    return;
  }
  settle(b, body, body.ialt, body.iquat);
  for (Frame* frame : body.frames) settle(b, *frame, frame->alt, frame->quat);
  for (Geom* geom : body.geoms) {
    if (std::isnan(geom->fromto[0])) settle(b, *geom, geom->alt, geom->quat);
  }
  for (Site* site : body.sites) {
    if (std::isnan(site->fromto[0])) settle(b, *site, site->alt, site->quat);
  }
  for (Camera* camera : body.cameras) settle(b, *camera, camera->alt, camera->quat);
}

Pose accumulate(TreeData& tree, const Frame* frame) {
  if (!frame) return {};
  if (auto found = tree.frames.find(frame); found != tree.frames.end()) return found->second;
  Pose own{to_vec(frame->pos), to_quat(frame->quat)};
  Pose pose = frame->frame ? accumulate(tree, frame->frame) * own : own;
  return tree.frames[frame] = pose;
}

}  // namespace

void resolve_orientations(Build& b) {
  for (Body* body : b.spec.all<Body>()) settle_all(b, *body);
}

void compile_frames(Build& b) {
  for (Body* body : b.bodies) {
    for (const Frame* frame : body->frames) accumulate(b.tree, frame);
  }
}

}  // namespace lockstep
