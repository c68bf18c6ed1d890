// engine.h: the engine for one world in double, as plain functions; defined in instance/.
#pragma once

#include <string>
#include <string_view>

#include "model/data.h"
#include "model/model.h"
#include "step/phase.h"

namespace lockstep {

// a stage of the step, from the table in pipeline.h
struct StageInfo {
  Phase phase;
  std::string_view name;
  std::string_view what;
  Timer timer;  // the finer of MuJoCo's timers that counts it, or step
};
int stage_count();
StageInfo stage_info(int stage);

// runs all stages of some phases, or one stage by its name (false if there is none), be it part of
// a step or not
void run_phases(const Model& m, Data& d, Phase first, Phase last);
bool run_stage(const Model& m, Data& d, std::string_view name);

// place of a stage that no step needs in the list of those, -1 if there is none; and one of them
int on_demand_place(std::string_view name);
void run_on_demand(const Model& m, Data& d, int place);
// whether every step does, since sensors need it
bool is_sensed(const Model& m, int place);

// Whether a call did what it was asked to. unsolved: the solver is cgstrict and did not converge; a
// step leaves the state as it was before. solver_report.h tells more
enum class Status { ok, unsolved };

// of the last solve
Status status_of(const Model& m, Data& d);

// everything that follows from a state, from a phase on, with or without sensors
Status forward(const Model& m, Data& d, Phase first = Phase::position, bool sensors = true);

// the forces that would explain qacc, from a phase on, with or without sensors
void inverse(const Model& m, Data& d, Phase first = Phase::position, bool sensors = true);

// forces of constraints that qacc asks for
void inv_constraint(const Model& m, Data& d);

// how far inverse dynamics are from what forward dynamics found; without constraint rows nothing is
// compared and solver_fwdinv stays zero, as in MuJoCo
void compare_fwd_inv(const Model& m, Data& d);

// bias force, with the inertial force of qacc if asked for; without armatures; nv numbers
void rne(const Model& m, Data& d, bool with_acc, double* qfrc);

// what acts along each tendon: spring, damper, limit, friction loss, actuator and their sum; six
// numbers per tendon, positive where they lengthen it
inline constexpr int ten_force_parts = 6;
void ten_force(const Model& m, Data& d, double* force);

// time steps, and the two parts of one around the moment at which controls are chosen. Ends at the
// first step that fails
Status step(const Model& m, Data& d, int count = 1, Detail detail = Detail::all);
void step1(const Model& m, Data& d);
Status step2(const Model& m, Data& d);

// the last part of a step by some integrator, whatever the Model says; after forward. Where that
// failed, nothing happens
Status integrate_by(const Model& m, Data& d, Integrator integrator);

// After a reset, where the Model lets trees sleep: poses, and trees that are to start asleep do so.
// What went wrong with that, or nothing
std::string start_asleep(const Model& m, Data& d);
// all trees are awake
void wake_all(const Model& m, Data& d);

// What cannot be stepped, in MuJoCo's words; empty if it can: a solver or integrator that does not
// exist; a motor with other states than its parameters ask for, a tendon that passes no site
std::string unknown_option(const Option& option);
std::string wrong_numbers(const Model& m);

// what the Model asks for and a step leaves out so far: "contacts, limits"; empty if nothing
std::string not_simulated(const Model& m);

// raise a warning and reset when the state or its acceleration is not finite
void check_pos(const Model& m, Data& d);
void check_vel(const Model& m, Data& d);
void check_acc(const Model& m, Data& d);

// controls of an actuator as they act at a time: ctrlnum numbers; interpolation -1 is the
// actuator's
void read_ctrl(const Model& m, const Data& d, int actuator, double time, double* result,
               int interpolation);
// past controls: nsample times (null: those that are there) and nsample rows of ctrlnum values
void init_ctrl_history(const Model& m, Data& d, int actuator, const double* times,
                       const double* values);
// the same for readings; dim numbers, nsample rows of them; phase is the last tick of a sensor with
// a period
void read_sensor(const Model& m, const Data& d, int sensor, double time, double* result,
                 int interpolation);
void init_sensor_history(const Model& m, Data& d, int sensor, const double* times,
                         const double* values, double phase);
// "pos", "qw" ...: what a control of an actuator means; null if that is not declared
const char* actuator_input_name(const Model& m, int actuator, int input);

// muscles; prm as in gainprm, biasprm and dynprm
double muscle_gain(double length, double velocity, const double lengthrange[2], double acc0,
                   const double prm[9]);
double muscle_bias(double length, const double lengthrange[2], double acc0, const double prm[9]);
double muscle_dynamics(double ctrl, double act, const double prm[3]);

// x <- M^-1 x, with the factor of the factor_m stage; nv numbers
void solve_m(const Model& m, Data& d, double* x);

// inertia that each dof feels with all others locked, without tendons; nv numbers
void dof_inertias(const Model& m, Data& d, double* inertia);

}  // namespace lockstep
