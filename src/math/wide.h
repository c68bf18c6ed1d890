// wide.h: W numbers side by side, on the vector extensions of gcc and clang. What fills one
// register is one vector; what is wider is a pair of halves.
#pragma once

#include "math/real.h"
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace lockstep {
inline namespace LOCKSTEP_ISA {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <class E, int W, bool split = (W * int(sizeof(E)) > register_bytes)>
struct Wide {
  static_assert(W >= 2 && (W & (W - 1)) == 0, "lanes come in powers of two");
  typedef E V __attribute__((vector_size(W * sizeof(E))));
  V v;
  static LOCKSTEP_INLINE Wide broadcast(E s) { return {s - V{}}; }
  LOCKSTEP_INLINE E get(int i) const { return v[i]; }
  LOCKSTEP_INLINE void set(int i, E s) { v[i] = s; }
};

template <class E, int W>
struct Wide<E, W, true> {
  using Half = Wide<E, W / 2>;
  Half lo, hi;
  static LOCKSTEP_INLINE Wide broadcast(E s) { return {Half::broadcast(s), Half::broadcast(s)}; }
  LOCKSTEP_INLINE E get(int i) const { return i < W / 2 ? lo.get(i) : hi.get(i - W / 2); }
  LOCKSTEP_INLINE void set(int i, E s) { i < W / 2 ? lo.set(i, s) : hi.set(i - W / 2, s); }
};

// f on each register of the operands; R is the element of the result.
template <class R, class E, int W, class F>
LOCKSTEP_INLINE Wide<R, W> apply(F f, const Wide<E, W, false>& a) {
  return {(typename Wide<R, W>::V)f(a.v)};
}
template <class R, class E, int W, class F>
LOCKSTEP_INLINE Wide<R, W> apply(F f, const Wide<E, W, true>& a) {
  return {apply<R>(f, a.lo), apply<R>(f, a.hi)};
}
template <class R, class E, int W, class F>
LOCKSTEP_INLINE Wide<R, W> apply(F f, const Wide<E, W, false>& a, const Wide<E, W, false>& b) {
  return {(typename Wide<R, W>::V)f(a.v, b.v)};
}
template <class R, class E, int W, class F>
LOCKSTEP_INLINE Wide<R, W> apply(F f, const Wide<E, W, true>& a, const Wide<E, W, true>& b) {
  return {apply<R>(f, a.lo, b.lo), apply<R>(f, a.hi, b.hi)};
}

// integers of the size of a number
template <class T>
struct PackElement;
template <>
struct PackElement<double> {
  using Int = int64_t;
  using Bits = uint64_t;
};
template <>
struct PackElement<float> {
  using Int = int32_t;
  using Bits = uint32_t;
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
