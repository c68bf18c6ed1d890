// noslip.h: after any solver, the directions of friction once more, as if they were hard: the
// forces that remain against slip. Not a stage.
//   min 1/2 f'A f + f'b  over friction alone, in the order of the rows; normal forces stay
// reads what sweep.h reads    writes efc_force row_zone qacc qfrc_constraint solver_niter
#pragma once

#include "stage/solver/dual.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// two opposite edges of a pyramid: their sum stays
template <class Real>
LOCKSTEP_FN Real slide_edges(const Sweep<Real>& sweep, int first, Mask<Real> where) {
  const ArenaView<Real>& rows = sweep.rows;
  const Real zero(0), half(0.5), least(1e-10);
  const Real across = whitened_product(rows, first, first + 1);
  const Real A[4] = {max(rows.row_stiff[first], least), across, across,
                     max(rows.row_stiff[first + 1], least)};
  Real res[2], next[2];
  for (int i = 0; i < 2; i++) res[i] = sweep.residual(first + i, false);
  const Real *f = rows.efc_force + first, middle = half * (f[0] + f[1]);
  const Real curve = A[0] + A[3] - A[1] - A[2];
  const Real slope = res[0] - res[1] - half * (f[0] - f[1]) * curve;
  const Mask<Real> curved = curve >= Real(min_val);
  const Real lean =
      clamp(select(curved, -slope / select(curved, curve, Real(1)), zero), -middle, middle);
  next[0] = middle + lean;
  next[1] = middle - lean;
  return sweep.accept(first, 2, A, next, res, where);
}

// tangents of an elliptic contact
template <class Real>
LOCKSTEP_FN Real slide_cone(const Sweep<Real>& sweep, int first, Mask<Real> where) {
  const ArenaView<Real>& rows = sweep.rows;
  const int contact = rows.efc_id[first], n = rows.con_dim[contact] - 1;
  const Real* f = rows.efc_force + first + 1;
  Real A[25]{}, res[5]{}, bias[5]{}, next[5]{};
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      A[i * n + j] = A[j * n + i] = rows.row_quad[3 * first + below_diagonal(i + 1, j + 1)];
    }
    A[i * n + i] = max(rows.row_stiff[first + 1 + i], Real(1e-10));
    res[i] = sweep.residual(first + 1 + i, false);
  }
  for (int i = 0; i < n; i++) {
    bias[i] = res[i];
    for (int j = 0; j < n; j++) bias[i] = bias[i] - A[i * n + j] * f[j];
  }
  sweep.improve_friction(contact, A, bias, rows.efc_force[first], next);
  return sweep.accept(first + 1, n, A, next, res, where);
}

// all directions of friction of a part, one after the other; what they save
template <class Real>
LOCKSTEP_FN Real slide_part(const Sweep<Real>& sweep, const Part<Real>& part, Mask<Real> active) {
  const ArenaView<Real>& rows = sweep.rows;
  Real saved(0);
  for (int k = 0, size; k < part.count; k += size) {
    const int row = rows.part_rows[k];
    const Mask<Real> where = active && part.holds(rows, row);
    size = block_size(rows, row);
    if (row < rows.ne) continue;
    if (row < rows.ne + rows.nf) {
      saved = saved + sweep.improve_dry_friction(row, false, where);
    } else if (is_elliptic(rows, row)) {
      saved = saved + slide_cone(sweep, row, where);
    } else if (rows.efc_type[row] == code(Constraint::contact_pyramidal)) {
      saved = saved + slide_edges(sweep, row, where);
      size = 2;
    }
  }
  return saved;
}

// slides until a lane saves too little; lanes that are done keep their forces
template <class Real>
LOCKSTEP_FN void solve_noslip_part(const ModelView<Real>& m, const DataView<Real>& d,
                                   const Sweep<Real>& sweep, const Part<Real>& part,
                                   Mask<Real> active) {
  ArenaView<Real>& rows = sweep.rows;
  const Real scale = inverse_trace(m, d, part.number);
  Real iterations(0), softness(0);  // what is no longer paid for
  for (int k = 0; k < part.count; k++) {
    const int row = rows.part_rows[k];
    const Real f = select(part.holds(rows, row), rows.efc_force[row], Real(0));
    softness = softness + Real(0.5) * f * f * rows.efc_R[row];
  }
  gather_part(rows, part, sweep.u);
  const int before = part.number < mjNISLAND ? d.solver_niter.get(part.number, 0) : 0;
  if (rows.solver) update_states(rows, part);
  for (int round = 0; round < m.opt.noslip_iterations && any(active); round++) {
    const Real slid = slide_part(sweep, part, active);
    const Real saved = scale * (slid + (round == 0 ? softness : Real(0)));
    iterations = select(active, iterations + Real(1), iterations);
    note_sweep(rows, part, before + round, saved);
    active = active && !(saved < m.opt.noslip_tolerance);
  }
  add_iterations(d, part.number, iterations);
}

template <class Real>
LOCKSTEP_FN void solve_noslip(const ModelView<Real>& m, const DataView<Real>& d,
                              const StepInertia<Real>& inertia, Mask<Real> constrained) {
  if (!whiten(m, d, inertia)) return;
  ArenaView<Real>& rows = *d.arena;
  multiply_cones(rows);
  const Sweep<Real> sweep{rows, d.solver_work + m.nv};
  const int parts = find_parts(m, rows);
  for (int number = 0; number < parts; number++) {
    const Part<Real> part(rows, number);
    solve_noslip_part(m, d, sweep, part, constrained && part.exists());
  }
  finish_dual(m, d, inertia, constrained);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
