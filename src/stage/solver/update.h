// update.h: Newton's factor when few rows changed how they act since it was made. Not a stage. Each
// lane has changes of its own, so that they are brought in lane by lane.
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

// In one lane; v is zero there afterwards. false where the matrix would lose too many digits; mat
// is spoiled then
template <class Real>
LOCKSTEP_FN bool update_ltdl(const TreePattern& p, Real* mat, Real* diag_inv, int last,
                             Scalar<Real> weight, Real* v, int which) {
  using S = Scalar<Real>;
  constexpr double least = 1e-3;  // of a pivot that must remain
  for (int k = last;;) {
    Real* row = mat + p.rowadr[k];
    const int* column = p.colind + p.rowadr[k];
    const int diag = p.rownnz[k] - 1;
    const S at = lane(v[k], which);
    set_lane(v[k], which, S(0));
    if (at != S(0)) {
      const S old = lane(row[diag], which), now = old + weight * at * at;
      if (!(now > S(least) * old)) return false;
      const S inverse = S(1) / now, share = weight * at * inverse;
      weight = weight * (old * inverse);
      set_lane(row[diag], which, now);
      set_lane(diag_inv[k], which, inverse);
      for (int j = 0; j < diag; j++) {
        const S entry = lane(row[j], which), rest = lane(v[column[j]], which) - at * entry;
        set_lane(v[column[j]], which, rest);
        set_lane(row[j], which, entry + share * rest);
      }
    }
    if (diag == 0) return true;
    k = column[diag - 1];
  }
}

// Brings the factor up to date in the lanes that want it, where it was made for the states in
// `factored`; false where it must be made anew: many rows changed, or the curvature of a cone,
// which follows the state.
template <class Real>
LOCKSTEP_FN Mask<Real> update_newton(const ArenaView<Real>& rows, const TreePattern& p,
                                     Real* diag_inv, const Real* factored, Real* v,
                                     Mask<Real> wanted) {
  const Real cone = zone<Real>(ConstraintState::cone), zero(0), one(1);
  const Real spring = zone<Real>(ConstraintState::quadratic);
  const auto changed = [&](int row) LOCKSTEP_LAMBDA {
    const Mask<Real> acts = rows.row_zone[row] == spring, acted = factored[row] == spring;
    return (acts && !acted) || (acted && !acts);
  };
  Mask<Real> able = wanted;
  Real changes(0);
  for (int row = 0; row < rows.nefc; row++) {
    able = able && rows.row_zone[row] != cone && factored[row] != cone;
    if (!any(able)) return able;
    changes = changes + select(changed(row), one, zero);
  }
  able = able && changes <= Real(p.n / 16);
  if (!any(able && changes > zero)) return able;
  for (int dof = 0; dof < p.n; dof++) v[dof] = zero;
  for (int row = 0; row < rows.nefc; row++) {
    const int adr = rows.efc_J_rowadr[row], count = rows.efc_J_rownnz[row];
    if (count == 0) continue;
    for_each_lane<Real>(able && changed(row), [&](int i) {
      for (int k = adr; k < adr + count; k++) {
        set_lane(v[rows.efc_J_colind[k]], i, lane(rows.efc_J[k], i));
      }
      const bool acts = lane(rows.row_zone[row] == spring, i);
      const Scalar<Real> D = lane(rows.efc_D[row], i);
      const int last = rows.efc_J_colind[adr + count - 1];
      if (!update_ltdl(p, rows.newton, diag_inv, last, acts ? D : -D, v, i)) {
        set_lane(able, i, false);
      }
    });
  }
  return able;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
