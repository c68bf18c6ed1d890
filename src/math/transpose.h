// transpose.h: rows of numbers, one per lane, into lanes and back: cell k of lane i is
// cells[k * W + i]. As many numbers of each row as there are lanes are turned around in registers.
#pragma once

#include <type_traits>
#include <utility>

#include "math/pack.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// One of the steps that turn a square of numbers around: of two rows, the blocks of `step` numbers
// beside the diagonal change places.
template <int step, class V, int... i>
LOCKSTEP_INLINE void swap_blocks(V& a, V& b, std::integer_sequence<int, i...>) {
  constexpr int W = sizeof...(i);
  const V first = __builtin_shufflevector(a, b, ((i & step) ? W + i - step : i)...);
  b = __builtin_shufflevector(a, b, ((i & step) ? W + i : i + step)...);
  a = first;
}

// written out by templates: rows that a loop runs over would go through memory
template <int step, class V, int... i>
LOCKSTEP_INLINE void turn_rows(V* rows, std::integer_sequence<int, i...> all) {
  const auto turn = [&](auto row) LOCKSTEP_LAMBDA {
    if constexpr ((row & step) == 0) swap_blocks<step>(rows[row], rows[row + step], all);
  };
  (turn(std::integral_constant<int, i>()), ...);
  if constexpr (step > 1) turn_rows<step / 2>(rows, all);
}
template <int W, class V>
LOCKSTEP_INLINE void turn_square(V* rows) {
  turn_rows<W / 2>(rows, std::make_integer_sequence<int, W>());
}

template <class T, int W>
inline constexpr bool fits_register = W > 1 && W* int(sizeof(T)) <= register_bytes;

template <class T, int W>
LOCKSTEP_FN void rows_to_lanes(const T* const* rows, T* cells, int64_t count) {
  int64_t k = 0;
  if constexpr (fits_register<T, W>) {
    for (; k + W <= count; k += W) {
      typename Wide<T, W>::V square[W];
      LOCKSTEP_UNROLL16
      for (int i = 0; i < W; i++) __builtin_memcpy(&square[i], rows[i] + k, sizeof square[i]);
      turn_square<W>(square);
      LOCKSTEP_UNROLL16
      for (int i = 0; i < W; i++)
        __builtin_memcpy(cells + (k + i) * W, &square[i], sizeof square[i]);
    }
  }
  for (; k < count; k++) {
    for (int i = 0; i < W; i++) cells[k * W + i] = rows[i][k];
  }
}

template <class T, int W>
LOCKSTEP_FN void lanes_to_rows(const T* cells, T* const* rows, int64_t count) {
  int64_t k = 0;
  if constexpr (fits_register<T, W>) {
    for (; k + W <= count; k += W) {
      typename Wide<T, W>::V square[W];
      LOCKSTEP_UNROLL16
      for (int i = 0; i < W; i++)
        __builtin_memcpy(&square[i], cells + (k + i) * W, sizeof square[i]);
      turn_square<W>(square);
      LOCKSTEP_UNROLL16
      for (int i = 0; i < W; i++) __builtin_memcpy(rows[i] + k, &square[i], sizeof square[i]);
    }
  }
  for (; k < count; k++) {
    for (int i = 0; i < W; i++) rows[i][k] = cells[k * W + i];
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
