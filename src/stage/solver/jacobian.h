// jacobian.h: products with the Jacobian of the constraint rows, which is kept in compressed rows.
// Not a stage.
#pragma once

#include "math/sparse.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// rows with the same columns, whose numbers follow each other
template <class Real>
struct RowRun {
  int row, count;  // first row; numbers of each
  const int* column;
  const Real* J;
};

// calls several(run, how many rows as a constant) for runs of rows with the same columns: these are
// loaded once for all of them. Each sum keeps its order and so its bits. A row of one number (most
// limits) is left to single(row, column, number)
template <class Real, class Single, class Several>
LOCKSTEP_INLINE void each_run(const ArenaView<Real>& rows, Single&& single, Several&& several) {
  for (int row = 0; row < rows.nefc;) {
    const int follow = rows.efc_J_rowsuper[row], adr = rows.efc_J_rowadr[row];
    const int count = rows.efc_J_rownnz[row];
    if (count == 1 && follow == 0) {
      single(row++, rows.efc_J_colind[adr], rows.efc_J[adr]);
      continue;
    }
    const RowRun<Real> run{row, count, rows.efc_J_colind + adr, rows.efc_J + adr};
    const int number = min(1 + follow, max_chain);
    with_chain(number, [&](auto n) LOCKSTEP_LAMBDA { several(run, n); });
    row += number;
  }
}

template <int N, class Real>
LOCKSTEP_INLINE void mul_run(const RowRun<Real>& run, const Real* x, Real* y) {
  Real sum[N];
  for (int i = 0; i < N; i++) sum[i] = Real(0);
  for (int k = 0; k < run.count; k++) {
    const Real value = x[run.column[k]];
    for (int i = 0; i < N; i++) sum[i] = sum[i] + run.J[i * run.count + k] * value;
  }
  for (int i = 0; i < N; i++) y[run.row + i] = sum[i];
}

// y <- J x
template <class Real>
LOCKSTEP_FN void mul_jac(const ArenaView<Real>& rows, const Real* x, Real* y) {
  each_run(
      rows,
      [&](int row, int column, const Real& J) LOCKSTEP_LAMBDA { y[row] = Real(0) + J * x[column]; },
      [&](const auto& run, auto n) LOCKSTEP_LAMBDA { mul_run<n>(run, x, y); });
}

// rows that push in no lane are skipped, which changes no bit of a sum that starts at +0
template <int N, class Real>
LOCKSTEP_INLINE void add_run(const RowRun<Real>& run, const Real* f, Real* x) {
  Real force[N];
  Mask<Real> pushes = false;
  for (int i = 0; i < N; i++) {
    force[i] = f[run.row + i];
    pushes = pushes || force[i] != Real(0);
  }
  if (!any(pushes)) return;
  for (int k = 0; k < run.count; k++) {
    Real& to = x[run.column[k]];
    Real sum = to;
    for (int i = 0; i < N; i++) sum = sum + run.J[i * run.count + k] * force[i];
    to = sum;
  }
}

// x <- J' f
template <class Real>
LOCKSTEP_FN void mul_jac_t(const ArenaView<Real>& rows, int nv, const Real* f, Real* x) {
  for (int dof = 0; dof < nv; dof++) x[dof] = Real(0);
  each_run(
      rows,
      [&](int row, int column, const Real& J)
          LOCKSTEP_LAMBDA { x[column] = x[column] + J * f[row]; },
      [&](const auto& run, auto n) LOCKSTEP_LAMBDA { add_run<n>(run, f, x); });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
