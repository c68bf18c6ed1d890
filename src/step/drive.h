// drive.h: what users call, as ranges of the pipeline table.
#pragma once

#include "stage/integrate/check.h"
#include "stage/island/fall_asleep.h"
#include "step/runge_kutta.h"
#include "step/strict.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// everything that follows from a state; `first` skips what is known to be up to date
template <class Real>
LOCKSTEP_FN void forward(const ModelView<Real>& m, const DataView<Real>& d,
                         Phase first = Phase::position, Detail detail = Detail::all) {
  if (first < Phase::actuation) run_phases(m, d, first, Phase::velocity_sensor, detail);
  choose_controls(m, d);
  run_phases(m, d, Phase::actuation, Phase::acceleration_sensor, detail);
}

// a bad acceleration resets its lane; the others find the same again. Where a strict solver gave up
// the state stays
template <class Real>
LOCKSTEP_FN void check_acc(const ModelView<Real>& m, const DataView<Real>& d,
                           Detail detail = Detail::all) {
  const Mask<Real> bad = check_values(m, d, d.qacc, m.nv, Warning::badqacc, unsolved(m, d));
  if (any(bad) && !(m.opt.disableflags & code(DisableBit::autoreset))) {
    forward(m, d, Phase::position, detail);
  }
}

// trees at rest fall asleep; what follows from their velocities, now zero, is found once more
template <class Real>
LOCKSTEP_FN void rest(const ModelView<Real>& m, const DataView<Real>& d) {
  if (!may_sleep(m) || any(unsolved(m, d))) return;
  run_stage<Real>({Phase::integration, "fall_asleep", fall_asleep<Real>, "trees at rest sleep"}, m,
                  d);
  if (!fell_asleep(m, d)) return;
  forward(m, d, Phase::velocity);
  update_awake(m, d);
}

// the part of a step that does not depend on controls
template <class Real>
LOCKSTEP_FN void step1(const ModelView<Real>& m, const DataView<Real>& d,
                       Detail detail = Detail::all) {
  check_pos(m, d);
  check_vel(m, d);
  run_phases(m, d, Phase::position, Phase::velocity_sensor, detail);
  choose_controls(m, d);
}

template <class Real>
LOCKSTEP_FN void step2(const ModelView<Real>& m, const DataView<Real>& d,
                       Detail detail = Detail::all) {
  keep_state(m, d);
  run_phases(m, d, Phase::actuation, Phase::acceleration_sensor, detail);
  check_acc(m, d, detail);
  rest(m, d);
  run_phases(m, d, Phase::integration, Phase::integration);
  take_back(m, d, unsolved(m, d));  // other lanes have moved on
}

// with Detail::state nothing is computed that does not lead to the next state
template <class Real>
LOCKSTEP_FN void step(const ModelView<Real>& m, const DataView<Real>& d,
                      Detail detail = Detail::all) {
  if (m.opt.integrator != code(Integrator::rk4)) {
    step1(m, d, detail);
    step2(m, d, detail);
    return;
  }
  check_pos(m, d);
  check_vel(m, d);
  keep_state(m, d);
  forward(m, d, Phase::position, detail);
  check_acc(m, d, detail);
  rest(m, d);
  runge_kutta(m, d, detail);
  take_back(m, d, unsolved(m, d));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
