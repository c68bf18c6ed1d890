// energy_vel.h: kinetic energy.    E = qvel' M qvel / 2
// reads M qvel    writes energy[1]
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void energy_vel(const ModelView<Real>& m, const DataView<Real>& d) {
  Real energy(0);
  for (int dof = 0; dof < m.nv; dof++) {
    // the diagonal is the last of its row; what lies left of it counts twice
    const int first = m.M_rowadr[dof], diagonal = first + m.M_rownnz[dof] - 1;
    Real momentum = Real(0.5) * d.M[diagonal] * d.qvel[dof];
    for (int k = first; k < diagonal; k++) momentum = momentum + d.M[k] * d.qvel[m.M_colind[k]];
    energy = energy + momentum * d.qvel[dof];
  }
  d.energy[1] = energy;
}

// in a step: only if the Model asks for it
template <class Real>
LOCKSTEP_FN void energy_vel_if_enabled(const ModelView<Real>& m, const DataView<Real>& d) {
  if (m.opt.enableflags & code(EnableBit::energy)) energy_vel(m, d);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
