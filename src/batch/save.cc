// save.cc: a whole batch as bytes, and back: rows of state and of warnings, numbers of the Model
// that differ from world to world and, if it is persistent, what calls left in every world.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "base/checksum.h"
#include "batch/batch.h"
#include "batch/bytes.h"

namespace lockstep {
namespace {

constexpr std::string_view magic = "lockstep batch 2";

int64_t bytes_of(const Rows& rows, int nsim) { return rows.row_bytes() * nsim; }

// all cells of a lane array of one world
int64_t kept_bytes(const FieldInfo& field, bool single_precision) {
  const bool number = field.dtype == Dtype::f64;
  return field.size() * cell_bytes_of(number && single_precision ? Dtype::f32 : field.dtype);
}

uint64_t checksum_of(std::span<const std::byte> bytes) {
  return checksum({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace

std::vector<std::byte> Batch::save() const {
  const std::lock_guard<std::mutex> lock(busy_);
  return as_bytes();
}

std::vector<std::byte> Batch::as_bytes() const {
  ByteWriter to;
  to.put(magic);
  to.put(int64_t(model_.signature));
  to.put(int64_t(nsim_));
  to.put(state_.cols);
  to.put(int64_t(number()));
  to.put(int64_t(options_.persistent));
  for (const Rows* rows : {&state_, &warning_, &status_}) {
    to.put(rows->memory->start(), bytes_of(*rows, nsim_));
  }
  for (const std::string& error : errors_) to.put(error);
  parameters_.save(to);
  for (const Kept& kept : kept_) {
    to.put(int64_t(kept.lanes != nullptr));
    if (!kept.lanes) continue;
    for (size_t i = 0; i < fields_.size(); i++) {
      to.put(kept.lanes->data[i].start, kept_bytes(fields_[i], options_.single_precision));
    }
    const std::vector<std::byte> rows = kept.lanes->rows();
    to.put(int64_t(rows.size()));
    to.put(rows.data(), int64_t(rows.size()));
  }
  to.put(int64_t(checksum_of(to.bytes())));
  return to.take();
}

std::string Batch::restore(std::span<const std::byte> saved) {
  const std::lock_guard<std::mutex> lock(busy_);
  const std::string damaged = "the bytes of the saved batch are damaged";
  ByteReader from(saved);
  if (from.text() != magic) return "these are not the bytes of a saved batch";
  if (saved.size() < sizeof(uint64_t)) return damaged;
  const auto content = saved.first(saved.size() - sizeof(uint64_t));
  if (ByteReader(saved.subspan(content.size())).number() != int64_t(checksum_of(content))) {
    return damaged;
  }
  if (from.number() != int64_t(model_.signature)) return "the saved batch has another model";
  if (from.number() != nsim_) return "the saved batch has another number of worlds";
  if (from.number() != state_.cols) return "the saved batch has another model";
  if (from.number() != int64_t(number())) return "the saved batch has another precision";
  if (from.number() != options_.persistent) return "of the two batches one is persistent";
  // everything is found first, so that nothing changes if something is missing
  const Rows* all[] = {&state_, &warning_, &status_};
  const std::byte* rows[std::size(all)];
  for (size_t i = 0; i < std::size(all); i++) rows[i] = from.skip(bytes_of(*all[i], nsim_));
  std::vector<std::string_view> errors(errors_.size());
  for (std::string_view& error : errors) error = from.text();
  const Parameters::Saved parameters = parameters_.find_saved(from);
  struct Found {
    std::vector<const std::byte*> fields;
    std::span<const std::byte> rows;
  };
  std::vector<Found> kept(kept_.size());
  for (Found& found : kept) {
    if (!from.number()) continue;
    for (const FieldInfo& field : fields_) {
      found.fields.push_back(from.skip(kept_bytes(field, options_.single_precision)));
    }
    const int64_t size = from.number();
    const std::byte* first = from.skip(size);
    if (first) found.rows = {first, size_t(size)};
  }
  from.number();  // the checksum
  if (!parameters.good || !from.at_end()) return damaged;

  for (size_t i = 0; i < std::size(all); i++) {
    std::memcpy(all[i]->memory->start(), rows[i], size_t(bytes_of(*all[i], nsim_)));
  }
  std::copy(errors.begin(), errors.end(), errors_.begin());
  parameters_.restore(parameters);
  for (size_t world = 0; world < kept.size(); world++) {
    kept_[world] = {};
    if (kept[world].fields.empty()) continue;
    LaneWorlds& at = kept_for(int(world));
    for (size_t i = 0; i < fields_.size(); i++) {
      const size_t bytes = size_t(kept_bytes(fields_[i], options_.single_precision));
      if (bytes) std::memcpy(at.data[i].start, kept[world].fields[i], bytes);
    }
    if (!at.set_rows(kept[world].rows)) return damaged;
  }
  return "";
}

std::unique_ptr<Batch> Batch::clone() const {
  const std::lock_guard<std::mutex> lock(busy_);
  auto made = std::make_unique<Batch>(model_, nsim_, options_);
  const std::string wrong = made->restore(as_bytes());
  if (!wrong.empty()) throw std::logic_error(wrong);
  for (const auto& output : outputs_) {
    std::memcpy(made->output(output->field).memory->start(), output->rows.memory->start(),
                size_t(bytes_of(output->rows, nsim_)));
  }
  return made;
}

}  // namespace lockstep
