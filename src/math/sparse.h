// sparse.h: symmetric matrices over a kinematic tree, M = L' D L without fill-in.
//
// the lower triangle is kept in compressed rows, diagonal last: row k holds the dofs from the root
// to k. the row of an ancestor is therefore a prefix of the row of its descendant, and a row update
// is a run over two contiguous stretches. after factoring, the diagonal holds D, the rest L.
#pragma once

#include <type_traits>

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

struct TreePattern {
  int n;  // rows
  const int* rownnz;
  const int* rowadr;
  const int* colind;
  const int* chainup;  // see find_chains
  const int* chaindown;
};

// Rows are taken several at a time where each is the one before and one more entry (a chain of
// dofs): what they have in common is loaded once. The order of operations on each number stays that
// of one row at a time, and so do its bits.
inline constexpr int max_chain = 6;

// chainup <- how many rows from k down to its ancestors are such a chain; chaindown <- the same
// from k on to its descendants. Found once for a pattern that is used often.
LOCKSTEP_FN void find_chains(int n, const int* rownnz, const int* rowadr, const int* colind,
                             int* chainup, int* chaindown) {
  const auto follows = [&](int k) LOCKSTEP_LAMBDA {
    return k > 0 && rownnz[k] == rownnz[k - 1] + 1 && colind[rowadr[k] + rownnz[k] - 2] == k - 1;
  };
  for (int k = 0; k < n; ++k) chainup[k] = follows(k) ? chainup[k - 1] + 1 : 1;
  for (int k = n - 1; k >= 0; --k) {
    chaindown[k] = k + 1 < n && chainup[k + 1] > 1 ? chaindown[k + 1] + 1 : 1;
  }
}

// at most so many of them
LOCKSTEP_INLINE int chain_up(const TreePattern& p, int k) { return min(p.chainup[k], max_chain); }
LOCKSTEP_INLINE int chain_down(const TreePattern& p, int k, int most = max_chain) {
  return min(p.chaindown[k], most);
}

// raises a pivot that is too low, inverts it
template <class Real>
LOCKSTEP_INLINE Mask<Real> take_pivot(Real& pivot, Real& inverse) {
  const Mask<Real> low = pivot < Real(min_val);
  pivot = select(low, Real(min_val), pivot);
  inverse = Real(1) / pivot;
  return !low;
}

// calls f with the length of a chain as a constant
template <class F>
LOCKSTEP_INLINE auto with_chain(int count, F&& f) {
  switch (count) {
    case 6: return f(std::integral_constant<int, 6>());
    case 5: return f(std::integral_constant<int, 5>());
    case 4: return f(std::integral_constant<int, 4>());
    case 3: return f(std::integral_constant<int, 3>());
    case 2: return f(std::integral_constant<int, 2>());
    default: return f(std::integral_constant<int, 1>());
  }
}

// whether the row of column `at` holds just the columns up to it
LOCKSTEP_INLINE bool is_prefix(const TreePattern& p, const int* col, int at) {
  return p.rownnz[col[at]] == at + 1;
}

// Subtracts the products of N rows from two of their ancestors, those of columns `last` and
// last - 1: entries of the rows are read once for both, since lanes wait for memory, not for sums.
template <int N, class Real>
LOCKSTEP_INLINE void subtract_pair(Real* const* row, const Real* inverse, Real* __restrict target,
                                   Real* __restrict before, int last) {
  Real factor[N], factor_before[N];
  for (int r = 0; r < N; ++r) {
    factor[r] = row[r][last] * inverse[r];
    factor_before[r] = row[r][last - 1] * inverse[r];
  }
  for (int j = 0; j < last; ++j) {
    Real x = target[j], y = before[j];
    for (int r = 0; r < N; ++r) {
      const Real value = held(row[r][j]);
      x = x - factor[r] * value;
      y = y - factor_before[r] * value;
    }
    target[j] = x;
    before[j] = y;
  }
  Real x = target[last];
  for (int r = 0; r < N; ++r) x = x - factor[r] * row[r][last];
  target[last] = x;
  for (int r = 0; r < N; ++r) {
    row[r][last] = factor[r];
    row[r][last - 1] = factor_before[r];
  }
}

// eliminates the rows k, k - 1 ... k - N + 1 of a chain: M(i, j) -= M(k, i) M(k, j) / D(k) for the
// ancestors j <= i of each
template <int N, class Real>
LOCKSTEP_INLINE Mask<Real> eliminate(const TreePattern& p, int k, Real* mat, Real* diag_inv) {
  Real* row[N];
  Real inverse[N], within[N][N];  // factors between rows of the chain
  Mask<Real> good = true;
  const int diag = p.rownnz[k] - 1, rest = diag - N + 1;  // entries that all rows have
  for (int r = 0; r < N; ++r) row[r] = mat + p.rowadr[k - r];
  LOCKSTEP_UNROLL
  for (int r = 0; r < N; ++r) {
    const Mask<Real> fine = take_pivot(row[r][diag - r], inverse[r]);
    good = good && fine;
    diag_inv[k - r] = inverse[r];
    LOCKSTEP_UNROLL
    for (int s = r + 1; s < N; ++s) {
      within[r][s] = row[r][diag - s] * inverse[r];
      LOCKSTEP_UNROLL
      for (int t = s; t < N; ++t) row[s][diag - t] -= within[r][s] * row[r][diag - t];
    }
    LOCKSTEP_UNROLL
    for (int s = r + 1; s < N; ++s) row[r][diag - s] = within[r][s];
  }
  if constexpr (N > 1) {
    for (int j = 0; j < rest; ++j) {
      Real value[N];
      for (int r = 0; r < N; ++r) value[r] = row[r][j];
      LOCKSTEP_UNROLL
      for (int s = 1; s < N; ++s) {
        Real changed = value[s];
        LOCKSTEP_UNROLL
        for (int r = 0; r < s; ++r) changed = changed - within[r][s] * value[r];
        row[s][j] = value[s] = changed;
      }
    }
  }
  const int* col = p.colind + p.rowadr[k];
  int at = rest - 1;
  if constexpr (lanes<Real> > 1) {
    for (; at > 0 && is_prefix(p, col, at) && is_prefix(p, col, at - 1); at -= 2) {
      subtract_pair<N>(row, inverse, mat + p.rowadr[col[at]], mat + p.rowadr[col[at - 1]], at);
    }
  }
  for (; at >= 0; --at) {
    Real* __restrict target = mat + p.rowadr[col[at]];
    Real factor[N];
    for (int r = 0; r < N; ++r) factor[r] = row[r][at] * inverse[r];
    const auto less = [&](Real x, int j) LOCKSTEP_LAMBDA {
      for (int r = 0; r < N; ++r) x = x - factor[r] * row[r][j];
      return x;
    };
    if (is_prefix(p, col, at)) {
      for (int j = 0; j <= at; ++j) target[j] = less(target[j], j);
    } else {
      // a row that holds other columns too
      const int* columns = p.colind + p.rowadr[col[at]];
      for (int j = 0, to = 0; j <= at; ++j, ++to) {
        while (columns[to] != col[j]) ++to;
        target[to] = less(target[to], j);
      }
    }
    for (int r = 0; r < N; ++r) row[r][at] = factor[r];
  }
  return good;
}

// mat <- L and D, diag_inv <- 1/D, eliminating from the leaves to the root. a pivot below min_val
// is raised to it, as in MuJoCo; true where none had to be. Patterns need not be those of a tree,
// as long as the row of a column holds all the earlier columns of every row that has it. `first`
// leaves out rows that no later one refers to.
template <class Real>
LOCKSTEP_FN Mask<Real> factor_ltdl(const TreePattern& p, Real* mat, Real* diag_inv, int first = 0) {
  Mask<Real> good = true;
  for (int k = p.n - 1; k >= first;) {
    const int count = chain_up(p, k);
    const Mask<Real> fine =
        with_chain(count, [&](auto n) { return eliminate<n>(p, k, mat, diag_inv); });
    good = good && fine;
    k -= count;
  }
  return good;
}

// x(ancestors) -= row * x for N rows of a chain, from k to its ancestors
template <int N, class Real>
LOCKSTEP_INLINE void solve_lt_rows(const TreePattern& p, int k, const Real* mat, Real* x) {
  const Real* row[N];
  Real value[N];
  const int diag = p.rownnz[k] - 1, rest = diag - N + 1;
  for (int r = 0; r < N; ++r) row[r] = mat + p.rowadr[k - r];
  for (int r = 0; r < N; ++r) value[r] = x[k - r];
  LOCKSTEP_UNROLL
  for (int r = 0; r < N; ++r) {
    LOCKSTEP_UNROLL
    for (int s = r + 1; s < N; ++s) value[s] = value[s] - row[r][diag - s] * value[r];
    x[k - r] = value[r];
  }
  const int* col = p.colind + p.rowadr[k];
  for (int at = 0; at < rest; ++at) {
    Real sum = x[col[at]];
    for (int r = 0; r < N; ++r) sum = sum - row[r][at] * value[r];
    x[col[at]] = sum;
  }
}

// x <- inv(L') x: from the leaves to the root.
template <class Real>
LOCKSTEP_FN void solve_lt(const TreePattern& p, const Real* mat, Real* x, int first = 0) {
  for (int k = p.n - 1; k >= first;) {
    const int count = chain_up(p, k);
    with_chain(count, [&](auto n) { solve_lt_rows<n>(p, k, mat, x); });
    k -= count;
  }
}

// x(k) -= row * x(ancestors) for N rows of a chain, from k to its descendants
template <int N, class Real>
LOCKSTEP_INLINE void solve_l_rows(const TreePattern& p, int k, const Real* mat, Real* x) {
  const Real* row[N];
  Real sum[N];
  for (int r = 0; r < N; ++r) {
    row[r] = mat + p.rowadr[k + r];
    sum[r] = x[k + r];
  }
  const int* col = p.colind + p.rowadr[k];
  const int rest = p.rownnz[k] - 1;
  for (int at = 0; at < rest; ++at) {
    const Real value = x[col[at]];
    for (int r = 0; r < N; ++r) sum[r] = sum[r] - row[r][at] * value;
  }
  LOCKSTEP_UNROLL
  for (int r = 0; r < N; ++r) {
    LOCKSTEP_UNROLL
    for (int s = 0; s < r; ++s) sum[r] = sum[r] - row[r][rest + s] * sum[s];
    x[k + r] = sum[r];
  }
}

// x <- inv(L) x: from the root to the leaves.
template <class Real>
LOCKSTEP_FN void solve_l(const TreePattern& p, const Real* mat, Real* x, int first = 0) {
  for (int k = first; k < p.n;) {
    const int count = chain_down(p, k);
    with_chain(count, [&](auto n) { solve_l_rows<n>(p, k, mat, x); });
    k += count;
  }
}

// x <- inv(M) x, given the factors.
template <class Real>
LOCKSTEP_FN void solve_ltdl(const TreePattern& p, const Real* mat, const Real* diag_inv, Real* x,
                            int first = 0) {
  solve_lt(p, mat, x, first);
  for (int k = first; k < p.n; ++k) x[k] = x[k] * diag_inv[k];
  solve_l(p, mat, x, first);
}

// x <- sqrt(inv(D)) inv(L') x: half of a solve, so that x' inv(M) x is the squared length.
template <class Real>
LOCKSTEP_FN void solve_ltdl_half(const TreePattern& p, const Real* mat, const Real* diag_inv,
                                 Real* x) {
  solve_lt(p, mat, x);
  for (int k = 0; k < p.n; ++k) x[k] = x[k] * sqrt(diag_inv[k]);
}

// N rows of a chain times x, from k to its descendants
template <int N, class Real>
LOCKSTEP_INLINE void mul_rows(const TreePattern& p, int k, const Real* mat, const Real* x,
                              Real* y) {
  const Real* row[N];
  Real sum[N], value[N];
  const int* col = p.colind + p.rowadr[k];
  const int rest = p.rownnz[k] - 1;
  for (int r = 0; r < N; ++r) {
    row[r] = mat + p.rowadr[k + r];
    value[r] = x[k + r];
    sum[r] = row[r][rest + r] * value[r];
  }
  for (int at = 0; at < rest; ++at) {
    const Real other = x[col[at]];
    Real back = y[col[at]];
    for (int r = 0; r < N; ++r) {
      sum[r] = sum[r] + row[r][at] * other;
      back = back + row[r][at] * value[r];
    }
    y[col[at]] = back;
  }
  LOCKSTEP_UNROLL
  for (int r = 0; r < N; ++r) {
    LOCKSTEP_UNROLL
    for (int s = 0; s < r; ++s) {
      sum[r] = sum[r] + row[r][rest + s] * value[s];
      sum[s] = sum[s] + row[r][rest + s] * value[r];
    }
  }
  for (int r = 0; r < N; ++r) y[k + r] = sum[r];
}

// y <- M x, for the unfactored lower triangle of a symmetric M.
template <class Real>
LOCKSTEP_FN void mul_symmetric(const TreePattern& p, const Real* mat, const Real* x, Real* y) {
  for (int k = 0; k < p.n;) {
    const int count = chain_down(p, k);
    with_chain(count, [&](auto n) { mul_rows<n>(p, k, mat, x, y); });
    k += count;
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
