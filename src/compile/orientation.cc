// orientation.cc: every way to write an orientation becomes a quaternion in the working copy.
#include <cmath>

#include "compile/build.h"
#include "compile/passes.h"
#include "compile/pose.h"

namespace lockstep {
namespace {

// an orientation, or what is wrong with it
struct Answer {
  Quatd quat{1, 0, 0, 0};
  const char* problem = nullptr;
};

double radians(double angle, bool degree) { return degree ? angle / 180.0 * mjPI : angle; }

Answer from_axisangle(const std::array<double, 4>& a, bool degree) {
  Vec3d axis{a[0], a[1], a[2]};
  if (normalize_length(axis) < tiny_length) return {{}, "the axis is too short"};
  double half = radians(a[3], degree) / 2, s = std::sin(half);
  return {{std::cos(half), s * axis.x, s * axis.y, s * axis.z}};
}

Answer from_xyaxes(const std::array<double, 6>& a) {
  Vec3d x{a[0], a[1], a[2]}, y{a[3], a[4], a[5]};
  if (normalize_length(x) < tiny_length) return {{}, "the x axis is too short"};
  y = y - x * dot(x, y);
  if (normalize_length(y) < tiny_length) return {{}, "the y axis is too short or parallel to x"};
  Vec3d z = cross(x, y);
  normalize_length(z);
  return {from_mat(from_cols(x, y, z))};
}

Answer from_zaxis(const std::array<double, 3>& a) {
  Vec3d z = to_vec(a);
  if (normalize_length(z) < tiny_length) return {{}, "the z axis is too short"};
  return {quat_from_z(z)};
}

// lower case: about the axes that move along; upper case: about those of the parent
Answer from_euler(const std::array<double, 3>& a, const CompilerSpec& settings) {
  Answer answer;
  if (settings.eulerseq.size() != 3) return {{}, "eulerseq must have three letters"};
  for (int i = 0; i < 3; i++) {
    char letter = settings.eulerseq[i];
    char axis = static_cast<char>(letter | 0x20);
    if (axis < 'x' || axis > 'z') return {{}, "eulerseq may only contain x, y, z, X, Y, Z"};
    double half = radians(a[i], settings.degree) / 2;
    Quatd turn{std::cos(half), 0, 0, 0};
    turn[axis - 'x' + 1] = std::sin(half);
    answer.quat = letter == axis ? answer.quat * turn : turn * answer.quat;
    normalize_length(answer.quat);
  }
  return answer;
}

Answer resolve(const Orientation& alt, const CompilerSpec& settings) {
  switch (alt.type) {
    case OrientationType::axisangle: return from_axisangle(alt.axisangle, settings.degree);
    case OrientationType::xyaxes: return from_xyaxes(alt.xyaxes);
    case OrientationType::zaxis: return from_zaxis(alt.zaxis);
    case OrientationType::euler: return from_euler(alt.euler, settings);
    default: return {};
  }
}

void settle(Build& b, const Element& element, Orientation& alt, std::array<double, 4>& quat) {
  if (alt.type == OrientationType::quat) {
    normalize_length(quat.data(), 4);
    return;
  }
  Answer answer = resolve(alt, *element.compiler);
  if (answer.problem) {
    b.error(element, keyword_of(alt.type), answer.problem);
    return;
  }
  quat = to_array(answer.quat);
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
