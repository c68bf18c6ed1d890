// quat_derivative.h: how differences and rotations of quaternions change with their arguments, in
// the tangent space of each quaternion (its own frame).
//   K = [u] x, t = |u|
//   exp:  J(u)     = 1 - (1 - cos t)/t^2 K + (t - sin t)/t^3 K^2
//   log:  J(u)^-1  = 1 + K/2 + (1/t^2 - (1 + cos t)/(2 t sin t)) K^2
#pragma once

#include "math/quat.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_INLINE Mat3<Real> cross_matrix(const Vec3<Real>& u) {
  const Real o(0);
  return {{o, -u.z, u.y, u.z, o, -u.x, -u.y, u.x, o}};
}

// 1 + a K + b K^2
template <class Real>
LOCKSTEP_INLINE Mat3<Real> turn_polynomial(const Vec3<Real>& u, Real a, Real b) {
  const Mat3<Real> k = cross_matrix(u);
  return identity3<Real>() + k * a + (k * k) * b;
}

// below this angle the series is more exact than the closed form
inline constexpr double small_angle = 1e-3;

// how the vector from b to a (subtract in quat.h) changes when a turns, and when b turns
template <class Real>
struct DifferenceDerivative {
  Mat3<Real> by_a, by_b;
};
template <class Real>
LOCKSTEP_FN DifferenceDerivative<Real> difference_derivative(const Quat<Real>& a,
                                                             const Quat<Real>& b) {
  const Vec3<Real> u = subtract(a, b);
  const Real t = norm(u), tt = t * t;
  const Mask<Real> small = t < Real(small_angle);
  const Real safe = select(small, Real(1), t);
  const SinCos<Real> half = sincos(safe * Real(0.5));
  // (1 + cos t) / sin t = cot(t / 2)
  const Real closed = (Real(1) - safe * Real(0.5) * half.cos / half.sin) / (safe * safe);
  const Real series = Real(1.0 / 12) + tt * Real(1.0 / 720);
  const Mat3<Real> by_a = turn_polynomial(u, Real(0.5), select(small, series, closed));
  return {by_a, transpose(by_a) * Real(-1)};
}

// how a quaternion that turns by vel for a time (integrate in quat.h) changes with the quaternion,
// the turn u = vel time, and the time
template <class Real>
struct IntegralDerivative {
  Mat3<Real> by_quat, by_turn;
  Vec3<Real> by_time;
};
template <class Real>
LOCKSTEP_FN IntegralDerivative<Real> integral_derivative(const Vec3<Real>& vel, Real time) {
  const Vec3<Real> u = vel * time;
  const Real t = norm(u), tt = t * t;
  const Mask<Real> small = t < Real(small_angle);
  const Real safe = select(small, Real(1), t), square = safe * safe;
  const SinCos<Real> full = sincos(safe);
  const Real one(1);
  // sin t / t, (1 - cos t) / t^2, (t - sin t) / t^3
  const Real a = select(small, one - tt * Real(1.0 / 6), full.sin / safe);
  const Real b = select(small, Real(0.5) - tt * Real(1.0 / 24), (one - full.cos) / square);
  const Real c =
      select(small, Real(1.0 / 6) - tt * Real(1.0 / 120), (safe - full.sin) / (square * safe));
  return {turn_polynomial(u, -a, b), turn_polynomial(u, -b, c), vel};
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
