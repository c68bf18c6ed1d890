// fwd_constraint.h: accelerations under constraints. There are no constraint rows yet, so that
// nothing holds the smooth acceleration back.
// reads qacc_smooth    writes qacc qfrc_constraint
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void fwd_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc[dof] = d.qacc_smooth[dof];
    d.qfrc_constraint[dof] = Real(0);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
