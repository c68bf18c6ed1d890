// outcome.h: how a solve went: the residual it stopped at, and why it stopped. Not a stage.
// A solver has converged where it stopped by its tolerance, or where the gradient is nothing but
// rounding. It has broken down where it is not finite, or where it found no step though the
// gradient is large. writes solver_residual solver_flags
#pragma once

#include "model/solver_flags.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a gradient of this part of the forces that make it up is rounding; one of that part is large
template <class Real>
inline constexpr double rounding_part = sizeof(Scalar<Real>) == sizeof(float) ? 1e-5 : 1e-12;
inline constexpr double large_part = 1e-2;

// what a world without rows reports
template <class Real>
LOCKSTEP_FN void clear_outcome(const DataView<Real>& d) {
  d.solver_residual[0] = Real(0);
  d.solver_flags.fill(0, 0);
}

template <class Real>
LOCKSTEP_FN void note_outcome(const DataView<Real>& d, Mask<Real> constrained, Real residual,
                              Mask<Real> unconverged, Mask<Real> broken) {
  const Real worst = select(is_finite(residual), residual, Real(__builtin_inf()));
  d.solver_residual[0] = select(constrained, worst, Real(0));
  for (int i = 0; i < lanes<Real>; i++) {
    d.solver_flags.set(0, i,
                       lane(constrained && unconverged, i) * solver_unconverged +
                           lane(constrained && broken, i) * solver_broken);
  }
}

// Of a solver on accelerations. capped: lanes that were still at work at the cap; stuck: that found
// no step; the gradient is Ma - force - qfrc_constraint
template <class Real>
LOCKSTEP_FN void note_primal(int nv, const DataView<Real>& d, const Real* grad, const Real* Ma,
                             const Real* force, Mask<Real> constrained, Mask<Real> capped,
                             Mask<Real> stuck, Real residual) {
  Mask<Real> broken = !is_finite(residual), unconverged = broken;
  if (any(capped || stuck)) {
    Real slope(0), parts(0);
    for (int dof = 0; dof < nv; dof++) {
      slope = slope + square(grad[dof]);
      parts = parts + square(Ma[dof]) + square(force[dof]) + square(d.qfrc_constraint[dof]);
    }
    constexpr double rounding = rounding_part<Real> * rounding_part<Real>;
    unconverged = unconverged || ((capped || stuck) && slope > Real(rounding) * parts);
    broken = broken || (stuck && slope > Real(large_part * large_part) * parts);
  }
  note_outcome(d, constrained, residual, unconverged, broken);
}

// one lane of what some solver found for one of several islands: the worst of them counts
template <class Real>
LOCKSTEP_FN void add_outcome(const DataView<Real>& d, int which, Scalar<Real> residual, int flags) {
  const Scalar<Real> before = lane(d.solver_residual[0], which);
  set_lane(d.solver_residual[0], which, max(residual, before));
  d.solver_flags.set(0, which, d.solver_flags.get(0, which) | flags);
}

// lanes whose flags have one of these bits
template <class Real>
LOCKSTEP_FN Mask<Real> has_outcome(const DataView<Real>& d, int flags) {
  Mask<Real> found = false;
  for (int i = 0; i < lanes<Real>; i++) set_lane(found, i, d.solver_flags.get(0, i) & flags);
  return found;
}

// lanes that a strict solver could not solve: their state must not move
template <class Real>
LOCKSTEP_INLINE Mask<Real> unsolved(const ModelView<Real>& m, const DataView<Real>& d) {
  if (m.opt.solver != code(Solver::cgstrict)) return false;
  return has_outcome(d, solver_unconverged);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
