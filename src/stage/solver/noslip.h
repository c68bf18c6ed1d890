// noslip.h: after any solver, the directions of friction once more, as if they were hard: the
// forces that remain against slip. Not a stage.
//   min 1/2 f'A f + f'b  over friction alone, in the order of the rows; normal forces stay
#pragma once

#include "stage/solver/sweep.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// two opposite edges of a pyramid: their sum stays
template <class S, class Products>
LOCKSTEP_FN S slide_edges(const Sweep<S, Products>& sweep, int first) {
  S A[4], res[2], next[2];
  sweep.take_block(first, 2, A, res);
  const S *f = sweep.rows.force + first, middle = S(0.5) * (f[0] + f[1]);
  const S curve = A[0] + A[3] - A[1] - A[2];
  const S slope = res[0] - res[1] - S(0.5) * (f[0] - f[1]) * curve;
  const S lean = clamp(curve >= S(min_val) ? -slope / curve : S(0), -middle, middle);
  next[0] = middle + lean;
  next[1] = middle - lean;
  return sweep.accept(first, 2, A, next, res);
}

// tangents of an elliptic contact
template <class S, class Products>
LOCKSTEP_FN S slide_cone(const Sweep<S, Products>& sweep, int first) {
  const int n = sweep.rows.size[first] - 1;
  const S* f = sweep.rows.force + first + 1;
  S A[25]{}, res[5]{}, bias[5]{}, next[5]{};
  sweep.take_block(first + 1, n, A, res);
  for (int i = 0; i < n; i++) {
    bias[i] = res[i];
    for (int j = 0; j < n; j++) bias[i] = bias[i] - A[i * n + j] * f[j];
  }
  sweep.improve_friction(first + 1, n, A, bias, sweep.rows.force[first], next);
  return sweep.accept(first + 1, n, A, next, res);
}

// all directions of friction, one after the other; what they save
template <class S, class Products>
LOCKSTEP_FN S slide(const Sweep<S, Products>& sweep) {
  const DualRows<S>& rows = sweep.rows;
  S saved(0);
  for (int row = rows.ne, size; row < rows.count; row += size) {
    size = rows.size[row];
    if (row < rows.ne + rows.nf) {
      saved = saved + sweep.improve_row(row);
    } else if (size > 1) {
      saved = saved + slide_cone(sweep, row);
    } else if (rows.type[row] == code(Constraint::contact_pyramidal)) {
      saved = saved + slide_edges(sweep, row);
      size = 2;
    }
  }
  return saved;
}

// slides until it saves too little; how often. calls note(round, saved)
template <class S, class Products, class Note>
LOCKSTEP_FN int solve_noslip(const DualRows<S>& rows, Products& products, int iterations,
                             S tolerance, S scale, Note&& note) {
  S softness(0);  // what is no longer paid for
  for (int i = 0; i < rows.count; i++) {
    softness = softness + S(0.5) * rows.force[i] * rows.force[i] * rows.R[i];
    rows.set_curve(i, max(rows.stiff[i], S(i < rows.ne + rows.nf ? min_val : 1e-10)));
  }
  products.soften(false);
  products.recompute();
  const Sweep<S, Products> sweep{rows, products};
  int round = 0;
  for (bool active = true; active && round < iterations; round++) {
    const S saved = scale * (slide(sweep) + (round == 0 ? softness : S(0)));
    note(round, saved);
    active = !(saved < tolerance);
  }
  return round;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
