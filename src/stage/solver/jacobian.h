// jacobian.h: products with the Jacobian of the constraint rows, which is kept in compressed rows.
// Not a stage.
#pragma once

#include "math/sparse.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// calls f(first row, how many as a constant) for runs of rows with the same columns: these are
// loaded once for all of them. Each sum keeps its order and so its bits.
template <class Real, class F>
LOCKSTEP_INLINE void each_run(const ArenaView<Real>& rows, F&& f) {
  for (int row = 0; row < rows.nefc;) {
    const int same = 1 + rows.efc_J_rowsuper[row], count = same < max_chain ? same : max_chain;
    with_chain(count, [&](auto n) LOCKSTEP_LAMBDA { f(row, n); });
    row += count;
  }
}

template <int N, class Real>
LOCKSTEP_INLINE void mul_run(const ArenaView<Real>& rows, int row, const Real* x, Real* y) {
  const int count = rows.efc_J_rownnz[row];
  const int* column = rows.efc_J_colind + rows.efc_J_rowadr[row];
  const Real* J[N];
  Real sum[N];
  for (int i = 0; i < N; i++) J[i] = rows.efc_J + rows.efc_J_rowadr[row + i], sum[i] = Real(0);
  for (int k = 0; k < count; k++) {
    const Real value = x[column[k]];
    for (int i = 0; i < N; i++) sum[i] = sum[i] + J[i][k] * value;
  }
  for (int i = 0; i < N; i++) y[row + i] = sum[i];
}

// y <- J x
template <class Real>
LOCKSTEP_FN void mul_jac(const ArenaView<Real>& rows, const Real* x, Real* y) {
  each_run(rows, [&](int row, auto n) LOCKSTEP_LAMBDA { mul_run<n>(rows, row, x, y); });
}

// rows that push in no lane are skipped, which changes no bit of a sum that starts at +0
template <int N, class Real>
LOCKSTEP_INLINE void add_run(const ArenaView<Real>& rows, int row, const Real* f, Real* x) {
  const int count = rows.efc_J_rownnz[row];
  const int* column = rows.efc_J_colind + rows.efc_J_rowadr[row];
  const Real* J[N];
  Real force[N];
  Mask<Real> pushes = false;
  for (int i = 0; i < N; i++) {
    J[i] = rows.efc_J + rows.efc_J_rowadr[row + i];
    force[i] = f[row + i];
    pushes = pushes || force[i] != Real(0);
  }
  if (!any(pushes)) return;
  for (int k = 0; k < count; k++) {
    Real sum = x[column[k]];
    for (int i = 0; i < N; i++) sum = sum + J[i][k] * force[i];
    x[column[k]] = sum;
  }
}

// x <- J' f
template <class Real>
LOCKSTEP_FN void mul_jac_t(const ArenaView<Real>& rows, int nv, const Real* f, Real* x) {
  for (int dof = 0; dof < nv; dof++) x[dof] = Real(0);
  each_run(rows, [&](int row, auto n) LOCKSTEP_LAMBDA { add_run<n>(rows, row, f, x); });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
