// impedance.h: how hard a constraint pushes and how fast it wants to close. Not a stage.
//   impedance d(r) rises from dmin to dmax over |r - margin| <= width, along a power spline
//   standard form of solref: K = 1 / (dmax tc zeta)^2, B = 2 / (dmax tc);   direct form: K = -ref0
//   / dmax^2, B = -ref1 / dmax
#pragma once

#include "math/elementary.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double min_impedance = 0.0001, max_impedance = 0.9999;
inline constexpr double hardest = (1 - max_impedance) / max_impedance;  // least (1 - d) / d
inline constexpr double default_time_constant = 0.02, default_damping_ratio = 1;

// a reference as written; both numbers have one sign
template <class Real>
struct Reference {
  Real first, second;

  LOCKSTEP_INLINE Mask<Real> mixed() const {
    const Mask<Real> a = first > Real(0), b = second > Real(0);
    return (a && !b) || (b && !a);
  }
};

// springs and dampers of rows act at the end of the step
template <class Real>
LOCKSTEP_INLINE bool steps_discretely(const ModelView<Real>& m) {
  return m.opt.integrator == code(Integrator::discrete);
}

// the reference of a constraint. no spring is faster than two steps, unless the user wants it so
// or the step can take it
template <class Real>
LOCKSTEP_INLINE Reference<Real> safe_reference(const ModelView<Real>& m, Reference<Real> ref,
                                               Reference<Real> if_mixed) {
  const Mask<Real> mixed = ref.mixed();
  ref = {select(mixed, if_mixed.first, ref.first), select(mixed, if_mixed.second, ref.second)};
  if ((m.opt.disableflags & code(DisableBit::refsafe)) || steps_discretely(m)) return ref;
  const Real shortest = Real(2) * m.opt.timestep;
  ref.first = select(ref.first > Real(0), max(ref.first, shortest), ref.first);
  return ref;
}
template <class Real>
LOCKSTEP_INLINE Reference<Real> load_reference(const ModelView<Real>& m, const Real* solref) {
  return safe_reference<Real>(m, {solref[0], solref[1]},
                              {Real(default_time_constant), Real(default_damping_ratio)});
}

// the numbers of solimp, in their ranges
template <class Real>
struct ImpedanceCurve {
  Real low, high, width, middle, power;
};
template <class Real>
LOCKSTEP_INLINE ImpedanceCurve<Real> load_curve(const Real* solimp) {
  const auto share = [](Real x) { return min(Real(max_impedance), max(Real(min_impedance), x)); };
  return {share(solimp[0]), share(solimp[1]), max(Real(0), solimp[2]), share(solimp[3]),
          max(Real(1), solimp[4])};
}

template <class Real>
struct Impedance {
  Real value, slope;
};

// x^p where the mask holds; most models have p = 1 or 2
template <class Real>
LOCKSTEP_INLINE Real quick_pow(Mask<Real> where, Real x, Real p) {
  const Mask<Real> one = p == Real(1), two = p == Real(2), rare = where && !one && !two;
  Real y = select(one, x, x * x);
  if (any(rare)) {
    y = select(rare, pow(select(rare, x, Real(1)), select(rare, p, Real(1))), y);
  }
  return y;
}

template <class Real>
LOCKSTEP_FN Impedance<Real> impedance_at(const ImpedanceCurve<Real>& c, Real violation) {
  const Real one(1), zero(0);
  const Mask<Real> flat = c.low == c.high || c.width <= Real(min_val);
  const Real place = violation / select(flat, one, c.width), x = abs(place);
  const Mask<Real> curved = !flat && x < one && x > zero;
  Impedance<Real> result{
      select(flat, Real(0.5) * (c.low + c.high), select(x >= one, c.high, c.low)), zero};
  if (!any(curved)) return result;
  // two powers that meet at the middle
  const Mask<Real> first = x <= c.middle, bent = curved && c.power != one;
  const Real base = select(first, x, one - x), knee = select(first, c.middle, one - c.middle);
  const Real scale = one / quick_pow<Real>(bent, knee, c.power - one);
  const Real part = scale * quick_pow<Real>(bent, base, c.power);
  const Real steep = c.power * scale * quick_pow<Real>(bent, base, c.power - one);
  const Real y = select(bent, select(first, part, one - part), x);
  const Real rise = select(bent, steep, one) * select(place < zero, Real(-1), one);
  result.value = select(curved, c.low + y * (c.high - c.low), result.value);
  result.slope = select(curved, rise * (c.high - c.low) / select(flat, one, c.width), zero);
  return result;
}

// spring and damper of a row; `spring` false: the row resists motion only
template <class Real>
struct Stiffness {
  Real K, B;
};
template <class Real>
LOCKSTEP_INLINE Stiffness<Real> stiffness_of(const Reference<Real>& ref, Real high, bool spring) {
  const Real zero(0), least(min_val);
  Stiffness<Real> s{zero, zero};
  if (spring) {
    const Real standard =
        Real(1) / max(least, high * high * ref.first * ref.first * ref.second * ref.second);
    s.K = select(ref.first > zero, standard, -ref.first / max(least, high * high));
  }
  s.B = select(ref.second > zero, Real(2) / max(least, high * ref.first),
               -ref.second / max(least, high));
  return s;
}

// discrete steps: a spring of a limit or contact that is faster than a step closes in one step
template <class Real>
LOCKSTEP_INLINE Stiffness<Real> within_a_step(const ModelView<Real>& m, const Reference<Real>& ref,
                                              Stiffness<Real> s, Real impedance) {
  if (!steps_discretely(m) || (m.opt.disableflags & code(DisableBit::refsafe))) return s;
  const Real h = m.opt.timestep, K = Real(1) / (h * h * impedance);
  const Mask<Real> fast = ref.first > Real(0) && s.K > K;
  // the damper hardens the row too (row_gain), at most to the hardest impedance
  const Real softness = (Real(1) - impedance) / impedance;
  const Real most = max(softness / Real(hardest) - Real(2), Real(0)) / h;
  const Real B = min(Real(2) * ref.second * sqrt(K), most);
  return {select(fast, K, s.K), select(fast, B, s.B)};
}

// discrete steps: what a row resists at the end of the step beside its own acceleration, as if it
// had g times the inertia.   g = 1 + h B + h^2 K d
template <class Real>
LOCKSTEP_INLINE Real row_gain(const ModelView<Real>& m, const Real* kbip) {
  const Real h = m.opt.timestep;
  return Real(1) + h * kbip[1] + h * h * kbip[0] * kbip[2];
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
