// actuator.h: what kernels of the actuation phase ask about one actuator.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct ActuatorView {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  int id;

  LOCKSTEP_INLINE const Real* dynprm() const { return m.actuator_dynprm + mjNDYN * id; }
  LOCKSTEP_INLINE const Real* gainprm() const { return m.actuator_gainprm + mjNGAIN * id; }
  LOCKSTEP_INLINE const Real* biasprm() const { return m.actuator_biasprm + mjNBIAS * id; }
  LOCKSTEP_INLINE int dyntype() const { return m.actuator_dyntype[id]; }
  LOCKSTEP_INLINE int gaintype() const { return m.actuator_gaintype[id]; }
  LOCKSTEP_INLINE int biastype() const { return m.actuator_biastype[id]; }
  LOCKSTEP_INLINE int trntype() const { return m.actuator_trntype[id]; }

  // first output, first state, number of states
  LOCKSTEP_INLINE int out() const { return m.actuator_outadr[id]; }
  LOCKSTEP_INLINE int state() const { return m.actuator_actadr[id]; }
  LOCKSTEP_INLINE int states() const { return m.actuator_actnum[id]; }
  LOCKSTEP_INLINE int last_state() const { return state() + states() - 1; }
  LOCKSTEP_INLINE Real length() const { return d.actuator_length[out()]; }
  LOCKSTEP_INLINE Real velocity() const { return d.actuator_velocity[out()]; }

  // the control number i as it acts: late, clamped, rate limited
  LOCKSTEP_INLINE Real& ctrl(int i = 0) const { return d.ctrl_work[m.actuator_ctrladr[id] + i]; }

  // a control by its meaning, zero if the actuator does not take it; controls are in order of bits
  LOCKSTEP_INLINE Real input(CtrlInput kind) const {
    const int taken = m.actuator_ctrlspec[id], bit = code(kind);
    if (!(taken & bit)) return Real(0);
    int place = 0;
    for (int lower = 1; lower < bit; lower <<= 1) place += (taken & lower) != 0;
    return ctrl(place);
  }

  // its group is switched off
  LOCKSTEP_INLINE bool disabled() const {
    const int group = m.actuator_group[id];
    return group >= 0 && group <= 30 && (m.opt.disableactuator & (1 << group));
  }
  // a term that the user computes, where one looks on
  LOCKSTEP_INLINE Real of_user(Watch::Term term, Real otherwise) const {
    if (!d.watch || !d.watch->actuator) return otherwise;
    return Real(Scalar<Real>(d.watch->actuator(*d.watch, term, id)));
  }

  // forces of plugins are not computed here
  LOCKSTEP_INLINE bool idle() const { return disabled() || m.actuator_plugin[id] >= 0; }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
