// row_rounds.h: rounds of Gauss-Seidel over single rows whose products are multiplied out, of
// several lanes in turn. Not a stage.
//   f <- clamp(f - res / curve)   row by row, in a given order, where it does not cost more
// A visit is a chain of seven operations that wait for each other, and for the visit before. Chains
// of other lanes do not: the processor works at them meanwhile. How often loops run depends on the
// lane that has most rows, so that jumps are guessed right.
#pragma once

#include "stage/solver/dense_products.h"
#include "stage/solver/pgs.h"
#include "stage/solver/shuffle.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// whether all blocks are rows that such a sweep may visit
template <class S>
LOCKSTEP_INLINE bool only_rows(const DualRows<S>& rows) {
  return rows.blocks == rows.count && !rows.crossed;
}

// A solve under way that takes turns with others. All of them visit as many rows: those that one
// lacks change nothing.
template <class S>
struct RowRounds {
  S* block = nullptr;  // of DualRows
  int count = 0;       // rows
  PgsProgress<S>* progress = nullptr;
  const uint8_t* order = nullptr;  // of the round to come
};

template <class S>
LOCKSTEP_INLINE uint8_t* order_in(S* block) {
  return reinterpret_cast<uint8_t*>(block + DualRows<S>::order_place);
}

// Rows up to the most that any lane has become idle: they have no force, and columns of -0, so that
// not even a sign changes. The one at `stride` is what a sweep visits that has no more rows; no
// column reaches its residual.
template <class S>
LOCKSTEP_FN void add_idle_rows(const DualRows<S>& rows, const DenseProducts<S>& products,
                               int most) {
  const Eight<S> none = eight_times(S(0)), minus = eight_times(S(-0.0));
  const int stride = products.stride, width = products.width, end = eights(most);
  S* const vectors[] = {rows.residuals,  rows.force, rows.low,  rows.high, rows.inverse_curve,
                        rows.half_curve, rows.b,     rows.last, rows.from};
  for (S* vector : vectors) {
    for (int i = width; i < end; i += 8) store_eight(vector + i, none);
    vector[stride] = S(0);
  }
  for (int row = 0; row < rows.count; row++) {
    for (int i = width; i < end; i += 8) store_eight(products.A + row * stride + i, none);
  }
  const auto idle = [&](int row) {
    for (int i = 0; i < end; i += 8) store_eight(products.A + row * stride + i, minus);
    products.A[(row + 1) * stride] = S(0);  // read as what follows the row
  };
  products.A[rows.count * stride] = S(0);
  for (int row = rows.count; row < most; row++) idle(row);
  idle(stride);
}

// The k-th row of a sweep. The residual `res` of the one after it is brought up to date ahead of
// the others, by the same operations: a visit waits for the change before it, not for memory. A row
// that stays as it is adds zeros rather than a jump that is guessed wrong half of the time.
template <class S>
LOCKSTEP_INLINE void visit_row(S* block, int width, int stride, int k, S& res, S& saved) {
  using Rows = DualRows<S>;
  const uint8_t* const order = order_in(block);
  const size_t row = order[k], ahead = order[k + 1];
  const auto at = [&](int place)
                      LOCKSTEP_LAMBDA -> S& { return (block + place * Rows::room)[row]; };
  const S* column = block + Rows::matrix_place + row * size_t(stride);
  const S before = at(Rows::force_place), waiting = block[ahead];
  const S aim = before - res * at(Rows::inverse_place);
  const S next = max(at(Rows::low_place), min(at(Rows::high_place), aim));
  const S change = next - before;
  const S cost = change * (at(Rows::half_place) * change + res);
  if (cost > most_rise<S>) {
    res = waiting;
    return;
  }
  res = waiting + change * column[ahead];
  add_scaled(width, change, column, block);
  at(Rows::force_place) = next;
  saved = saved - cost;
}

// Moves forces beyond where they are, by some of what the last sweep changed.
template <class S>
LOCKSTEP_INLINE void extrapolate_rows(S* block, int width, S reach) {
  using Rows = DualRows<S>;
  const Eight<S> factor = eight_times(reach);
  const PackMask<S, 8> moves = reach > S(0);
  const auto at = [&](int place, int i) LOCKSTEP_LAMBDA { return block + place * Rows::room + i; };
  for (int i = 0; i < width; i += 8) {
    const Eight<S> force = load_eight(at(Rows::force_place, i));
    const Eight<S> step = force - load_eight(at(Rows::last_place, i));
    const Eight<S> beyond = clamp(force + factor * step, load_eight(at(Rows::low_place, i)),
                                  load_eight(at(Rows::high_place, i)));
    const Eight<S> next = select(moves, beyond, force);
    store_eight(at(Rows::last_place, i), force);
    store_eight(at(Rows::force_place, i), next);
    store_eight(at(Rows::from_place, i), next);
  }
}

// residuals of `count` rows from their forces
template <int W, class S>
LOCKSTEP_INLINE void recompute_rows(S* block, int width, int stride, int count) {
  using Rows = DualRows<S>;
  const S *b = block + Rows::b_place * Rows::room, *force = block + Rows::force_place * Rows::room;
  constexpr int N = W > 0 ? W / 8 : 1;
  for (int at = 0; at < width; at += 8 * N) {
    Eight<S> sum[N];
    for (int i = 0; i < N; i++) sum[i] = load_eight(b + at + 8 * i);
    const S* column = block + Rows::matrix_place + at;
    for (int row = 0; row < count; row++, column += stride) {
      const Eight<S> f = eight_times(force[row]);
      for (int i = 0; i < N; i++) sum[i] = sum[i] + f * load_eight(column + 8 * i);
    }
    for (int i = 0; i < N; i++) store_eight(block + at + 8 * i, sum[i]);
  }
}

// whether the last sweep went back where the extrapolation came from
template <class S>
LOCKSTEP_INLINE bool rows_turned_back(const S* block, int width) {
  using Rows = DualRows<S>;
  const auto at = [&](int place, int i)
                      LOCKSTEP_LAMBDA { return load_eight(block + place * Rows::room + i); };
  Eight<S> along = eight_times(S(0));
  for (int i = 0; i < width; i += 8) {
    const Eight<S> from = at(Rows::from_place, i);
    along = along + (at(Rows::force_place, i) - from) * (from - at(Rows::last_place, i));
  }
  return sum_of(along) < S(0);
}

// the order of a round, and the row `idle` where others have more
template <class S>
LOCKSTEP_INLINE void take_order(const RowRounds<S>& lane, int count, int idle) {
  constexpr int chunk = OrderTable::most;  // has room after it
  uint8_t* const order = order_in(lane.block);
  for (int k = 0; k < lane.count; k += chunk) __builtin_memcpy(order + k, lane.order + k, chunk);
  for (int k = lane.count; k <= count; k += chunk) __builtin_memset(order + k, idle, chunk);
}

// the sweep of a lane once more without idle rows, to which numbers that are not finite spread
template <class S>
LOCKSTEP_FN S sweep_again(const RowRounds<S>& lane, int width, int stride) {
  using Rows = DualRows<S>;
  S *const block = lane.block, *force = block + Rows::force_place * Rows::room;
  const S* from = block + Rows::from_place * Rows::room;
  for (int i = 0; i < width; i += 8) store_eight(force + i, load_eight(from + i));
  force[stride] = block[stride] = S(0);
  recompute_rows<0>(block, width, stride, lane.count);
  S res = block[order_in(block)[0]], saved(0);
  for (int k = 0; k < lane.count; k++) visit_row(block, width, stride, k, res, saved);
  return saved;
}

inline constexpr int few_rows = 32;  // for which loops are written out

// a round of N solves of up to `count` rows, one row of each in turn
template <int N, int W, class S>
LOCKSTEP_FN void round_in_turn(RowRounds<S>* const* lanes, int count, int any_stride) {
  const int width = W > 0 ? W : eights(count), stride = W > 0 ? few_rows : any_stride;
  S *block[N], res[N], saved[N];
  for (int i = 0; i < N; i++) {
    block[i] = lanes[i]->block;
    extrapolate_rows(block[i], width, lanes[i]->progress->reach());
    take_order(*lanes[i], count, stride);
    recompute_rows<W>(block[i], width, stride, count);
  }
  for (int i = 0; i < N; i++) {
    res[i] = block[i][order_in(block[i])[0]];
    saved[i] = S(0);
  }
  for (int k = 0; k < count; k++) {
    LOCKSTEP_UNROLL
    for (int i = 0; i < N; i++) visit_row(block[i], width, stride, k, res[i], saved[i]);
  }
  for (int i = 0; i < N; i++) {
    if (!is_finite(saved[i])) saved[i] = sweep_again(*lanes[i], width, stride);
    lanes[i]->progress->end(saved[i], rows_turned_back(block[i], width));
  }
}

inline constexpr int most_in_turn = 4;  // solves; more do not gain

template <int W, class S>
LOCKSTEP_FN void round_of(RowRounds<S>* const* lanes, int number, int count, int stride) {
  if (number == 4) round_in_turn<4, W>(lanes, count, stride);
  if (number == 3) round_in_turn<3, W>(lanes, count, stride);
  if (number == 2) round_in_turn<2, W>(lanes, count, stride);
  if (number == 1) round_in_turn<1, W>(lanes, count, stride);
}

// a round of up to four solves; the first has the most rows
template <class S>
LOCKSTEP_FN void round_of_rows(RowRounds<S>* const* lanes, int number, int stride) {
  const int count = lanes[0]->count;
  if (stride != few_rows) return round_of<0>(lanes, number, count, stride);
  if (count <= 8) return round_of<8>(lanes, number, count, stride);
  if (count <= 16) return round_of<16>(lanes, number, count, stride);
  if (count <= 24) return round_of<24>(lanes, number, count, stride);
  round_of<32>(lanes, number, count, stride);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
