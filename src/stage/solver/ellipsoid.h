// ellipsoid.h: the lowest point of a quadratic inside an ellipsoid, for the friction of one
// contact.
//   min 1/2 x'Ax + b'x  with  sum_i (x_i / w_i)^2 <= r^2
// In units of w the ellipsoid is a ball. If the lowest point of all lies outside, (A + lambda) x =
// -b for the one lambda > 0 at which |x| = r: |x| falls with lambda, and Newton's method on 1/|x|,
// which is nearly straight, finds it from below.
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
  constexpr double enough = 1e-10;  // of the radius
  const Real zero(0), one(1);
  Real scaled[25], bias[5], lambda(0);
  for (int i = 0; i < n; i++) {
    bias[i] = b[i] * w[i];
    for (int j = 0; j < n; j++) scaled[i * n + j] = A[i * n + j] * w[i] * w[j];
  }
  Mask<Real> active = true;
  for (int i = 0; i < n; i++) x[i] = zero;
  for (int round = 0; round < most_rounds && any(active); round++) {
    Real factor[25], next[5], rate[5];
    for (int i = 0; i < n * n; i++) {
      factor[i] = i % (n + 1) == 0 ? scaled[i] + lambda : scaled[i];
    }
    const Mask<Real> good = cholesky_factor(factor, n, 1e-10);
    for (int i = 0; i < n; i++) next[i] = -bias[i];
    cholesky_solve(factor, n, next);
    Real square(0), slope(0);
    for (int i = 0; i < n; i++) square = square + next[i] * next[i];
    for (int i = 0; i < n; i++) rate[i] = next[i];
    cholesky_solve(factor, n, rate);
    for (int i = 0; i < n; i++) slope = slope + next[i] * rate[i];  // -1/2 d|x|^2 / d lambda
    for (int i = 0; i < n; i++) x[i] = select(active, select(good, next[i], zero), x[i]);
    const Real length = sqrt(square);
    const Mask<Real> within = length <= r * Real(1 + enough);
    active = active && good && !within && r > zero;
    const Real step = square / select(active, slope, one) * (length / select(active, r, one) - one);
    lambda = select(active, lambda + step, lambda);
  }
  // exactly on the surface where it was reached from outside
  Real square(0);
  for (int i = 0; i < n; i++) square = square + x[i] * x[i];
  const Mask<Real> outside = square > r * r || (lambda > zero && square > zero);
  const Real shrink = select(outside, r / sqrt(select(outside, square, one)), one);
  for (int i = 0; i < n; i++) x[i] = x[i] * shrink * w[i];
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
