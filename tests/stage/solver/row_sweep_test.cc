// sweeps that take turns do what each does alone
#include "stage/solver/row_sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "stage/solver/shuffle.h"

using namespace lockstep;

namespace {

// an island with memory of its own: a positive matrix, forces between bounds
template <class S>
class Island {
 public:
  Island(int count, unsigned seed) : random_(seed) {
    const int width = eights(count);
    rows.count = rows.blocks = count;
    S** const vectors[] = {&rows.force, &rows.b,     &rows.low,
                           &rows.high,  &rows.curve, &products.residuals};
    for (S** vector : vectors) *vector = take(width);
    products.A = take(width * width);
    products.width = width;
    sizes_.assign(static_cast<size_t>(width), 1);
    rows.size = sizes_.data();
    visits_.resize(static_cast<size_t>(width));
    rows.visit = visits_.data();
    for (int i = 0; i < count; i++) fill(i, width);
    products.recompute();
    room_.resize(static_cast<size_t>(count) + 1);
    orders.drawn = room_.data();
    orders.start(count);
  }

  DualRows<S> rows;
  DenseProducts<S> products{rows};
  RowOrders orders;

 private:
  S* take(int count) {
    cells_.emplace_back(static_cast<size_t>(count) / 8);  // aligned for eight at a time
    S* const from = reinterpret_cast<S*>(cells_.back().data());
    for (int i = 0; i < count; i++) from[i] = S(0);
    return from;
  }
  S draw() { return S(int(random_() % 2001) - 1000) * S(1e-3); }
  void fill(int i, int width) {
    for (int j = 0; j < i; j++) {
      products.A[i * width + j] = products.A[j * width + i] = S(0.2) * draw();
    }
    products.A[i * width + i] = S(width);
    const S inf = std::numeric_limits<S>::infinity();
    rows.low[i] = i % 3 == 0 ? -inf : i % 3 == 1 ? S(-0.1) : S(0);
    rows.high[i] = i % 3 == 1 ? S(0.1) : inf;
    rows.force[i] = i % 2 ? S(0) : std::abs(draw());
    rows.b[i] = S(5) * draw();
    rows.set_curve(i, S(width));
  }

  std::mt19937 random_;
  std::vector<std::vector<Eight<S>>> cells_;
  std::vector<RowVisit<S>> visits_;
  std::vector<int> sizes_;
  std::vector<uint8_t> room_;
};

template <class S>
void compare(const std::vector<int>& counts) {
  for (int round = 0; round < 5; round++) {
    std::vector<RowSweep<S>> sweeps(counts.size());
    std::vector<RowSweep<S>*> in_turn;
    std::vector<std::unique_ptr<Island<S>>> islands;
    for (size_t i = 0; i < counts.size(); i++) {
      islands.push_back(std::make_unique<Island<S>>(counts[i], unsigned(i)));
      Island<S>& island = *islands.back();
      sweeps[i].start(island.rows, island.products, island.orders.next(round));
      in_turn.push_back(&sweeps[i]);
    }
    visit_rows(in_turn.data(), int(counts.size()));
    for (size_t i = 0; i < counts.size(); i++) {
      Island<S> alone(counts[i], unsigned(i));
      const Sweep<S, DenseProducts<S>> sweep{alone.rows, alone.products};
      const uint8_t* const order = alone.orders.next(round);
      S saved(0);
      for (int k = 0; k < counts[i]; k++) saved = saved + sweep.improve(order[k]);
      EXPECT_EQ(sweeps[i].saved, saved) << counts[i] << " rows";
      for (int row = 0; row < counts[i]; row++) {
        EXPECT_EQ(islands[i]->rows.force[row], alone.rows.force[row]) << "row " << row;
        EXPECT_EQ(islands[i]->products.residuals[row], alone.products.residuals[row]);
      }
    }
  }
}

const std::vector<std::vector<int>> groups{{1}, {9, 3}, {4, 20, 17}, {8, 40, 1, 33}, {5, 5, 5, 5}};

}  // namespace

TEST(RowSweep, TakesTurnsInDouble) {
  for (const std::vector<int>& counts : groups) compare<double>(counts);
}

TEST(RowSweep, TakesTurnsInSinglePrecision) {
  for (const std::vector<int>& counts : groups) compare<float>(counts);
}
