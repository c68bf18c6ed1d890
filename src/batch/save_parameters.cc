// save_parameters.cc: numbers of a Model that differ from world to world, as bytes and back.
#include <algorithm>
#include <cstring>

#include "batch/parameters.h"

namespace lockstep {
namespace {

constexpr int64_t flag_bytes = sizeof(ForceFlags);

}  // namespace

void Parameters::save(ByteWriter& to) const {
  to.put(int64_t(list_.size()));
  for (const auto& item : list_) {
    to.put(item->name);
    to.put(item->rows.cols);
    to.put(item->rows.memory->start(), item->rows.row_bytes() * nsim_);
  }
  to.put(int64_t(!flags_.empty()));
  to.put(flags_.data(), flag_bytes * int64_t(flags_.size()));
}

Parameters::Saved Parameters::find_saved(ByteReader& from) const {
  Saved saved;
  const int64_t count = from.number();
  for (int64_t i = 0; from.good() && saved.good && i < count; i++) {
    const std::string_view name = from.text();
    const int64_t cols = from.number();
    const int option = option_at(name), field = field_at(name);
    saved.good = option >= 0 ? cols == option_members()[size_t(option)].count
                             : field >= 0 && (cols == fields_[size_t(field)].size() ||
                                              cols == cells_of(field));
    if (!saved.good) break;
    const Dtype dtype =
        option >= 0 ? option_members()[size_t(option)].dtype : fields_[size_t(field)].dtype;
    saved.values.push_back({name, from.skip(cols * cell_bytes_of(dtype) * nsim_), cols});
  }
  if (from.number()) saved.flags = from.skip(flag_bytes * nsim_);
  saved.good = saved.good && from.good();
  return saved;
}

void Parameters::restore(const Saved& saved) {
  for (const auto& item : list_) fill(item->rows, shared_value(*item));
  for (const auto& [name, from, cols] : saved.values) {
    const Rows* rows = find(name);
    if (!rows || rows->cols != cols) {
      std::erase_if(list_, [&](const auto& item) { return item->name == name; });
      const int option = option_at(name);
      rows = option >= 0 ? add_option(option) : add_field(field_at(name), cols);
    }
    if (cols) std::memcpy(rows->row(0), from, size_t(rows->row_bytes() * nsim_));
  }
  if (!saved.flags && flags_.empty()) return;
  flags_.assign(size_t(nsim_), flags_of(model_));
  if (saved.flags) std::memcpy(flags_.data(), saved.flags, size_t(flag_bytes * nsim_));
  const auto as_shared = [&](const ForceFlags& flags) { return flags == flags_of(model_); };
  if (!std::all_of(flags_.begin(), flags_.end(), as_shared)) fit_lanes_ = false;
}

}  // namespace lockstep
