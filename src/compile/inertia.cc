// inertia.cc: mass, inertia and inertial frame of bodies: as given, or from their geoms; bounds and
// checks; free bodies aligned with their inertial frames.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

// mass and inertia summed over the geoms that have mass; false if none has
bool sum_geoms(Build& b, const Body& body, BodyData& data) {
  std::vector<const GeomData*> heavy;
  for (const Geom* geom : body.geoms) {
    const auto& range = body.compiler->inertiagrouprange;
    const GeomData& part = b.tree.geoms[geom->id];
    if (geom->group >= range[0] && geom->group <= range[1] && part.mass > tiny_length) {
      heavy.push_back(&part);
    }
  }
  if (heavy.empty()) return false;
  if (heavy.size() == 1) {
    data.inertial = heavy[0]->pose;
    data.mass = heavy[0]->mass;
    data.inertia = heavy[0]->inertia;
    return true;
  }
  data.mass = 0;
  Vec3d moment{0, 0, 0};
  for (const GeomData* part : heavy) {
    data.mass += part->mass;
    moment += part->mass * part->pose.pos;
  }
  for (int i = 0; i < 3; i++) data.inertial.pos[i] = moment[i] / data.mass;
  std::array<double, 6> total{};
  for (const GeomData* part : heavy) {
    auto own = turned_inertia(part->inertia, part->pose.quat);
    auto off = offset_inertia(part->mass, part->pose.pos - data.inertial.pos);
    for (int i = 0; i < 6; i++) total[i] = total[i] + own[i] + off[i];
  }
  bool bounded = body.compiler->boundinertia > 0;
  if (!principal_axes(total, bounded, data.inertial, data.inertia)) {
    b.error(body, "", "the inertia of the geoms is not positive definite");
  }
  return true;
}

// what the element itself says
void take_given(Build& b, Body& body, BodyData& data) {
  data.mass = body.mass;
  data.inertia = to_vec(body.inertia);
  data.inertial.quat = to_quat(body.iquat);
  if (!std::isnan(body.ipos[0])) data.inertial.pos = to_vec(body.ipos);
  bool full = !std::isnan(body.fullinertia[0]);
  if (full && (body.inertia[0] != 0 || body.inertia[1] != 0 || body.inertia[2] != 0)) {
    b.error(body, "fullinertia", "full and diagonal inertia cannot both be given");
    return;
  }
  bool bounded = body.compiler->boundinertia > 0;
  // only the API and frames, where exclusive attributes pass, give an orientation beside it
  if (full && !principal_axes(turned_inertia(body.fullinertia, data.inertial.quat), bounded,
                              data.inertial, data.inertia)) {
    b.error(body, "fullinertia", "the inertia must be positive definite");
  }
  if (body.inertial_frame) data.inertial = b.tree.frame_of(body.inertial_frame) * data.inertial;
}

void bound_and_check(Build& b, const Body& body, BodyData& data) {
  const CompilerSpec& settings = *body.compiler;
  // the bound stands for what is not a number
  const auto bounded = [](double value, double bound) { return value > bound ? value : bound; };
  data.mass = bounded(data.mass, settings.boundmass);
  Vec3d& moments = data.inertia;
  for (int i = 0; i < 3; i++) moments[i] = bounded(moments[i], settings.boundinertia);
  if (data.mass < 0 || moments.x < 0 || moments.y < 0 || moments.z < 0) {
    b.error(body, "mass", "mass and inertia cannot be negative");
    return;
  }
  if (moments.x + moments.y < moments.z || moments.x + moments.z < moments.y ||
      moments.y + moments.z < moments.x) {
    double mean = (moments.x + moments.y + moments.z) / 3.0;
    if (settings.balanceinertia) {
      moments = {mean, mean, mean};
    } else {
      auto& error = b.error(body, "diaginertia",
                            "no moment of inertia can exceed the sum of the other two; "
                            "balanceinertia in compiler evens them out");
      error.found = fmt::format("{:g} {:g} {:g}", moments.x, moments.y, moments.z);
    }
  }
}

void settle(Build& b, Body& body, BodyData& data) {
  take_given(b, body, data);
  InertiaFromGeom mode = body.compiler->inertiafromgeom;
  bool given = body.explicitinertial || !std::isnan(body.ipos[0]);
  body.inertial_given = given;
  bool from_geoms = false;
  if (body.id > 0 &&
      (mode == InertiaFromGeom::true_ || (!given && mode == InertiaFromGeom::auto_))) {
    from_geoms = sum_geoms(b, body, data);
  }
  // nothing known: the body's own pose stands for the inertial one
  const bool known = from_geoms ? !std::isnan(data.inertial.pos.x)
                                : !std::isnan(body.ipos[0]) || body.explicitinertial;
  if (!known) {
    data.inertial = {to_vec(body.pos), to_quat(body.quat)};
  }
  if (body.id > 0) bound_and_check(b, body, data);
  data.pose = b.tree.placed(body.frame, Pose{to_vec(body.pos), to_quat(body.quat)});
}

void write_back(Body& body, const BodyData& data) {
  body.mass = data.mass;
  body.inertia = to_array(data.inertia);
  body.ipos = to_array(data.inertial.pos);
  body.iquat = to_array(data.inertial.quat);
  body.fullinertia[0] = undefined;
  body.inertial_frame = nullptr;
}

// a lone free body may take its inertial frame as its frame: its mass matrix is then diagonal
bool aligned(const Body& body) {
  if (body.joints.size() != 1 || !body.bodies.empty()) return false;
  const Joint& joint = *body.joints[0];
  if (joint.type != JointType::free) return false;
  return joint.align == AlignFree::true_ ||
         (joint.align == AlignFree::auto_ && joint.compiler->alignfree);
}

// moves an element written within a frame: `turn` acts outside the frame
template <class T>
void move_within(const TreeData& tree, const Pose& turn, T& element) {
  Pose frame = tree.frame_of(element.frame);
  Pose own = inverse(frame) * (turn * (frame * Pose{to_vec(element.pos), to_quat(element.quat)}));
  element.pos = to_array(own.pos);
  element.quat = to_array(own.quat);
}

void align(Build& b, Body& body) {
  TreeData& tree = b.tree;
  BodyData& data = tree.bodies[body.id];
  Pose back = inverse(data.inertial);
  Pose own = Pose{to_vec(body.pos), to_quat(body.quat)} * data.inertial;
  body.pos = to_array(own.pos);
  body.quat = to_array(own.quat);
  data.pose = tree.frame_of(body.frame) * own;
  data.inertial = Pose{};
  for (Geom* geom : body.geoms) {
    tree.geoms[geom->id].pose = back * tree.geoms[geom->id].pose;
    move_within(tree, back, *geom);
  }
  for (Site* site : body.sites) {
    tree.sites[site->id].pose = back * tree.sites[site->id].pose;
    move_within(tree, back, *site);
  }
  for (Camera* camera : body.cameras) {
    tree.cameras[camera->id].pose = back * tree.cameras[camera->id].pose;
    move_within(tree, back, *camera);
  }
  for (Light* light : body.lights) {
    LightData& lit = tree.lights[light->id];
    lit.pos = back * lit.pos;
    lit.dir = rotate(back.quat, lit.dir);
    Pose frame = inverse(tree.frame_of(light->frame));
    light->pos = to_array(frame * lit.pos);
    light->dir = to_array(rotate(frame.quat, lit.dir));
  }
}

bool heavy(const BodyData& data) {
  return data.mass >= mjMINVAL && data.inertia.x >= mjMINVAL && data.inertia.y >= mjMINVAL &&
         data.inertia.z >= mjMINVAL;
}

// a moving body needs mass of its own, or of a body welded to it
bool moves_mass(const Build& b, const Body& body) {
  if (heavy(b.tree.bodies[body.id])) return true;
  for (const Body* child : body.bodies) {
    if (child->joints.empty() && moves_mass(b, *child)) return true;
  }
  return false;
}

// compiler settotalmass: masses and inertias scaled alike
void scale_total(Build& b) {
  double wanted = b.spec.compiler->settotalmass;
  if (!(wanted > 0)) return;
  auto& note = b.diagnostics.warning(b.spec.source,
                                     "compiler settotalmass is deprecated: scale the masses and "
                                     "densities of the model instead");
  note.element = "compiler";
  note.attribute = "settotalmass";
  double total = 0;
  for (size_t i = 1; i < b.tree.bodies.size(); i++) total += b.tree.bodies[i].mass;
  double factor = std::max(mjMINVAL, wanted / std::max(mjMINVAL, total));
  for (size_t i = 1; i < b.tree.bodies.size(); i++) {
    b.tree.bodies[i].mass *= factor;
    b.tree.bodies[i].inertia *= factor;
  }
}

}  // namespace

void compile_inertias(Build& b) {
  for (Body* body : b.bodies) settle(b, *body, b.tree.bodies[body->id]);
  if (b.diagnostics.failed()) return;
  scale_total(b);
  for (Body* body : b.bodies) {
    if (aligned(*body)) align(b, *body);
    if (body->id > 0) write_back(*body, b.tree.bodies[body->id]);
    if (!body->joints.empty() && !moves_mass(b, *body)) {
      b.error(*body, "mass", "a moving body needs mass and inertia, its own or of a welded child");
    }
  }
}

}  // namespace lockstep
