// results.h: what a step of many worlds gives, one array after the other in one block of memory.
// The layout is frozen: programs, and other processes that share the memory, may rely on it.
//
//   states      (n, nq + nv) row-major, qpos then qvel, in the batch's kind of number
//   rewards     (n) double
//   terminated  (n) one byte each, 0 or 1: the episode came to its end
//   truncated   (n) one byte each, 0 or 1: its time is over
//   errors      (n) int32: 0, or what went wrong in the step (env::error_of)
//
// Each begins at a multiple of 64 bytes from the start of the block.
#pragma once

#include <span>

#include "batch/rows.h"

namespace lockstep::env {

// where the arrays begin, in bytes, and how long the block is
struct ResultLayout {
  int64_t states = 0, rewards = 0, terminated = 0, truncated = 0, errors = 0, bytes = 0;

  static constexpr int64_t alignment = 64;

  static ResultLayout of(int64_t worlds, int64_t state_size, Dtype number) {
    ResultLayout layout;
    int64_t end = 0;
    const auto place = [&](int64_t cell_bytes, int64_t cells) {
      const int64_t here = end;
      end = (end + worlds * cells * cell_bytes + alignment - 1) / alignment * alignment;
      return here;
    };
    layout.states = place(cell_bytes_of(number), state_size);
    layout.rewards = place(sizeof(double), 1);
    layout.terminated = place(1, 1);
    layout.truncated = place(1, 1);
    layout.errors = place(sizeof(int), 1);
    layout.bytes = end;
    return layout;
  }
};

// the arrays of a block
struct ResultArrays {
  ResultArrays(std::byte* block, const ResultLayout& at, size_t worlds, size_t state_size)
      : states(block + at.states),
        state_size(state_size),
        rewards(reinterpret_cast<double*>(block + at.rewards), worlds),
        terminated(reinterpret_cast<bool*>(block + at.terminated), worlds),
        truncated(reinterpret_cast<bool*>(block + at.truncated), worlds),
        errors(reinterpret_cast<int*>(block + at.errors), worlds) {}

  void* states;
  size_t state_size;
  std::span<double> rewards;
  std::span<bool> terminated, truncated;
  std::span<int> errors;

  // a world's positions and velocities; Number is what the batch computes in
  template <class Number>
  std::span<Number> state(int world) const {
    return {static_cast<Number*>(states) + size_t(world) * state_size, state_size};
  }
};

}  // namespace lockstep::env
