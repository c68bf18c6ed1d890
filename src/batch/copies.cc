// copies.cc: numbers between rows, which users see, and lanes.
#include <algorithm>

#include "batch/batch.h"

namespace lockstep {

namespace {

// cells of the kind that numbers have
template <class T>
const T* same_kind(const T*, const void* cells) {
  return static_cast<const T*>(cells);
}
template <class T>
T* same_kind(const T*, void* cells) {
  return static_cast<T*>(cells);
}

}  // namespace

// Whole rows are turned into lanes and back in a buffer beside the lanes, where a cell is a number
// throughout, and parts of it copied.
void* Batch::buffer_of(LaneWorlds& at) const {
  if (!at.buffer.start()) at.buffer = Block(state_.row_bytes() * at.width);
  return at.buffer.start();
}

void Batch::load(LaneWorlds& at, const Lanes& lanes) const {
  const void* rows[Lanes::most];
  for (int i = 0; i < lanes.width; i++) rows[i] = state_.row(lanes.world[i]);
  void* const buffer = buffer_of(at);
  at.rows_to_lanes(rows, buffer, state_.cols);
  for (const Part& part : parts_) {
    const int64_t first = part.start * at.width, count = part.count * at.width;
    with_cells(Dtype::f64, options_.single_precision, buffer, [&](const auto* numbers) {
      void* const cells = at.data[part.field].start;
      if (part.flags) {
        std::copy_n(numbers + first, count, static_cast<bool*>(cells));
      } else {
        std::copy_n(numbers + first, count, same_kind(numbers, cells));
      }
    });
  }
  int* number = static_cast<int*>(at.data[warning_field_].start);
  int* info = static_cast<int*>(at.data[info_field_].start);
  for (int i = 0; i < lanes.width; i++) {
    const int* row = reinterpret_cast<const int*>(warning_.row(lanes.world[i]));
    for (int kind = 0; kind < mjNWARNING; kind++) {
      info[kind * lanes.width + i] = row[2 * kind];
      number[kind * lanes.width + i] = row[2 * kind + 1];
    }
  }
}

// lanes without a world of their own repeat the last world, and what becomes of it
void Batch::store(LaneWorlds& at, const Lanes& lanes) {
  void* const buffer = buffer_of(at);
  for (const Part& part : parts_) {
    const int64_t first = part.start * at.width, count = part.count * at.width;
    with_cells(Dtype::f64, options_.single_precision, buffer, [&](auto* numbers) {
      const void* const cells = at.data[part.field].start;
      if (part.flags) {
        std::copy_n(static_cast<const bool*>(cells), count, numbers + first);
      } else {
        std::copy_n(same_kind(numbers, cells), count, numbers + first);
      }
    });
  }
  void* rows[Lanes::most];
  for (int i = 0; i < lanes.width; i++) rows[i] = state_.row(lanes.world[i]);
  at.lanes_to_rows(buffer, rows, state_.cols);
  for (int i = 0; i < lanes.count; i++) store_warnings(at, lanes, i);
}

void Batch::store_warnings(const LaneWorlds& at, const Lanes& lanes, int lane) {
  const int* number = static_cast<const int*>(at.data[warning_field_].start);
  const int* info = static_cast<const int*>(at.data[info_field_].start);
  int* warnings = reinterpret_cast<int*>(warning_.row(lanes.world[lane]));
  for (int kind = 0; kind < mjNWARNING; kind++) {
    warnings[2 * kind] = info[kind * lanes.width + lane];
    warnings[2 * kind + 1] = number[kind * lanes.width + lane];
  }
}

void Batch::store(const LaneWorlds& at, const Lanes& lanes, int lane) {
  std::byte* row = state_.row(lanes.world[lane]);
  for (const Part& part : parts_) {
    void* cells = at.data[part.field].start;
    with_cells(part.flags ? Dtype::boolean : Dtype::f64, options_.single_precision, cells,
               [&](auto* start) {
                 if (options_.single_precision) {
                   from_lane(start, reinterpret_cast<float*>(row) + part.start, part.count,
                             lanes.width, lane);
                 } else {
                   from_lane(start, reinterpret_cast<double*>(row) + part.start, part.count,
                             lanes.width, lane);
                 }
               });
  }
  store_warnings(at, lanes, lane);
}

void Batch::copy_out(const LaneWorlds& at, const Lanes& lanes, int lane) {
  for (const auto& output : outputs_) copy_out(at, lanes, lane, *output);
}
void Batch::copy_out(const LaneWorlds& at, const Lanes& lanes, int lane,
                     const Output& output) const {
  const Dtype dtype = fields_[size_t(output.field)].dtype;
  with_cells(dtype, options_.single_precision, at.data[output.field].start, [&](auto* start) {
    using Cell = std::remove_pointer_t<decltype(start)>;
    auto* row = reinterpret_cast<Cell*>(output.rows.row(lanes.world[lane]));
    from_lane(start, row, output.rows.cols, lanes.width, lane);
  });
}

}  // namespace lockstep
