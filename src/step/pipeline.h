// pipeline.h: THE table of what a step computes, in order. Everything that runs, times or documents
// stages folds over it.
#pragma once

#include <iterator>

#include "stage/acceleration/fwd_acceleration.h"
#include "stage/acceleration/fwd_constraint.h"
#include "stage/acceleration/scale_constraint.h"
#include "stage/actuation/fwd_actuation.h"
#include "stage/collision/collision.h"
#include "stage/constraint/make_constraint.h"
#include "stage/constraint/reference_constraint.h"
#include "stage/integrate/integrate.h"
#include "stage/island/wake.h"
#include "stage/position/cam_light.h"
#include "stage/position/com_pos.h"
#include "stage/position/crb.h"
#include "stage/position/energy_pos.h"
#include "stage/position/factor_m.h"
#include "stage/position/kinematics.h"
#include "stage/position/tendon.h"
#include "stage/position/transmission.h"
#include "stage/sensor/needs.h"
#include "stage/sensor/sensor.h"
#include "stage/velocity/com_vel.h"
#include "stage/velocity/energy_vel.h"
#include "stage/velocity/fwd_velocity.h"
#include "stage/velocity/passive.h"
#include "stage/velocity/rne.h"
#include "step/phase.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Stage {
  Phase phase;
  const char* name;
  void (*run)(const ModelView<Real>&, const DataView<Real>&);
  const char* what;
  // MuJoCo's finer timer that counts it; without one, that of its phase (step/timing.h)
  Timer timer = Timer::step;
  // the part of it that the next state needs; without one, all of it
  void (*bare)(const ModelView<Real>&, const DataView<Real>&) = nullptr;
};

template <class Real>
LOCKSTEP_FN void nothing(const ModelView<Real>&, const DataView<Real>&) {}
// past readings belong to the state
template <class Real, void (*run)(const ModelView<Real>&, const DataView<Real>&)>
LOCKSTEP_FN void if_remembered(const ModelView<Real>& m, const DataView<Real>& d) {
  if (m.nhistory > 0) run(m, d);
}

// clang-format off
template <class Real>
inline constexpr Stage<Real> pipeline[] = {
  // phase                name                    function                     what it does
  {Phase::position,        "wake",                 wake<Real>,                  "trees that the user moved or pushed wake", Timer::pos_kinematics},
  {Phase::position,        "kinematics",           kinematics<Real>,            "poses of bodies, geoms, sites", Timer::pos_kinematics, kinematics_bare<Real>},
  {Phase::position,        "com_pos",              com_pos<Real>,               "centers of mass, motion axes, inertias", Timer::pos_kinematics},
  {Phase::position,        "cam_light",            cam_light<Real>,             "poses of cameras and lights", Timer::pos_kinematics, if_remembered<Real, cam_light<Real>>},
  {Phase::position,        "tendon",               tendon<Real>,                "lengths, paths and Jacobians of tendons", Timer::pos_kinematics},
  {Phase::position,        "wake_tendon",          wake_tendon<Real>,           "trees that a tendon ties to others wake", Timer::pos_kinematics},
  {Phase::position,        "crb",                  crb<Real>,                   "joint-space inertia M", Timer::pos_inertia},
  {Phase::position,        "factor_m",             factor_m<Real>,              "M = L' D L", Timer::pos_inertia},
  {Phase::position,        "collision",            collision_waking<Real>,      "contacts, and the trees that they wake", Timer::pos_collision},
  {Phase::position,        "make_constraint",      make_constraint<Real>,       "constraint rows: equalities, friction, limits, contacts", Timer::pos_make},
  {Phase::position,        "transmission",         transmission<Real>,          "lengths and moments of actuators"},
  {Phase::position_report, "energy_pos",           energy_pos_if_enabled<Real>, "potential energy, if enabled", Timer::step, nothing<Real>},
  {Phase::position_sensor, "sensor_pos",           sensor_pos<Real>,            "readings that need positions", Timer::step, if_remembered<Real, sensor_pos<Real>>},
  {Phase::velocity,        "fwd_velocity",         fwd_velocity<Real>,          "rates of tendons and actuators"},
  {Phase::velocity,        "com_vel",              com_vel<Real>,               "velocities of bodies"},
  {Phase::velocity,        "passive",              passive<Real>,               "springs, dampers, gravity compensation, medium"},
  {Phase::velocity,        "reference_constraint", reference_constraint<Real>,  "acceleration that each constraint row wants"},
  {Phase::velocity,        "rne",                  rne<Real>,                   "bias force: gravity, Coriolis, centrifugal"},
  {Phase::velocity_report, "energy_vel",           energy_vel_if_enabled<Real>, "kinetic energy, if enabled", Timer::step, nothing<Real>},
  {Phase::velocity_sensor, "subtree_vel",          subtree_vel_if_sensed<Real>, "momentum of subtrees, if a sensor asks", Timer::step, if_remembered<Real, subtree_vel_if_sensed<Real>>},
  {Phase::velocity_sensor, "sensor_vel",           sensor_vel<Real>,            "readings that need velocities", Timer::step, if_remembered<Real, sensor_vel<Real>>},
  {Phase::actuation,       "fwd_actuation",        fwd_actuation<Real>,         "forces of actuators"},
  {Phase::acceleration,    "fwd_acceleration",     fwd_acceleration<Real>,      "acceleration without constraints"},
  {Phase::acceleration,    "scale_constraint",     scale_constraint<Real>,      "softness of rows in a discrete step"},
  {Phase::acceleration,    "fwd_constraint",       fwd_constraint<Real>,        "acceleration under constraints", Timer::constraint, fwd_constraint_bare<Real>},
  {Phase::acceleration_sensor, "rne_post_constraint", rne_post_if_sensed<Real>, "forces on bodies, if a sensor asks", Timer::step, if_remembered<Real, rne_post_if_sensed<Real>>},
  {Phase::acceleration_sensor, "sensor_acc",       sensor_acc<Real>,            "readings that need accelerations or forces", Timer::step, if_remembered<Real, sensor_acc<Real>>},
  {Phase::integration,     "integrate",            integrate<Real>,             "the next state"},
};

// what is computed only when someone asks for it: a sensor, a function, an output
template <class Real>
inline constexpr Stage<Real> on_demand[] = {
  // after                name                    function                     what it does
  {Phase::position,        "energy_pos",           energy_pos<Real>,            "potential energy"},
  {Phase::velocity,        "energy_vel",           energy_vel<Real>,            "kinetic energy"},
  {Phase::velocity,        "subtree_vel",          subtree_vel<Real>,           "momentum of subtrees"},
  {Phase::acceleration,    "rne_post_constraint",  rne_post_constraint<Real>,   "forces on bodies and through joints"},
};
// clang-format on

// the first stage of a phase or of those after it
template <class Real>
constexpr const Stage<Real>* first_of(Phase phase) {
  const Stage<Real>* stage = std::begin(pipeline<Real>);
  while (stage != std::end(pipeline<Real>) && stage->phase < phase) stage++;
  return stage;
}
inline constexpr int phases = static_cast<int>(Phase::integration) + 1;
template <class Real>
struct PhaseStarts {
  const Stage<Real>* of[phases + 1];
  constexpr PhaseStarts() : of() {
    for (int i = 0; i <= phases; i++) of[i] = first_of<Real>(static_cast<Phase>(i));
  }
};
template <class Real>
inline constexpr PhaseStarts<Real> phase_starts{};

// one stage; again with more room as long as it lacks some. Where there is no memory the stage
// stays undone and is reported
template <class Real>
LOCKSTEP_FN void run_stage(const Stage<Real>& stage, const ModelView<Real>& m,
                           const DataView<Real>& d, Detail detail = Detail::all) {
  const auto run = is_bare(detail) && stage.bare ? stage.bare : stage.run;
  run(m, d);
  while (d.arena->lacking) {
    if (!d.arena->grow || !d.arena->grow(*d.arena)) {
      d.arena->need = d.arena->room;
      d.arena->lacking = false;
      return d.warn(Warning::contactfull, Mask<Real>(true), d.arena->room.ncon);
    }
    run(m, d);
  }
}

// one stage of a table, with someone looking on
template <class Real>
LOCKSTEP_FN void run_watched(const ModelView<Real>& m, const DataView<Real>& d,
                             const Stage<Real>& stage, int place) {
  if (d.watch->stage) d.watch->stage(*d.watch, place, false);
  run_stage(stage, m, d);
  if (d.watch->stage) d.watch->stage(*d.watch, place, true);
}

// all stages of the phases first to last. Someone who looks on sees all of a stage
template <class Real>
LOCKSTEP_FN void run_phases(const ModelView<Real>& m, const DataView<Real>& d, Phase first,
                            Phase last, Detail detail = Detail::all) {
  const Stage<Real>* const end = phase_starts<Real>.of[static_cast<int>(last) + 1];
  for (const Stage<Real>* stage = phase_starts<Real>.of[static_cast<int>(first)]; stage != end;
       stage++) {
    if (!has_sensors(detail) && is_sensor(stage->phase)) continue;
    if (d.watch) {
      run_watched(m, d, *stage, static_cast<int>(stage - pipeline<Real>));
    } else {
      run_stage(*stage, m, d, detail);
    }
  }
}

// the moment at which the user may set controls by what is known by then
template <class Real>
LOCKSTEP_INLINE void choose_controls(const ModelView<Real>& m, const DataView<Real>& d) {
  if (!d.watch || !d.watch->control) return;
  if (!(m.opt.disableflags & code(DisableBit::actuation))) d.watch->control(*d.watch);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
