// row_sweep.h: sweeps over single rows whose products are multiplied out, of several lanes in turn.
// Not a stage.
//   f <- clamp(f - res / curve)   row by row, in a given order, where it does not cost more
// A visit is a chain of seven operations that wait for each other, and for the visit before. Chains
// of other lanes do not: the processor works at them meanwhile.
#pragma once

#include "stage/solver/dense_products.h"
#include "stage/solver/sweep.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// whether all blocks are rows that such a sweep may visit
template <class S>
LOCKSTEP_INLINE bool only_rows(const DualRows<S>& rows) {
  return rows.blocks == rows.count && !rows.crossed;
}

// a sweep under way
template <class S>
struct RowSweep {
  const uint8_t* order = nullptr;  // rows to come, and one more
  const RowVisit<S>* visits = nullptr;
  const S* A = nullptr;
  S *force = nullptr, *residuals = nullptr;
  int width = 0, left = 0;  // left: rows to come
  S res{}, saved{};         // residual of the next row; what the sweep saved so far

  LOCKSTEP_INLINE void start(const DualRows<S>& rows, const DenseProducts<S>& products,
                             const uint8_t* in_order) {
    order = in_order;
    visits = rows.visit;
    A = products.A;
    force = rows.force;
    residuals = products.residuals;
    width = products.width;
    left = rows.count;
    saved = S(0);
    res = left > 0 ? residuals[order[0]] : S(0);
  }

  // The k-th of the rows to come. The residual of the one after it is brought up to date ahead of
  // the others, by the same operations: a visit waits for the change before it, not for memory. A
  // row that stays as it is adds zeros rather than a jump that is guessed wrong half of the time.
  LOCKSTEP_INLINE void visit(int k) {
    const int row = order[k], ahead = order[k + 1];
    const RowVisit<S>& at = visits[row];
    const S *column = A + row * width, before = force[row], waiting = residuals[ahead];
    const S next = max(at.low, min(at.high, before - res * at.inverse_curve));
    const S change = next - before;
    const S cost = change * (at.half_curve * change + res);
    if (cost > most_rise<S>) {
      res = waiting;
      return;
    }
    res = waiting + change * column[ahead];
    add_scaled(width, change, column, residuals);
    force[row] = next;
    saved = saved - cost;
  }
};

// the next rows of N sweeps, one of each in turn
template <int N, class S>
LOCKSTEP_FN void visit_in_turn(RowSweep<S>* const* sweeps, int steps) {
  RowSweep<S> now[N];
  for (int i = 0; i < N; i++) now[i] = *sweeps[i];
  for (int k = 0; k < steps; k++) {
    LOCKSTEP_UNROLL
    for (int i = 0; i < N; i++) now[i].visit(k);
  }
  for (int i = 0; i < N; i++) {
    now[i].order += steps;
    now[i].left -= steps;
    *sweeps[i] = now[i];
  }
}

inline constexpr int most_in_turn = 4;  // sweeps; more do not gain

template <class S>
LOCKSTEP_FN void longest_first(RowSweep<S>** sweeps, int count) {
  for (int i = 1; i < count; i++) {
    RowSweep<S>* const moved = sweeps[i];
    int place = i;
    for (; place > 0 && sweeps[place - 1]->left < moved->left; place--) {
      sweeps[place] = sweeps[place - 1];
    }
    sweeps[place] = moved;
  }
}

// all rows of a few sweeps, which it sorts
template <class S>
LOCKSTEP_FN void visit_rows(RowSweep<S>** sweeps, int count) {
  longest_first(sweeps, count);
  while (count > 0) {
    const int steps = sweeps[count - 1]->left;
    if (count == 4) visit_in_turn<4>(sweeps, steps);
    if (count == 3) visit_in_turn<3>(sweeps, steps);
    if (count == 2) visit_in_turn<2>(sweeps, steps);
    if (count == 1) visit_in_turn<1>(sweeps, steps);
    while (count > 0 && sweeps[count - 1]->left == 0) count--;
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
