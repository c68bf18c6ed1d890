// pipeline.h: THE table of what a step computes, in order. Everything that runs, times or documents
// stages folds over it.
#pragma once

#include "stage/acceleration/fwd_acceleration.h"
#include "stage/acceleration/fwd_constraint.h"
#include "stage/integrate/integrate.h"
#include "stage/position/cam_light.h"
#include "stage/position/com_pos.h"
#include "stage/position/crb.h"
#include "stage/position/factor_m.h"
#include "stage/position/kinematics.h"
#include "stage/position/tendon.h"
#include "stage/position/transmission.h"
#include "stage/velocity/com_vel.h"
#include "stage/velocity/fwd_velocity.h"
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
};

// clang-format off
template <class Real>
inline constexpr Stage<Real> pipeline[] = {
  // phase              name                function                 what it does
  {Phase::position,     "kinematics",       kinematics<Real>,        "poses of bodies, geoms, sites"},
  {Phase::position,     "com_pos",          com_pos<Real>,           "centers of mass, motion axes, inertias"},
  {Phase::position,     "cam_light",        cam_light<Real>,         "poses of cameras and lights"},
  {Phase::position,     "tendon",           tendon<Real>,            "lengths, paths and Jacobians of tendons"},
  {Phase::position,     "crb",              crb<Real>,               "joint-space inertia M"},
  {Phase::position,     "factor_m",         factor_m<Real>,          "M = L' D L"},
  {Phase::position,     "transmission",     transmission<Real>,      "lengths and moments of actuators"},
  {Phase::velocity,     "fwd_velocity",     fwd_velocity<Real>,      "rates of tendons and actuators"},
  {Phase::velocity,     "com_vel",          com_vel<Real>,           "velocities of bodies"},
  {Phase::velocity,     "rne",              rne<Real>,               "bias force: gravity, Coriolis, centrifugal"},
  {Phase::acceleration, "fwd_acceleration", fwd_acceleration<Real>,  "acceleration without constraints"},
  {Phase::acceleration, "fwd_constraint",   fwd_constraint<Real>,    "acceleration under constraints"},
  {Phase::integration,  "integrate",        integrate<Real>,         "the next state"},
};
// clang-format on

// all stages of the phases first to last
template <class Real>
LOCKSTEP_FN void run_phases(const ModelView<Real>& m, const DataView<Real>& d, Phase first,
                            Phase last) {
  for (const Stage<Real>& stage : pipeline<Real>) {
    if (stage.phase >= first && stage.phase <= last) stage.run(m, d);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
