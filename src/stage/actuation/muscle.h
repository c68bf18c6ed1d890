// muscle.h: active and passive force of a muscle, and how excitation becomes activation.
//   gain = -F0 FL(L) FV(V);   bias = -F0 FP(L);   act_dot = (ctrl - act) / tau(ctrl, act)
// lengths count in optimal lengths L0, velocities in L0 vmax; forces pull, so that they are
// negative
#pragma once

#include "math/elementary.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// parameters of gain and bias, as they stand in gainprm and biasprm
template <class Real>
struct Muscle {
  const Real* prm;          // range[2] force scale lmin lmax vmax fpmax fvmax
  const Real* lengthrange;  // of the actuator
  Real acc0;

  LOCKSTEP_INLINE static Real above_zero(Real x) { return max(Real(min_val), x); }
  LOCKSTEP_INLINE Real lmin() const { return prm[4]; }
  LOCKSTEP_INLINE Real lmax() const { return prm[5]; }
  LOCKSTEP_INLINE Real fpmax() const { return prm[7]; }
  LOCKSTEP_INLINE Real fvmax() const { return prm[8]; }

  // force at rest; a negative one asks for scale / acc0
  LOCKSTEP_INLINE Real peak_force() const {
    return select(prm[2] < Real(0), prm[3] / above_zero(acc0), prm[2]);
  }
  LOCKSTEP_INLINE Real optimal_length() const {
    return (lengthrange[1] - lengthrange[0]) / above_zero(prm[1] - prm[0]);
  }
  LOCKSTEP_INLINE Real unit_length(Real length) const {
    return prm[0] + (length - lengthrange[0]) / above_zero(optimal_length());
  }
  LOCKSTEP_INLINE Real unit_speed() const { return above_zero(optimal_length() * prm[6]); }
};

// FL: two parabolas up to 1 at the optimum, two down again
template <class Real>
LOCKSTEP_FN Real muscle_length_curve(Real length, Real lmin, Real lmax) {
  const Real one(1), half(0.5), tiny(min_val);
  const Real a = half * (lmin + one), b = half * (one + lmax);
  const Real rise = (length - lmin) / max(tiny, a - lmin);
  const Real before = (one - length) / max(tiny, one - a);
  const Real after = (length - one) / max(tiny, b - one);
  const Real fall = (lmax - length) / max(tiny, lmax - b);
  const Real curve =
      select(length <= a, half * rise * rise,
             select(length <= one, one - half * before * before,
                    select(length <= b, one - half * after * after, half * fall * fall)));
  return select(lmin <= length && length <= lmax, curve, Real(0));
}

// dFL / d length
template <class Real>
LOCKSTEP_FN Real muscle_length_slope(Real length, Real lmin, Real lmax) {
  const Real one(1), half(0.5), tiny(min_val);
  const Real a = half * (lmin + one), b = half * (one + lmax);
  const Real wa = max(tiny, a - lmin), wb = max(tiny, one - a);
  const Real wc = max(tiny, b - one), wd = max(tiny, lmax - b);
  const Real slope =
      select(length <= a, (length - lmin) / (wa * wa),
             select(length <= one, (one - length) / (wb * wb),
                    select(length <= b, (one - length) / (wc * wc), (length - lmax) / (wd * wd))));
  return select(lmin <= length && length <= lmax, slope, Real(0));
}

// FV: from 0 at full shortening over 1 at rest to fvmax
template <class Real>
LOCKSTEP_FN Real muscle_speed_curve(Real speed, Real fvmax) {
  const Real one(1), y = fvmax - one;
  const Real shorten = (speed + one) * (speed + one);
  const Real lengthen = fvmax - (y - speed) * (y - speed) / max(Real(min_val), y);
  return select(speed <= -one, Real(0),
                select(speed <= Real(0), shorten, select(speed <= y, lengthen, fvmax)));
}

// dFV / d speed
template <class Real>
LOCKSTEP_FN Real muscle_speed_slope(Real speed, Real fvmax) {
  const Real two(2), y = fvmax - Real(1);
  const Real shorten = two * speed + two;
  const Real lengthen = (two * y - two * speed) / max(Real(min_val), y);
  return select(speed <= Real(-1), Real(0),
                select(speed <= Real(0), shorten, select(speed <= y, lengthen, Real(0))));
}

template <class Real>
LOCKSTEP_FN Real muscle_gain(const Muscle<Real>& muscle, Real length, Real velocity) {
  const Real fl = muscle_length_curve(muscle.unit_length(length), muscle.lmin(), muscle.lmax());
  const Real fv = muscle_speed_curve(velocity / muscle.unit_speed(), muscle.fvmax());
  return -muscle.peak_force() * fl * fv;
}

// d gain / d velocity
template <class Real>
LOCKSTEP_FN Real muscle_gain_vel(const Muscle<Real>& muscle, Real length, Real velocity) {
  const Real fl = muscle_length_curve(muscle.unit_length(length), muscle.lmin(), muscle.lmax());
  const Real slope = muscle_speed_slope(velocity / muscle.unit_speed(), muscle.fvmax());
  return -muscle.peak_force() * fl * slope / muscle.unit_speed();
}

// d gain / d length
template <class Real>
LOCKSTEP_FN Real muscle_gain_len(const Muscle<Real>& muscle, Real length, Real velocity) {
  const Real slope = muscle_length_slope(muscle.unit_length(length), muscle.lmin(), muscle.lmax());
  const Real fv = muscle_speed_curve(velocity / muscle.unit_speed(), muscle.fvmax());
  return -muscle.peak_force() * slope * fv / max(Real(min_val), muscle.optimal_length());
}

// FP: a parabola beyond the optimum, then a straight line
template <class Real>
LOCKSTEP_FN Real muscle_bias(const Muscle<Real>& muscle, Real length) {
  const Real one(1), half(0.5), at = muscle.unit_length(length);
  const Real b = half * (one + muscle.lmax()), width = max(Real(min_val), b - one);
  const Real near = (at - one) / width, far = (at - b) / width;
  const Real full = -muscle.peak_force() * muscle.fpmax();
  return select(at <= one, Real(0),
                select(at <= b, full * half * near * near, full * (half + far)));
}

// d bias / d length
template <class Real>
LOCKSTEP_FN Real muscle_bias_len(const Muscle<Real>& muscle, Real length) {
  const Real one(1), at = muscle.unit_length(length);
  const Real b = Real(0.5) * (one + muscle.lmax()), width = max(Real(min_val), b - one);
  const Real full = -muscle.peak_force() * muscle.fpmax();
  const Real slope = select(at <= b, (at - one) / (width * width), one / width);
  return select(at <= one, Real(0), full * slope / max(Real(min_val), muscle.optimal_length()));
}

// smooth step from 0 to 1 on [0, 1] with two continuous derivatives
template <class Real>
LOCKSTEP_FN Real smooth_step(Real x) {
  const Real inner = x * x * x * (Real(3) * x * (Real(2) * x - Real(5)) + Real(10));
  return select(x <= Real(0), Real(0), select(x >= Real(1), Real(1), inner));
}

// prm: time constants of activation and deactivation, width of the passage between them
template <class Real>
LOCKSTEP_FN Real muscle_dynamics(Real ctrl, Real act, const Real* prm) {
  const Real pace = Real(0.5) + Real(1.5) * clamp(act, Real(0), Real(1));
  const Real up = prm[0] * pace, down = prm[1] / pace, width = prm[2];
  const Real way = clamp(ctrl, Real(0), Real(1)) - act;
  const Mask<Real> sharp = width < Real(min_val);
  const Real share = smooth_step(way / select(sharp, Real(1), width) + Real(0.5));
  const Real tau = select(sharp, select(way > Real(0), up, down), down + (up - down) * share);
  return way / max(Real(min_val), tau);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
