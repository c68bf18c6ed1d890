// primal.h: Newton's method and conjugate gradients on accelerations. Not a stage.
//   cost(a) = 1/2 (a - a0)' M (a - a0) + sum_rows s(J a - aref),   a0 = qacc_smooth
// Each lane stops on its own and is frozen from then on. The cost and its gradient are scaled by
// the trace of M.
// reads what cost.h reads, M qLD qfrc_smooth qacc_smooth qacc_warmstart efc_J efc_aref
// writes qacc qfrc_constraint efc_force solver_niter solver_nnz
#pragma once

#include "stage/solver/jacobian.h"
#include "stage/solver/line_search.h"
#include "stage/solver/newton.h"

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

// what costs and gradients are measured in
template <class Real>
LOCKSTEP_FN Real inverse_trace(const ModelView<Real>& m, const DataView<Real>& d) {
  Real trace(0);
  for (int dof = 0; dof < m.nv; dof++) {
    trace = trace + d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
  }
  return Real(1) / trace;
}

template <class Real>
struct Primal {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  ArenaView<Real>& rows;
  StepInertia<Real> inertia;
  Real *Ma, *Mv, *grad, *search, *step, *old_grad, *old_step, *diag_inv;
  Real scale, apart, saved;  // cost of the distance from qacc_smooth; what the last move saved

  LOCKSTEP_FN Primal(const ModelView<Real>& model, const DataView<Real>& data,
                     const StepInertia<Real>& step_inertia)
      : m(model), d(data), rows(*data.arena), inertia(step_inertia) {
    Real** const vectors[] = {&Ma, &Mv, &grad, &search, &step, &old_grad, &old_step, &diag_inv};
    for (int i = 0; i < 8; i++) *vectors[i] = d.solver_work + i * m.nv;
    scale = inverse_trace(m, d);
    apart = saved = Real(0);
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

  // forces, saved cost and gradient where row_jar and Ma are now
  LOCKSTEP_FN void update() {
    const Real now = distance();
    saved = push_rows(rows, rows.row_jar) + (apart - now);
    apart = now;
    mul_jac_t(rows, m.nv, rows.efc_force, d.qfrc_constraint);
    for (int dof = 0; dof < m.nv; dof++) {
      grad[dof] = Ma[dof] - inertia.force[dof] - d.qfrc_constraint[dof];
    }
  }

  // the better of the last acceleration and the smooth one. lanes without rows keep the smooth one
  LOCKSTEP_FN void start(Mask<Real> constrained) {
    mul_jac(rows, d.qacc_smooth, rows.efc_b);
    for (int row = 0; row < rows.nefc; row++)
      rows.efc_b[row] = rows.efc_b[row] - rows.efc_aref[row];
    Mask<Real> warm = constrained;
    if (m.opt.disableflags & code(DisableBit::warmstart)) {
      warm = false;
    } else {
      push_rows(rows, rows.efc_b);
      for (int dof = 0; dof < m.nv; dof++) d.qacc[dof] = d.qacc_warmstart[dof];
      mul_inertia(d.qacc, Ma);
      mul_jac(rows, d.qacc, rows.row_jar);
      for (int row = 0; row < rows.nefc; row++) {
        rows.row_jar[row] = rows.row_jar[row] - rows.efc_aref[row];
      }
      warm = warm && push_rows(rows, rows.row_jar) > distance();
    }
    for (int dof = 0; dof < m.nv; dof++) {
      d.qacc[dof] = select(warm, d.qacc[dof], d.qacc_smooth[dof]);
      Ma[dof] = select(warm, Ma[dof], inertia.force[dof]);
    }
    for (int row = 0; row < rows.nefc; row++) {
      rows.row_jar[row] = select(warm, rows.row_jar[row], rows.efc_b[row]);
    }
    update();
  }

  LOCKSTEP_FN Real gradient() const { return scale * sqrt(dot(grad, grad)); }

  // lowest point along the search direction; false where there is none better
  LOCKSTEP_FN Mask<Real> move(Mask<Real> active, bool newton, int& evaluations, Real& slope) {
    mul_inertia(search, Mv);
    mul_jac(rows, search, rows.row_jv);
    const Slope<Real> inertial{dot(search, Ma) - dot(search, inertia.force), dot(search, Mv)};
    const Slope<Real> fixed = prepare_line(rows, inertial);
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

  // direction of conjugate gradients (Hager and Zhang), preconditioned by M
  LOCKSTEP_FN void conjugate(Mask<Real> fresh) {
    for (int dof = 0; dof < m.nv; dof++) step[dof] = grad[dof];
    solve_inertia(step);
    if (all(fresh)) {
      for (int dof = 0; dof < m.nv; dof++) search[dof] = -step[dof];
    } else {
      Real along(0), change(0), both(0);
      for (int dof = 0; dof < m.nv; dof++) {
        const Real y = grad[dof] - old_grad[dof];
        along = along + search[dof] * y;
        change = change + y * (step[dof] - old_step[dof]);
        both = both + y * step[dof];
      }
      const Mask<Real> usable = abs(along) > Real(min_val);
      const Real inverse = Real(1) / select(usable, along, Real(1));
      const Real beta = (both - Real(2) * change * dot(search, grad) * inverse) * inverse;
      const Real kept = select(usable, max(beta, Real(0)), Real(0));
      for (int dof = 0; dof < m.nv; dof++) {
        search[dof] = select(fresh, -step[dof], -step[dof] + kept * search[dof]);
      }
    }
    for (int dof = 0; dof < m.nv; dof++) {
      old_grad[dof] = grad[dof];
      old_step[dof] = step[dof];
    }
  }

  // direction of Newton's method, with the cost that it promises to save
  LOCKSTEP_FN Real newton_step(const TreePattern& pattern) {
    newton_matrix(m, d, pattern, inertia.matrix, inertia.coupled);
    d.warn(Warning::inertia, !factor_ltdl(pattern, rows.newton, diag_inv));
    for (int dof = 0; dof < m.nv; dof++) search[dof] = -grad[dof];
    solve_ltdl<Real>(pattern, rows.newton, diag_inv, search);
    return Real(-0.5) * dot(grad, search);
  }
};

// rows that push, and those that changed how they do; of one lane
template <class Real>
LOCKSTEP_FN int count_active(const ArenaView<Real>& rows) {
  int count = 0;
  for (int row = 0; row < rows.nefc; row++) {
    count += lane(rows.row_zone[row] != zone<Real>(ConstraintState::satisfied), 0);
  }
  return count;
}

// solves all rows at once, by Newton's method or by conjugate gradients
template <class Real>
LOCKSTEP_FN void solve_primal(const ModelView<Real>& m, const DataView<Real>& d,
                              const StepInertia<Real>& inertia, Mask<Real> constrained) {
  const bool newton = m.opt.solver == code(Solver::newton);
  ArenaView<Real>& rows = *d.arena;
  TreePattern pattern{};
  if (newton && !newton_pattern(m, d, inertia.coupled, pattern)) return;
  Primal<Real> primal(m, d, inertia);
  primal.start(constrained);
  // at rest the last acceleration is the answer
  Mask<Real> active = constrained && !(primal.gradient() < m.opt.tolerance);
  Real iterations(0);
  Mask<Real> fresh = true;  // the next direction forgets the last one
  for (int round = 0; round < m.opt.iterations && any(active); round++) {
    if (newton) {
      const Real promised = primal.scale * primal.newton_step(pattern);
      if (round > 0) active = active && !(promised < m.opt.tolerance);
    } else {
      primal.conjugate(fresh);
    }
    if (!any(active)) break;
    int evaluations = 0;
    Real slope(0);
    active = primal.move(active, newton, evaluations, slope);
    if (!any(active)) break;
    primal.update();
    iterations = select(active, iterations + Real(1), iterations);
    const Real improvement = primal.scale * primal.saved;
    const Real gradient = primal.gradient();
    if (rows.solver && round < mjNSOLVER) {
      rows.solver[round] = {double(lane(improvement, 0)),
                            double(lane(gradient, 0)),
                            double(lane(slope, 0)),
                            count_active(rows),
                            0,
                            evaluations,
                            newton ? rows.nefc : 0};
    }
    // conjugate gradients get a second chance, along the gradient itself
    const Mask<Real> little = improvement < m.opt.tolerance;
    const Mask<Real> ends = newton ? little : little && fresh;
    active = active && !(ends || gradient < m.opt.tolerance);
    fresh = little;
  }
  for (int i = 0; i < lanes<Real>; i++) {
    d.solver_niter.set(0, i, static_cast<int>(lane(iterations, i)));
    // the pattern of several lanes says nothing about one of them
    const bool known = newton && lanes<Real> == 1;
    d.solver_nnz.set(0, i, known ? pattern.rowadr[m.nv - 1] + pattern.rownnz[m.nv - 1] : 0);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
