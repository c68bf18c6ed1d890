// orders from the table are those that are drawn
#include "stage/solver/shuffle.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace lockstep;

TEST(RowOrders, AreDrawnOneAfterTheOther) {
  for (int n = 0; n <= OrderTable::most + 3; n++) {
    std::vector<int> drawn(static_cast<size_t>(n));
    std::iota(drawn.begin(), drawn.end(), 0);
    std::vector<uint8_t> room(static_cast<size_t>(n));
    Pcg32 random;
    RowOrders orders;
    orders.drawn = room.data();
    orders.start(n);
    for (int round = 0; round < 2 * OrderTable::rounds; round++) {
      shuffle(drawn.data(), n, random);
      const uint8_t* const order = orders.next(round);
      const std::vector<int> found(order, order + n);
      ASSERT_EQ(found, drawn) << n << " rows, round " << round;
    }
  }
}
