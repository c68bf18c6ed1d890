// read_actuator.cc: actuators and their shortcuts.
#include "mjcf/reader.h"
#include "mjcf/schema/words.h"
#include "spec/actuator_shortcuts.h"

namespace lockstep::mjcf {

void Reader::actuator(const Node& section) {
  for (const Node& node : section.children) {
    if (!actuator_rule.child(node.name)) continue;
    Default* def = class_of(node);
    if (!def) def = spec_.main_default();
    Actuator* element = spec_.add<Actuator>(def);
    identify(*element, node);
    actuator(node, *element, *def, false);
  }
}

void Reader::actuator(const Node& node, ActuatorSpec& actuator, Default& def, bool in_default) {
  const Rule& rule = *actuator_rule.child(node.name)->rule;
  const GainType inherited = actuator.gaintype;
  rows(node, rule, &actuator, in_default);
  transmission(node, actuator);
  if (node.name == "plugin") {
    plugin(node, actuator.plugin);
    actuator.type = ActuatorKind::general;
  } else if (node.name == "general") {
    if (actuator.gaintype != inherited) actuator.ctrlspec = 0;
    input(node, actuator.ctrlspec);
    actuator.type = ActuatorKind::general;
  } else {
    shortcut(node, actuator, def, *actuator_kind(node.name));
  }
}

void Reader::transmission(const Node& node, ActuatorSpec& actuator) {
  auto target = [&](std::string_view attribute, TrnType type) {
    const Attribute* name = node.find(attribute);
    if (!name) return;
    actuator.target = name->value;
    actuator.trntype = type;
  };
  target("joint", TrnType::joint);
  target("jointinparent", TrnType::jointinparent);
  target("tendon", TrnType::tendon);
  target("cranksite", TrnType::slidercrank);
  target("site", TrnType::site);
  target("body", TrnType::body);
  auto only_with = [&](std::string_view attribute, TrnType type, std::string_view what) {
    if (!node.has(attribute)) return;
    if (actuator.trntype == type || actuator.trntype == TrnType::undefined) return;
    error(node, attribute, "does not fit the transmission").expected = what;
  };
  if (const Attribute* site = node.find("slidersite")) actuator.slidersite = site->value;
  if (const Attribute* site = node.find("refsite")) actuator.refsite = site->value;
  only_with("cranklength", TrnType::slidercrank, "a slider-crank transmission");
  only_with("slidersite", TrnType::slidercrank, "a slider-crank transmission");
  only_with("refsite", TrnType::site, "a site transmission");
}

// which controls an actuator has: a chart of orientations, none, or inputs in canonical order
bool Reader::input(const Node& node, int& ctrlspec) {
  const Attribute* attribute = node.find("input");
  if (!attribute) return false;
  if (auto chart = enum_of<CtrlChart>(attribute->value)) {
    ctrlspec = code(*chart);
  } else if (attribute->value == "none") {
    ctrlspec = code(CtrlInput::none);
  } else {
    static constexpr EnumValue inputs[] = {{"", code(CtrlInput::pos), "pos"},
                                           {"", code(CtrlInput::vel), "vel"},
                                           {"", code(CtrlInput::ff), "ff"},
                                           {"", code(CtrlInput::voltage), "voltage"},
                                           {"", code(CtrlInput::pressure), "pressure"}};
    ctrlspec = ordered_bits(node, "input", inputs, true);
  }
  return true;
}

// Gains come from the nearest class written with the same shortcut, or with general and the gain
// type of the shortcut; else from the documented values.
void Reader::shortcut(const Node& node, ActuatorSpec& actuator, Default& def, ActuatorKind kind) {
  const ActuatorSpec* source = shortcut_inherits(actuator, kind) ? &actuator : nullptr;
  for (Default* d = def.parent; d && !source; d = d->parent) {
    if (shortcut_inherits(d->actuator, kind)) source = &d->actuator;
  }
  ShortcutParams p = source ? shortcut_of(*source, kind) : usual_shortcut(kind);

  auto optional = [&](std::string_view attribute, std::optional<double>& value) {
    double given = 0;
    if (!number(node, attribute, given)) return false;
    value = given;
    return true;
  };
  std::optional<double> kv, dampratio;
  bool has_kv = optional("kv", kv);
  bool has_ratio = optional("dampratio", dampratio);
  if (has_kv || has_ratio) {
    p.kv = kv;
    p.dampratio = dampratio;
    if (has_kv) p.rate = *kv;
  }
  number(node, "kp", p.kp);
  number(node, "ki", p.ki);
  number(node, "imax", p.imax);
  number(node, "slewmax", p.slewmax);
  number(node, "gain", p.rate);
  input(node, p.ctrlspec);
  if (kind == ActuatorKind::position) optional("timeconst", p.timeconst);
  if (kind == ActuatorKind::cylinder) {
    number(node, "timeconst", p.cylinder_timeconst);
    number(node, "area", p.area);
    number(node, "diameter", p.diameter);
    array(node, "bias", p.bias);
  }
  if (kind == ActuatorKind::muscle) {
    array(node, "timeconst", p.muscle.timeconst);
    number(node, "tausmooth", p.muscle.tausmooth);
    array(node, "range", p.muscle.range);
    number(node, "force", p.muscle.force);
    number(node, "scale", p.muscle.scale);
    number(node, "lmin", p.muscle.lmin);
    number(node, "lmax", p.muscle.lmax);
    number(node, "vmax", p.muscle.vmax);
    number(node, "fpmax", p.muscle.fpmax);
    number(node, "fvmax", p.muscle.fvmax);
  }
  if (kind == ActuatorKind::dcmotor) {
    array(node, "motorconst", p.motor.motorconst, true);
    number(node, "resistance", p.motor.resistance);
    array(node, "nominal", p.motor.nominal, true);
    array(node, "saturation", p.motor.saturation, true);
    array(node, "inductance", p.motor.inductance, true);
    array(node, "cogging", p.motor.cogging, true);
    array(node, "controller", p.motor.controller, true);
    array(node, "thermal", p.motor.thermal, true);
    array(node, "lugre", p.motor.lugre, true);
    if (node.has("saturation")) {
      actuator.forcerange = {};
      actuator.forcelimited = Limited::auto_;
    }
  }
  if (kind == ActuatorKind::pid) array(node, "posrange", actuator.ctrlrange);
  inherit_range(node, actuator, kind, p.inheritrange);
  std::string problem = set_to_shortcut(actuator, kind, p);
  if (!problem.empty()) error(node, "", std::move(problem));
}

// a range that is written replaces an inherited one of the class, and the other way round
void Reader::inherit_range(const Node& node, ActuatorSpec& actuator, ActuatorKind kind,
                           double& inheritrange) {
  const bool integrated = kind == ActuatorKind::intvelocity;
  if (!integrated && kind != ActuatorKind::position && kind != ActuatorKind::pid) return;
  const bool range = node.has(integrated ? "actrange" : "ctrlrange") || node.has("posrange");
  const bool inherit = number(node, "inheritrange", inheritrange);
  if (range && !inherit) inheritrange = 0;
  if (inherit && !range && inheritrange > 0) {
    (integrated ? actuator.actrange : actuator.ctrlrange) = {0, 0};
  }
}

}  // namespace lockstep::mjcf
