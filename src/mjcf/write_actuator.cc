// write_actuator.cc: actuators, as the shortcut that gives them back or as general.
#include <cmath>

#include "mjcf/writer.h"

namespace lockstep::mjcf {
namespace {

using A = ActuatorSpec;

std::string input_text(GainType gain, int ctrlspec) {
  if (gain == GainType::so3) return std::string(keyword_of(static_cast<CtrlChart>(ctrlspec)));
  if (ctrlspec == code(CtrlInput::none)) return "none";
  std::string text;
  for (const EnumValue& entry : enum_values<CtrlInput>()) {
    if (entry.keyword.empty() || entry.number == code(CtrlInput::none)) continue;
    if (!(ctrlspec & entry.number)) continue;
    if (!text.empty()) text += ' ';
    text += entry.keyword;
  }
  return text;
}

// same values in all members that general's rows bind; actdim follows from them
bool same_actuator(const A& a, const A& b) {
  return a.gaintype == b.gaintype && a.biastype == b.biastype && a.dyntype == b.dyntype &&
         a.gainprm == b.gainprm && a.biasprm == b.biasprm && a.dynprm == b.dynprm &&
         a.ctrlspec == b.ctrlspec && a.velrange == b.velrange && a.ffrange == b.ffrange &&
         a.actearly == b.actearly && a.gear == b.gear && a.lengthrange == b.lengthrange &&
         a.damping == b.damping && a.armature == b.armature && a.ctrllimited == b.ctrllimited &&
         a.ctrlrange == b.ctrlrange && a.forcelimited == b.forcelimited &&
         a.forcerange == b.forcerange && a.actlimited == b.actlimited && a.actrange == b.actrange &&
         a.group == b.group && a.nsample == b.nsample && a.interp == b.interp &&
         a.delay == b.delay && a.inheritrange == b.inheritrange;
}

// copies the members that a tag's rows bind, in place of reading them
void copy_rows(const Rule& rule, const A& from, A& to, bool in_default) {
  for (const Row& r : rule.rows) {
    if (!r.address || (in_default && r.is(not_in_default)) || r.name == "inheritrange") continue;
    auto text = r.ops().write(r, r.address(const_cast<A*>(&from)), nullptr, Digits::exact);
    if (text) r.ops().read(r, *text, r.address(&to));
  }
}

}  // namespace

// The shortcut by which the actuator was made, if its tag gives the actuator back over the class;
// else general.
ActuatorKind Writer::tag_of(const A& actuator, const Default& def, const A& base, bool in_default,
                            ShortcutParams& own, ShortcutParams& inherited) const {
  const ActuatorKind kind = actuator.type;
  if (actuator.plugin.active || canonical_ || kind == ActuatorKind::general) {
    return ActuatorKind::general;
  }
  const A* source = shortcut_inherits(base, kind) ? &base : nullptr;
  for (const Default* d = def.parent; d && !source; d = d->parent) {
    if (shortcut_inherits(d->actuator, kind)) source = &d->actuator;
  }
  own = shortcut_of(actuator, kind);
  inherited = source ? shortcut_of(*source, kind) : usual_shortcut(kind);
  // what is not given is inherited: zero overrides it
  if (!own.kv && !own.dampratio && (inherited.kv || inherited.dampratio)) own.kv = 0;
  if (inherited.timeconst && !own.timeconst) own.timeconst = 0;
  if (!own.ctrlspec) own.ctrlspec = inherited.ctrlspec;

  A again = base;
  copy_rows(actuator_rule_of(kind), actuator, again, in_default);
  if (!set_to_shortcut(again, kind, own).empty()) return ActuatorKind::general;
  return same_actuator(again, actuator) ? kind : ActuatorKind::general;
}

void Writer::transmission(OutNode& node, const A& actuator) {
  switch (actuator.trntype) {
    case TrnType::joint: node.set_text("joint", actuator.target); break;
    case TrnType::jointinparent: node.set_text("jointinparent", actuator.target); break;
    case TrnType::tendon: node.set_text("tendon", actuator.target); break;
    case TrnType::slidercrank:
      node.set_text("cranksite", actuator.target);
      node.set_text("slidersite", actuator.slidersite);
      break;
    case TrnType::site:
      node.set_text("site", actuator.target);
      node.set_text("refsite", actuator.refsite);
      break;
    case TrnType::body: node.set_text("body", actuator.target); break;
    case TrnType::so3:
      node.set_text(actuator.refsite.empty() ? "joint" : "site", actuator.target);
      node.set_text("refsite", actuator.refsite);
      break;
    default: break;
  }
}

OutNode& Writer::actuator(OutNode& section, const Actuator* element, const A& actuator,
                          const Default& def, const A& base) {
  ShortcutParams own, inherited;
  const bool in_default = !element;
  const ActuatorKind kind = tag_of(actuator, def, base, in_default, own, inherited);
  const Rule& rule = actuator.plugin.active ? actuator_plugin_rule : actuator_rule_of(kind);
  OutNode& node = section.add(rule.name);
  if (element) {
    node.set_text("name", element->name);
    if (element->def->name != "main") node.set("class", element->def->name);
    transmission(node, actuator);
  }
  rows(node, actuator_rule_of(kind), &actuator, &base);
  number(node, "cranklength", actuator.cranklength, &base.cranklength);
  const bool inherits = kind == ActuatorKind::general || kind == ActuatorKind::position ||
                        kind == ActuatorKind::intvelocity || kind == ActuatorKind::pid;
  if (!compiled_ && inherits) {
    const double& other =
        kind == ActuatorKind::general ? base.inheritrange : inherited.inheritrange;
    number(node, "inheritrange", actuator.inheritrange, &other);
  }
  shortcut(node, kind, actuator.gaintype, own, inherited);
  if (kind == ActuatorKind::general) general(node, actuator, base, in_default);
  user(node, actuator.userdata, base.userdata);
  return node;
}

void Writer::shortcut(OutNode& node, ActuatorKind kind, GainType gain, const ShortcutParams& s,
                      const ShortcutParams& d) {
  auto optional = [&](std::string_view name, const std::optional<double>& value,
                      const std::optional<double>& base) {
    if (value) number(node, name, *value, base ? &*base : nullptr);
  };
  auto damping = [&] {
    if (s.kv) {
      optional("kv", s.kv, d.kv);
    } else {
      optional("dampratio", s.dampratio, d.dampratio);
    }
  };
  auto input = [&] {
    if (s.ctrlspec != d.ctrlspec) node.set("input", input_text(gain, s.ctrlspec));
  };
  auto list = [&](std::string_view name, const auto& value, const auto& base, bool trim) {
    numbers(node, name, value.data(), value.size(), base.data(), trim);
  };
  switch (kind) {
    case ActuatorKind::position:
    case ActuatorKind::intvelocity:
      number(node, "kp", s.kp, &d.kp);
      damping();
      optional("timeconst", s.timeconst, d.timeconst);
      break;
    case ActuatorKind::orientation:
      number(node, "kp", s.kp, &d.kp);
      damping();
      input();
      break;
    case ActuatorKind::pid:
      number(node, "kp", s.kp, &d.kp);
      damping();
      number(node, "ki", s.ki, &d.ki);
      number(node, "imax", s.imax, &d.imax);
      number(node, "slewmax", s.slewmax, &d.slewmax);
      input();
      break;
    case ActuatorKind::velocity:
    case ActuatorKind::damper: number(node, "kv", s.rate, &d.rate); break;
    case ActuatorKind::adhesion: number(node, "gain", s.rate, &d.rate); break;
    case ActuatorKind::cylinder:
      number(node, "timeconst", s.cylinder_timeconst, &d.cylinder_timeconst);
      number(node, "area", s.area, &d.area);
      list("bias", s.bias, d.bias, false);
      break;
    case ActuatorKind::muscle: {
      const MuscleParams &m = s.muscle, &b = d.muscle;
      list("timeconst", m.timeconst, b.timeconst, false);
      number(node, "tausmooth", m.tausmooth, &b.tausmooth);
      list("range", m.range, b.range, false);
      number(node, "force", m.force, &b.force);
      number(node, "scale", m.scale, &b.scale);
      number(node, "lmin", m.lmin, &b.lmin);
      number(node, "lmax", m.lmax, &b.lmax);
      number(node, "vmax", m.vmax, &b.vmax);
      number(node, "fpmax", m.fpmax, &b.fpmax);
      number(node, "fvmax", m.fvmax, &b.fvmax);
      break;
    }
    case ActuatorKind::dcmotor: {
      const DCMotorParams &m = s.motor, &b = d.motor;
      list("motorconst", m.motorconst, b.motorconst, true);
      number(node, "resistance", m.resistance, &b.resistance);
      list("saturation", m.saturation, b.saturation, true);
      list("inductance", m.inductance, b.inductance, true);
      list("cogging", m.cogging, b.cogging, true);
      list("controller", m.controller, b.controller, true);
      list("thermal", m.thermal, b.thermal, true);
      list("lugre", m.lugre, b.lugre, true);
      input();
      break;
    }
    default: break;
  }
}

void Writer::general(OutNode& node, const A& actuator, const A& base, bool in_default) {
  int usual_dim = -1;
  if (in_default) usual_dim = base.actdim;
  if (compiled_ && !in_default) {
    usual_dim = actuator.dyntype != DynType::none && actuator.dyntype != DynType::dcmotor;
  }
  const bool unresolved = compiled_ && actuator.actdim < 0;
  const bool overrides = !compiled_ && actuator.actdim != base.actdim;
  if ((actuator.actdim != usual_dim || overrides) && !unresolved) {
    node.set("actdim", std::to_string(actuator.actdim));
  }
  if (actuator.plugin.active) {
    plugin(node, actuator.plugin);
    return;
  }
  row(node, general_rule, "gaintype", &actuator, &base);
  // inherited only with the gain type; an empty one restores that of the gain type
  const int usual_input = actuator.gaintype == base.gaintype ? base.ctrlspec : 0;
  if (actuator.ctrlspec != usual_input) {
    node.set("input", input_text(actuator.gaintype, actuator.ctrlspec));
  }
  for (const char* name : {"biastype", "gainprm", "biasprm"}) {
    row(node, general_rule, name, &actuator, &base);
  }
}

void Writer::actuator(OutNode& root) {
  OutNode& section = root.add("actuator");
  for (const Actuator* a : spec_.actuators) {
    actuator(section, a, *a, *a->def, a->def->actuator);
  }
  root.drop_last_if_empty();
}

}  // namespace lockstep::mjcf
