#include "spec/actuator_shortcuts.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// a force model of nothing but a unit gain, from which every shortcut starts
void clear_model(ActuatorSpec& a, ActuatorKind kind) {
  const ActuatorSpec fresh;
  a.type = kind;
  a.gaintype = fresh.gaintype;
  a.biastype = fresh.biastype;
  a.dyntype = fresh.dyntype;
  a.gainprm = fresh.gainprm;
  a.biasprm = fresh.biasprm;
  a.dynprm = fresh.dynprm;
  a.actdim = fresh.actdim;
  a.actearly = fresh.actearly;
  a.ctrlspec = 0;
  a.actlimited = fresh.actlimited;
}

// kv is stored negative, a damping ratio positive, for the compiler to resolve
std::string set_damping(ActuatorSpec& a, std::optional<double> kv, std::optional<double> ratio) {
  if (kv && ratio) return "kv and dampratio cannot both be defined";
  if (kv && *kv < 0) return "kv cannot be negative";
  if (ratio && *ratio < 0) return "dampratio cannot be negative";
  if (kv) a.biasprm[2] = -*kv + 0.0;
  if (ratio) a.biasprm[2] = *ratio;
  return "";
}

bool is_range(const std::array<double, 2>& range) { return range[0] != 0 || range[1] != 0; }

std::string set_servo(ActuatorSpec& a, double kp, std::optional<double> kv,
                      std::optional<double> dampratio, std::optional<double> timeconst) {
  a.gainprm[0] = kp;
  a.biastype = BiasType::affine;
  a.biasprm[1] = -kp;
  std::string error = set_damping(a, kv, dampratio);
  if (!error.empty()) return error;
  if (timeconst) {
    if (*timeconst < 0) return "timeconst cannot be negative";
    a.dynprm[0] = *timeconst;
    a.dyntype = *timeconst == 0 ? DynType::none : DynType::filterexact;
  }
  return "";
}

}  // namespace

std::string set_to_motor(ActuatorSpec& a) {
  clear_model(a, ActuatorKind::motor);
  return "";
}

std::string set_to_position(ActuatorSpec& a, double kp, std::optional<double> kv,
                            std::optional<double> dampratio, std::optional<double> timeconst,
                            double inheritrange) {
  clear_model(a, ActuatorKind::position);
  a.ctrlspec = code(CtrlInput::pos);
  a.inheritrange = inheritrange;
  if (inheritrange > 0 && is_range(a.ctrlrange)) {
    return "ctrlrange and inheritrange cannot both be defined";
  }
  return set_servo(a, kp, kv, dampratio, timeconst);
}

std::string set_to_intvelocity(ActuatorSpec& a, double kp, std::optional<double> kv,
                               std::optional<double> dampratio, std::optional<double> timeconst,
                               double inheritrange) {
  clear_model(a, ActuatorKind::intvelocity);
  a.ctrlspec = code(CtrlInput::vel);
  a.inheritrange = inheritrange;
  if (inheritrange > 0 && is_range(a.actrange)) {
    return "actrange and inheritrange cannot both be defined";
  }
  std::string error = set_servo(a, kp, kv, dampratio, timeconst);
  a.dyntype = DynType::integrator;
  return error;
}

std::string set_to_velocity(ActuatorSpec& a, double kv) {
  clear_model(a, ActuatorKind::velocity);
  a.ctrlspec = code(CtrlInput::vel);
  a.gainprm[0] = kv;
  a.biastype = BiasType::affine;
  a.biasprm[2] = -kv;
  return "";
}

std::string set_to_damper(ActuatorSpec& a, double kv) {
  clear_model(a, ActuatorKind::damper);
  a.gaintype = GainType::affine;
  a.gainprm = {0, 0, -kv + 0.0};
  a.ctrllimited = Limited::true_;
  if (kv < 0) return "damping coefficient cannot be negative";
  if (a.ctrlrange[0] < 0 || a.ctrlrange[1] < 0) return "damper control range cannot be negative";
  return "";
}

std::string set_to_cylinder(ActuatorSpec& a, double timeconst, double bias, double area,
                            double diameter) {
  clear_model(a, ActuatorKind::cylinder);
  a.ctrlspec = code(CtrlInput::pressure);
  a.dyntype = DynType::filter;
  a.dynprm[0] = timeconst;
  a.biastype = BiasType::affine;
  a.biasprm[0] = bias;
  a.gainprm[0] = diameter >= 0 ? mjPI / 4 * diameter * diameter : area;
  return "";
}

std::string set_to_muscle(ActuatorSpec& a, const MuscleParams& given) {
  clear_model(a, ActuatorKind::muscle);
  if (given.tausmooth < 0) return "muscle tausmooth cannot be negative";
  const MuscleParams usual;
  auto pick = [](double value, double otherwise) { return value >= 0 ? value : otherwise; };
  a.dynprm = {pick(given.timeconst[0], usual.timeconst[0]),
              pick(given.timeconst[1], usual.timeconst[1]), given.tausmooth};
  a.gainprm = {pick(given.range[0], usual.range[0]), pick(given.range[1], usual.range[1]),
               pick(given.force, usual.force),       pick(given.scale, usual.scale),
               pick(given.lmin, usual.lmin),         pick(given.lmax, usual.lmax),
               pick(given.vmax, usual.vmax),         pick(given.fpmax, usual.fpmax),
               pick(given.fvmax, usual.fvmax)};
  a.biasprm = a.gainprm;
  a.dyntype = DynType::muscle;
  a.gaintype = GainType::muscle;
  a.biastype = BiasType::muscle;
  return "";
}

std::string set_to_adhesion(ActuatorSpec& a, double gain) {
  clear_model(a, ActuatorKind::adhesion);
  a.gainprm[0] = gain;
  a.ctrllimited = Limited::true_;
  if (gain < 0) return "adhesion gain cannot be negative";
  if (a.ctrlrange[0] < 0 || a.ctrlrange[1] < 0) return "adhesion control range cannot be negative";
  return "";
}

std::string set_to_orientation(ActuatorSpec& a, double kp, std::optional<double> kv,
                               std::optional<double> dampratio, int ctrlspec) {
  clear_model(a, ActuatorKind::orientation);
  a.gaintype = GainType::so3;
  a.biastype = BiasType::so3;
  a.gainprm[0] = kp;
  a.biasprm[1] = -kp;
  a.ctrlspec = ctrlspec;
  return set_damping(a, kv, dampratio);
}

std::string set_to_pid(ActuatorSpec& a, double kp, std::optional<double> kv,
                       std::optional<double> dampratio, double ki, double imax, double slewmax,
                       double inheritrange, int ctrlspec) {
  clear_model(a, ActuatorKind::pid);
  a.gaintype = GainType::pid;
  a.gainprm = {ki};
  a.biastype = BiasType::affine;
  a.biasprm[1] = -kp;
  a.dynprm = {};
  a.ctrlspec = ctrlspec;
  a.inheritrange = inheritrange;
  std::string error = set_damping(a, kv, dampratio);
  if (!error.empty()) return error;
  if (slewmax < 0) return "slewmax cannot be negative";
  if (inheritrange > 0 && is_range(a.ctrlrange)) {
    return "posrange and inheritrange cannot both be defined";
  }
  if (ki != 0 || slewmax > 0) {
    a.dyntype = DynType::pid;
    a.dynprm = {ki != 0 ? imax : 0, slewmax};
  }
  return "";
}

namespace {

// back-EMF constant of a data sheet: the no-load speed w obeys w = V K / (K^2 + R B), with the
// linear damping B of the actuator
double emf_constant(const DCMotorParams& p, double damping) {
  const auto& [voltage, torque, speed] = p.nominal;
  const double plain = voltage / speed;
  if (damping > 0 && p.resistance > 0) {
    double discriminant = voltage * voltage - 4 * p.resistance * damping * speed * speed;
    return discriminant > 0 ? (voltage + std::sqrt(discriminant)) / (2 * speed) : plain;
  }
  if (damping > 0 && torque > 0) {
    double exact = voltage / speed - voltage * damping / torque;
    return exact > 0 ? exact : plain;
  }
  return plain;
}

// winding temperature: any two of resistance, capacitance, time constant give the third
std::string set_thermal(ActuatorSpec& a, const DCMotorParams& p) {
  auto [resistance, capacitance, timeconst, coefficient, reference, ambient] = p.thermal;
  if (resistance <= 0 && capacitance <= 0 && timeconst <= 0) return "";
  if (timeconst > 0 && resistance > 0) {
    capacitance = timeconst / resistance;
  } else if (timeconst > 0 && capacitance > 0 && resistance == 0) {
    resistance = timeconst / capacitance;
  }
  if (resistance <= 0) return "the thermal resistance must be positive";
  if (capacitance <= 0) return "the thermal capacitance must be positive";
  a.dynprm[2] = resistance;
  a.dynprm[3] = capacitance;
  a.dynprm[4] = ambient;
  a.gainprm[2] = coefficient;
  a.gainprm[3] = reference;
  a.actdim++;
  return "";
}

void set_saturation(ActuatorSpec& a, const DCMotorParams& p, double constant) {
  const auto& [torque, current, rate] = p.saturation;
  if (torque > 0 || current > 0) {
    double bound = torque == 0 ? constant * current : torque;
    a.forcerange = {-bound, bound};
    a.forcelimited = Limited::true_;
  }
  if (rate > 0) a.dynprm[1] = rate;
}

void set_controller(ActuatorSpec& a, const DCMotorParams& p) {
  const auto& [kp, ki, kd, slewmax, imax, vmax] = p.controller;
  a.gainprm[4] = kp;
  a.gainprm[5] = ki;
  a.gainprm[6] = kd;
  a.gainprm[7] = std::max(vmax, 0.0);
  a.dynprm[7] = slewmax;
  a.dynprm[8] = imax;
  a.actdim += (slewmax > 0) + (ki > 0);
}

}  // namespace

std::string set_to_dcmotor(ActuatorSpec& a, const DCMotorParams& p, int ctrlspec) {
  clear_model(a, ActuatorKind::dcmotor);
  auto [kt, ke] = p.motorconst;
  if (kt < 0 || ke < 0) return "motor constants cannot be negative";
  if (p.nominal[0] > 0 && ke <= 0 && p.nominal[2] > 0) ke = emf_constant(p, a.damping[0]);
  const double constant = kt > 0 && ke > 0 ? std::sqrt(kt * ke) : kt > 0 ? kt : ke;
  double resistance = p.resistance;
  if (resistance == 0 && p.nominal[0] > 0 && p.nominal[1] > 0 && constant > 0) {
    resistance = constant * p.nominal[0] / p.nominal[1];
  }
  if (constant <= 0 && ctrlspec != code(CtrlInput::none)) {
    return "the motor constant must be positive";
  }
  if (resistance <= 0) return "the resistance must be positive";
  if (p.inductance[0] < 0) return "the inductance cannot be negative";
  if (p.inductance[1] < 0) return "the electrical time constant cannot be negative";

  a.dyntype = DynType::dcmotor;
  a.gaintype = GainType::dcmotor;
  a.biastype = BiasType::dcmotor;
  a.gainprm = {resistance, constant};
  a.biasprm = {p.cogging[0], p.cogging[1], p.cogging[2]};
  a.dynprm = {p.inductance[0] > 0 ? p.inductance[0] / resistance : p.inductance[1]};
  a.actdim = a.dynprm[0] > 0;
  set_saturation(a, p, constant);
  set_controller(a, p);
  std::string error = set_thermal(a, p);
  if (!error.empty()) return error;
  if (p.lugre[0] > 0) {
    a.dynprm[5] = p.lugre[0];
    a.dynprm[6] = p.lugre[1];
    a.biasprm[3] = p.lugre[2];
    a.biasprm[4] = p.lugre[3];
    a.biasprm[5] = p.lugre[4];
    a.actdim++;
  }
  a.ctrlspec = ctrlspec;
  a.actlimited = Limited::false_;
  a.actearly = true;
  return "";
}

ShortcutParams usual_shortcut(ActuatorKind kind) {
  ShortcutParams p;
  switch (kind) {
    case ActuatorKind::position:
    case ActuatorKind::intvelocity:
    case ActuatorKind::orientation:
    case ActuatorKind::pid: p.kp = 1; break;
    case ActuatorKind::velocity:
    case ActuatorKind::adhesion: p.rate = 1; break;
    default: break;
  }
  return p;
}

bool shortcut_inherits(const ActuatorSpec& prototype, ActuatorKind kind) {
  if (prototype.type == kind) return true;
  if (prototype.type != ActuatorKind::general) return false;
  switch (kind) {
    case ActuatorKind::damper: return prototype.gaintype == GainType::affine;
    case ActuatorKind::muscle: return prototype.gaintype == GainType::muscle;
    case ActuatorKind::dcmotor: return prototype.gaintype == GainType::dcmotor;
    case ActuatorKind::pid: return prototype.gaintype == GainType::pid;
    case ActuatorKind::orientation: return prototype.gaintype == GainType::so3;
    default: return prototype.gaintype == GainType::fixed;
  }
}

namespace {

void read_motor(const ActuatorSpec& a, DCMotorParams& p) {
  const auto &g = a.gainprm, &b = a.biasprm, &d = a.dynprm;
  p.motorconst = {g[1], 0};
  p.resistance = g[0];
  bool symmetric = a.forcerange[1] > 0 && a.forcerange[0] == -a.forcerange[1];
  p.saturation = {a.forcelimited == Limited::true_ && symmetric ? a.forcerange[1] : 0, 0, d[1]};
  p.inductance = {0, d[0]};
  p.cogging = {b[0], b[1], b[2]};
  p.controller = {g[4], g[5], g[6], d[7], d[8], g[7]};
  p.thermal = {d[2], d[3], 0, g[2], g[3], d[4]};
  p.lugre = {d[5], d[6], b[3], b[4], b[5]};
}

void read_muscle(const ActuatorSpec& a, MuscleParams& p) {
  const auto &g = a.gainprm, &d = a.dynprm;
  p = {{d[0], d[1]}, d[2], {g[0], g[1]}, g[2], g[3], g[4], g[5], g[6], g[7], g[8]};
}

}  // namespace

ShortcutParams shortcut_of(const ActuatorSpec& a, ActuatorKind kind) {
  ShortcutParams p = usual_shortcut(kind);
  const auto &g = a.gainprm, &b = a.biasprm;
  p.ctrlspec = a.ctrlspec;
  auto damping = [&] {
    if (b[2] < 0) p.kv = -b[2];
    if (b[2] > 0) p.dampratio = b[2];
  };
  switch (kind) {
    case ActuatorKind::position:
    case ActuatorKind::intvelocity:
      p.kp = g[0];
      damping();
      if (a.dyntype == DynType::filterexact) p.timeconst = a.dynprm[0];
      p.inheritrange = a.inheritrange;
      break;
    case ActuatorKind::orientation:
      p.kp = g[0];
      damping();
      break;
    case ActuatorKind::pid:
      p.kp = -b[1];
      damping();
      p.ki = g[0];
      p.imax = a.dynprm[0];
      p.slewmax = a.dynprm[1];
      p.inheritrange = a.inheritrange;
      break;
    case ActuatorKind::velocity:
    case ActuatorKind::adhesion: p.rate = g[0]; break;
    case ActuatorKind::damper: p.rate = -g[2]; break;
    case ActuatorKind::cylinder:
      p.cylinder_timeconst = a.dynprm[0];
      p.area = g[0];
      p.bias = {b[0], b[1], b[2]};
      break;
    case ActuatorKind::muscle: read_muscle(a, p.muscle); break;
    case ActuatorKind::dcmotor: read_motor(a, p.motor); break;
    default: break;
  }
  return p;
}

std::string set_to_shortcut(ActuatorSpec& a, ActuatorKind kind, const ShortcutParams& p) {
  switch (kind) {
    case ActuatorKind::motor: return set_to_motor(a);
    case ActuatorKind::position:
      return set_to_position(a, p.kp, p.kv, p.dampratio, p.timeconst, p.inheritrange);
    case ActuatorKind::intvelocity:
      return set_to_intvelocity(a, p.kp, p.kv, p.dampratio, p.timeconst, p.inheritrange);
    case ActuatorKind::velocity: return set_to_velocity(a, p.rate);
    case ActuatorKind::damper: return set_to_damper(a, p.rate);
    case ActuatorKind::cylinder: {
      std::string error = set_to_cylinder(a, p.cylinder_timeconst, p.bias[0], p.area, p.diameter);
      a.biasprm[1] = p.bias[1];
      a.biasprm[2] = p.bias[2];
      return error;
    }
    case ActuatorKind::muscle: return set_to_muscle(a, p.muscle);
    case ActuatorKind::adhesion: return set_to_adhesion(a, p.rate);
    case ActuatorKind::orientation:
      return set_to_orientation(a, p.kp, p.kv, p.dampratio, p.ctrlspec);
    case ActuatorKind::pid:
      return set_to_pid(a, p.kp, p.kv, p.dampratio, p.ki, p.imax, p.slewmax, p.inheritrange,
                        p.ctrlspec);
    case ActuatorKind::dcmotor: return set_to_dcmotor(a, p.motor, p.ctrlspec);
    case ActuatorKind::general: break;
  }
  return "not a shortcut";
}

}  // namespace lockstep
