// actuator_pack.cc: actuators into the Model.
#include <algorithm>

#include "compile/objects/actuator_input.h"
#include "compile/objects/common.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

// the range of the joint or tendon, scaled about its middle
void inherit_range(const Model& m, Actuator& a, const ActuatorPlan& plan) {
  const bool pid = a.gaintype == GainType::pid;
  const bool servo = a.gaintype == GainType::fixed && a.biastype == BiasType::affine &&
                     a.gainprm[0] == -a.biasprm[1];
  if (!(a.inheritrange > 0) || !(pid || servo)) return;
  const double* all = a.trntype == TrnType::joint ? m.jnt_range : m.tendon_range;
  const double* range = all + 2 * plan.trnid[0];
  const double middle = 0.5 * (range[1] + range[0]);
  const double radius = 0.5 * (range[1] - range[0]) * a.inheritrange;
  Range& target = a.dyntype == DynType::integrator ? a.actrange : a.ctrlrange;
  target = {middle - radius, middle + radius};
  a.inheritrange = 0;
}

// joints and tendons remember the actuator that damps them: -1 none, -2 several
void pack_reflected(Model& m, const Actuator& a, const ActuatorPlan& plan) {
  if (!a.armature && !a.damping[0] && !a.damping[1] && !a.damping[2]) return;
  int* owner = nullptr;
  if (plan.trntype == TrnType::joint || plan.trntype == TrnType::jointinparent) {
    owner = m.jnt_actuatorid + plan.trnid[0];
  } else if (plan.trntype == TrnType::tendon) {
    owner = m.tendon_actuatorid + plan.trnid[0];
  }
  if (owner) *owner = *owner == -1 ? a.id : -2;
}

void pack_plan(Model& m, int id, const ActuatorPlan& plan) {
  m.actuator_trntype[id] = code(plan.trntype);
  put(m.actuator_trnid, id, plan.trnid);
  m.actuator_ctrladr[id] = plan.ctrladr;
  m.actuator_ctrlnum[id] = plan.ctrlnum;
  m.actuator_ctrlspec[id] = plan.ctrlspec;
  m.actuator_outadr[id] = plan.outadr;
  m.actuator_outnum[id] = plan.outnum;
  m.actuator_actadr[id] = plan.actadr;
  m.actuator_actnum[id] = plan.actnum;
  m.actuator_historyadr[id] = plan.historyadr;
  m.actuator_plugin[id] = plan.plugin;
}

void pack_values(Model& m, const Actuator& a) {
  const int id = a.id;
  m.actuator_dyntype[id] = code(a.dyntype);
  m.actuator_gaintype[id] = code(a.gaintype);
  m.actuator_biastype[id] = code(a.biastype);
  m.actuator_cranklength[id] = a.cranklength;
  m.actuator_actlimited[id] = is_limited(a.actlimited, a.actrange);
  m.actuator_actearly[id] = a.actearly;
  m.actuator_history[2 * id] = a.nsample;
  m.actuator_history[2 * id + 1] = a.interp;
  m.actuator_delay[id] = a.delay;
  m.actuator_armature[id] = a.armature;
  m.actuator_group[id] = a.group;
  m.actuator_forcelimited[id] = is_limited(a.forcelimited, a.forcerange);
  put(m.actuator_dynprm, id, a.dynprm);
  put(m.actuator_gainprm, id, a.gainprm);
  put(m.actuator_biasprm, id, a.biasprm);
  put(m.actuator_actrange, id, a.actrange);
  put(m.actuator_forcerange, id, a.forcerange);
  put_poly(m.actuator_damping, m.actuator_dampingpoly, id, a.damping);
  put_user(m.actuator_user, m.nuser_actuator, id, a.userdata);
}

}  // namespace

void pack_actuators(Build& b) {
  Model& m = b.model;
  std::fill(m.jnt_actuatorid, m.jnt_actuatorid + m.njnt, -1);
  for (Actuator* actuator : b.spec.actuators) {
    const ActuatorPlan& plan = b.plans.actuators[actuator->id];
    inherit_range(m, *actuator, plan);
    pack_values(m, *actuator);
    pack_plan(m, actuator->id, plan);
    pack_inputs(m, *actuator, plan);
    pack_reflected(m, *actuator, plan);
    for (int out = plan.outadr; out < plan.outadr + plan.outnum; out++) {
      put(m.actuator_gear, out, actuator->gear);
      put(m.actuator_lengthrange, out, actuator->lengthrange);
    }
  }
}

}  // namespace lockstep
