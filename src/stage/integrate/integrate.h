// integrate.h: the state one time step later, by the integrator of the Model. Runge-Kutta evaluates
// the forces several times, so that it is a driver (step/drive.h); here it counts as Euler.
// reads qpos qvel qacc and what the integrator reads
// writes qpos qvel plastic qacc_warmstart time, and what the integrator writes
#pragma once

#include "stage/acceleration/metric.h"
#include "stage/integrate/advance.h"
#include "stage/integrate/euler.h"
#include "stage/integrate/implicit.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void integrate(const ModelView<Real>& m, const DataView<Real>& d) {
  Real* qacc = d.dof_work;
  if (m.opt.integrator == code(Integrator::implicit)) {
    implicit_acceleration(m, d, qacc);
  } else if (m.opt.integrator == code(Integrator::implicitfast)) {
    implicitfast_acceleration(m, d, qacc);
  } else if (steps_in_metric(m)) {
    for (int dof = 0; dof < m.nv; dof++) qacc[dof] = d.qacc[dof];
  } else {
    euler_acceleration(m, d, qacc);
  }
  advance(m, d, qacc);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
