#include "copy_back.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "math/quat.h"

namespace lockstep::python {
namespace {

// fields of elements have these prefixes; those of assets are large and stay
constexpr std::string_view prefixes[] = {"body_", "jnt_",   "dof_",    "geom_",     "site_",
                                         "cam_",  "light_", "tendon_", "actuator_", "pair_",
                                         "eq_",   "mat_",   "sensor_"};

bool is_kept(std::string_view name) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// reads rows of the model that were changed
class Changes {
 public:
  Changes(const Model& model, const Baseline& baseline) : m(model) {
    std::vector<FieldInfo> fields = m.fields();
    for (size_t i = 0; i < fields.size(); i++) {
      if (fields[i].bytes() && !baseline[i].empty()) before_[fields[i].data] = baseline[i].data();
    }
  }

  const Model& m;

  template <class Cell>
  bool changed(const Cell* field, int row, int width) const {
    auto found = before_.find(field);
    if (found == before_.end()) return false;
    size_t offset = sizeof(Cell) * size_t(width) * size_t(row);
    return std::memcmp(field + int64_t{width} * row, found->second + offset,
                       sizeof(Cell) * size_t(width));
  }
  template <class Cell, class T, size_t N>
  void get(const Cell* field, int row, std::array<T, N>& value) const {
    if (changed(field, row, N)) std::copy_n(field + int64_t(N) * row, N, value.begin());
  }
  template <class Cell, class T>
    requires std::is_arithmetic_v<T>
  void get(const Cell* field, int row, T& value) const {
    if (changed(field, row, 1)) value = static_cast<T>(field[row]);
  }
  // linear coefficient and the higher ones
  void get_poly(const double* linear, const double* higher, int row,
                std::array<double, 3>& value) const {
    get(linear, row, value[0]);
    if (changed(higher, row, mjNPOLY))
      std::copy_n(higher + mjNPOLY * row, mjNPOLY, value.begin() + 1);
  }

 private:
  std::unordered_map<const void*, const uint8_t*> before_;
};

struct Placed {
  Vec3<double> pos{};
  Quat<double> quat{1, 0, 0, 0};
};

Placed placed(const double* p, const double* q) {
  return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
}

Placed then(const Placed& a, const Placed& b) {
  return {a.pos + rotate(a.quat, b.pos), a.quat * b.quat};
}

Placed inverse(const Placed& a) {
  Quat<double> back = conj(a.quat);
  return {-rotate(back, a.pos), back};
}

// frames around an element keep their poses in a saved file
Placed frames_around(const TreeElement& element) {
  Placed all;
  for (const Frame* frame = element.frame; frame; frame = frame->frame) {
    all = then(placed(frame->pos.data(), frame->quat.data()), all);
  }
  return all;
}

template <class T>
void set_pose(const Placed& in_body, T& element) {
  Placed own = then(inverse(frames_around(element)), in_body);
  element.pos = {own.pos.x, own.pos.y, own.pos.z};
  element.quat = {own.quat.w, own.quat.x, own.quat.y, own.quat.z};
  element.alt = Orientation();
}

template <class T>
void get_pose(const double* pos, const double* quat, T& element) {
  set_pose(placed(pos, quat), element);
}

void copy_body(const Changes& c, Body& body) {
  const Model& m = c.m;
  int i = body.id;
  if (c.changed(m.body_pos, i, 3) || c.changed(m.body_quat, i, 4)) {
    get_pose(m.body_pos + 3 * i, m.body_quat + 4 * i, body);
  }
  if (c.changed(m.body_ipos, i, 3) || c.changed(m.body_iquat, i, 4) ||
      c.changed(m.body_mass, i, 1) || c.changed(m.body_inertia, i, 3)) {
    std::copy_n(m.body_ipos + 3 * i, 3, body.ipos.begin());
    std::copy_n(m.body_iquat + 4 * i, 4, body.iquat.begin());
    std::copy_n(m.body_inertia + 3 * i, 3, body.inertia.begin());
    body.mass = m.body_mass[i];
    body.ialt = Orientation();
    body.fullinertia = BodySpec().fullinertia;
    body.explicitinertial = true;
  }
  c.get(m.body_gravcomp, i, body.gravcomp);
}

void copy_joint(const Changes& c, Joint& joint) {
  const Model& m = c.m;
  int i = joint.id, dof = m.jnt_dofadr[i];
  c.get(m.jnt_solref, i, joint.solref_limit);
  c.get(m.jnt_solimp, i, joint.solimp_limit);
  c.get(m.jnt_range, i, joint.range);
  c.get(m.jnt_actfrcrange, i, joint.actfrcrange);
  c.get_poly(m.jnt_stiffness, m.jnt_stiffnesspoly, i, joint.stiffness);
  c.get(m.dof_solref, dof, joint.solref_friction);
  c.get(m.dof_solimp, dof, joint.solimp_friction);
  c.get_poly(m.dof_damping, m.dof_dampingpoly, dof, joint.damping);
  c.get(m.jnt_springyield, i, joint.springyield);
  c.get(m.jnt_margin, i, joint.margin);
  c.get(m.dof_armature, dof, joint.armature);
  c.get(m.dof_frictionloss, dof, joint.frictionloss);
}

// a mesh stands in its geom by a pose of its own, which the compiler has added
void get_geom_pose(const Model& m, Geom& geom) {
  int i = geom.id, mesh = m.geom_dataid[i];
  Placed pose = placed(m.geom_pos + 3 * i, m.geom_quat + 4 * i);
  if (mesh >= 0 && geom.type == GeomType::mesh) {
    pose = then(pose, inverse(placed(m.mesh_pos + 3 * mesh, m.mesh_quat + 4 * mesh)));
  }
  set_pose(pose, geom);
  geom.fromto = GeomSpec().fromto;
}

void copy_geom(const Changes& c, Geom& geom) {
  const Model& m = c.m;
  int i = geom.id;
  if (c.changed(m.geom_pos, i, 3) || c.changed(m.geom_quat, i, 4)) get_geom_pose(m, geom);
  c.get(m.geom_contype, i, geom.contype);
  c.get(m.geom_conaffinity, i, geom.conaffinity);
  c.get(m.geom_condim, i, geom.condim);
  c.get(m.geom_priority, i, geom.priority);
  c.get(m.geom_group, i, geom.group);
  c.get(m.geom_solmix, i, geom.solmix);
  c.get(m.geom_margin, i, geom.margin);
  c.get(m.geom_gap, i, geom.gap);
  c.get(m.geom_solref, i, geom.solref);
  c.get(m.geom_solimp, i, geom.solimp);
  c.get(m.geom_friction, i, geom.friction);
  c.get(m.geom_rgba, i, geom.rgba);
  if (geom.type != GeomType::mesh && geom.type != GeomType::hfield)
    c.get(m.geom_size, i, geom.size);
}

void copy_tree(const Changes& c, Spec& spec) {
  const Model& m = c.m;
  for (Body* body : spec.all<Body>()) {
    if (body->id > 0) copy_body(c, *body);
  }
  for (Joint* joint : spec.all<Joint>()) copy_joint(c, *joint);
  for (Geom* geom : spec.all<Geom>()) copy_geom(c, *geom);
  for (Site* site : spec.all<Site>()) {
    int i = site->id;
    if (c.changed(m.site_pos, i, 3) || c.changed(m.site_quat, i, 4)) {
      get_pose(m.site_pos + 3 * i, m.site_quat + 4 * i, *site);
      site->fromto = SiteSpec().fromto;
    }
    c.get(m.site_size, i, site->size);
    c.get(m.site_rgba, i, site->rgba);
  }
  for (Camera* camera : spec.all<Camera>()) {
    int i = camera->id;
    if (c.changed(m.cam_pos, i, 3) || c.changed(m.cam_quat, i, 4)) {
      get_pose(m.cam_pos + 3 * i, m.cam_quat + 4 * i, *camera);
    }
    c.get(m.cam_fovy, i, camera->fovy);
  }
  for (Light* light : spec.all<Light>()) {
    int i = light->id;
    c.get(m.light_pos, i, light->pos);
    c.get(m.light_dir, i, light->dir);
  }
}

void copy_tendon(const Changes& c, Tendon& tendon) {
  const Model& m = c.m;
  int i = tendon.id;
  c.get(m.tendon_solref_lim, i, tendon.solref_limit);
  c.get(m.tendon_solimp_lim, i, tendon.solimp_limit);
  c.get(m.tendon_solref_fri, i, tendon.solref_friction);
  c.get(m.tendon_solimp_fri, i, tendon.solimp_friction);
  c.get(m.tendon_range, i, tendon.range);
  c.get(m.tendon_rgba, i, tendon.rgba);
  c.get_poly(m.tendon_stiffness, m.tendon_stiffnesspoly, i, tendon.stiffness);
  c.get_poly(m.tendon_damping, m.tendon_dampingpoly, i, tendon.damping);
  c.get(m.tendon_width, i, tendon.width);
  c.get(m.tendon_margin, i, tendon.margin);
  c.get(m.tendon_armature, i, tendon.armature);
  c.get(m.tendon_frictionloss, i, tendon.frictionloss);
}

void copy_actuator(const Changes& c, Actuator& actuator) {
  const Model& m = c.m;
  int i = actuator.id;
  c.get(m.actuator_dynprm, i, actuator.dynprm);
  c.get(m.actuator_gainprm, i, actuator.gainprm);
  c.get(m.actuator_biasprm, i, actuator.biasprm);
  c.get(m.actuator_actrange, i, actuator.actrange);
  c.get(m.actuator_forcerange, i, actuator.forcerange);
  c.get(m.actuator_cranklength, i, actuator.cranklength);
  if (m.actuator_outnum[i]) c.get(m.actuator_gear, m.actuator_outadr[i], actuator.gear);
  if (m.actuator_ctrlnum[i] == 1)
    c.get(m.actuator_ctrlrange, m.actuator_ctrladr[i], actuator.ctrlrange);
}

void copy_objects(const Changes& c, Spec& spec) {
  const Model& m = c.m;
  for (Tendon* tendon : spec.tendons) copy_tendon(c, *tendon);
  for (Actuator* actuator : spec.actuators) copy_actuator(c, *actuator);
  for (Pair* pair : spec.pairs) {
    c.get(m.pair_solref, pair->id, pair->solref);
    c.get(m.pair_solimp, pair->id, pair->solimp);
    c.get(m.pair_friction, pair->id, pair->friction);
    c.get(m.pair_margin, pair->id, pair->margin);
    c.get(m.pair_gap, pair->id, pair->gap);
  }
  for (Equality* equality : spec.equalities) {
    c.get(m.eq_solref, equality->id, equality->solref);
    c.get(m.eq_solimp, equality->id, equality->solimp);
    c.get(m.eq_active0, equality->id, equality->active);
  }
  for (Material* material : spec.materials) c.get(m.mat_rgba, material->id, material->rgba);
  for (Sensor* sensor : spec.sensors) {
    c.get(m.sensor_cutoff, sensor->id, sensor->cutoff);
    c.get(m.sensor_noise, sensor->id, sensor->noise);
  }
}

// what the compiler worked out itself: damping ratios have become dampings, widths of user data are
// known
void copy_derived(const Model& m, Spec& spec) {
  for (Actuator* actuator : spec.actuators) {
    std::copy_n(m.actuator_biasprm + mjNBIAS * actuator->id, mjNBIAS, actuator->biasprm.begin());
  }
  for (Joint* joint : spec.all<Joint>()) {
    joint->stiffness[0] = m.jnt_stiffness[joint->id];
    joint->damping[0] = m.dof_damping[m.jnt_dofadr[joint->id]];
  }
  auto width = [](int64_t size) { return static_cast<int>(size); };
  spec.nuser_body = width(m.nuser_body);
  spec.nuser_jnt = width(m.nuser_jnt);
  spec.nuser_geom = width(m.nuser_geom);
  spec.nuser_site = width(m.nuser_site);
  spec.nuser_cam = width(m.nuser_cam);
  spec.nuser_tendon = width(m.nuser_tendon);
  spec.nuser_actuator = width(m.nuser_actuator);
  spec.nuser_sensor = width(m.nuser_sensor);
}

}  // namespace

Baseline take_baseline(const Model& m) {
  Baseline baseline;
  for (const FieldInfo& field : m.fields()) {
    auto* start = static_cast<const uint8_t*>(field.data);
    bool kept = is_kept(field.name) && field.bytes();
    baseline.emplace_back(start, kept ? start + field.bytes() : start);
  }
  return baseline;
}

void copy_back(const Model& m, const Baseline& baseline, Spec& spec) {
  Changes changes(m, baseline);
  copy_derived(m, spec);
  spec.option = m.opt;
  spec.visual = m.vis;
  copy_tree(changes, spec);
  copy_objects(changes, spec);
}

}  // namespace lockstep::python
