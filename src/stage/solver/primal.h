// primal.h: steps of Newton's method and conjugate gradients on accelerations (rounds of them:
// solve_primal.h). Not a stage.
//   cost(a) = 1/2 (a - a0)' M (a - a0) + sum_rows s(J a - aref),   a0 = qacc_smooth
// Each lane stops on its own and is frozen from then on. The cost and its gradient are scaled by
// the trace of M, of the trees that rows move.
// reads what cost.h reads, M qLD qfrc_smooth qacc_smooth qacc_warmstart efc_J efc_aref
// writes qacc qfrc_constraint efc_force solver_niter solver_nnz solver_residual solver_flags
#pragma once

#include "stage/solver/jacobian.h"
#include "stage/solver/line_search.h"
#include "stage/solver/newton.h"
#include "stage/solver/parts.h"
#include "stage/solver/update.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the inertia that a step solves with: M, or the metric of the discrete integrator with its
// couplings
template <class Real>
struct StepInertia {
  const Real *matrix, *factor, *diag_inv;
  const Real* force;  // what it must balance without constraints
  bool coupled;
};

// The part of an acceleration that a move must change to count: in single precision costs and
// gradients are not known well enough to fall below the tolerance in stiff models.
template <class Real>
constexpr Scalar<Real> step_noise = sizeof(Scalar<Real>) == sizeof(float) ? 0x1p-18 : 0;

// Likewise a gradient of this part of the forces that make it up is rounding, and another round
// would find nothing better; in stiff models one of the second part may be, if the round before
// left no more than twice as much.
template <class Real>
constexpr Scalar<Real> gradient_noise = sizeof(Scalar<Real>) == sizeof(float) ? 0x1p-20 : 0;
template <class Real>
constexpr Scalar<Real> stiff_noise = sizeof(Scalar<Real>) == sizeof(float) ? 0x1p-13 : 0;

LOCKSTEP_INLINE int numbers_in(const TreePattern& p) {
  return p.rowadr[p.n - 1] + p.rownnz[p.n - 1];
}

template <class Real>
struct Primal {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  ArenaView<Real>& rows;
  StepInertia<Real> inertia;
  Real *Ma, *Mv, *grad, *search, *step, *old_grad, *old_step, *diag_inv;
  Real scale, saved;   // what the last move saved
  Real steepness;      // squared gradient after the last round, in single precision
  Mask<Real> settled;  // where it was within rounding of single precision

  LOCKSTEP_FN Primal(const ModelView<Real>& model, const DataView<Real>& data,
                     const StepInertia<Real>& step_inertia)
      : m(model), d(data), rows(*data.arena), inertia(step_inertia) {
    Real** const vectors[] = {&Ma, &Mv, &grad, &search, &step, &old_grad, &old_step, &diag_inv};
    for (int i = 0; i < 8; i++) *vectors[i] = d.solver_work + i * m.nv;
    mark_moved_trees(m, rows);
    scale = inverse_trace(m, d, 0);
    saved = steepness = Real(0);
  }

  LOCKSTEP_FN void mul_inertia(const Real* x, Real* y) const {
    mul_symmetric<Real>(pattern_m(m), inertia.matrix, x, y);
    if (inertia.coupled) add_couplings(m, d, x, y);
  }
  // without couplings
  LOCKSTEP_FN void solve_inertia(Real* x) const {
    solve_ltdl<Real>(pattern_m(m), inertia.factor, inertia.diag_inv, x);
  }
  LOCKSTEP_INLINE Real dot(const Real* a, const Real* b) const { return dot_dofs(m.nv, a, b); }

  // cost of the distance from the smooth acceleration
  LOCKSTEP_FN Real distance() const {
    Real sum(0);
    for (int dof = 0; dof < m.nv; dof++) {
      sum = sum + (Ma[dof] - inertia.force[dof]) * (d.qacc[dof] - d.qacc_smooth[dof]);
    }
    return Real(0.5) * sum;
  }

  // forces and gradient where row_jar and Ma are now
  LOCKSTEP_FN void update() {
    push_rows(rows, rows.row_jar);
    mul_jac_t(rows, m.nv, rows.efc_force, d.qfrc_constraint);
    for (int dof = 0; dof < m.nv; dof++) {
      grad[dof] = Ma[dof] - inertia.force[dof] - d.qfrc_constraint[dof];
    }
  }

  // how far rows are from their reference at an acceleration
  LOCKSTEP_FN void miss_reference(const Real* acceleration, Real* jar) const {
    mul_jac(rows, acceleration, jar);
    for (int row = 0; row < rows.nefc; row++) jar[row] = jar[row] - rows.efc_aref[row];
  }
  LOCKSTEP_FN void take_smooth() const { miss_reference(d.qacc_smooth, rows.efc_b); }
  LOCKSTEP_FN void take_last() const {
    for (int dof = 0; dof < m.nv; dof++) d.qacc[dof] = d.qacc_warmstart[dof];
    mul_inertia(d.qacc, Ma);
    miss_reference(d.qacc, rows.row_jar);
  }

  // Whether the last acceleration costs less than the smooth one. Both are taken.
  LOCKSTEP_FN Mask<Real> prefers_last() const {
    take_smooth();
    if (m.opt.disableflags & code(DisableBit::warmstart)) return false;
    push_rows(rows, rows.efc_b);
    take_last();
    return push_rows(rows, rows.row_jar) > distance();
  }

  // from the last acceleration or the smooth one, which have been taken. Trees that no row moves
  // keep the smooth one
  LOCKSTEP_FN void start(Mask<Real> from_last) {
    for (int dof = 0; dof < m.nv; dof++) {
      Mask<Real> keeps = from_last;
      if (!inertia.coupled) keeps = keeps && rows.tree_part[tree_of_dof(m, dof)] == Real(0);
      d.qacc[dof] = select(keeps, d.qacc[dof], d.qacc_smooth[dof]);
      Ma[dof] = select(keeps, Ma[dof], inertia.force[dof]);
    }
    for (int row = 0; row < rows.nefc; row++) {
      rows.row_jar[row] = select(from_last, rows.row_jar[row], rows.efc_b[row]);
    }
    update();
  }

  LOCKSTEP_FN Real gradient() const { return scale * sqrt(dot(grad, grad)); }

  // whether forces balance but for their rounding, after a round of Newton's method
  LOCKSTEP_FN Mask<Real> balanced() {
    const Real before = steepness, zero(0);
    Real parts(0);
    steepness = dot(grad, grad);
    for (int dof = 0; dof < m.nv; dof++) {
      parts = parts + square(Ma[dof]) + square(inertia.force[dof]) + square(d.qfrc_constraint[dof]);
    }
    const Mask<Real> stays = before > zero && steepness >= Real(0.25) * before;
    return steepness <= Real(square(gradient_noise<Real>)) * parts ||
           (stays && steepness <= Real(square(stiff_noise<Real>)) * parts);
  }

  // lowest point along the search direction; false where there is none better
  LOCKSTEP_FN Mask<Real> move(Mask<Real> active, bool newton, int& evaluations, Real& slope) {
    mul_inertia(search, Mv);
    mul_jac(rows, search, rows.row_jv);
    const Slope<Real> fixed = prepare_line(rows, {dot(search, grad), dot(search, Mv)});
    const Real length = sqrt(dot(search, search));
    const Real enough = m.opt.tolerance * m.opt.ls_tolerance * length / scale;
    Real guess(1);
    if (!newton) {
      const Slope<Real> at = line_slope(rows, fixed, Real(0));
      guess = -at.first / max(at.second, Real(min_val));
      evaluations++;
    }
    const Mask<Real> moves = active && length >= Real(min_val);
    slope = Real(0);
    const Real t = line_search(m, rows, fixed, guess, enough, moves, evaluations, slope);
    slope = abs(slope) * scale / select(moves, length, Real(1));
    saved = line_saved(rows, fixed, t);
    if constexpr (step_noise<Real> > 0) {
      const Real noise = Real(step_noise<Real>) * sqrt(dot(d.qacc, d.qacc));
      settled = abs(t) * length <= noise;
    }
    for (int dof = 0; dof < m.nv; dof++) {
      d.qacc[dof] = select(moves, d.qacc[dof] + t * search[dof], d.qacc[dof]);
      Ma[dof] = select(moves, Ma[dof] + t * Mv[dof], Ma[dof]);
    }
    for (int row = 0; row < rows.nefc; row++) {
      rows.row_jar[row] =
          select(moves, rows.row_jar[row] + t * rows.row_jv[row], rows.row_jar[row]);
    }
    return moves && t != Real(0);
  }

  // step <- M^-1 grad; the cost is at most this far from the lowest one
  LOCKSTEP_FN Real precondition() {
    for (int dof = 0; dof < m.nv; dof++) step[dof] = grad[dof];
    solve_inertia(step);
    return max(Real(0.5) * scale * dot(grad, step), Real(0));
  }

  // direction of conjugate gradients (Hager and Zhang), preconditioned by M
  LOCKSTEP_FN void conjugate(bool first) {
    if (first) {
      for (int dof = 0; dof < m.nv; dof++) search[dof] = -step[dof];
    } else {
      Real along(0), change(0), both(0);
      for (int dof = 0; dof < m.nv; dof++) {
        const Real y = grad[dof] - old_grad[dof];
        along = along + search[dof] * y;
        change = change + y * (step[dof] - old_step[dof]);
        both = both + y * step[dof];
      }
      const Mask<Real> usable = along >= Real(min_val);
      const Real divisor = select(usable, along, Real(1));
      const Real beta = (both - Real(2) * (change / divisor) * dot(search, grad)) / divisor;
      // not so far back that the direction would leave the gradient
      const Real length = sqrt(dot(search, search)), slope = sqrt(dot(grad, grad));
      const Real least = Real(-1) / max(length * min(Real(0.01), slope), Real(min_val));
      const Real kept = select(usable, max(beta, least), Real(0));
      for (int dof = 0; dof < m.nv; dof++) search[dof] = -step[dof] + kept * search[dof];
    }
    for (int dof = 0; dof < m.nv; dof++) {
      old_grad[dof] = grad[dof];
      old_step[dof] = step[dof];
    }
  }

  // Newton's matrix of active lanes, factored. `factored`: states of the rows in the last factor,
  // if that may be brought up to date
  LOCKSTEP_FN void factor_newton(const TreePattern& pattern, Mask<Real> active, Real* factored,
                                 bool first) {
    Mask<Real> anew = active;
    if (factored) {
      if (!first) {
        anew = anew && !update_newton(rows, pattern, diag_inv, factored, old_step, active);
      }
      for (int row = 0; row < rows.nefc; row++) factored[row] = rows.row_zone[row];
      if (!any(anew)) return;
    }
    // lanes whose factor is up to date get it back
    const bool mixed = lanes<Real> > 1 && any(active && !anew);
    const int total = numbers_in(pattern);
    for (int i = 0; mixed && i < total; i++) rows.newton[total + i] = rows.newton[i];
    for (int dof = 0; mixed && dof < m.nv; dof++) old_grad[dof] = diag_inv[dof];
    newton_matrix(m, d, pattern, inertia.matrix, inertia.coupled);
    d.warn(Warning::inertia, anew && !factor_ltdl(pattern, rows.newton, diag_inv));
    for (int i = 0; mixed && i < total; i++) {
      rows.newton[i] = select(anew, rows.newton[i], rows.newton[total + i]);
    }
    for (int dof = 0; mixed && dof < m.nv; dof++) {
      diag_inv[dof] = select(anew, diag_inv[dof], old_grad[dof]);
    }
  }

  // direction of Newton's method; the cost that it promises to save
  LOCKSTEP_FN Real newton_step(const TreePattern& pattern, Mask<Real> active, Real* factored,
                               bool first) {
    factor_newton(pattern, active, factored, first);
    for (int dof = 0; dof < m.nv; dof++) search[dof] = -grad[dof];
    solve_ltdl<Real>(pattern, rows.newton, diag_inv, search);
    return max(Real(-0.5) * scale * dot(grad, search), Real(0));
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
