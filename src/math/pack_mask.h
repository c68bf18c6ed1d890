// pack_mask.h: which lanes of a pack. A comparison gives one; select() and branches take it.
// Most instruction sets keep masks in vectors, all bits of a lane set or none. AVX-512 has
// registers for them, a bit for each lane: a mask that went through a vector costs two instructions
// more each time it is used.
#pragma once

#include "math/wide.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

#if defined(__AVX512DQ__) && defined(__AVX512BW__)
inline constexpr int bytes_with_mask_register = 64;
#else
inline constexpr int bytes_with_mask_register = 0;
#endif

template <class T, int W, bool in_register = (W * int(sizeof(T)) == bytes_with_mask_register)>
struct PackMask;

enum class Order { less, less_equal, equal };

template <Order order, class V>
LOCKSTEP_INLINE auto holds(V a, V b) {
  if constexpr (order == Order::less) return a < b;
  if constexpr (order == Order::less_equal) return a <= b;
  if constexpr (order == Order::equal) return a == b;
}

// ---- masks in vectors ----

// sign bits of the lanes, lane 0 lowest
template <class I, int W>
LOCKSTEP_INLINE unsigned lane_bits(const Wide<I, W, false>& m) {
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

template <class I, class E, int W>
LOCKSTEP_INLINE Wide<E, W> blend_by(const Wide<I, W, false>& m, const Wide<E, W, false>& a,
                                    const Wide<E, W, false>& b) {
  return {m.v ? a.v : b.v};
}
template <class I, class E, int W>
LOCKSTEP_INLINE Wide<E, W> blend_by(const Wide<I, W, true>& m, const Wide<E, W, true>& a,
                                    const Wide<E, W, true>& b) {
  return {blend_by(m.lo, a.lo, b.lo), blend_by(m.hi, a.hi, b.hi)};
}

template <class T, int W>
struct PackMask<T, W, false> {
  using Int = typename PackElement<T>::Int;
  Wide<Int, W> m;

  PackMask() = default;
  LOCKSTEP_INLINE PackMask(bool b) : m(Wide<Int, W>::broadcast(-Int(b))) {}
  LOCKSTEP_INLINE explicit PackMask(const Wide<Int, W>& wide) : m(wide) {}
  template <Order order, class E>
  static LOCKSTEP_INLINE PackMask where(const Wide<E, W>& a, const Wide<E, W>& b) {
    return PackMask(
        apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return holds<order>(x, y); }, a, b));
  }
  LOCKSTEP_INLINE Wide<T, W> blend(const Wide<T, W>& a, const Wide<T, W>& b) const {
    return blend_by(m, a, b);
  }

  friend LOCKSTEP_INLINE PackMask operator&&(const PackMask& a, const PackMask& b) {
    return PackMask(apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return x & y; }, a.m, b.m));
  }
  friend LOCKSTEP_INLINE PackMask operator||(const PackMask& a, const PackMask& b) {
    return PackMask(apply<Int>([](auto x, auto y) LOCKSTEP_LAMBDA { return x | y; }, a.m, b.m));
  }
  friend LOCKSTEP_INLINE PackMask operator!(const PackMask& a) {
    return PackMask(apply<Int>([](auto x) LOCKSTEP_LAMBDA { return ~x; }, a.m));
  }
  friend LOCKSTEP_INLINE PackMask select(const PackMask& s, const PackMask& a, const PackMask& b) {
    return PackMask(blend_by(s.m, a.m, b.m));
  }
  friend LOCKSTEP_INLINE unsigned lanes_in(const PackMask& a) { return lane_bits(a.m); }
  friend LOCKSTEP_INLINE bool lane(const PackMask& a, int i) { return a.m.get(i) != 0; }
  friend LOCKSTEP_INLINE void set_lane(PackMask& a, int i, bool v) { a.m.set(i, -Int(v)); }
};

// ---- masks in registers of their own ----

#if defined(__AVX512DQ__) && defined(__AVX512BW__)
template <int W>
struct MaskRegister {
  using Type = __mmask16;
};
template <>
struct MaskRegister<8> {
  using Type = __mmask8;
};

template <class T, int W>
struct PackMask<T, W, true> {
  using Register = typename MaskRegister<W>::Type;
  Register m;

  PackMask() = default;
  LOCKSTEP_INLINE PackMask(bool b) : m(Register(-int(b))) {}
  static LOCKSTEP_INLINE PackMask of(unsigned bits) {
    PackMask mask;
    mask.m = Register(bits);
    return mask;
  }
  template <Order order>
  static LOCKSTEP_INLINE PackMask where(const Wide<T, W>& a, const Wide<T, W>& b) {
    constexpr int code = order == Order::less         ? _CMP_LT_OQ
                         : order == Order::less_equal ? _CMP_LE_OQ
                                                      : _CMP_EQ_OQ;
    if constexpr (sizeof(T) == 8) {
      return of(_mm512_cmp_pd_mask((__m512d)a.v, (__m512d)b.v, code));
    } else {
      return of(_mm512_cmp_ps_mask((__m512)a.v, (__m512)b.v, code));
    }
  }
  // of integers only whether they are equal
  template <Order order, class E>
  static LOCKSTEP_INLINE PackMask where(const Wide<E, W>& a, const Wide<E, W>& b) {
    static_assert(order == Order::equal);
    if constexpr (sizeof(E) == 8) {
      return of(_mm512_cmpeq_epi64_mask((__m512i)a.v, (__m512i)b.v));
    } else {
      return of(_mm512_cmpeq_epi32_mask((__m512i)a.v, (__m512i)b.v));
    }
  }
  LOCKSTEP_INLINE Wide<T, W> blend(const Wide<T, W>& a, const Wide<T, W>& b) const {
    using V = typename Wide<T, W>::V;
    if constexpr (sizeof(T) == 8) {
      return {(V)_mm512_mask_blend_pd(m, (__m512d)b.v, (__m512d)a.v)};
    } else {
      return {(V)_mm512_mask_blend_ps(m, (__m512)b.v, (__m512)a.v)};
    }
  }

  friend LOCKSTEP_INLINE PackMask operator&&(const PackMask& a, const PackMask& b) {
    return of(a.m & b.m);
  }
  friend LOCKSTEP_INLINE PackMask operator||(const PackMask& a, const PackMask& b) {
    return of(a.m | b.m);
  }
  friend LOCKSTEP_INLINE PackMask operator!(const PackMask& a) { return of(~unsigned(a.m)); }
  friend LOCKSTEP_INLINE PackMask select(const PackMask& s, const PackMask& a, const PackMask& b) {
    return of((s.m & a.m) | (~unsigned(s.m) & b.m));
  }
  friend LOCKSTEP_INLINE unsigned lanes_in(const PackMask& a) { return a.m; }
  friend LOCKSTEP_INLINE bool lane(const PackMask& a, int i) { return a.m >> i & 1; }
  friend LOCKSTEP_INLINE void set_lane(PackMask& a, int i, bool v) {
    a.m = Register((a.m & ~(1u << i)) | unsigned(v) << i);
  }
};
#endif

template <class T, int W>
LOCKSTEP_INLINE bool any(const PackMask<T, W>& a) {
  return lanes_in(a) != 0;
}
template <class T, int W>
LOCKSTEP_INLINE bool all(const PackMask<T, W>& a) {
  return lanes_in(a) == (1u << W) - 1;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
