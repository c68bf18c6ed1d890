// shuffle.h: puts blocks of rows into an order that looks random and is always the same. Not a
// stage. The generator is PCG32 (M. E. O'Neill), the shuffle is Fisher and Yates'.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

struct Pcg32 {
  uint64_t state = 1;  // the one that follows zero

  LOCKSTEP_INLINE uint32_t next() {
    const uint64_t now = state;
    state = now * 6364136223846793005u + 1u;
    const uint32_t mixed = static_cast<uint32_t>((now >> 27) ^ (now >> 45));
    const int turn = static_cast<int>(now >> 59);
    return mixed >> turn | mixed << (-turn & 31);
  }
};

LOCKSTEP_INLINE void shuffle(int* order, int n, Pcg32& random) {
  for (int last = n - 1; last > 0; last--) {
    const int other = static_cast<int>(random.next() % static_cast<uint32_t>(last + 1));
    const int moved = order[last];
    order[last] = order[other];
    order[other] = moved;
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
