// integrate.h: the state one time step later, by the integrator of the Model. Runge-Kutta evaluates
// the forces several times, so that it is a driver (step/drive.h); here it counts as Euler.
// reads qpos qvel qacc    writes qpos qvel qacc_warmstart time
#pragma once

#include "stage/integrate/advance.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void integrate(const ModelView<Real>& m, const DataView<Real>& d) {
  const Real h = m.opt.timestep;
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc_warmstart[dof] = d.qacc[dof];
    d.qvel[dof] = d.qvel[dof] + h * d.qacc[dof];
  }
  integrate_pos(m, d.qpos, d.qvel, h);
  d.time[0] = d.time[0] + h;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
