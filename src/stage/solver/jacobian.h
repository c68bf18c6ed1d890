// jacobian.h: products with the Jacobian of the constraint rows, which is kept in compressed rows.
// Not a stage.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// J_row x
template <class Real>
LOCKSTEP_INLINE Real mul_row(const ArenaView<Real>& rows, int row, const Real* x) {
  const int adr = rows.efc_J_rowadr[row], count = rows.efc_J_rownnz[row];
  const Real* J = rows.efc_J + adr;
  const int* column = rows.efc_J_colind + adr;
  Real sum(0);
  for (int k = 0; k < count; k++) sum = sum + J[k] * x[column[k]];
  return sum;
}

// y <- J x
template <class Real>
LOCKSTEP_FN void mul_jac(const ArenaView<Real>& rows, const Real* x, Real* y) {
  for (int row = 0; row < rows.nefc; row++) y[row] = mul_row(rows, row, x);
}

// x <- J' f; rows that push in no lane are skipped, which changes no bit of a sum that starts at +0
template <class Real>
LOCKSTEP_FN void mul_jac_t(const ArenaView<Real>& rows, int nv, const Real* f, Real* x) {
  for (int dof = 0; dof < nv; dof++) x[dof] = Real(0);
  for (int row = 0; row < rows.nefc; row++) {
    const Real force = f[row];
    if (!any(force != Real(0))) continue;
    const int adr = rows.efc_J_rowadr[row], count = rows.efc_J_rownnz[row];
    const Real* J = rows.efc_J + adr;
    const int* column = rows.efc_J_colind + adr;
    for (int k = 0; k < count; k++) x[column[k]] = x[column[k]] + J[k] * force;
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
