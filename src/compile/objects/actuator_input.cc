// actuator_input.cc: controls and states of an actuator, which follow from its gain, bias and
// dynamics.
#include "compile/objects/actuator_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "compile/objects/common.h"

namespace lockstep {
namespace {

constexpr int pos = code(CtrlInput::pos), vel = code(CtrlInput::vel), ff = code(CtrlInput::ff);
constexpr int voltage = code(CtrlInput::voltage), none = code(CtrlInput::none);
constexpr int pressure = code(CtrlInput::pressure);
constexpr int setpoints = pos | vel | ff;

// where parameters of a dc motor are kept
namespace motor {
constexpr int constant = 1, kp = 4, ki = 5, kd = 6;                // gainprm
constexpr int inductance = 0, thermal = 2, bristle = 5, slew = 7;  // dynprm
}  // namespace motor

std::string words_of(int inputs) {
  std::string words;
  for (int bit : {pos, vel, ff, voltage, none, pressure}) {
    if (!(inputs & bit)) continue;
    if (!words.empty()) words += ' ';
    words += keyword_of(static_cast<CtrlInput>(bit));
  }
  return words.empty() ? std::to_string(inputs) : words;
}

bool input_error(Build& b, const Actuator& a, std::string message, std::string expected) {
  expect(b.error(a, "input", std::move(message)), std::move(expected), words_of(a.ctrlspec));
  return false;
}

bool kind_error(Build& b, const Actuator& a, std::string_view attribute, std::string message,
                std::string expected, std::string_view found) {
  expect(b.error(a, attribute, std::move(message)), std::move(expected), std::string(found));
  return false;
}

bool plan_so3(Build& b, const Actuator& a, ActuatorPlan& plan) {
  if (a.gaintype != GainType::so3 || a.biastype != BiasType::so3) {
    return kind_error(b, a, "biastype", "gain and bias must both be so3", "so3 and so3",
                      fmt::format("{} and {}", keyword_of(a.gaintype), keyword_of(a.biastype)));
  }
  plan.ctrlspec = a.ctrlspec ? a.ctrlspec : code(CtrlChart::expmap);
  const bool quat = plan.ctrlspec == code(CtrlChart::quat);
  if (!quat && plan.ctrlspec != code(CtrlChart::expmap)) {
    return input_error(b, a, "unknown input of an so3 actuator", "expmap or quat");
  }
  if (a.dyntype != DynType::none && a.dyntype != DynType::integrator) {
    return kind_error(b, a, "dyntype", "dynamics not available for so3", "none or integrator",
                      keyword_of(a.dyntype));
  }
  if (quat && a.dyntype != DynType::none) {
    return kind_error(b, a, "dyntype", "a quaternion input cannot be integrated", "none",
                      keyword_of(a.dyntype));
  }
  if (a.gainprm[0] != -a.biasprm[1]) {
    return kind_error(b, a, "biasprm", "an so3 servo needs equal and opposite gain and bias",
                      fmt::format("second number {}", -a.gainprm[0]),
                      fmt::format("{}", a.biasprm[1]));
  }
  if (is_limited(a.forcelimited, a.forcerange) && a.forcerange[0] != 0) {
    return kind_error(b, a, "forcerange", "the range bounds the norm of the torque",
                      "first number 0", fmt::format("{}", a.forcerange[0]));
  }
  plan.ctrlnum = quat ? 4 : 3;
  plan.outnum = 3;
  return true;
}

bool plan_pid(Build& b, const Actuator& a, ActuatorPlan& plan) {
  plan.ctrlspec = a.ctrlspec ? a.ctrlspec : pos | vel;
  if (plan.ctrlspec & ~setpoints) {
    return input_error(b, a, "unknown input of a pid actuator", "some of: pos vel ff");
  }
  if (a.biastype != BiasType::affine) {
    return kind_error(b, a, "biastype", "pid gains need an affine bias", "affine",
                      keyword_of(a.biastype));
  }
  if (a.dyntype != DynType::none && a.dyntype != DynType::pid) {
    return kind_error(b, a, "dyntype", "dynamics not available for pid gains", "none or pid",
                      keyword_of(a.dyntype));
  }
  if (a.trntype == TrnType::body) {
    return kind_error(b, a, "body", "a pid actuator cannot act on a body",
                      "a joint, tendon or site", "body");
  }
  if (a.dyntype == DynType::none && a.gainprm[0] != 0) {
    return kind_error(b, a, "dyntype", "an integral gain (gainprm[0]) needs a state", "pid",
                      "none");
  }
  if (a.dyntype == DynType::pid) {
    for (int i : {0, 1}) {
      if (a.dynprm[i] >= 0) continue;
      return kind_error(b, a, "dynprm", i ? "slewmax is negative" : "imax is negative",
                        "zero or more", fmt::format("{}", a.dynprm[i]));
    }
    if (!(plan.ctrlspec & pos)) {
      return input_error(b, a, "the states of a pid controller follow a position",
                         "input with pos");
    }
  }
  plan.ctrlnum = std::popcount(static_cast<unsigned>(plan.ctrlspec));
  return true;
}

bool plan_dcmotor(Build& b, const Actuator& a, ActuatorPlan& plan) {
  plan.ctrlspec = a.ctrlspec ? a.ctrlspec : voltage;
  const bool controller = plan.ctrlspec & setpoints;
  if (plan.ctrlspec != none && (plan.ctrlspec & ~(setpoints | voltage))) {
    return input_error(b, a, "unknown input of a dc motor", "none, or some of: pos vel ff voltage");
  }
  if (controller && !(a.gainprm[motor::constant] > 0)) {
    return kind_error(b, a, "motorconst", "controller inputs need a motor constant",
                      "a positive number", fmt::format("{}", a.gainprm[motor::constant]));
  }
  const bool gains = a.gainprm[motor::kp] || a.gainprm[motor::ki] || a.gainprm[motor::kd];
  if (gains && !controller) {
    return input_error(b, a, "controller gains need a controller input", "some of: pos vel ff");
  }
  if (a.dynprm[motor::slew] > 0 && !controller) {
    return input_error(b, a, "slew rate limiting needs a controller input", "some of: pos vel ff");
  }
  if (a.gainprm[motor::ki] != 0 && !(plan.ctrlspec & pos)) {
    return input_error(b, a, "an integral gain needs a position input", "input with pos");
  }
  plan.ctrlnum = plan.ctrlspec == none ? 0 : std::popcount(static_cast<unsigned>(plan.ctrlspec));
  return true;
}

// one control; what it means may be declared
bool plan_single(Build& b, const Actuator& a, ActuatorPlan& plan) {
  plan.ctrlspec = a.ctrlspec;
  if (a.ctrlspec == 0) return true;
  if (a.gaintype == GainType::muscle || a.gaintype == GainType::user) {
    return input_error(b, a, "muscle and user gains declare no input", "no input");
  }
  if (a.ctrlspec != pos && a.ctrlspec != vel && a.ctrlspec != pressure) {
    return input_error(b, a, "this gain takes a single input", "pos, vel or pressure");
  }
  return true;
}

// states of a motor that are switched on by their parameters
int dcmotor_states(const Actuator& a) {
  return (a.dynprm[motor::slew] > 0) + (a.gainprm[motor::ki] > 0) + (a.dynprm[motor::thermal] > 0) +
         (a.dynprm[motor::bristle] > 0) + (a.dynprm[motor::inductance] > 0);
}

// number of states that the parameters ask for
int natural_states(const Actuator& a) {
  switch (a.dyntype) {
    case DynType::none: return 0;
    case DynType::pid: return (a.gainprm[0] > 0) + (a.dynprm[1] > 0);
    case DynType::dcmotor: return dcmotor_states(a);
    default: return a.gaintype == GainType::so3 ? 3 : 1;
  }
}

}  // namespace

bool plan_inputs(Build& b, const Actuator& a, ActuatorPlan& plan) {
  if (a.dyntype == DynType::pid && a.gaintype != GainType::pid) {
    return kind_error(b, a, "gaintype", "pid dynamics need pid gains", "pid",
                      keyword_of(a.gaintype));
  }
  if (a.dyntype == DynType::dcmotor && !a.actearly) {
    return kind_error(b, a, "actearly", "a dc motor uses its next state", "true", "false");
  }
  if (a.gaintype == GainType::so3 || a.biastype == BiasType::so3) return plan_so3(b, a, plan);
  if (a.gaintype == GainType::pid) return plan_pid(b, a, plan);
  if (a.gaintype == GainType::dcmotor) return plan_dcmotor(b, a, plan);
  return plan_single(b, a, plan);
}

bool plan_states(Build& b, const Actuator& a, ActuatorPlan& plan) {
  const int natural = natural_states(a);
  plan.actnum = a.actdim < 0 ? natural : a.actdim;
  if (a.plugin.active) {
    if (a.actdim < 0) plan.actnum = a.dyntype != DynType::none;
    return true;
  }
  const bool motor = a.dyntype == DynType::dcmotor;
  const bool stateful = a.dyntype != DynType::none;
  std::string message;
  if (!stateful && plan.actnum > 0) message = "an actuator without dynamics has no states";
  if (stateful && !motor && plan.actnum == 0) message = "an actuator with dynamics needs a state";
  const bool exact = motor || a.dyntype == DynType::pid || a.gaintype == GainType::so3;
  if (a.dyntype != DynType::user && (exact || plan.actnum > 1) && plan.actnum != natural) {
    message = "the parameters of the dynamics ask for another number of states";
  }
  if (a.gaintype == GainType::dcmotor && !motor && dcmotor_states(a) > 0) {
    message = "parameters of a dc motor ask for states that the dynamics do not have";
  }
  if (message.empty()) return true;
  const bool named = a.gaintype == GainType::dcmotor && !motor;
  expect(b.error(a, named ? "dyntype" : "actdim", message),
         named ? "dcmotor" : std::to_string(std::max(natural, stateful && !motor ? 1 : 0)),
         named ? std::string(keyword_of(a.dyntype)) : std::to_string(plan.actnum));
  return false;
}

void pack_inputs(Model& m, const Actuator& a, const ActuatorPlan& plan) {
  auto put_input = [&](int i, bool limited, const Range& range) {
    m.actuator_ctrllimited[plan.ctrladr + i] = limited;
    put(m.actuator_ctrlrange, plan.ctrladr + i, range);
  };
  const bool limited = is_limited(a.ctrllimited, a.ctrlrange);
  if (a.gaintype != GainType::pid) {
    for (int i = 0; i < plan.ctrlnum; i++) put_input(i, limited, a.ctrlrange);
    return;
  }
  int i = 0;
  if (plan.ctrlspec & pos) put_input(i++, limited, a.ctrlrange);
  if (plan.ctrlspec & vel) put_input(i++, is_limited(Limited::auto_, a.velrange), a.velrange);
  if (plan.ctrlspec & ff) put_input(i++, is_limited(Limited::auto_, a.ffrange), a.ffrange);
}

}  // namespace lockstep
