// kernels.h: the compiled step for lanes of a kind, on an instruction set. Views are passed by
// plain pointers: each instruction set has types of its own, which all have the same layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "step/phase.h"

namespace lockstep {

struct Kernels {
  const char* isa;
  bool single_precision;
  int width;
  size_t model_bytes, data_bytes, arena_bytes;  // of the views

  void (*step)(const void* model, const void* data, Detail detail);
  void (*run_phases)(const void* model, const void* data, Phase first, Phase last);
  void (*inverse)(const void* model, const void* data);
  // what a step begins with: positions and velocities that are not finite raise a warning and start
  // their world anew
  void (*check_state)(const void* model, const void* data);
  // a stage of the pipeline table, or of the list of those that no step needs
  void (*run_stage)(const void* model, const void* data, int stage);
  void (*run_on_demand)(const void* model, const void* data, int stage);
  // numbers of one row per world, to lanes and back: cell k of world i is cells[k * width + i]
  void (*rows_to_lanes)(const void* const* rows, void* cells, int64_t count);
  void (*lanes_to_rows)(const void* cells, void* const* rows, int64_t count);
};

// those that this machine can run, the best of a kind first
std::span<const Kernels* const> all_kernels();

// the best of a kind; width 0: the usual, or another where that is not compiled. Null if there is
// none. With LOCKSTEP_ISA=base in the environment, wider instruction sets are left alone.
const Kernels* find_kernels(bool single_precision, int width = 0);

}  // namespace lockstep
