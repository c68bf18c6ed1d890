// rows of numbers come into lanes and back as they were, whatever their length.
#include "math/transpose.h"

#include <gtest/gtest.h>

#include <vector>

namespace lockstep {
namespace {

template <class T, int W>
void expect_round_trip(int64_t count) {
  // a row is longer than what is copied: the rest must stay
  std::vector<std::vector<T>> rows(W, std::vector<T>(size_t(count) + 3, T(-1))), back = rows;
  const T* from[W];
  T* to[W];
  for (int i = 0; i < W; i++) {
    for (int64_t k = 0; k < count; k++) rows[size_t(i)][size_t(k)] = T(100 * k + i);
    from[i] = rows[size_t(i)].data();
    to[i] = back[size_t(i)].data();
  }
  std::vector<T> cells(size_t(count * W) + 1, T(-1));
  rows_to_lanes<T, W>(from, cells.data(), count);
  for (int64_t k = 0; k < count; k++) {
    for (int i = 0; i < W; i++)
      ASSERT_EQ(cells[size_t(k * W + i)], T(100 * k + i)) << k << ' ' << i;
  }
  EXPECT_EQ(cells.back(), T(-1));
  lanes_to_rows<T, W>(cells.data(), to, count);
  EXPECT_EQ(back, rows);
}

template <class T, int... W>
void expect_round_trips() {
  for (int64_t count : {0, 1, 2, 3, 7, 8, 9, 16, 31, 64, 91}) (expect_round_trip<T, W>(count), ...);
}

TEST(Transpose, RowsComeBackAsTheyWere) {
  expect_round_trips<double, 1, 2, 4, 8>();
  expect_round_trips<float, 1, 2, 4, 8, 16>();
}

}  // namespace
}  // namespace lockstep
