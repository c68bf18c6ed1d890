// eight.h: numbers of one world taken eight at a time. Sums over them are eight sums, added up in
// one order, so that the bits do not depend on how many a register holds.
#pragma once

#include "math/pack.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class S>
using Eight = Pack<S, 8>;

// the next multiple of eight
LOCKSTEP_INLINE int eights(int n) { return (n + 7) / 8 * 8; }

// Eight in a row, from a place that is aligned for them. A vector may be read where its elements
// were written and the other way round; compilers know that nothing else changes.
template <class S>
LOCKSTEP_INLINE const Eight<S>& load_eight(const S* from) {
  return *reinterpret_cast<const Eight<S>*>(from);
}
template <class S>
LOCKSTEP_INLINE void store_eight(S* to, const Eight<S>& x) {
  *reinterpret_cast<Eight<S>*>(to) = x;
}
template <class S>
LOCKSTEP_INLINE Eight<S> eight_times(S x) {
  return Eight<S>(Wide<S, 8>::broadcast(x));
}

// y <- y + s x; n is a multiple of eight
template <class S>
LOCKSTEP_INLINE void add_scaled(int n, S s, const S* x, S* y) {
  const Eight<S> factor = eight_times(s);
  for (int i = 0; i < n; i += 8) {
    store_eight(y + i, load_eight(y + i) + factor * load_eight(x + i));
  }
}

template <class S>
LOCKSTEP_INLINE S sum_of(const Eight<S>& x) {
  const S even = (lane(x, 0) + lane(x, 4)) + (lane(x, 2) + lane(x, 6));
  const S odd = (lane(x, 1) + lane(x, 5)) + (lane(x, 3) + lane(x, 7));
  return even + odd;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
