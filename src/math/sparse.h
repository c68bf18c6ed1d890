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

// ---- square matrices in the pattern of M and its transpose: A = U L, U with a unit diagonal ----

struct SquarePattern {
  int n;
  const int* rownnz;
  const int* rowadr;
  const int* diag;  // place of the diagonal in a row; columns before it are ancestors
  const int* colind;
};

// in place, eliminating from the leaves to the root, which does not fill. pivots of 0 are left
// alone: true where there was none.
template <class Real>
LOCKSTEP_FN Mask<Real> factor_lu(const SquarePattern& p, Real* mat) {
  Mask<Real> good = true;
  for (int k = p.n - 1; k >= 0; --k) {
    const Real* row_k = mat + p.rowadr[k];
    const int* col_k = p.colind + p.rowadr[k];
    const Mask<Real> zero = row_k[p.diag[k]] == Real(0);
    good = good && !zero;
    const Real inverse = Real(1) / select(zero, Real(1), row_k[p.diag[k]]);
    for (int at = 0; at < p.diag[k]; ++at) {
      const int i = col_k[at];
      Real* row_i = mat + p.rowadr[i];
      const int* col_i = p.colind + p.rowadr[i];
      int k_in_i = p.diag[i] + 1;
      while (col_i[k_in_i] != k) ++k_in_i;
      const Real factor = row_i[k_in_i] * inverse;
      row_i[k_in_i] = factor;
      // the ancestors of k are columns of row i too: those up to i in the same places
      int to = 0;
      for (int j = 0; j < p.diag[k]; ++j) {
        while (col_i[to] != col_k[j]) ++to;
        row_i[to] -= factor * row_k[j];
      }
    }
  }
  return good;
}

// x <- inv(A) x
template <class Real>
LOCKSTEP_FN void solve_lu(const SquarePattern& p, const Real* mat, Real* x) {
  for (int k = p.n - 1; k >= 0; --k) {
    const Real* row = mat + p.rowadr[k];
    const int* col = p.colind + p.rowadr[k];
    for (int at = p.diag[k] + 1; at < p.rownnz[k]; ++at) x[k] -= row[at] * x[col[at]];
  }
  for (int k = 0; k < p.n; ++k) {
    const Real* row = mat + p.rowadr[k];
    const int* col = p.colind + p.rowadr[k];
    Real sum = x[k];
    for (int at = 0; at < p.diag[k]; ++at) sum -= row[at] * x[col[at]];
    x[k] = sum / row[p.diag[k]];
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
