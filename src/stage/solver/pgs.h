// pgs.h: projected Gauss-Seidel on the forces of an island. Not a stage.
//   min 1/2 f'(A + R) f + f'b  over the cones,   A = J M^-1 J',   b = J qacc_smooth - aref
// Blocks are taken in a new order every time, one after the other to the lowest cost. A sweep
// starts beyond where the last one ended (Nesterov); the reach grows until a sweep turns back
// against it.
#pragma once

#include "stage/solver/shuffle.h"
#include "stage/solver/sweep.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the forces of a block back into their bounds or cone
template <class S>
LOCKSTEP_INLINE void project_block(const DualRows<S>& rows, int first) {
  S* force = rows.force + first;
  if (rows.size[first] == 1) {
    *force = clamp(*force, rows.low[first], rows.high[first]);
    return;
  }
  S square(0), shrink(1);
  for (int j = 1; j < rows.size[first]; j++) {
    const S mu = rows.friction[first + j], part = force[j] / (mu > S(0) ? mu : S(1));
    square = square + part * part;
  }
  const S tangent = sqrt(square);
  if (tangent * tangent > force[0] * force[0]) shrink = abs(force[0]) / tangent;
  const bool pulls = force[0] < S(0);
  for (int j = 0; j < rows.size[first]; j++) {
    force[j] = pulls ? S(0) : j > 0 ? force[j] * shrink : force[j];
  }
}

// Moves forces beyond where they are, by some of what the last sweep changed. `last` becomes where
// they were, `from` where they are now.
template <class S, class Products>
LOCKSTEP_FN void extrapolate(const DualRows<S>& rows, const Products& products, S reach) {
  const Eight<S> factor = eight_times(reach);
  for (int i = 0; i < rows.count; i += 8) {
    const Eight<S> force = load_eight(rows.force + i), step = force - load_eight(rows.last + i);
    if (reach > S(0)) store_eight(rows.force + i, force + factor * step);
    store_eight(rows.last + i, force);
  }
  for (int row = 0; reach > S(0) && row < rows.count; row += rows.size[row]) {
    project_block(rows, row);
  }
  products.recompute();  // residuals that were only kept up to date would drift over many sweeps
  for (int i = 0; i < rows.count; i += 8) store_eight(rows.from + i, load_eight(rows.force + i));
}

// whether the last sweep went back where the extrapolation came from
template <class S>
LOCKSTEP_FN bool turned_back(const DualRows<S>& rows) {
  Eight<S> along = eight_times(S(0));
  for (int i = 0; i < rows.count; i += 8) {
    const Eight<S> from = load_eight(rows.from + i);
    along = along + (load_eight(rows.force + i) - from) * (from - load_eight(rows.last + i));
  }
  return sum_of(along) < S(0);
}

// how far a solve has come
template <class S>
struct PgsProgress {
  S tolerance = 0, scale = 0;
  int round = 0;              // rounds done
  S saved = __builtin_inf();  // by the last one
  S straight = 0;             // sweeps since one turned back

  LOCKSTEP_INLINE bool goes_on(int iterations) const {
    return round < iterations && !(saved < tolerance);
  }
  LOCKSTEP_INLINE S reach() const { return (straight - S(1)) / (straight + S(2)); }
  LOCKSTEP_INLINE void end(S sum, bool turned) {
    saved = scale * sum;
    // without a jump, which would be guessed wrong
    straight = (straight + S(1)) * S(!turned);
    round++;
  }
};

// One solve, round by round: begin(), all blocks once in the order of the rows, end().
template <class S, class Products>
struct PgsRounds {
  const DualRows<S>& rows;
  Products& products;
  PgsProgress<S> progress = {};
  Pcg32 random = {};

  LOCKSTEP_FN void start(S tolerance, S scale) {
    progress = {tolerance, scale};
    random = {};
    const Eight<S> one = eight_times(S(1)), half = eight_times(S(0.5));
    for (int i = 0; i < rows.count; i += 8) {
      const Eight<S> curve = load_eight(rows.stiff + i) + load_eight(rows.R + i);
      store_eight(rows.curve + i, curve);
      store_eight(rows.inverse_curve + i, one / curve);
      store_eight(rows.half_curve + i, half * curve);
      store_eight(rows.last + i, load_eight(rows.force + i));
    }
    products.soften(true);
  }
  LOCKSTEP_FN void begin() {
    extrapolate(rows, products, progress.reach());
    shuffle(rows.order, rows.blocks, random);
  }
  LOCKSTEP_FN void end(S sum) { progress.end(sum, turned_back(rows)); }
  // all blocks once; what they save
  LOCKSTEP_FN S sweep() const {
    const Sweep<S, Products> sweep{rows, products};
    S sum(0);
    for (int k = 0; k < rows.blocks; k++) sum = sum + sweep.improve(rows.order[k]);
    return sum;
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
