// advance.h: from rates to the next state. Not a stage: the integrators end with it.
//   qvel += h qacc;  qpos moves with the new qvel;  springs yield;  time += h
//   act advances by act_dot;  controls and readings are remembered
#pragma once

#include "stage/integrate/activation.h"
#include "stage/integrate/yield.h"
#include "stage/island/awake.h"
#include "stage/sensor/sensor.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// what was ordered and read at the start of the step, before the state moves on
template <class Real>
LOCKSTEP_FN void remember(const ModelView<Real>& m, const DataView<Real>& d) {
  if (m.nhistory == 0) return;
  advance_history(m, d);
  advance_sensor_history(m, d);
}

// `step` is the mean velocity of the time step, by which positions move; act_dot that of states of
// actuators
template <class Real>
LOCKSTEP_FN void advance_pos(const ModelView<Real>& m, const DataView<Real>& d, const Real* step,
                             const Real* act_dot) {
  const Real h = m.opt.timestep;
  advance_activation(m, d, act_dot, h);
  const Sleepers<Real> asleep(m, d);
  integrate_pos(m, d.qpos, step, h, [&](int joint) { return asleep.dof(m.jnt_dofadr[joint]); });
  yield_springs(m, d, step, h);
  d.time[0] = d.time[0] + h;
}

template <class Real>
LOCKSTEP_FN void advance(const ModelView<Real>& m, const DataView<Real>& d, const Real* qacc) {
  const Real h = m.opt.timestep;
  remember(m, d);
  const Sleepers<Real> asleep(m, d);
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc_warmstart[dof] = d.qacc[dof];
    if (!asleep.dof(dof)) d.qvel[dof] = d.qvel[dof] + h * qacc[dof];
  }
  advance_pos(m, d, d.qvel, d.act_dot);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
