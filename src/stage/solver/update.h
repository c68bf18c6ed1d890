// update.h: Newton's factor when few rows changed how they act since it was made. Not a stage; one
// world at a time.
//   H + w v v' = L' D L:  with k the last dof of v,  D_k' = D_k + w v_k^2,  the rest of v v' goes
//   to the row of the next dof with  v' = v - v_k L_k,  w' = w D_k / D_k',  L_k' = L_k + (w v_k /
//   D_k') v'
// A change costs a run over the rows from its last dof to the first, the whole factor far more.
// reads row_zone efc_D efc_J    writes newton
#pragma once

#include "math/sparse.h"
#include "stage/solver/cost.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// v is zero afterwards. false where the matrix would lose too many digits; mat is spoiled then
template <class Real>
LOCKSTEP_FN bool update_ltdl(const TreePattern& p, Real* mat, Real* diag_inv, int last, Real weight,
                             Real* v) {
  constexpr double least = 1e-3;  // of a pivot that must remain
  for (int k = last;;) {
    Real* row = mat + p.rowadr[k];
    const int* column = p.colind + p.rowadr[k];
    const int diag = p.rownnz[k] - 1;
    const Real at = v[k];
    v[k] = Real(0);
    if (at != Real(0)) {
      const Real old = row[diag], now = old + weight * at * at;
      if (!(now > Real(least) * old)) return false;
      const Real inverse = Real(1) / now, share = weight * at * inverse;
      weight = weight * (old * inverse);
      row[diag] = now;
      diag_inv[k] = inverse;
      for (int j = 0; j < diag; j++) {
        const Real rest = v[column[j]] - at * row[j];
        v[column[j]] = rest;
        row[j] = row[j] + share * rest;
      }
    }
    if (diag == 0) return true;
    k = column[diag - 1];
  }
}

// Brings the factor up to date where it was made for the states in `factored`; false if it must be
// made anew: many rows changed, or the curvature of a cone, which follows the state.
template <class Real>
LOCKSTEP_FN bool update_newton(const ArenaView<Real>& rows, const TreePattern& p, Real* diag_inv,
                               Real* factored, Real* v) {
  const Real cone = zone<Real>(ConstraintState::cone);
  const Real spring = zone<Real>(ConstraintState::quadratic);
  int changed = 0;
  for (int row = 0; row < rows.nefc; row++) {
    if (rows.row_zone[row] == cone || factored[row] == cone) return false;
    changed += (rows.row_zone[row] == spring) != (factored[row] == spring);
  }
  if (changed > p.n / 16) return false;
  for (int dof = 0; dof < p.n; dof++) v[dof] = Real(0);
  for (int row = 0; row < rows.nefc; row++) {
    const bool acts = rows.row_zone[row] == spring, acted = factored[row] == spring;
    factored[row] = rows.row_zone[row];
    const int adr = rows.efc_J_rowadr[row], count = rows.efc_J_rownnz[row];
    if (acts == acted || count == 0) continue;
    for (int k = adr; k < adr + count; k++) v[rows.efc_J_colind[k]] = rows.efc_J[k];
    const Real weight = acts ? rows.efc_D[row] : -rows.efc_D[row];
    if (!update_ltdl(p, rows.newton, diag_inv, rows.efc_J_colind[adr + count - 1], weight, v)) {
      return false;
    }
  }
  return true;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
