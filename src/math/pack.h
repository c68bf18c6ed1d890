// pack.h: Pack<T, W>, W worlds side by side. Every operation gives in each lane the very bits that
// real.h gives for the plain number.
#pragma once

#include "math/pack_mask.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// ---- bit patterns ----

template <class T, int W>
struct PackBits {
  using U = typename PackElement<T>::Bits;
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
    return PackMask<T, W>::template where<Order::equal>(a.v, b.v);
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

// ---- smaller and larger: x86 has instructions that answer as real.h does ----

template <class T, int W>
LOCKSTEP_INLINE Wide<T, W> wide_min(const Wide<T, W, false>& a, const Wide<T, W, false>& b) {
  using V = typename Wide<T, W>::V;
#if defined(__AVX512F__)
  if constexpr (sizeof(a) == 64 && sizeof(T) == 8) {
    return {(V)_mm512_maskz_min_pd(__mmask8(-1), (__m512d)a.v, (__m512d)b.v)};
  }
  if constexpr (sizeof(a) == 64 && sizeof(T) == 4) {
    return {(V)_mm512_maskz_min_ps(__mmask16(-1), (__m512)a.v, (__m512)b.v)};
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(a) == 32 && sizeof(T) == 8) {
    return {(V)_mm256_min_pd((__m256d)a.v, (__m256d)b.v)};
  }
  if constexpr (sizeof(a) == 32 && sizeof(T) == 4) {
    return {(V)_mm256_min_ps((__m256)a.v, (__m256)b.v)};
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(a) == 16 && sizeof(T) == 8) {
    return {(V)_mm_min_pd((__m128d)a.v, (__m128d)b.v)};
  }
  if constexpr (sizeof(a) == 16 && sizeof(T) == 4) {
    return {(V)_mm_min_ps((__m128)a.v, (__m128)b.v)};
  }
#endif
  return {a.v < b.v ? a.v : b.v};
}
template <class T, int W>
LOCKSTEP_INLINE Wide<T, W> wide_min(const Wide<T, W, true>& a, const Wide<T, W, true>& b) {
  return {wide_min(a.lo, b.lo), wide_min(a.hi, b.hi)};
}
template <class T, int W>
LOCKSTEP_INLINE Wide<T, W> wide_max(const Wide<T, W, false>& a, const Wide<T, W, false>& b) {
  using V = typename Wide<T, W>::V;
#if defined(__AVX512F__)
  if constexpr (sizeof(a) == 64 && sizeof(T) == 8) {
    return {(V)_mm512_maskz_max_pd(__mmask8(-1), (__m512d)a.v, (__m512d)b.v)};
  }
  if constexpr (sizeof(a) == 64 && sizeof(T) == 4) {
    return {(V)_mm512_maskz_max_ps(__mmask16(-1), (__m512)a.v, (__m512)b.v)};
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(a) == 32 && sizeof(T) == 8) {
    return {(V)_mm256_max_pd((__m256d)a.v, (__m256d)b.v)};
  }
  if constexpr (sizeof(a) == 32 && sizeof(T) == 4) {
    return {(V)_mm256_max_ps((__m256)a.v, (__m256)b.v)};
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(a) == 16 && sizeof(T) == 8) {
    return {(V)_mm_max_pd((__m128d)a.v, (__m128d)b.v)};
  }
  if constexpr (sizeof(a) == 16 && sizeof(T) == 4) {
    return {(V)_mm_max_ps((__m128)a.v, (__m128)b.v)};
  }
#endif
  return {a.v > b.v ? a.v : b.v};
}
template <class T, int W>
LOCKSTEP_INLINE Wide<T, W> wide_max(const Wide<T, W, true>& a, const Wide<T, W, true>& b) {
  return {wide_max(a.lo, b.lo), wide_max(a.hi, b.hi)};
}

// ---- the pack ----

template <class T, int W>
struct Pack;
template <class T, int W>
LOCKSTEP_INLINE Pack<T, W> from_bits(const PackBits<T, W>& b);

template <class T, int W>
struct Pack {
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
    return Mask::template where<Order::less>(a.v, b.v);
  }
  friend LOCKSTEP_INLINE Mask operator<=(const Pack& a, const Pack& b) {
    return Mask::template where<Order::less_equal>(a.v, b.v);
  }
  friend LOCKSTEP_INLINE Mask operator==(const Pack& a, const Pack& b) {
    return Mask::template where<Order::equal>(a.v, b.v);
  }
  friend LOCKSTEP_INLINE Mask operator!=(const Pack& a, const Pack& b) { return !(a == b); }
  friend LOCKSTEP_INLINE Mask operator>(const Pack& a, const Pack& b) { return b < a; }
  friend LOCKSTEP_INLINE Mask operator>=(const Pack& a, const Pack& b) { return b <= a; }

  friend LOCKSTEP_INLINE Pack select(const Mask& m, const Pack& a, const Pack& b) {
    return Pack(m.blend(a.v, b.v));
  }
  friend LOCKSTEP_INLINE Pack min(const Pack& a, const Pack& b) { return Pack(wide_min(a.v, b.v)); }
  friend LOCKSTEP_INLINE Pack max(const Pack& a, const Pack& b) { return Pack(wide_max(a.v, b.v)); }
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
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
template <class T, int W>
LOCKSTEP_INLINE Pack<T, W> held(Pack<T, W> x) {
  if constexpr (sizeof(x) <= register_bytes) asm("" : "+v"(x.v.v));
  return x;
}
#endif
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
