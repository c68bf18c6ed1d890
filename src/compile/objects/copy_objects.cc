// copy_objects.cc: copy_back of elements outside the tree.
#include "compile/copy_changes.h"

namespace lockstep {
namespace {

void copy(const Changes& c, Tendon& tendon) {
  const Model& m = c.m;
  const int i = tendon.id;
  c.get(m.tendon_solref_lim, i, tendon.solref_limit);
  c.get(m.tendon_solimp_lim, i, tendon.solimp_limit);
  c.get(m.tendon_solref_fri, i, tendon.solref_friction);
  c.get(m.tendon_solimp_fri, i, tendon.solimp_friction);
  c.get_range(m.tendon_range, m.tendon_limited, i, tendon, tendon.range, tendon.limited);
  c.get_range(m.tendon_actfrcrange, m.tendon_actfrclimited, i, tendon, tendon.actfrcrange,
              tendon.actfrclimited);
  c.get(m.tendon_rgba, i, tendon.rgba);
  c.get_poly(m.tendon_stiffness, m.tendon_stiffnesspoly, i, tendon.stiffness);
  c.get_poly(m.tendon_damping, m.tendon_dampingpoly, i, tendon.damping);
  c.get(m.tendon_lengthspring, i, tendon.springlength);
  c.get(m.tendon_springyield, i, tendon.springyield);
  c.get(m.tendon_width, i, tendon.width);
  c.get(m.tendon_margin, i, tendon.margin);
  c.get(m.tendon_armature, i, tendon.armature);
  c.get(m.tendon_frictionloss, i, tendon.frictionloss);
}

void copy(const Changes& c, Actuator& actuator) {
  const Model& m = c.m;
  const int i = actuator.id;
  c.get(m.actuator_dynprm, i, actuator.dynprm);
  c.get(m.actuator_gainprm, i, actuator.gainprm);
  c.get(m.actuator_biasprm, i, actuator.biasprm);
  c.get(m.actuator_delay, i, actuator.delay);
  c.get_poly(m.actuator_damping, m.actuator_dampingpoly, i, actuator.damping);
  c.get(m.actuator_armature, i, actuator.armature);
  c.get_range(m.actuator_forcerange, m.actuator_forcelimited, i, actuator, actuator.forcerange,
              actuator.forcelimited);
  c.get(m.actuator_cranklength, i, actuator.cranklength);
  if (m.actuator_outnum[i]) {
    c.get(m.actuator_gear, m.actuator_outadr[i], actuator.gear);
    c.get(m.actuator_lengthrange, m.actuator_outadr[i], actuator.lengthrange);
  }
  bool ranged = c.changed(m.actuator_actrange, i, 2);
  c.get_range(m.actuator_actrange, m.actuator_actlimited, i, actuator, actuator.actrange,
              actuator.actlimited);
  if (m.actuator_ctrlnum[i] == 1) {
    const int input = m.actuator_ctrladr[i];
    ranged |= c.changed(m.actuator_ctrlrange, input, 2);
    c.get_range(m.actuator_ctrlrange, m.actuator_ctrllimited, input, actuator, actuator.ctrlrange,
                actuator.ctrllimited);
  }
  if (ranged) actuator.inheritrange = 0;
}

void copy(const Changes& c, Pair& pair) {
  const Model& m = c.m;
  c.get(m.pair_solref, pair.id, pair.solref);
  c.get(m.pair_solreffriction, pair.id, pair.solreffriction);
  c.get(m.pair_solimp, pair.id, pair.solimp);
  c.get(m.pair_friction, pair.id, pair.friction);
  c.get(m.pair_margin, pair.id, pair.margin);
  c.get(m.pair_gap, pair.id, pair.gap);
  c.get(m.pair_adhesion, pair.id, pair.adhesion);
}

void copy(const Changes& c, Equality& equality) {
  const Model& m = c.m;
  c.get(m.eq_solref, equality.id, equality.solref);
  c.get(m.eq_solimp, equality.id, equality.solimp);
  c.get(m.eq_active0, equality.id, equality.active);
  // the second anchor of a connect and the marks of a weld are the compiler's
  const int64_t first = int64_t{mjNEQDATA} * equality.id;
  const int own = equality.type == EqType::connect ? 3 : mjNEQDATA - 1;
  if (c.changed_cells(m.eq_data, first, own)) {
    std::copy_n(m.eq_data + first, own, equality.data.begin());
  }
}

void copy(const Changes& c, Material& material) {
  const Model& m = c.m;
  const int i = material.id;
  c.get(m.mat_texrepeat, i, material.texrepeat);
  c.get(m.mat_emission, i, material.emission);
  c.get(m.mat_specular, i, material.specular);
  c.get(m.mat_shininess, i, material.shininess);
  c.get(m.mat_reflectance, i, material.reflectance);
  c.get(m.mat_metallic, i, material.metallic);
  c.get(m.mat_roughness, i, material.roughness);
  c.get(m.mat_rgba, i, material.rgba);
}

void copy(const Changes& c, Sensor& sensor) {
  c.get(c.m.sensor_cutoff, sensor.id, sensor.cutoff);
  c.get(c.m.sensor_noise, sensor.id, sensor.noise);
  c.get(c.m.sensor_delay, sensor.id, sensor.delay);
  c.get(c.m.sensor_interval, sensor.id, sensor.interval);
}

void copy(const Changes& c, Numeric& numeric) {
  const int i = numeric.id;
  c.get_vector(c.m.numeric_data, c.m.numeric_adr[i], c.m.numeric_size[i], numeric.data);
}

void copy(const Changes& c, Tuple& tuple) {
  const int i = tuple.id;
  c.get_vector(c.m.tuple_objprm, c.m.tuple_adr[i], c.m.tuple_size[i], tuple.objprm);
}

void copy(const Changes& c, Key& key) {
  const Model& m = c.m;
  auto row = [&](const double* field, int64_t width, Numbers& value) {
    c.get_vector(field, width * key.id, width, value);
  };
  c.get(m.key_time, key.id, key.time);
  row(m.key_qpos, m.nq, key.qpos);
  row(m.key_qvel, m.nv, key.qvel);
  row(m.key_act, m.na, key.act);
  row(m.key_ctrl, m.nu, key.ctrl);
  row(m.key_mpos, 3 * m.nmocap, key.mpos);
  row(m.key_mquat, 4 * m.nmocap, key.mquat);
  row(m.key_plastic, m.nplastic, key.plastic);
}

// elevations in place of the file they were read from
void copy(const Changes& c, HField& hfield) {
  const Model& m = c.m;
  const int i = hfield.id;
  c.get(m.hfield_size, i, hfield.size);
  const int64_t count = int64_t{m.hfield_nrow[i]} * m.hfield_ncol[i];
  if (c.get_vector(m.hfield_data, m.hfield_adr[i], count, hfield.userdata)) {
    hfield.nrow = m.hfield_nrow[i];
    hfield.ncol = m.hfield_ncol[i];
    hfield.file.clear();
    hfield.content_type.clear();
  }
}

}  // namespace

void copy_objects(const Changes& c, Spec& spec) {
  auto copy_list = [&](auto& list) {
    for (auto* element : list) {
      if (element->id >= 0) copy(c, *element);
    }
  };
  copy_list(spec.tendons), copy_list(spec.actuators), copy_list(spec.pairs);
  copy_list(spec.equalities), copy_list(spec.materials), copy_list(spec.sensors);
  copy_list(spec.numerics), copy_list(spec.tuples), copy_list(spec.keys), copy_list(spec.hfields);
}

}  // namespace lockstep
