// actuator.cc: actuators: what they act on, their limits, and how many controls, outputs, states
// and samples they add to the model.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compile/objects/actuator_input.h"
#include "compile/objects/common.h"
#include "compile/objects/history.h"
#include "compile/objects/plugin.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

bool fail(Build& b, const Actuator& a, std::string_view attribute, std::string message,
          std::string expected = "", std::string found = "") {
  expect(b.error(a, attribute, std::move(message)), std::move(expected), std::move(found));
  return false;
}

bool plan_slidercrank(Build& b, const Actuator& a, ActuatorPlan& plan) {
  if (a.slidersite.empty()) {
    return fail(b, a, "slidersite", "a slider-crank needs the site of its slider",
                "name of a site");
  }
  plan.trnid[1] = b.resolve(a, "slidersite", ObjType::site, a.slidersite);
  plan.trnid[0] = b.resolve(a, "cranksite", ObjType::site, a.target);
  if (a.cranklength <= 0) {
    return fail(b, a, "cranklength", "a slider-crank needs a crank", "a positive number",
                fmt::format("{}", a.cranklength));
  }
  return plan.trnid[0] >= 0 && plan.trnid[1] >= 0;
}

bool plan_site(Build& b, const Actuator& a, ActuatorPlan& plan) {
  plan.trnid[0] = b.resolve(a, "site", ObjType::site, a.target);
  if (a.refsite.empty()) return plan.trnid[0] >= 0;
  plan.trnid[1] = b.resolve(a, "refsite", ObjType::site, a.refsite);
  return plan.trnid[0] >= 0 && plan.trnid[1] >= 0;
}

bool plan_target(Build& b, const Actuator& a, ActuatorPlan& plan) {
  if (a.target.empty()) {
    return fail(b, a, "", "the actuator acts on nothing",
                "one of joint, jointinparent, tendon, cranksite, site, body");
  }
  plan.trntype = a.trntype;
  switch (a.trntype) {
    case TrnType::joint: plan.trnid[0] = b.resolve(a, "joint", ObjType::joint, a.target); break;
    case TrnType::jointinparent:
      plan.trnid[0] = b.resolve(a, "jointinparent", ObjType::joint, a.target);
      break;
    case TrnType::tendon: plan.trnid[0] = b.resolve(a, "tendon", ObjType::tendon, a.target); break;
    case TrnType::body: plan.trnid[0] = b.resolve(a, "body", ObjType::body, a.target); break;
    case TrnType::slidercrank: return plan_slidercrank(b, a, plan);
    case TrnType::site: return plan_site(b, a, plan);
    default:
      return fail(b, a, "trntype", "the actuator has no transmission",
                  "joint, jointinparent, slidercrank, tendon, site or body");
  }
  return plan.trnid[0] >= 0;
}

// three outputs: a ball joint, or a site relative to another
bool plan_so3_target(Build& b, const Actuator& a, ActuatorPlan& plan) {
  plan.trntype = TrnType::so3;
  if (a.trntype == TrnType::site) {
    if (plan.trnid[1] >= 0) return true;
    return fail(b, a, "refsite", "an so3 actuator of a site turns it towards another",
                "name of a site");
  }
  if (a.trntype != TrnType::joint) {
    return fail(b, a, "trntype", "transmission not available for so3", "joint or site",
                std::string(keyword_of(a.trntype)));
  }
  const JointType type = b.joints[plan.trnid[0]]->type;
  if (type == JointType::ball) return true;
  return fail(b, a, "joint", "an so3 actuator turns ball joints", "a ball joint",
              std::string(keyword_of(type)));
}

// inheritrange concerns servos whose input has the meaning of the transmission's length
bool inherits_range(const Actuator& a) {
  if (!(a.inheritrange > 0)) return false;
  if (a.gaintype == GainType::pid) return true;
  return a.gaintype == GainType::fixed && a.biastype == BiasType::affine &&
         a.gainprm[0] == -a.biasprm[1];
}

bool check_inheritrange(Build& b, const Actuator& a, const ActuatorPlan& plan) {
  if (!inherits_range(a)) return true;
  const bool servo = a.dyntype == DynType::none || a.dyntype == DynType::filterexact ||
                     a.dyntype == DynType::integrator || a.dyntype == DynType::pid;
  if (!servo) {
    return fail(b, a, "inheritrange", "only position and intvelocity actuators inherit a range",
                "dyntype none, filterexact, integrator or pid", std::string(keyword_of(a.dyntype)));
  }
  Range range;
  if (a.trntype == TrnType::joint) {
    const Joint& joint = *b.joints[plan.trnid[0]];
    if (joint.type != JointType::hinge && joint.type != JointType::slide) {
      return fail(b, a, "inheritrange", "only scalar joints have a range to inherit",
                  "a hinge or slide joint", std::string(keyword_of(joint.type)));
    }
    range = joint.range;
  } else if (a.trntype == TrnType::tendon) {
    range = b.spec.tendons[plan.trnid[0]]->range;
  } else {
    return fail(b, a, "inheritrange", "only joints and tendons have a range to inherit",
                "a joint or tendon", std::string(keyword_of(a.trntype)));
  }
  if (range[0] == range[1]) {
    return fail(b, a, "inheritrange", fmt::format("'{}' has no range to inherit", a.target));
  }
  const bool activation = a.dyntype == DynType::integrator;
  check_limits(b, a, activation ? "actlimited" : "ctrllimited",
               activation ? a.actlimited : a.ctrllimited, "inheritrange", range);
  return true;
}

void check_ranges(Build& b, const Actuator& a) {
  check_limits(b, a, "forcelimited", a.forcelimited, "forcerange", a.forcerange);
  check_limits(b, a, "ctrllimited", a.ctrllimited, "ctrlrange", a.ctrlrange);
  check_limits(b, a, "actlimited", a.actlimited, "actrange", a.actrange);
  check_range(b, a, "forcerange", a.forcelimited, a.forcerange);
  const bool inherits = inherits_range(a), activation = a.dyntype == DynType::integrator;
  if (!inherits || activation) check_range(b, a, "ctrlrange", a.ctrllimited, a.ctrlrange);
  if (!inherits || !activation) check_range(b, a, "actrange", a.actlimited, a.actrange);
  if (is_limited(a.actlimited, a.actrange) && a.dyntype == DynType::none) {
    fail(b, a, "actrange", "an actuator without dynamics has no activation to limit",
         "a dyntype other than none");
  }
}

// parameters shared by the gain and the bias of muscles
void check_muscle(Build& b, const Actuator& a, std::string_view attribute,
                  const std::array<double, 10>& prm) {
  if (prm[0] >= prm[1]) {
    fail(b, a, attribute, "the operating range of a muscle is empty", "range[0] < range[1]",
         fmt::format("{} {}", prm[0], prm[1]));
  }
  if (prm[4] >= 1 || prm[5] <= 1) {
    fail(b, a, attribute, "lmin and lmax of a muscle must enclose 1", "lmin < 1 < lmax",
         fmt::format("{} {}", prm[4], prm[5]));
  }
  if (prm[3] <= 0 || prm[6] <= 0 || prm[7] <= 0 || prm[8] <= 0) {
    fail(b, a, attribute, "scale, vmax, fpmax and fvmax of a muscle must be positive",
         "positive numbers", fmt::format("{} {} {} {}", prm[3], prm[6], prm[7], prm[8]));
  }
}

// damping and armature of an actuator act at the joint or tendon it drives
void check_reflected(Build& b, const Actuator& a, const ActuatorPlan& plan) {
  const bool damped = a.damping[0] || a.damping[1] || a.damping[2];
  const bool joint = a.trntype == TrnType::joint || a.trntype == TrnType::jointinparent;
  if (!joint && a.trntype != TrnType::tendon) {
    if (damped) fail(b, a, "damping", "only joints and tendons can be damped", "a joint or tendon");
    if (a.armature) {
      fail(b, a, "armature", "only joints and tendons can have armature", "a joint or tendon");
    }
    return;
  }
  if (joint || !a.armature) return;
  for (const WrapPlan& wrap : b.plans.tendons[plan.trnid[0]].path) {
    if (wrap.type != WrapType::sphere && wrap.type != WrapType::cylinder) continue;
    fail(b, a, "armature", "a tendon that wraps around geoms cannot have armature");
    return;
  }
}

// numbers in the moment of an actuator, over all of its outputs
int64_t moment_size(const Build& b, const std::vector<int>& first_dof, const ActuatorPlan& plan) {
  auto chain = [&](int site) { return body_dofs(b, first_dof, body_id(*b.sites[site])); };
  std::vector<int> dofs;
  switch (plan.trntype) {
    case TrnType::joint:
    case TrnType::jointinparent: return dof_count(b.joints[plan.trnid[0]]->type);
    case TrnType::tendon: return static_cast<int64_t>(b.plans.tendons[plan.trnid[0]].dofs.size());
    case TrnType::so3: return plan.trnid[1] < 0 ? 3 : 3 * first_dof.back();
    case TrnType::body: return first_dof.back();
    case TrnType::site: {
      const auto a = chain(plan.trnid[0]);
      if (plan.trnid[1] < 0) return static_cast<int64_t>(a.size());
      const auto c = chain(plan.trnid[1]);  // what moves both sites cancels
      std::set_symmetric_difference(a.begin(), a.end(), c.begin(), c.end(),
                                    std::back_inserter(dofs));
      return static_cast<int64_t>(dofs.size());
    }
    case TrnType::slidercrank: {
      const auto a = chain(plan.trnid[0]), c = chain(plan.trnid[1]);
      std::set_union(a.begin(), a.end(), c.begin(), c.end(), std::back_inserter(dofs));
      return static_cast<int64_t>(dofs.size());
    }
    default: return 0;
  }
}

bool plan_actuator(Build& b, const Actuator& a, ActuatorPlan& plan) {
  if (!plan_target(b, a, plan) || !plan_inputs(b, a, plan)) return false;
  if (plan.outnum == 3 && !plan_so3_target(b, a, plan)) return false;
  check_inheritrange(b, a, plan);
  check_ranges(b, a);
  check_reflected(b, a, plan);
  if (a.gaintype == GainType::muscle) check_muscle(b, a, "gainprm", a.gainprm);
  if (a.biastype == BiasType::muscle) check_muscle(b, a, "biasprm", a.biasprm);
  if (!plan_states(b, a, plan)) return false;
  plan.plugin = plan_plugin_use(b, a, a.plugin, PluginCapabilityBit::actuator);
  if (plan.plugin >= 0) check_plugin_states(b, a, plan);
  if (plan.ctrlnum == 0 && (a.nsample > 0 || a.delay > 0)) {
    return fail(b, a, a.nsample > 0 ? "nsample" : "delay", "there is no control to remember",
                "an input");
  }
  return check_history(b, a, a.nsample, a.delay);
}

}  // namespace

void compile_actuators(Build& b) {
  Model& m = b.model;
  const std::vector<int> first_dof = joint_dofs(b);
  for (const Actuator* actuator : b.spec.actuators) {
    ActuatorPlan plan;
    if (plan_actuator(b, *actuator, plan)) {
      plan.ctrladr = static_cast<int>(m.nu);
      plan.outadr = static_cast<int>(m.nout);
      if (plan.actnum > 0) plan.actadr = static_cast<int>(m.na);
      plan.historyadr = history_address(m, actuator->nsample, plan.ctrlnum);
      m.nu += plan.ctrlnum;
      m.nout += plan.outnum;
      m.na += plan.actnum;
      m.nJmom += moment_size(b, first_dof, plan);
    }
    b.plans.actuators.push_back(plan);
  }
}

}  // namespace lockstep
