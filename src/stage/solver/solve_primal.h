// solve_primal.h: rounds of Newton's method or conjugate gradients until every lane has converged.
// Not a stage: fwd_constraint uses it, for a whole world or an island.
#pragma once

#include "stage/solver/outcome.h"
#include "stage/solver/primal.h"
#include "stage/solver/zones.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// Solves all rows at once, by Newton's method or by conjugate gradients. An island is told whether
// to start from the last acceleration, and has memory for the states of its rows: the factor of
// Newton's matrix follows the few that change.
template <class Real>
struct IslandStart {
  Mask<Real> from_last;
  Real* factored;
};
template <class Real>
LOCKSTEP_FN void solve_primal(const ModelView<Real>& m, const DataView<Real>& d,
                              const StepInertia<Real>& inertia, Mask<Real> constrained,
                              const IslandStart<Real>* island = nullptr) {
  const bool newton = m.opt.solver == code(Solver::newton);
  ArenaView<Real>& rows = *d.arena;
  TreePattern pattern{};
  if (newton && !newton_pattern(m, d, inertia.coupled, pattern)) return;
  if (newton && island && lanes<Real> > 1) {
    if (!rows.has_room(&Room::nH, 2 * numbers_in(pattern))) return;
  }
  if (newton) spread_inertia(m, rows, pattern, inertia.matrix);
  Primal<Real> primal(m, d, inertia);
  Mask<Real> from_last;
  if (island) {
    from_last = island->from_last;
    primal.take_smooth();
    if (any(from_last)) primal.take_last();
  } else {
    from_last = constrained && primal.prefers_last();
  }
  primal.start(from_last);
  Real* const factored = island ? island->factored : nullptr;
  const Real tolerance = m.opt.tolerance;
  // the last acceleration may be good enough: CG asks for the cost, Newton for the forces too
  const Mask<Real> flat = primal.gradient() < tolerance;
  Mask<Real> active = constrained, stuck = false;
  if (!newton || any(flat)) {
    active = active && !(primal.precondition() < tolerance && (flat || !newton));
  }
  Real iterations(0);
  for (int round = 0; round < m.opt.iterations && any(active); round++) {
    if (newton) {
      const Mask<Real> little =
          primal.newton_step(pattern, active, factored, round == 0) < tolerance;
      active = active && !(little && (round > 0 || flat));
    } else {
      if (round > 0) primal.precondition();
      primal.conjugate(round == 0);
    }
    if (!any(active)) break;
    int evaluations = 0;
    Real slope(0);
    const Mask<Real> moving = active;
    active = primal.move(active, newton, evaluations, slope);
    stuck = stuck || (moving && !active);
    if (!any(active)) break;
    const bool noted = rows.solver && round < mjNSOLVER;
    if (noted) keep_zones(rows);
    primal.update();
    iterations = select(active, iterations + Real(1), iterations);
    const Real improvement = primal.scale * primal.saved, gradient = primal.gradient();
    if (noted) {
      SolverStat& stat = rows.solver[round];
      stat = {double(lane(improvement, 0)),
              double(lane(gradient, 0)),
              double(lane(slope, 0)),
              0,
              0,
              evaluations,
              0};
      count_zones(rows, newton, stat);
    }
    const Mask<Real> little = improvement > Real(0) && improvement < tolerance;
    active = active && !(little || gradient < tolerance);
    if constexpr (step_noise<Real> > 0) {
      active = active && !(primal.settled || (newton && primal.balanced()));
    }
  }
  note_primal(m.nv, d, primal.grad, primal.Ma, inertia.force, constrained, active, stuck,
              primal.gradient());
  for (int i = 0; i < lanes<Real>; i++) {
    d.solver_niter.set(0, i, static_cast<int>(lane(iterations, i)));
    // the pattern of several lanes says nothing about one of them
    const bool known = newton && lanes<Real> == 1;
    d.solver_nnz.set(0, i, known ? numbers_in(pattern) : 0);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
