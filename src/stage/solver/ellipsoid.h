// ellipsoid.h: the lowest point of a quadratic inside an ellipsoid, for the friction of one
// contact.
//   min 1/2 x'Ax + b'x  with  sum_i (x_i / w_i)^2 <= r^2
// In units of w the ellipsoid is a ball. If the lowest point of all lies outside, (A + lambda) x =
// -b for the one lambda > 0 at which |x| = r: |x|^2 falls with lambda, ever more slowly, and
// Newton's method finds it from below. It may be far from it when the rounds are over; the point is
// then put onto the surface.
#pragma once

#include "math/cholesky.h"
#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// n at most 5
template <class Real>
LOCKSTEP_FN void lowest_in_ellipsoid(const Real* A, const Real* b, const Real* w, Real r, int n,
                                     Real* x) {
  constexpr int most_rounds = 20;
  const Real zero(0), one(1), least(1e-10);  // least pivots, distances and steps
  // two and three directions are judged by their determinant
  const double least_pivot = n > 3 ? 1e-10 : 0;
  Real scaled[25], bias[5], lambda(0);
  for (int i = 0; i < n; i++) {
    bias[i] = b[i] * w[i];
    for (int j = 0; j < n; j++) scaled[i * n + j] = A[i * n + j] * w[i] * w[j];
  }
  Mask<Real> active = true, solvable = true;
  for (int i = 0; i < n; i++) x[i] = zero;
  for (int round = 0; round < most_rounds && any(active); round++) {
    Real factor[25], next[5], rate[5], root(1);
    for (int i = 0; i < n * n; i++) {
      factor[i] = i % (n + 1) == 0 ? scaled[i] + lambda : scaled[i];
    }
    Mask<Real> good = cholesky_factor(factor, n, least_pivot);
    for (int i = 0; i < n; i++) root = root * factor[i * (n + 1)];
    if (n <= 3) good = good && !(root * root < least);
    solvable = solvable && (good || !active);
    active = active && good;
    for (int i = 0; i < n; i++) next[i] = -bias[i];
    cholesky_solve(factor, n, next);
    Real square(0), slope(0);
    for (int i = 0; i < n; i++) square = square + next[i] * next[i];
    for (int i = 0; i < n; i++) rate[i] = next[i];
    cholesky_solve(factor, n, rate);
    for (int i = 0; i < n; i++) slope = slope + next[i] * rate[i];  // -1/2 d|x|^2 / d lambda
    for (int i = 0; i < n; i++) x[i] = select(active, next[i], x[i]);
    const Real outside = square - r * r;
    active = active && !(outside < least);
    const Real step = outside / select(active, Real(2) * slope, one);
    active = active && !(step < least);
    lambda = select(active, lambda + step, lambda);
  }
  Real square(0);
  for (int i = 0; i < n; i++) square = square + x[i] * x[i];
  const Real shrink = select(lambda != zero, sqrt(r * r / max(square, Real(min_val))), one);
  for (int i = 0; i < n; i++) x[i] = select(solvable, x[i] * shrink * w[i], zero);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
