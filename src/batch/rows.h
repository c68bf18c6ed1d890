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

// calls f with the cells as what they are
template <class F>
void with_cells(Dtype dtype, bool single_precision, void* cells, F&& f) {
  switch (dtype) {
    case Dtype::f64:
      single_precision ? f(static_cast<float*>(cells)) : f(static_cast<double*>(cells));
      break;
    case Dtype::i32: f(static_cast<int*>(cells)); break;
    case Dtype::boolean: f(static_cast<bool*>(cells)); break;
    default: break;
  }
}

// cells of lanes from one row per lane, of another kind perhaps, and those of one lane into a row
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
