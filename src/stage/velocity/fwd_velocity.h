// fwd_velocity.h: how fast tendons and actuator outputs lengthen.    rate = J qvel
// reads ten_J moment_rownnz moment_rowadr moment_colind actuator_moment qvel
// writes ten_velocity actuator_velocity
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void fwd_velocity(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const int first = m.ten_J_rowadr[tendon];
    Real rate(0);
    for (int k = first; k < first + m.ten_J_rownnz[tendon]; k++) {
      rate = rate + d.ten_J[k] * d.qvel[m.ten_J_colind[k]];
    }
    d.ten_velocity[tendon] = rate;
  }
  // as in MuJoCo, actuators that are switched off stand still
  const bool off = m.opt.disableflags & code(DisableBit::actuation);
  // the pattern of the moments does not depend on the pose, so lane 0 speaks for all
  for (int out = 0; out < m.nout; out++) {
    const int first = d.moment_rowadr.get(out, 0);
    Real rate(0);
    for (int k = first; !off && k < first + d.moment_rownnz.get(out, 0); k++) {
      rate = rate + d.actuator_moment[k] * d.qvel[d.moment_colind.get(k, 0)];
    }
    d.actuator_velocity[out] = rate;
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
