// rollout.cc: steps with controls given in advance, each written down.
#include <algorithm>
#include <vector>

#include "batch/batch.h"

namespace lockstep {
namespace {

// warnings raised so far in a lane
int warnings_of(const LaneWorlds& at, int field, int lane) {
  const int* number = static_cast<const int*>(at.data[field].start);
  int sum = 0;
  for (int kind = 0; kind < mjNWARNING; kind++) sum += number[kind * at.width + lane];
  return sum;
}

}  // namespace

void Batch::take_control(LaneWorlds& at, int lane, const double* control, int signature) const {
  for (const Part& part : parts_) {
    if (!(signature & code(part.bit))) continue;
    void* cells = at.data[part.field].start;
    for (int64_t k = 0; k < part.count; k++, control++) {
      const int64_t cell = k * at.width + lane;
      if (part.flags) {
        static_cast<bool*>(cells)[cell] = *control != 0;
      } else if (options_.single_precision) {
        static_cast<float*>(cells)[cell] = static_cast<float>(*control);
      } else {
        static_cast<double*>(cells)[cell] = *control;
      }
    }
  }
}

// a field as it is in Data, or parts of the state; numbers in the batch's precision
void Batch::record(const LaneWorlds& at, int lane, const Record& record, int64_t row) const {
  const auto put = [&](int field, Dtype to, void* data, int64_t start) {
    const auto copy = [&](const auto* cells, auto* target) {
      from_lane(cells, target + start, at.data[field].count, at.width, lane);
    };
    const void* cells = at.data[field].start;
    const Dtype from = fields_[size_t(field)].dtype;
    if (from == Dtype::i32) return copy(static_cast<const int*>(cells), static_cast<int*>(data));
    if (from == Dtype::boolean) {
      const auto* flags = static_cast<const bool*>(cells);
      if (to == Dtype::boolean) return copy(flags, static_cast<bool*>(data));
      return to == Dtype::f32 ? copy(flags, static_cast<float*>(data))
                              : copy(flags, static_cast<double*>(data));
    }
    if (options_.single_precision) {
      return copy(static_cast<const float*>(cells), static_cast<float*>(data));
    }
    copy(static_cast<const double*>(cells), static_cast<double*>(data));
  };
  if (record.field >= 0) {
    const Dtype dtype = fields_[size_t(record.field)].dtype;
    put(record.field, dtype, record.data, row * at.data[record.field].count);
    return;
  }
  int64_t start = row * state_size(model_, record.signature);
  for (const Part& part : parts_) {
    if (!(record.signature & code(part.bit))) continue;
    put(part.field, number(), record.data, start);
    start += part.count;
  }
}

int Batch::rollout(Ids ids, int nstep, const double* control, int control_signature,
                   std::span<const Record> records) {
  const int64_t ncontrol = state_size(model_, control_signature);
  bool seen = false;
  for (const Record& item : records) seen = seen || item.field >= 0;
  const Detail detail = seen ? Detail::all : last_detail();
  const auto go = [&](LaneWorlds& at, const Lanes& lanes) {
    int before[Lanes::most], end[Lanes::most];  // step after which a world stopped
    for (int i = 0; i < lanes.count; i++) {
      before[i] = warnings_of(at, warning_field_, i);
      end[i] = nstep;
    }
    for (int step = 0; step < nstep; step++) {
      for (int i = 0; control && i < lanes.width; i++) {
        const int64_t row = int64_t(lanes.place[i]) * nstep + step;
        take_control(at, i, control + row * ncontrol, control_signature);
      }
      at.step(detail);
      bool going = false;
      run_asked(at, detail == Detail::all ? Reach::acceleration : Reach::none);
      for (int i = 0; i < lanes.count; i++) {
        if (end[i] <= step) continue;
        for (const Record& item : records) {
          record(at, i, item, int64_t(lanes.place[i]) * nstep + step);
        }
        const bool stops = warnings_of(at, warning_field_, i) != before[i];
        if (stops) note_unsolved(at, lanes, i);
        if (stops || step == nstep - 1) {
          copy_out(at, lanes, i);
          store(at, lanes, i);
          end[i] = step + 1;
        }
        going = going || !stops;
      }
      if (!going) break;
    }
    // a world that stopped repeats its last records
    for (int i = 0; i < lanes.count; i++) {
      for (const Record& item : records) {
        const int64_t count =
            item.field >= 0 ? at.data[item.field].count : state_size(model_, item.signature);
        const Dtype dtype = item.field >= 0 ? fields_[size_t(item.field)].dtype : Dtype::f64;
        const int64_t bytes = count * cell_bytes_of(dtype == Dtype::f64 ? number() : dtype);
        auto* start = static_cast<std::byte*>(item.data) + int64_t(lanes.place[i]) * nstep * bytes;
        for (int step = end[i]; step < nstep; step++) {
          std::copy_n(start + (end[i] - 1) * bytes, bytes, start + step * bytes);
        }
      }
    }
  };
  if (nstep <= 0) return 0;
  return run(ids, {go});
}

}  // namespace lockstep
