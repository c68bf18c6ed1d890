// rounds that take turns do what each does alone, row by row
#include "stage/solver/row_rounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

using namespace lockstep;

namespace {

// an island with memory of its own: a positive matrix, forces between bounds
template <class S>
class Island {
 public:
  Island(int count, unsigned seed, int stride, S bias, S warm) : random_(seed) {
    cells_.resize(static_cast<size_t>(Rows::matrix_place + (stride + 1) * stride + 8) / 8,
                  eight_times(std::numeric_limits<S>::quiet_NaN()));  // what nobody may read
    sizes_.assign(static_cast<size_t>(eights(count)), 1);
    indices_.resize(static_cast<size_t>(count));
    rows.block = reinterpret_cast<S*>(cells_.data());  // aligned for eight at a time
    rows.size = sizes_.data();
    rows.order = indices_.data();
    rows.place(count);
    rows.count = rows.blocks = count;
    products.A = rows.block + Rows::matrix_place;
    products.stride = stride;
    products.width = eights(count);
    S* const vectors[] = {rows.residuals, rows.force, rows.low,  rows.high, rows.b,
                          rows.stiff,     rows.R,     rows.last, rows.from};
    for (S* vector : vectors) std::fill_n(vector, products.width, S(0));
    for (int i = 0; i < products.width; i++) {
      std::fill_n(products.A + i * stride, products.width, S(0));
    }
    for (int i = 0; i < count; i++) fill(i, bias);
    if (count > 1) rows.force[1] += warm;
    drawn_.resize(static_cast<size_t>(count + OrderTable::most));
    orders.drawn = drawn_.data();
    orders.start(count);
    for (int i = 0; i < count; i++) rows.order[i] = i;
    alone.start(S(0), S(1));
  }

  using Rows = DualRows<S>;
  Rows rows;
  DenseProducts<S> products{rows};
  RowOrders orders;
  PgsRounds<S, DenseProducts<S>> alone{rows, products};
  RowRounds<S> in_turn;

 private:
  S draw() { return S(int(random_() % 2001) - 1000) * S(1e-3); }
  void fill(int i, S bias) {
    const int stride = products.stride;
    for (int j = 0; j < i; j++) {
      products.A[i * stride + j] = products.A[j * stride + i] = S(0.2) * draw();
    }
    rows.stiff[i] = S(eights(rows.count));
    rows.R[i] = S(0.5);
    const S inf = std::numeric_limits<S>::infinity();
    rows.low[i] = i % 3 == 0 ? -inf : i % 3 == 1 ? S(-0.1) : S(0);
    rows.high[i] = i % 3 == 1 ? S(0.1) : inf;
    rows.force[i] = i % 2 ? S(0) : std::abs(draw());
    rows.b[i] = S(5) * draw();
    if (i == rows.count / 2) rows.b[i] += bias;
  }

  std::mt19937 random_;
  std::vector<Eight<S>> cells_;
  std::vector<int> sizes_, indices_;
  std::vector<uint8_t> drawn_;
};

template <class S>
bool same_bits(S a, S b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

// `counts`: of rows, the most first; `bias`: in one row of each; `warm`: of a force between bounds,
// which comes back to them. Where they break the numbers, what is the same is what a lane does by
// itself
template <class S>
void compare(const std::vector<int>& counts, S bias = 0, S warm = 0) {
  const int stride = std::max(few_rows, eights(counts[0]));
  std::vector<std::unique_ptr<Island<S>>> islands, singles;
  std::vector<RowRounds<S>*> lanes;
  for (size_t i = 0; i < counts.size(); i++) {
    islands.push_back(std::make_unique<Island<S>>(counts[i], unsigned(i), stride, bias, warm));
    singles.push_back(std::make_unique<Island<S>>(counts[i], unsigned(i), stride, bias, warm));
    for (Island<S>* island : {islands.back().get(), singles.back().get()}) {
      add_idle_rows(island->rows, island->products, counts[0]);
      island->in_turn = {island->rows.block, counts[i], &island->alone.progress, nullptr};
    }
    lanes.push_back(&islands.back()->in_turn);
  }
  for (int round = 0; round < 5; round++) {
    for (const auto& island : islands) island->in_turn.order = island->orders.next(round);
    round_of_rows(lanes.data(), int(counts.size()), stride);
    for (size_t i = 0; i < counts.size(); i++) {
      Island<S>& single = *singles[i];
      if (std::isfinite(bias + warm)) {
        single.alone.begin();
        single.alone.end(single.alone.sweep());
      } else {
        single.in_turn.order = single.orders.next(round);
        RowRounds<S>* const lane = &single.in_turn;
        round_of_rows(&lane, 1, stride);
      }
      const std::string name = std::to_string(counts[i]) + " rows, round " + std::to_string(round);
      const PgsProgress<S>&got = islands[i]->alone.progress, &wanted = single.alone.progress;
      EXPECT_TRUE(same_bits(got.saved, wanted.saved)) << name;
      EXPECT_EQ(got.straight, wanted.straight) << name;
      for (int row = 0; row < counts[i]; row++) {
        const S here = islands[i]->rows.force[row], there = single.rows.force[row];
        EXPECT_TRUE(here == there || same_bits(here, there)) << name << ", row " << row;
      }
    }
  }
}

const std::vector<std::vector<int>> groups{
    {1}, {8}, {9, 3}, {20, 17, 4}, {32, 31, 1}, {40, 33, 8, 1}, {5, 5, 5, 5}, {96, 95, 2}};

}  // namespace

TEST(RowRounds, TakeTurnsInDouble) {
  for (const std::vector<int>& counts : groups) compare<double>(counts);
}

TEST(RowRounds, TakeTurnsInSinglePrecision) {
  for (const std::vector<int>& counts : groups) compare<float>(counts);
}

TEST(RowRounds, BrokenNumbersStayWhereTheyAre) {
  for (const std::vector<int>& counts : groups) {
    compare<double>(counts, std::numeric_limits<double>::infinity());
    compare<double>(counts, -std::numeric_limits<double>::infinity());
    compare<double>(counts, std::numeric_limits<double>::quiet_NaN());
    compare<double>(counts, 0, std::numeric_limits<double>::infinity());
    compare<double>(counts, 0, std::numeric_limits<double>::quiet_NaN());
  }
}
