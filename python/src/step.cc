// step.cc: mj_* functions that run the pipeline, or one stage of it.
#include <nanobind/stl/string.h>

#include "array_args.h"
#include "bind.h"
#include "call.h"
#include "step/engine.h"
#include "step/solver_report.h"

namespace lockstep::python {
namespace {

using nb::arg;

using Run = void (*)(const Model&, Data&);

// an error where the model asks for what cannot be stepped
void check_model_to_step(ModelObject& m) {
  for (const std::string& wrong : {unknown_option(m.model().opt), wrong_numbers(m.model())}) {
    if (!wrong.empty()) throw FatalError(wrong);
  }
}

// once per Data, a Python warning names what the model asks for and a step leaves out
Data& data_to_step(ModelObject& m, DataObject& d) {
  Data& data = data_for(m, d);
  if (d.holder->warned) return data;
  d.holder->warned = true;
  const std::string names = not_simulated(m.model());
  const std::string text = "not simulated yet: " + names;
  if (!names.empty() && PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) < 0)
    throw nb::python_error();
  return data;
}

// an error where a strict solver gave up
void check_solved(ModelObject& m, Data& data) {
  if (status_of(m.model(), data) == Status::ok) return;
  throw FatalError(unsolved_text(m.model(), data));
}

// `whole` is the timer of what runs; position where it has none
void run(ModelObject& m, DataObject& d, Run function, Timer whole = Timer::position) {
  Data& data = data_to_step(m, d);
  call_engine(m, d, data, whole, [&] { function(m.model(), data); });
}

void bind_drivers(nb::module_& m) {
  m.def(
      "mj_step",
      [](ModelObject& m, DataObject& d, int nstep) {
        check_model_to_step(m);
        Data& data = data_to_step(m, d);
        call_engine(m, d, data, Timer::step, [&] { step(m.model(), data, nstep); }, nstep);
        check_solved(m, data);
      },
      arg("m"), arg("d"), arg("nstep") = 1,
      "Advances the simulation. Optionally, repeat nstep times.");
  const auto driver = [&m](const char* name, Run function, const char* doc,
                           Timer whole = Timer::position, bool solves = false) {
    m.def(
        name,
        [function, whole, solves](ModelObject& m, DataObject& d) {
          if (solves) check_model_to_step(m);
          run(m, d, function, whole);
          if (solves) check_solved(m, d.holder->data);
        },
        arg("m"), arg("d"), doc);
  };
  driver("mj_step1", step1, "The part of a step before controls are chosen.", Timer::step);
  driver(
      "mj_step2", [](const Model& m, Data& d) { step2(m, d); },
      "The part of a step after controls are chosen.", Timer::position, true);
  driver(
      "mj_forward", [](const Model& m, Data& d) { forward(m, d); },
      "Everything that follows from the state.", Timer::forward, true);
  driver(
      "mj_Euler", [](const Model& m, Data& d) { integrate_by(m, d, Integrator::euler); },
      "The last part of a step, semi-implicit in velocity.", Timer::position, true);
  driver(
      "mj_implicit",
      [](const Model& m, Data& d) {
        const bool fast = m.opt.integrator == code(Integrator::implicitfast);
        integrate_by(m, d, fast ? Integrator::implicitfast : Integrator::implicit);
      },
      "The last part of a step, implicit in velocity.", Timer::position, true);
  m.def(
      "mj_RungeKutta",
      [](ModelObject& m, DataObject& d, int N) {
        if (N != 4) throw FatalError("mj_RungeKutta: only the order 4 is known");
        run(m, d, [](const Model& m, Data& d) { integrate_by(m, d, Integrator::rk4); });
        check_solved(m, d.holder->data);
      },
      arg("m"), arg("d"), arg("N"), "The last part of a step by Runge-Kutta.");
  driver("mj_checkPos", check_pos, "Resets if a position is not finite.");
  driver("mj_checkVel", check_vel, "Resets if a velocity is not finite.");
  driver("mj_checkAcc", check_acc, "Resets if an acceleration is not finite.");
}

// one stage, and all stages of a phase
struct Name {
  const char *api, *stage;
};
constexpr Name stages[] = {
    {"mj_sensorPos", "sensor_pos"},
    {"mj_sensorVel", "sensor_vel"},
    {"mj_sensorAcc", "sensor_acc"},
    {"mj_kinematics", "kinematics"},
    {"mj_comPos", "com_pos"},
    {"mj_camlight", "cam_light"},
    {"mj_tendon", "tendon"},
    {"mj_makeM", "crb"},
    {"mj_crb", "crb"},
    {"mj_factorM", "factor_m"},
    {"mj_collision", "collision"},
    {"mj_makeConstraint", "make_constraint"},
    {"mj_transmission", "transmission"},
    {"mj_comVel", "com_vel"},
    {"mj_energyPos", "energy_pos"},
    {"mj_energyVel", "energy_vel"},
    {"mj_passive", "passive"},
    {"mj_referenceConstraint", "reference_constraint"},
    {"mj_subtreeVel", "subtree_vel"},
    {"mj_rnePostConstraint", "rne_post_constraint"},
    {"mj_fwdAcceleration", "fwd_acceleration"},
    {"mj_fwdConstraint", "fwd_constraint"},
};
struct PhaseName {
  const char* api;
  Phase phase;
};
constexpr PhaseName phases[] = {
    {"mj_fwdPosition", Phase::position},   {"mj_fwdVelocity", Phase::velocity},
    {"mj_fwdActuation", Phase::actuation}, {"mj_invPosition", Phase::position},
    {"mj_invVelocity", Phase::velocity},
};

void bind_stages(nb::module_& m) {
  for (const Name& name : stages) {
    m.def(
        name.api,
        [stage = name.stage](ModelObject& m, DataObject& d) {
          Data& data = data_for(m, d);
          call_engine(m, d, data, Timer::position, [&] { run_stage(m.model(), data, stage); });
          if (std::string_view(stage) == "fwd_constraint") check_solved(m, data);
        },
        arg("m"), arg("d"));
  }
  for (const PhaseName& name : phases) {
    m.def(
        name.api,
        [phase = name.phase](ModelObject& m, DataObject& d) {
          Data& data = data_for(m, d);
          call_engine(m, d, data, Timer::position,
                      [&] { run_phases(m.model(), data, phase, phase); });
        },
        arg("m"), arg("d"));
  }
}

// a stage of MuJoCo's enumeration that is already done, as the phase to go on with
Phase after(int skipstage) {
  if (skipstage < code(SensorStage::pos)) return Phase::position;
  return skipstage < code(SensorStage::vel) ? Phase::velocity : Phase::actuation;
}

void run_inverse(ModelObject& m, DataObject& d, Phase first, bool sensors) {
  Data& data = data_for(m, d);
  const Option& opt = m.model().opt;
  if (opt.enableflags & code(EnableBit::invdiscrete) && opt.integrator == code(Integrator::rk4)) {
    throw FatalError("inverse dynamics of discrete steps do not know Runge-Kutta steps");
  }
  call_engine(m, d, data, Timer::inverse, [&] { inverse(m.model(), data, first, sensors); });
}

void bind_forward_parts(nb::module_& m) {
  m.def(
      "mj_forwardSkip",
      [](ModelObject& m, DataObject& d, int skipstage, int skipsensor) {
        Data& data = data_for(m, d);
        call_engine(m, d, data, Timer::forward,
                    [&] { forward(m.model(), data, after(skipstage), skipsensor == 0); });
        check_solved(m, data);
      },
      arg("m"), arg("d"), arg("skipstage"), arg("skipsensor"),
      "Everything that follows from the state, without stages that are already done.");
  m.def(
      "mj_fwdKinematics",
      [](ModelObject& m, DataObject& d) {
        Data& data = data_for(m, d);
        nb::gil_scoped_release released;
        for (const char* stage : {"kinematics", "com_pos", "cam_light", "tendon"}) {
          run_stage(m.model(), data, stage);
        }
      },
      arg("m"), arg("d"), "Poses of everything, centers of mass, lengths of tendons.");
}

void bind_inverse(nb::module_& m) {
  m.def(
      "mj_inverse", [](ModelObject& m, DataObject& d) { run_inverse(m, d, Phase::position, true); },
      arg("m"), arg("d"), "The forces that would explain qacc.");
  m.def(
      "mj_inverseSkip",
      [](ModelObject& m, DataObject& d, int skipstage, int skipsensor) {
        run_inverse(m, d, after(skipstage), skipsensor == 0);
      },
      arg("m"), arg("d"), arg("skipstage"), arg("skipsensor"),
      "The same, without stages that are already done.");
  m.def(
      "mj_invConstraint", [](ModelObject& m, DataObject& d) { run(m, d, inv_constraint); },
      arg("m"), arg("d"), "Forces of constraints that qacc asks for.");
  m.def(
      "mj_compareFwdInv", [](ModelObject& m, DataObject& d) { run(m, d, compare_fwd_inv); },
      arg("m"), arg("d"), "Compares forward and inverse dynamics; results in solver_fwdinv.");
  m.def(
      "mj_rne",
      [](ModelObject& m, DataObject& d, int flg_acc, const Out<>& result) {
        if (result.size != m.model().nv) throw nb::type_error("result should have length nv");
        rne(m.model(), data_for(m, d), flg_acc != 0, result.data);
      },
      arg("m"), arg("d"), arg("flg_acc"), arg("result"),
      "Bias force, with the inertial force of qacc if flg_acc is not zero.");
  m.def(
      "ten_force",
      [](ModelObject& m, DataObject& d, const OutMat& result) {
        if (result.rows != m.model().ntendon || result.cols != ten_force_parts) {
          throw nb::type_error("result should be of shape (ntendon, 6)");
        }
        ten_force(m.model(), data_for(m, d), result.data);
      },
      arg("m"), arg("d"), arg("result"),
      "What acts along each tendon: spring, damper, limit, friction loss, actuator, sum.");
}

// how the last solve went; python/lockstep/solver.py gives the numbers names
nb::tuple solver_numbers(DataObject& d) {
  const SolverReport report = solver_report(d.holder->model->model, d.holder->data);
  return nb::make_tuple(std::string(keyword_of(report.solver)), report.iterations, report.residual,
                        report.converged, report.fallback);
}

}  // namespace

void bind_step(nb::module_& m) {
  m.def("_solver_report", solver_numbers, arg("d"));
  bind_drivers(m);
  bind_stages(m);
  bind_forward_parts(m);
  bind_inverse(m);
}

}  // namespace lockstep::python
