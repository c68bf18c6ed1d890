// real.h: what a kernel may ask of a number, for plain float and double (one lane).
// pack.h answers the same questions for many lanes. one stated answer for signed zeros and NaN;
// the sign and payload of a NaN result are never part of an answer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "math/isa.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// ---- traits: the element type, the mask of a comparison, the bit pattern, the number of lanes
// ----

template <class Real>
struct RealTraits;

template <>
struct RealTraits<double> {
  using Scalar = double;
  using Mask = bool;
  using Bits = uint64_t;
  using Double = double;  // the same lanes in double precision
  static constexpr int lanes = 1;
  static LOCKSTEP_INLINE double from_double(double x) { return x; }
};

template <>
struct RealTraits<float> {
  using Scalar = float;
  using Mask = bool;
  using Bits = uint32_t;
  using Double = double;
  static constexpr int lanes = 1;
  static LOCKSTEP_INLINE float from_double(double x) { return float(x); }
};

template <class Real>
using Scalar = typename RealTraits<Real>::Scalar;
template <class Real>
using Mask = typename RealTraits<Real>::Mask;
template <class Real>
using Bits = typename RealTraits<Real>::Bits;
template <class Real>
inline constexpr int lanes = RealTraits<Real>::lanes;

// ---- lanes: trivial for one lane ----

LOCKSTEP_INLINE double lane(double x, int) { return x; }
LOCKSTEP_INLINE float lane(float x, int) { return x; }
LOCKSTEP_INLINE bool lane(bool m, int) { return m; }
LOCKSTEP_INLINE void set_lane(double& x, int, double v) { x = v; }
LOCKSTEP_INLINE void set_lane(float& x, int, float v) { x = v; }
LOCKSTEP_INLINE void set_lane(bool& m, int, bool v) { m = v; }

// calls f(lane index) for every lane, in order.
template <class Real, class F>
LOCKSTEP_INLINE void for_each_lane(F&& f) {
  for (int i = 0; i < lanes<Real>; ++i) f(i);
}

// the lanes where a mask holds, a bit each, lane 0 lowest.
LOCKSTEP_INLINE unsigned lanes_in(bool m) { return m; }

// calls f(lane index) for them, in order.
template <class Real, class F>
LOCKSTEP_INLINE void for_each_lane(Mask<Real> m, F&& f) {
  if constexpr (lanes<Real> == 1) {
    if (m) f(0);
  } else {
    for (unsigned left = lanes_in(m); left; left &= left - 1) f(__builtin_ctz(left));
  }
}

// the same lanes in double precision.
LOCKSTEP_INLINE double to_double(double x) { return x; }
LOCKSTEP_INLINE double to_double(float x) { return double(x); }

// ---- masks: combine with && || !, which do not short-circuit on packs ----

LOCKSTEP_INLINE bool any(bool m) { return m; }
LOCKSTEP_INLINE bool all(bool m) { return m; }
LOCKSTEP_INLINE double select(bool m, double a, double b) { return m ? a : b; }
LOCKSTEP_INLINE float select(bool m, float a, float b) { return m ? a : b; }
LOCKSTEP_INLINE bool select(bool m, bool a, bool b) { return m ? a : b; }

// ---- bit patterns ----

LOCKSTEP_INLINE uint64_t to_bits(double x) { return __builtin_bit_cast(uint64_t, x); }
LOCKSTEP_INLINE uint32_t to_bits(float x) { return __builtin_bit_cast(uint32_t, x); }
LOCKSTEP_INLINE double from_bits(uint64_t b) { return __builtin_bit_cast(double, b); }
LOCKSTEP_INLINE float from_bits(uint32_t b) { return __builtin_bit_cast(float, b); }

template <class Scalar>
inline constexpr auto sign_bit = typename RealTraits<Scalar>::Bits(1) << (8 * sizeof(Scalar) - 1);

// ---- many numbers ----

template <class Real>
LOCKSTEP_INLINE void copy(const Real* from, int count, Real* to) {
  __builtin_memcpy(to, from, sizeof(Real) * size_t(count));
}

// ---- arithmetic with stated ties ----

// a where a < b, else b: equal values (signed zeros too) and NaN on either side give b.
LOCKSTEP_INLINE double min(double a, double b) { return a < b ? a : b; }
LOCKSTEP_INLINE float min(float a, float b) { return a < b ? a : b; }
LOCKSTEP_INLINE int min(int a, int b) { return a < b ? a : b; }
// a where a > b, else b: equal values and NaN on either side give b.
LOCKSTEP_INLINE double max(double a, double b) { return a > b ? a : b; }
LOCKSTEP_INLINE float max(float a, float b) { return a > b ? a : b; }
LOCKSTEP_INLINE int max(int a, int b) { return a > b ? a : b; }

// clears the sign bit, of -0 and NaN too.
LOCKSTEP_INLINE double abs(double x) { return __builtin_fabs(x); }
LOCKSTEP_INLINE float abs(float x) { return __builtin_fabsf(x); }
LOCKSTEP_INLINE int abs(int x) { return x < 0 ? -x : x; }

// magnitude of a with the sign bit of b.
LOCKSTEP_INLINE double copysign(double a, double b) { return __builtin_copysign(a, b); }
LOCKSTEP_INLINE float copysign(float a, float b) { return __builtin_copysignf(a, b); }

// correctly rounded; -0 stays -0, anything below 0 is NaN. the intrinsics keep errno out of it.
#if defined(__SSE2__)
LOCKSTEP_INLINE double sqrt(double x) { return _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set1_pd(x))); }
LOCKSTEP_INLINE float sqrt(float x) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }
#else
LOCKSTEP_INLINE double sqrt(double x) { return __builtin_sqrt(x); }
LOCKSTEP_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
#endif

template <class Real>
LOCKSTEP_INLINE Mask<Real> is_nan(Real x) {
  return x != x;
}

template <class Real>
LOCKSTEP_INLINE Mask<Real> is_finite(Real x) {
  return x - x == Real(0);
}

// lo below lo, hi above hi, else x itself: NaN stays NaN, and lo wins when lo > hi.
template <class Real>
LOCKSTEP_INLINE Real clamp(Real x, Real lo, Real hi) {
  return select(x < lo, lo, select(x > hi, hi, x));
}

// -1, 0 or 1; zeros of both signs and NaN give +0.
template <class Real>
LOCKSTEP_INLINE Real sign(Real x) {
  return select(x > Real(0), Real(1), select(x < Real(0), Real(-1), Real(0)));
}

// x itself, in a register: a compiler that reads a number again for each use may be slower than one
// that holds it
template <class Real>
LOCKSTEP_INLINE Real held(Real x) {
  return x;
}

template <class Real>
LOCKSTEP_INLINE Real square(Real x) {
  return x * x;
}

// below this a norm or a pivot counts as zero (MuJoCo's mjMINVAL).
inline constexpr double min_val = 1e-15;
inline constexpr double pi = 3.14159265358979323846;

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
