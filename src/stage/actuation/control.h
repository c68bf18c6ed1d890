// control.h: controls as they act in this step: late by their delay, clamped to their range, all
// zero when one of them is bad.
// reads ctrl history time    writes ctrl_work warning
#pragma once

#include "stage/actuation/actuator.h"
#include "stage/actuation/history.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double max_control = 1e10;  // larger is as bad as infinite (MuJoCo's mjMAXVAL)

template <class Real>
LOCKSTEP_INLINE History<Real> control_history(const ModelView<Real>& m, const DataView<Real>& d,
                                              int actuator) {
  return {d.history + m.actuator_historyadr[actuator], m.actuator_history[2 * actuator],
          m.actuator_ctrlnum[actuator]};
}

// control number i of an actuator as it was ordered before the delay
template <class Real>
LOCKSTEP_FN Real delayed_control(const ModelView<Real>& m, const DataView<Real>& d, int actuator,
                                 int i) {
  const Real now = d.ctrl[m.actuator_ctrladr[actuator] + i];
  if (m.actuator_history[2 * actuator] <= 0) return now;
  const Real delay = m.actuator_delay[actuator], then = d.time[0] - delay;
  const History<Real> history = control_history(m, d, actuator);
  const int interpolation = m.actuator_history[2 * actuator + 1];
  Real value = now;
  for_each_lane<Real>(delay != Real(0), [&](int at) {
    set_lane(value, at, read_history(history, lane(then, at), i, interpolation, at));
  });
  return value;
}

template <class Real>
LOCKSTEP_FN void zero_bad_controls(const ModelView<Real>& m, const DataView<Real>& d) {
  Mask<Real> bad = false;
  for (int u = 0; u < m.nu; u++) {
    const Mask<Real> here = !bad && !(abs(d.ctrl_work[u]) <= Real(max_control));
    if (any(here)) d.warn(Warning::badctrl, here, u);
    bad = bad || here;
  }
  if (!any(bad)) return;
  for (int u = 0; u < m.nu; u++) d.ctrl_work[u] = select(bad, Real(0), d.ctrl_work[u]);
}

template <class Real>
LOCKSTEP_FN void acting_controls(const ModelView<Real>& m, const DataView<Real>& d) {
  const bool clamps = !(m.opt.disableflags & code(DisableBit::clampctrl));
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    for (int i = 0; i < m.actuator_ctrlnum[actuator]; i++) {
      const int u = m.actuator_ctrladr[actuator] + i;
      const Real value = delayed_control(m, d, actuator, i);
      const Real* range = m.actuator_ctrlrange + 2 * u;
      const bool limited = clamps && m.actuator_ctrllimited[u];
      d.ctrl_work[u] = limited ? clamp(value, range[0], range[1]) : value;
    }
  }
  zero_bad_controls(m, d);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
