// pack.h: Pack<T, W>, W worlds side by side, on the vector extensions of gcc and clang.
// a pack that fills one register is one vector; a wider one is a pair of halves. every operation
// gives in each lane the very bits that real.h gives for the plain number.
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

// ---- storage: W elements, and lane-by-lane application of a vector operation ----

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
template <class I, class E, int W>
LOCKSTEP_INLINE Wide<E, W> blend(const Wide<I, W, false>& m, const Wide<E, W, false>& a,
                                 const Wide<E, W, false>& b) {
  return {m.v ? a.v : b.v};
}
template <class I, class E, int W>
LOCKSTEP_INLINE Wide<E, W> blend(const Wide<I, W, true>& m, const Wide<E, W, true>& a,
                                 const Wide<E, W, true>& b) {
  return {blend(m.lo, a.lo, b.lo), blend(m.hi, a.hi, b.hi)};
}

// ---- mask: all bits of a lane set, or none ----

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

// sign bits of the lanes of a mask, lane 0 lowest.
template <class I, int W>
LOCKSTEP_INLINE unsigned lane_bits(const Wide<I, W, false>& m) {
#if defined(__AVX512DQ__)
  if constexpr (sizeof(m) == 64 && sizeof(I) == 8) return _mm512_movepi64_mask((__m512i)m.v);
  if constexpr (sizeof(m) == 64 && sizeof(I) == 4) return _mm512_movepi32_mask((__m512i)m.v);
#endif
#if defined(__AVX__)
  if constexpr (sizeof(m) == 32 && sizeof(I) == 8) return _mm256_movemask_pd((__m256d)m.v);
  if constexpr (sizeof(m) == 32 && sizeof(I) == 4) return _mm256_movemask_ps((__m256)m.v);
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(m) == 16 && sizeof(I) == 8) return _mm_movemask_pd((__m128d)m.v);
  if constexpr (sizeof(m) == 16 && sizeof(I) == 4) return _mm_movemask_ps((__m128)m.v);
#endif
  unsigned bits = 0;
  for (int i = 0; i < W; ++i) bits |= unsigned(m.v[i] < 0) << i;
  return bits;
}
template <class I, int W>
LOCKSTEP_INLINE unsigned lane_bits(const Wide<I, W, true>& m) {
  return lane_bits(m.lo) | lane_bits(m.hi) << (W / 2);
}

template <class T, int W>
struct PackMask {
  using Int = typename PackElement<T>::Int;
  Wide<Int, W> m;

  PackMask() = default;
  LOCKSTEP_INLINE PackMask(bool b) : m(Wide<Int, W>::broadcast(-Int(b))) {}
  LOCKSTEP_INLINE explicit PackMask(const Wide<Int, W>& wide) : m(wide) {}

  friend LOCKSTEP_INLINE PackMask operator&&(const PackMask& a, const PackMask& b) {
    return PackMask(apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return x & y; }, a.m, b.m));
  }
  friend LOCKSTEP_INLINE PackMask operator||(const PackMask& a, const PackMask& b) {
    return PackMask(apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return x | y; }, a.m, b.m));
  }
  friend LOCKSTEP_INLINE PackMask operator!(const PackMask& a) {
    return PackMask(apply<Int>([](auto x) LOCKSTEP_LAMBDA { return ~x; }, a.m));
  }
  friend LOCKSTEP_INLINE bool any(const PackMask& a) { return lane_bits(a.m) != 0; }
  friend LOCKSTEP_INLINE bool all(const PackMask& a) { return lane_bits(a.m) == (1u << W) - 1; }
  friend LOCKSTEP_INLINE PackMask select(const PackMask& s, const PackMask& a, const PackMask& b) {
    return PackMask(blend(s.m, a.m, b.m));
  }
  friend LOCKSTEP_INLINE bool lane(const PackMask& a, int i) { return a.m.get(i) != 0; }
  friend LOCKSTEP_INLINE void set_lane(PackMask& a, int i, bool v) { a.m.set(i, -Int(v)); }
};

// ---- bit patterns ----

template <class T, int W>
struct PackBits {
  using U = typename PackElement<T>::Bits;
  using Int = typename PackElement<T>::Int;
  Wide<U, W> v;

  PackBits() = default;
  LOCKSTEP_INLINE PackBits(U s) : v(Wide<U, W>::broadcast(s)) {}
  LOCKSTEP_INLINE explicit PackBits(const Wide<U, W>& wide) : v(wide) {}

  friend LOCKSTEP_INLINE PackBits operator+(const PackBits& a, const PackBits& b) {
    return PackBits(apply<U>([](auto x, auto y) LOCKSTEP_LAMBDA { return x + y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE PackBits operator-(const PackBits& a, const PackBits& b) {
    return PackBits(apply<U>([](auto x, auto y) LOCKSTEP_LAMBDA { return x - y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE PackBits operator&(const PackBits& a, const PackBits& b) {
    return PackBits(apply<U>([](auto x, auto y) LOCKSTEP_LAMBDA { return x & y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE PackBits operator|(const PackBits& a, const PackBits& b) {
    return PackBits(apply<U>([](auto x, auto y) LOCKSTEP_LAMBDA { return x | y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE PackBits operator^(const PackBits& a, const PackBits& b) {
    return PackBits(apply<U>([](auto x, auto y) LOCKSTEP_LAMBDA { return x ^ y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE PackBits operator<<(const PackBits& a, int n) {
    return PackBits(apply<U>([n](auto x) LOCKSTEP_LAMBDA { return x << n; }, a.v));
  }
  friend LOCKSTEP_INLINE PackBits operator>>(const PackBits& a, int n) {
    return PackBits(apply<U>([n](auto x) LOCKSTEP_LAMBDA { return x >> n; }, a.v));
  }
  friend LOCKSTEP_INLINE PackMask<T, W> operator==(const PackBits& a, const PackBits& b) {
    return PackMask<T, W>(
        apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return x == y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE U lane(const PackBits& a, int i) { return a.v.get(i); }
};

// ---- square root: the one operation the vector extensions lack ----

template <class T, int W>
LOCKSTEP_INLINE Wide<T, W> wide_sqrt(const Wide<T, W, false>& a) {
  using V = typename Wide<T, W>::V;
#if defined(__AVX512F__)
  // with a mask of all lanes: g++ 12 warns of its own header otherwise
  if constexpr (sizeof(a) == 64 && sizeof(T) == 8) {
    return {(V)_mm512_maskz_sqrt_pd(__mmask8(-1), (__m512d)a.v)};
  }
  if constexpr (sizeof(a) == 64 && sizeof(T) == 4) {
    return {(V)_mm512_maskz_sqrt_ps(__mmask16(-1), (__m512)a.v)};
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(a) == 32 && sizeof(T) == 8) return {(V)_mm256_sqrt_pd((__m256d)a.v)};
  if constexpr (sizeof(a) == 32 && sizeof(T) == 4) return {(V)_mm256_sqrt_ps((__m256)a.v)};
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(a) == 16 && sizeof(T) == 8) return {(V)_mm_sqrt_pd((__m128d)a.v)};
  if constexpr (sizeof(a) == 16 && sizeof(T) == 4) return {(V)_mm_sqrt_ps((__m128)a.v)};
#endif
  Wide<T, W> r = a;
  for (int i = 0; i < W; ++i) r.v[i] = sqrt(a.get(i));
  return r;
}
template <class T, int W>
LOCKSTEP_INLINE Wide<T, W> wide_sqrt(const Wide<T, W, true>& a) {
  return {wide_sqrt(a.lo), wide_sqrt(a.hi)};
}

// ---- the pack ----

template <class T, int W>
struct Pack;
template <class T, int W>
LOCKSTEP_INLINE Pack<T, W> from_bits(const PackBits<T, W>& b);

template <class T, int W>
struct Pack {
  using Int = typename PackElement<T>::Int;
  using Mask = PackMask<T, W>;
  using Bits = PackBits<T, W>;
  Wide<T, W> v;

  Pack() = default;
  LOCKSTEP_INLINE Pack(double s) : v(Wide<T, W>::broadcast(T(s))) {}
  LOCKSTEP_INLINE explicit Pack(const Wide<T, W>& wide) : v(wide) {}

  friend LOCKSTEP_INLINE Pack operator+(const Pack& a, const Pack& b) {
    return Pack(apply<T>([](auto x, auto y) LOCKSTEP_LAMBDA { return x + y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE Pack operator-(const Pack& a, const Pack& b) {
    return Pack(apply<T>([](auto x, auto y) LOCKSTEP_LAMBDA { return x - y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE Pack operator*(const Pack& a, const Pack& b) {
    return Pack(apply<T>([](auto x, auto y) LOCKSTEP_LAMBDA { return x * y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE Pack operator/(const Pack& a, const Pack& b) {
    return Pack(apply<T>([](auto x, auto y) LOCKSTEP_LAMBDA { return x / y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE Pack operator-(const Pack& a) {
    return Pack(apply<T>([](auto x) LOCKSTEP_LAMBDA { return -x; }, a.v));
  }
  LOCKSTEP_INLINE Pack& operator+=(const Pack& b) { return *this = *this + b; }
  LOCKSTEP_INLINE Pack& operator-=(const Pack& b) { return *this = *this - b; }
  LOCKSTEP_INLINE Pack& operator*=(const Pack& b) { return *this = *this * b; }
  LOCKSTEP_INLINE Pack& operator/=(const Pack& b) { return *this = *this / b; }

  friend LOCKSTEP_INLINE Mask operator<(const Pack& a, const Pack& b) {
    return Mask(apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return x < y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE Mask operator<=(const Pack& a, const Pack& b) {
    return Mask(apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return x <= y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE Mask operator==(const Pack& a, const Pack& b) {
    return Mask(apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return x == y; }, a.v, b.v));
  }
  friend LOCKSTEP_INLINE Mask operator!=(const Pack& a, const Pack& b) { return !(a == b); }
  friend LOCKSTEP_INLINE Mask operator>(const Pack& a, const Pack& b) { return b < a; }
  friend LOCKSTEP_INLINE Mask operator>=(const Pack& a, const Pack& b) { return b <= a; }

  friend LOCKSTEP_INLINE Pack select(const Mask& m, const Pack& a, const Pack& b) {
    return Pack(blend(m.m, a.v, b.v));
  }
  friend LOCKSTEP_INLINE Pack min(const Pack& a, const Pack& b) { return select(a < b, a, b); }
  friend LOCKSTEP_INLINE Pack max(const Pack& a, const Pack& b) { return select(a > b, a, b); }
  friend LOCKSTEP_INLINE Pack sqrt(const Pack& a) { return Pack(wide_sqrt(a.v)); }
  friend LOCKSTEP_INLINE Bits to_bits(const Pack& a) {
    return Bits(apply<typename Bits::U>([](auto x) LOCKSTEP_LAMBDA { return x; }, a.v));
  }
  friend LOCKSTEP_INLINE Pack abs(const Pack& a) {
    return from_bits(to_bits(a) & Bits(~sign_bit<T>));
  }
  friend LOCKSTEP_INLINE Pack copysign(const Pack& a, const Pack& b) {
    return from_bits((to_bits(a) & Bits(~sign_bit<T>)) | (to_bits(b) & Bits(sign_bit<T>)));
  }
  friend LOCKSTEP_INLINE T lane(const Pack& a, int i) { return a.v.get(i); }
  friend LOCKSTEP_INLINE void set_lane(Pack& a, int i, T s) { a.v.set(i, s); }
};
template <class T, int W>
LOCKSTEP_INLINE Pack<T, W> from_bits(const PackBits<T, W>& b) {
  return Pack<T, W>(apply<T>([](auto x) LOCKSTEP_LAMBDA { return x; }, b.v));
}

// ---- between float and double lanes ----

template <class To, class From, int W>
LOCKSTEP_INLINE Wide<To, W> convert(const Wide<From, W>& a) {
  if constexpr (W * 8 <= register_bytes) {
    return {__builtin_convertvector(a.v, typename Wide<To, W>::V)};
  } else {
    // the double side is a pair; the float side may still be one register.
    Wide<From, W / 2> from[2];
    __builtin_memcpy(from, &a, sizeof(a));
    const Wide<To, W / 2> to[2] = {convert<To>(from[0]), convert<To>(from[1])};
    Wide<To, W> r;
    __builtin_memcpy(&r, to, sizeof(r));
    return r;
  }
}
template <int W>
LOCKSTEP_INLINE Pack<double, W> to_double(const Pack<float, W>& a) {
  return Pack<double, W>(convert<double>(a.v));
}
template <int W>
LOCKSTEP_INLINE Pack<double, W> to_double(const Pack<double, W>& a) {
  return a;
}

template <class T, int W>
struct RealTraits<Pack<T, W>> {
  using Scalar = T;
  using Mask = PackMask<T, W>;
  using Bits = PackBits<T, W>;
  using Double = Pack<double, W>;
  static constexpr int lanes = W;
  static LOCKSTEP_INLINE Pack<T, W> from_double(const Double& x) {
    if constexpr (sizeof(T) == 8) {
      return x;
    } else {
      return Pack<T, W>(convert<T>(x.v));
    }
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
