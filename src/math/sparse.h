// sparse.h: symmetric matrices over a kinematic tree, M = L' D L without fill-in.
//
// the lower triangle is kept in compressed rows, diagonal last: row k holds the dofs from the root
// to k. the row of an ancestor is therefore a prefix of the row of its descendant, and a row update
// is a run over two contiguous stretches. after factoring, the diagonal holds D, the rest L.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

struct TreePattern {
  int n;  // rows
  const int* rownnz;
  const int* rowadr;
  const int* colind;
};

// mat <- L and D, diag_inv <- 1/D, eliminating from the leaves to the root. a pivot below min_val
// is raised to it, as in MuJoCo; true where none had to be.
template <class Real>
LOCKSTEP_FN Mask<Real> factor_ltdl(const TreePattern& p, Real* mat, Real* diag_inv) {
  Mask<Real> good = true;
  for (int k = p.n - 1; k >= 0; --k) {
    Real* row_k = mat + p.rowadr[k];
    const int* col_k = p.colind + p.rowadr[k];
    const int diag = p.rownnz[k] - 1;
    const Mask<Real> low = row_k[diag] < Real(min_val);
    good = good && !low;
    row_k[diag] = select(low, Real(min_val), row_k[diag]);
    const Real inverse = Real(1) / row_k[diag];
    diag_inv[k] = inverse;
    // M(i, j) -= M(k, i) M(k, j) / D(k), for the ancestors j <= i of k
    for (int at = diag - 1; at >= 0; --at) {
      Real* row_i = mat + p.rowadr[col_k[at]];
      const Real factor = row_k[at] * inverse;
      for (int j = 0; j <= at; ++j) row_i[j] -= factor * row_k[j];
      row_k[at] = factor;
    }
  }
  return good;
}

// x <- inv(L') x: from the leaves to the root.
template <class Real>
LOCKSTEP_FN void solve_lt(const TreePattern& p, const Real* mat, Real* x) {
  for (int k = p.n - 1; k >= 0; --k) {
    const Real* row = mat + p.rowadr[k];
    const int* col = p.colind + p.rowadr[k];
    for (int at = 0; at < p.rownnz[k] - 1; ++at) x[col[at]] -= row[at] * x[k];
  }
}

// x <- inv(L) x: from the root to the leaves.
template <class Real>
LOCKSTEP_FN void solve_l(const TreePattern& p, const Real* mat, Real* x) {
  for (int k = 0; k < p.n; ++k) {
    const Real* row = mat + p.rowadr[k];
    const int* col = p.colind + p.rowadr[k];
    Real sum = x[k];
    for (int at = 0; at < p.rownnz[k] - 1; ++at) sum -= row[at] * x[col[at]];
    x[k] = sum;
  }
}

// x <- inv(M) x, given the factors.
template <class Real>
LOCKSTEP_FN void solve_ltdl(const TreePattern& p, const Real* mat, const Real* diag_inv, Real* x) {
  solve_lt(p, mat, x);
  for (int k = 0; k < p.n; ++k) x[k] = x[k] * diag_inv[k];
  solve_l(p, mat, x);
}

// x <- sqrt(inv(D)) inv(L') x: half of a solve, so that x' inv(M) x is the squared length.
template <class Real>
LOCKSTEP_FN void solve_ltdl_half(const TreePattern& p, const Real* mat, const Real* diag_inv,
                                 Real* x) {
  solve_lt(p, mat, x);
  for (int k = 0; k < p.n; ++k) x[k] = x[k] * sqrt(diag_inv[k]);
}

// y <- M x, for the unfactored lower triangle of a symmetric M.
template <class Real>
LOCKSTEP_FN void mul_symmetric(const TreePattern& p, const Real* mat, const Real* x, Real* y) {
  for (int k = 0; k < p.n; ++k) y[k] = mat[p.rowadr[k] + p.rownnz[k] - 1] * x[k];
  for (int k = 0; k < p.n; ++k) {
    const Real* row = mat + p.rowadr[k];
    const int* col = p.colind + p.rowadr[k];
    for (int at = 0; at < p.rownnz[k] - 1; ++at) {
      y[k] += row[at] * x[col[at]];
      y[col[at]] += row[at] * x[k];
    }
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
