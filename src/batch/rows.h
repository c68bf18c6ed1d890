// rows.h: arrays with a row per world, as users see them, and the copies between them and lanes.
#pragma once

#include <cstring>
#include <memory>

#include "model/block.h"
#include "model/option.h"

namespace lockstep {

inline int64_t cell_bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f64:
    case Dtype::i64: return 8;
    case Dtype::f32:
    case Dtype::i32: return 4;
    default: return 1;
  }
}

// n rows of `cols` cells; whoever was handed the memory shares it
struct Rows {
  Dtype dtype = Dtype::f64;
  int64_t cols = 0;
  std::shared_ptr<Block> memory;

  Rows() = default;
  Rows(Dtype kind, int64_t count, int64_t width)
      : dtype(kind),
        cols(width),
        memory(std::make_shared<Block>(count * width * cell_bytes_of(kind))) {}

  int64_t row_bytes() const { return cols * cell_bytes_of(dtype); }
  std::byte* row(int64_t i) const { return memory->start() + i * row_bytes(); }
};

// some lanes and the world in each; those from `count` on repeat the last world and are not read
struct Lanes {
  static constexpr int most = 16;
  int width = 1, count = 0;
  int world[most] = {};
  int place[most] = {};  // of the world in its call
};

// cells of lanes, from and to one row per lane; `stride` of a lane array is its width
template <class Row, class Cell>
void to_lanes(const Row* const* rows, Cell* cells, int64_t count, int width) {
  for (int64_t k = 0; k < count; k++) {
    for (int i = 0; i < width; i++) cells[k * width + i] = static_cast<Cell>(rows[i][k]);
  }
}
template <class Row, class Cell>
void from_lane(const Cell* cells, Row* row, int64_t count, int width, int lane) {
  for (int64_t k = 0; k < count; k++) row[k] = static_cast<Row>(cells[k * width + lane]);
}

}  // namespace lockstep
