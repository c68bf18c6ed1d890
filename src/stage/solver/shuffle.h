// shuffle.h: puts blocks of rows into an order that looks random and is always the same. Not a
// stage. The generator is PCG32 (M. E. O'Neill), the shuffle is Fisher and Yates'.
// An order depends only on how many there are and on the round, so that those of few rows come from
// a table, which the compiler fills in.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

struct Pcg32 {
  uint64_t state = 1;  // the one that follows zero

  LOCKSTEP_INLINE constexpr uint32_t next() {
    const uint64_t now = state;
    state = now * 6364136223846793005u + 1u;
    const uint32_t mixed = static_cast<uint32_t>((now >> 27) ^ (now >> 45));
    const int turn = static_cast<int>(now >> 59);
    return mixed >> turn | mixed << (-turn & 31);
  }
};

template <class Index>
LOCKSTEP_INLINE constexpr void shuffle(Index* order, int n, Pcg32& random) {
  for (int last = n - 1; last > 0; last--) {
    const int other = static_cast<int>(random.next() % static_cast<uint32_t>(last + 1));
    const Index moved = order[last];
    order[last] = order[other];
    order[other] = moved;
  }
}

// the orders of up to `most` rows in the first rounds. So many numbers may be read from the
// beginning of each
struct OrderTable {
  static constexpr int most = 32, rounds = 64;
  uint8_t orders[rounds * most * (most + 1) / 2] = {};

  static constexpr int place(int n, int round) { return rounds * n * (n - 1) / 2 + round * n; }
  constexpr OrderTable() {
    for (int n = 0; n <= most; n++) {
      Pcg32 random;
      for (int round = 0; round < rounds; round++) {
        uint8_t* const order = orders + place(n, round);
        for (int k = 0; k < n; k++) order[k] = round > 0 ? order[k - n] : uint8_t(k);
        shuffle(order, n, random);
      }
    }
  }
};
inline constexpr OrderTable order_table;

// the orders of n rows, round by round
struct RowOrders {
  uint8_t* drawn = nullptr;  // room for what the table lacks
  int n = 0;
  Pcg32 random = {};

  LOCKSTEP_FN void start(int count) {
    n = count;
    random = {};
    for (int k = 0; k < n; k++) drawn[k] = uint8_t(k);
  }
  // the table ends: goes on where it does
  LOCKSTEP_FN void leave_table() {
    for (int i = 0; i < OrderTable::rounds * (n - 1); i++) random.next();
    const uint8_t* last = order_table.orders + OrderTable::place(n, OrderTable::rounds - 1);
    for (int k = 0; k < n; k++) drawn[k] = last[k];
  }
  LOCKSTEP_FN const uint8_t* next(int round) {
    if (n <= OrderTable::most) {
      if (round < OrderTable::rounds) return order_table.orders + OrderTable::place(n, round);
      if (round == OrderTable::rounds) leave_table();
    }
    shuffle(drawn, n, random);
    return drawn;
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
