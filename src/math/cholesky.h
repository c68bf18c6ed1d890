// cholesky.h: A = L L' of a small dense symmetric matrix, in place, lower triangle only.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a is n x n, row-major; the strict upper triangle is neither read nor written. true where all
// pivots exceeded min_pivot; elsewhere the lane holds finite numbers of no meaning.
template <class Real>
LOCKSTEP_FN Mask<Real> cholesky_factor(Real* a, int n, double min_pivot = 0) {
  Mask<Real> good = true;
  for (int j = 0; j < n; ++j) {
    Real* row_j = a + j * n;
    Real pivot = row_j[j];
    for (int k = 0; k < j; ++k) pivot -= row_j[k] * row_j[k];
    const Mask<Real> positive = pivot > Real(min_pivot);
    good = good && positive;
    const Real root = sqrt(select(positive, pivot, Real(1))), inverse = Real(1) / root;
    row_j[j] = root;
    for (int i = j + 1; i < n; ++i) {
      Real* row_i = a + i * n;
      Real sum = row_i[j];
      for (int k = 0; k < j; ++k) sum -= row_i[k] * row_j[k];
      row_i[j] = select(positive, sum * inverse, Real(0));
    }
  }
  return good;
}

// x <- inv(L L') x
template <class Real>
LOCKSTEP_FN void cholesky_solve(const Real* l, int n, Real* x) {
  for (int i = 0; i < n; ++i) {
    Real sum = x[i];
    for (int k = 0; k < i; ++k) sum -= l[i * n + k] * x[k];
    x[i] = sum / l[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    Real sum = x[i];
    for (int k = i + 1; k < n; ++k) sum -= l[k * n + i] * x[k];
    x[i] = sum / l[i * n + i];
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
