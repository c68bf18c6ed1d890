// copy_changes.cc: see copy_changes.h; then what is copied, element by element.
#include "compile/copy_changes.h"

#include <cmath>

#include "compile/shape.h"

namespace lockstep {

Changes::Changes(const Model& model, const Baseline& baseline, const Spec& compiled, bool resolved)
    : m(model), resolved(resolved) {
  std::vector<FieldInfo> fields = m.fields();
  for (size_t i = 0; i < fields.size(); i++) {
    if (fields[i].bytes() && !baseline[i].empty()) before_[fields[i].data] = baseline[i].data();
  }
  for (ObjType kind : {ObjType::body, ObjType::geom, ObjType::site, ObjType::camera, ObjType::light,
                       ObjType::joint}) {
    std::vector<const Element*>& list = compiled_[code(kind)];
    for (const Element* element : compiled.all(kind)) {
      list.resize(std::max(list.size(), size_t(element->id + 1)));
      list[element->id] = element;
    }
  }
}

bool Changes::get_poly(const double* linear, const double* higher, int row,
                       std::array<double, 3>& value) const {
  bool first = get(linear, row, value[0]);
  if (!changed(higher, row, mjNPOLY)) return first;
  std::copy_n(higher + mjNPOLY * row, mjNPOLY, value.begin() + 1);
  return true;
}

double Changes::angle_unit(const Element& element) const {
  return !resolved && element.compiler->degree ? 180 / mjPI : 1;
}

Pose Changes::frames_of(const TreeElement& element) const {
  const auto* compiled =
      static_cast<const TreeElement*>(compiled_[code(element.kind)].at(size_t(element.id)));
  Pose all;
  for (const Frame* frame = compiled->frame; frame; frame = frame->frame) {
    all = Pose{to_vec(frame->pos), to_quat(frame->quat)} * all;
  }
  return all;
}

namespace {

Vec3d vec_at(const double* field, int row) {
  return {field[3 * row], field[3 * row + 1], field[3 * row + 2]};
}
Quatd quat_at(const double* field, int row) {
  return {field[4 * row], field[4 * row + 1], field[4 * row + 2], field[4 * row + 3]};
}

template <class T>
void set_quat(const Quatd& quat, T& element) {
  element.quat = to_array(quat);
  element.alt = Orientation();
}

// place and orientation apart, so that what was not changed stays as it was written
template <class T>
bool copy_pose(const Changes& c, const double* pos, const double* quat, T& element) {
  const bool moved = c.changed(pos, element.id, 3), turned = c.changed(quat, element.id, 4);
  if (!moved && !turned) return false;
  Pose own =
      inverse(c.frames_of(element)) * Pose{vec_at(pos, element.id), quat_at(quat, element.id)};
  if (moved) element.pos = to_array(own.pos);
  if (turned) set_quat(own.quat, element);
  return true;
}

// the pose that two points or a fitted mesh gave, in their place
template <class T>
void replace_pose(const Changes& c, const double* pos, const double* quat, T& element) {
  if (std::isnan(element.fromto[0]) && element.meshname.empty()) return;
  Pose own =
      inverse(c.frames_of(element)) * Pose{vec_at(pos, element.id), quat_at(quat, element.id)};
  element.pos = to_array(own.pos);
  set_quat(own.quat, element);
  element.fromto[0] = undefined;
  element.meshname.clear();
}

void copy_inertial(const Changes& c, Body& body) {
  const Model& m = c.m;
  const int i = body.id;
  const bool shape = c.changed(m.body_ipos, i, 3) || c.changed(m.body_iquat, i, 4) ||
                     c.changed(m.body_inertia, i, 3);
  if (!shape && !c.changed(m.body_mass, i, 1)) return;
  body.mass = m.body_mass[i];
  if (!shape && body.explicitinertial) return;
  std::copy_n(m.body_ipos + 3 * i, 3, body.ipos.begin());
  std::copy_n(m.body_iquat + 4 * i, 4, body.iquat.begin());
  std::copy_n(m.body_inertia + 3 * i, 3, body.inertia.begin());
  body.ialt = Orientation();
  body.fullinertia = BodySpec().fullinertia;
  body.inertial_frame = nullptr;
  body.explicitinertial = true;
}

// a free body starts at qpos0
void copy_free_pose(const Changes& c, Body& body) {
  const int joint = c.m.body_jntadr[body.id];
  if (joint < 0 || c.m.jnt_type[joint] != code(JointType::free)) return;
  const double* qpos = c.m.qpos0 + c.m.jnt_qposadr[joint];
  if (!c.changed_cells(c.m.qpos0, c.m.jnt_qposadr[joint], 7)) return;
  Pose own = inverse(c.frames_of(body)) * Pose{vec_at(qpos, 0), quat_at(qpos + 3, 0)};
  body.pos = to_array(own.pos);
  set_quat(own.quat, body);
}

void copy(const Changes& c, Body& body) {
  if (body.id == 0) return;
  copy_pose(c, c.m.body_pos, c.m.body_quat, body);
  copy_free_pose(c, body);
  copy_inertial(c, body);
  c.get(c.m.body_gravcomp, body.id, body.gravcomp);
}

void copy_joint_place(const Changes& c, Joint& joint) {
  const Model& m = c.m;
  const int i = joint.id;
  if (c.changed(m.jnt_pos, i, 3)) {
    joint.pos = to_array(inverse(c.frames_of(joint)) * vec_at(m.jnt_pos, i));
  }
  if (c.changed(m.jnt_axis, i, 3)) {
    joint.axis = to_array(rotate(conj(c.frames_of(joint).quat), vec_at(m.jnt_axis, i)));
  }
}

void copy(const Changes& c, Joint& joint) {
  const Model& m = c.m;
  const int i = joint.id, dof = m.jnt_dofadr[i];
  const bool turns = joint.type == JointType::hinge || joint.type == JointType::ball;
  const double unit = turns ? c.angle_unit(joint) : 1;
  copy_joint_place(c, joint);
  if (joint.type == JointType::hinge || joint.type == JointType::slide) {
    c.get(m.qpos0, m.jnt_qposadr[i], joint.ref, unit);
    c.get(m.qpos_spring, m.jnt_qposadr[i], joint.springref, unit);
  }
  c.get(m.jnt_solref, i, joint.solref_limit);
  c.get(m.jnt_solimp, i, joint.solimp_limit);
  c.get_range(m.jnt_range, m.jnt_limited, i, joint, joint.range, joint.limited, unit);
  c.get_range(m.jnt_actfrcrange, m.jnt_actfrclimited, i, joint, joint.actfrcrange,
              joint.actfrclimited);
  bool spring = c.get_poly(m.jnt_stiffness, m.jnt_stiffnesspoly, i, joint.stiffness);
  spring |= c.get_poly(m.dof_damping, m.dof_dampingpoly, dof, joint.damping);
  if (spring && joint.springdamper != std::array<double, 2>{}) {
    joint.stiffness[0] = m.jnt_stiffness[i];
    joint.damping[0] = m.dof_damping[dof];
    joint.springdamper = {};
  }
  c.get(m.dof_solref, dof, joint.solref_friction);
  c.get(m.dof_solimp, dof, joint.solimp_friction);
  c.get(m.jnt_springyield, i, joint.springyield, unit);
  c.get(m.jnt_margin, i, joint.margin);
  c.get(m.dof_armature, dof, joint.armature);
  c.get(m.dof_frictionloss, dof, joint.frictionloss);
}

// a mesh stands in its geom by a pose of its own, which the compiler has added
void copy_geom_pose(const Changes& c, Geom& geom) {
  const Model& m = c.m;
  const int i = geom.id, mesh = m.geom_dataid[i];
  const bool offset = mesh >= 0 && m.geom_type[i] == code(GeomType::mesh);
  if (!offset) {
    if (copy_pose(c, m.geom_pos, m.geom_quat, geom)) {
      replace_pose(c, m.geom_pos, m.geom_quat, geom);
      std::copy_n(m.geom_size + 3 * i, 3, geom.size.begin());
    }
    return;
  }
  const bool turned = c.changed(m.geom_quat, i, 4);
  if (!turned && !c.changed(m.geom_pos, i, 3)) return;
  Pose pose{vec_at(m.geom_pos, i), quat_at(m.geom_quat, i)};
  pose = pose * inverse(Pose{vec_at(m.mesh_pos, mesh), quat_at(m.mesh_quat, mesh)});
  Pose own = inverse(c.frames_of(geom)) * pose;
  geom.pos = to_array(own.pos);
  if (turned) set_quat(own.quat, geom);
}

void copy(const Changes& c, Geom& geom) {
  const Model& m = c.m;
  const int i = geom.id;
  copy_geom_pose(c, geom);
  c.get(m.geom_contype, i, geom.contype);
  c.get(m.geom_conaffinity, i, geom.conaffinity);
  c.get(m.geom_condim, i, geom.condim);
  c.get(m.geom_priority, i, geom.priority);
  c.get(m.geom_group, i, geom.group);
  c.get(m.geom_solmix, i, geom.solmix);
  c.get(m.geom_margin, i, geom.margin);
  c.get(m.geom_gap, i, geom.gap);
  c.get(m.geom_adhesion, i, geom.adhesion);
  c.get(m.geom_solref, i, geom.solref);
  c.get(m.geom_solimp, i, geom.solimp);
  c.get(m.geom_friction, i, geom.friction);
  c.get(m.geom_rgba, i, geom.rgba);
  if (geom.type == GeomType::mesh || geom.type == GeomType::hfield) return;
  if (!c.get(m.geom_size, i, geom.size)) return;
  // a radius goes with two points, the rest of a size does not
  const bool radius = std::isnan(geom.fromto[0]) || !c.changed_cells(m.geom_size, 3 * i + 1, 2);
  if (!radius || !geom.meshname.empty()) replace_pose(c, m.geom_pos, m.geom_quat, geom);
  // what the shape does not have
  for (int unused = size_count(geom.type); unused < 3; unused++) geom.size[unused] = 0;
}

void copy(const Changes& c, Site& site) {
  const Model& m = c.m;
  const int i = site.id;
  if (copy_pose(c, m.site_pos, m.site_quat, site) && !std::isnan(site.fromto[0])) {
    replace_pose(c, m.site_pos, m.site_quat, site);
    std::copy_n(m.site_size + 3 * i, 3, site.size.begin());
  }
  c.get(m.site_size, i, site.size);
  c.get(m.site_rgba, i, site.rgba);
}

void copy(const Changes& c, Camera& camera) {
  const Model& m = c.m;
  copy_pose(c, m.cam_pos, m.cam_quat, camera);
  c.get(m.cam_fovy, camera.id, camera.fovy);
  c.get(m.cam_ipd, camera.id, camera.ipd);
}

void copy(const Changes& c, Light& light) {
  const Model& m = c.m;
  const int i = light.id;
  if (c.changed(m.light_pos, i, 3)) {
    light.pos = to_array(inverse(c.frames_of(light)) * vec_at(m.light_pos, i));
  }
  if (c.changed(m.light_dir, i, 3)) {
    light.dir = to_array(rotate(conj(c.frames_of(light).quat), vec_at(m.light_dir, i)));
  }
  c.get(m.light_bulbradius, i, light.bulbradius);
  c.get(m.light_intensity, i, light.intensity);
  c.get(m.light_range, i, light.range);
  c.get(m.light_attenuation, i, light.attenuation);
  c.get(m.light_cutoff, i, light.cutoff);
  c.get(m.light_softness, i, light.softness);
  c.get(m.light_exponent, i, light.exponent);
  c.get(m.light_ambient, i, light.ambient);
  c.get(m.light_diffuse, i, light.diffuse);
  c.get(m.light_specular, i, light.specular);
}

template <class T>
void copy_kind(const Changes& c, Spec& spec) {
  for (T* element : spec.all<T>()) {
    if (element->id >= 0) copy(c, *element);
  }
}

}  // namespace

void copy_tree(const Changes& c, Spec& spec) {
  copy_kind<Body>(c, spec);
  copy_kind<Joint>(c, spec);
  copy_kind<Geom>(c, spec);
  copy_kind<Site>(c, spec);
  copy_kind<Camera>(c, spec);
  copy_kind<Light>(c, spec);
}

}  // namespace lockstep
