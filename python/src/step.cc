// step.cc: mj_* functions that run the pipeline, or one stage of it.
#include "bind.h"
#include "data_object.h"
#include "step/engine.h"

namespace lockstep::python {
namespace {

using nb::arg;

using Run = void (*)(const Model&, Data&);

void run(ModelObject& m, DataObject& d, Run function) {
  Data& data = data_for(m, d);
  nb::gil_scoped_release released;
  function(m.model(), data);
}

void bind_drivers(nb::module_& m) {
  m.def(
      "mj_step",
      [](ModelObject& m, DataObject& d, int nstep) {
        Data& data = data_for(m, d);
        nb::gil_scoped_release released;
        for (int i = 0; i < nstep; i++) step(m.model(), data);
      },
      arg("m"), arg("d"), arg("nstep") = 1, "Advances the simulation.");
  const auto driver = [&m](const char* name, Run function, const char* doc) {
    m.def(
        name, [function](ModelObject& m, DataObject& d) { run(m, d, function); }, arg("m"),
        arg("d"), doc);
  };
  driver("mj_step1", step1, "The part of a step before controls are chosen.");
  driver("mj_step2", step2, "The part of a step after controls are chosen.");
  driver(
      "mj_forward", [](const Model& m, Data& d) { forward(m, d); },
      "Everything that follows from the state.");
  driver("mj_checkPos", check_pos, "Resets if a position is not finite.");
  driver("mj_checkVel", check_vel, "Resets if a velocity is not finite.");
  driver("mj_checkAcc", check_acc, "Resets if an acceleration is not finite.");
}

// one stage, and all stages of a phase
struct Name {
  const char *api, *stage;
};
constexpr Name stages[] = {
    {"mj_kinematics", "kinematics"},
    {"mj_comPos", "com_pos"},
    {"mj_camlight", "cam_light"},
    {"mj_tendon", "tendon"},
    {"mj_makeM", "crb"},
    {"mj_crb", "crb"},
    {"mj_factorM", "factor_m"},
    {"mj_transmission", "transmission"},
    {"mj_comVel", "com_vel"},
    {"mj_fwdAcceleration", "fwd_acceleration"},
    {"mj_fwdConstraint", "fwd_constraint"},
};
struct PhaseName {
  const char* api;
  Phase phase;
};
constexpr PhaseName phases[] = {
    {"mj_fwdPosition", Phase::position},
    {"mj_fwdVelocity", Phase::velocity},
    {"mj_fwdActuation", Phase::actuation},
};

void bind_stages(nb::module_& m) {
  for (const Name& name : stages) {
    m.def(
        name.api,
        [stage = name.stage](ModelObject& m, DataObject& d) {
          Data& data = data_for(m, d);
          nb::gil_scoped_release released;
          run_stage(m.model(), data, stage);
        },
        arg("m"), arg("d"));
  }
  for (const PhaseName& name : phases) {
    m.def(
        name.api,
        [phase = name.phase](ModelObject& m, DataObject& d) {
          Data& data = data_for(m, d);
          nb::gil_scoped_release released;
          run_phases(m.model(), data, phase, phase);
        },
        arg("m"), arg("d"));
  }
}

}  // namespace

void bind_step(nb::module_& m) {
  bind_drivers(m);
  bind_stages(m);
}

}  // namespace lockstep::python
