#include "batch/parameters.h"

#include <algorithm>
#include <array>
#include <string>

namespace lockstep {
namespace {

// assets are shared by all worlds
constexpr std::array shared_prefixes{"hfield_", "mesh_", "oct_", "skin_", "tex_", "bvh_"};

bool is_asset(const FieldInfo& field) {
  if (field.dtype == Dtype::chr) return true;
  if (field.name == "bvh_aabb") return false;  // those of bodies follow their geoms
  return std::any_of(shared_prefixes.begin(), shared_prefixes.end(),
                     [&](std::string_view prefix) { return field.name.starts_with(prefix); });
}

std::byte* member(Option& option, int index) {
  return reinterpret_cast<std::byte*>(&option) + option_members()[size_t(index)].offset;
}

// rows of double, or of float in single precision lanes
template <class Cell>
void put(const Rows& rows, const Lanes& lanes, const LaneCells& cells) {
  const double* from[Lanes::most];
  for (int i = 0; i < lanes.width; i++) {
    from[i] = reinterpret_cast<const double*>(rows.row(lanes.world[i]));
  }
  to_lanes(from, static_cast<Cell*>(cells.start), rows.cols, lanes.width);
}

}  // namespace

ForceFlags flags_of(const Model& m) { return {m.flg_gravcomp, m.flg_surfacevel, m.flg_adhesion}; }

Parameters::Parameters(const Model& m, int nsim) : model_(m), nsim_(nsim), fields_(m.fields()) {}

// boxes of bodies come first, then those of meshes, which are assets
int64_t Parameters::cells_of(int field) const {
  const FieldInfo& info = fields_[size_t(field)];
  if (info.name != "bvh_aabb") return info.size();
  int64_t rows = 0;
  for (int64_t body = 0; body < model_.nbody; body++) {
    if (model_.body_bvhadr[body] < 0) continue;
    rows = std::max<int64_t>(rows, model_.body_bvhadr[body] + model_.body_bvhnum[body]);
  }
  return rows * info.cols;
}

Parameters::Item* Parameters::item(std::string_view name) const {
  for (const auto& item : list_) {
    if (item->name == name) return item.get();
  }
  return nullptr;
}

const Rows* Parameters::find(std::string_view name) const {
  const Item* found = item(name);
  return found ? &found->rows : nullptr;
}

// -1 if there is none
int Parameters::option_at(std::string_view name) const {
  if (!name.starts_with("opt.")) return -1;
  const auto members = option_members();
  const auto found = std::find_if(members.begin(), members.end(), [&](const MemberInfo& info) {
    return info.name == name.substr(4);
  });
  return found == members.end() ? -1 : int(found - members.begin());
}
int Parameters::field_at(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const FieldInfo& field) { return field.name == name; });
  return found == fields_.end() ? -1 : int(found - fields_.begin());
}

bool Parameters::is_expandable(std::string_view name) const {
  const int field = field_at(name);
  return option_at(name) >= 0 || (field >= 0 && !is_asset(fields_[size_t(field)]));
}

const Rows* Parameters::expand(std::string_view name) {
  if (const Rows* rows = find(name)) return rows;
  if (!is_expandable(name)) return nullptr;
  const int option = option_at(name), field = field_at(name);
  return option >= 0 ? add_option(option) : add_field(field, cells_of(field));
}

const Rows* Parameters::add_option(int option) {
  const MemberInfo& info = option_members()[size_t(option)];
  auto made = std::make_unique<Item>();
  made->name = "opt." + std::string(info.name);
  made->option = option;
  made->rows = Rows(info.dtype, nsim_, info.count);
  if (info.dtype != Dtype::f64) fit_lanes_ = false;
  return add(std::move(made), member(const_cast<Model&>(model_).opt, option));
}

const Rows* Parameters::add_field(int field, int64_t cells) {
  const FieldInfo& info = fields_[size_t(field)];
  auto made = std::make_unique<Item>();
  made->name = info.name;
  made->field = field;
  made->rows = Rows(info.dtype, nsim_, cells);
  // colors and the like do not act; shapes do, and what sensors read of cameras
  const bool acts = info.dtype != Dtype::f32 || is_asset(info) || info.name == "cam_sensorsize" ||
                    info.name == "cam_intrinsic";
  if (info.dtype != Dtype::f64 && acts && cells) fit_lanes_ = false;
  if (info.dtype != Dtype::f64 && info.dtype != Dtype::f32 && cells) {
    made->accepted = Rows(info.dtype, nsim_, cells);
    fill(made->accepted, info.data);
  }
  for (const SwitchingNumber& number : switching_numbers(model_)) {
    if (number.field == info.name) made->switches.push_back(number);
  }
  return add(std::move(made), info.data);
}

void Parameters::fill(const Rows& rows, const void* from) const {
  for (int sim = 0; rows.cols && sim < nsim_; sim++) {
    std::memcpy(rows.row(sim), from, size_t(rows.row_bytes()));
  }
}

const Rows* Parameters::add(std::unique_ptr<Item> item, const void* from) {
  fill(item->rows, from);
  list_.push_back(std::move(item));
  return &list_.back()->rows;
}

void Parameters::look_at_switches() {
  const auto differs = [&](const Item& item) {
    const auto* shared = static_cast<const double*>(shared_value(item));
    for (int sim = 0; sim < nsim_; sim++) {
      const auto* own = reinterpret_cast<const double*>(item.rows.row(sim));
      for (const SwitchingNumber& at : item.switches) {
        const double a = own[at.cell], b = shared[at.cell];
        if (at.sign ? (a > 0) != (b > 0) : !(a == b)) return true;
      }
    }
    return false;
  };
  alike_ = std::none_of(list_.begin(), list_.end(), [&](const auto& item) {
    return !item->switches.empty() && differs(*item);
  });
}

bool Parameters::are_accepted(int sim) const {
  return fit_lanes_ || std::all_of(list_.begin(), list_.end(), [sim](const auto& item) {
           const Rows& known = item->accepted;
           return !known.cols ||
                  std::memcmp(item->rows.row(sim), known.row(sim), size_t(known.row_bytes())) == 0;
         });
}

void Parameters::accept(int sim) {
  for (const auto& item : list_) {
    const Rows& known = item->accepted;
    if (known.cols) std::memcpy(known.row(sim), item->rows.row(sim), size_t(known.row_bytes()));
  }
}

void Parameters::apply(int sim, Model& m) const {
  if (list_.empty()) return;
  for (const auto& item : list_) {
    void* to = item->option >= 0 ? member(m.opt, item->option) : m.field_start(item->field);
    if (item->rows.cols) std::memcpy(to, item->rows.row(sim), size_t(item->rows.row_bytes()));
  }
  const ForceFlags flags = flags_.empty() ? flags_of(model_) : flags_[size_t(sim)];
  m.flg_gravcomp = flags.gravcomp;
  m.flg_surfacevel = flags.surfacevel;
  m.flg_adhesion = flags.adhesion;
}

void Parameters::apply(int sim, Option& option) const {
  for (const auto& item : list_) {
    if (item->option < 0) continue;
    std::memcpy(member(option, item->option), item->rows.row(sim), size_t(item->rows.row_bytes()));
  }
}

void Parameters::apply(const Lanes& lanes, bool single_precision, LaneWorlds& at) const {
  for (const auto& item : list_) {
    if (item->option >= 0 && item->rows.dtype == Dtype::i32) {  // then there is a single lane
      std::memcpy(at.option_integer[item->option], item->rows.row(lanes.world[0]), sizeof(int));
      continue;
    }
    if (item->rows.dtype != Dtype::f64) continue;
    const LaneCells& cells = item->option >= 0 ? at.option[item->option] : at.model[item->field];
    if (single_precision) {
      put<float>(item->rows, lanes, cells);
    } else {
      put<double>(item->rows, lanes, cells);
    }
  }
  if (!flags_.empty()) at.set_flags(flags_[size_t(lanes.world[0])]);
}

void Parameters::expand_numbers(std::span<const int> fields) {
  for (int field : fields) {
    const FieldInfo& info = fields_[size_t(field)];
    if (info.dtype == Dtype::f64 && !is_asset(info)) expand(info.name);
  }
}

bool Parameters::take_numbers(int sim, const Model& m, std::span<const int> fields) {
  const std::vector<FieldInfo> from = m.fields();
  bool others = !(flags_of(m) == (flags_.empty() ? flags_of(model_) : flags_[size_t(sim)]));
  for (int field : fields) {
    const FieldInfo &info = fields_[size_t(field)], &now = from[size_t(field)];
    const Item* found = item(info.name);
    if (found && found->rows.cols) {
      std::memcpy(found->rows.row(sim), now.data, size_t(found->rows.row_bytes()));
    } else if (!found && info.bytes() && !is_asset(info)) {
      others = others || std::memcmp(info.data, now.data, size_t(info.bytes())) != 0;
    }
  }
  return others;
}

void Parameters::take_integers(int sim, const Model& m, std::span<const int> fields) {
  const std::vector<FieldInfo> from = m.fields();
  for (int field : fields) {
    const FieldInfo &info = fields_[size_t(field)], &now = from[size_t(field)];
    if (!info.bytes() || is_asset(info)) continue;
    const Rows* rows = find(info.name);
    if (!rows) {
      if (std::memcmp(info.data, now.data, size_t(info.bytes())) == 0) continue;
      rows = add_field(field, info.size());
    }
    if (rows->cols) std::memcpy(rows->row(sim), now.data, size_t(rows->row_bytes()));
  }
  if (flags_.empty()) flags_.assign(size_t(nsim_), flags_of(model_));
  flags_[size_t(sim)] = flags_of(m);
  if (!(flags_of(m) == flags_of(model_))) fit_lanes_ = false;
}

bool Parameters::take_models(std::span<const Model* const> models) {
  const std::vector<SizeInfo> own = model_.sizes();
  for (const Model* m : models) {
    const std::vector<SizeInfo> sizes = m->sizes();
    for (size_t i = 0; i < own.size(); i++) {
      if (*own[i].value != *sizes[i].value) return false;
    }
  }
  clear();
  flags_.assign(size_t(nsim_), flags_of(model_));
  for (int sim = 0; sim < nsim_; sim++) take_model(sim, *models[size_t(sim)]);
  return true;
}

void Parameters::take_model(int sim, const Model& m) {
  const std::vector<FieldInfo> from = m.fields();
  for (size_t i = 0; i < fields_.size(); i++) {
    const FieldInfo& info = fields_[i];
    const Rows* rows = find(info.name);
    const bool same =
        !info.bytes() || std::memcmp(info.data, from[i].data, size_t(info.bytes())) == 0;
    if (!rows && same) continue;
    if (!rows) rows = add_field(int(i), info.size());
    std::memcpy(rows->row(sim), from[i].data, size_t(rows->row_bytes()));
  }
  const auto members = option_members();
  for (size_t i = 0; i < members.size(); i++) {
    const std::byte* own = member(const_cast<Model&>(model_).opt, int(i));
    const std::byte* other = member(const_cast<Model&>(m).opt, int(i));
    const Rows* rows = find("opt." + std::string(members[i].name));
    const size_t bytes = size_t(members[i].count * cell_bytes_of(members[i].dtype));
    if (!rows && std::memcmp(own, other, bytes) == 0) continue;
    if (!rows) rows = add_option(int(i));
    std::memcpy(rows->row(sim), other, bytes);
  }
  flags_[size_t(sim)] = flags_of(m);
  if (!(flags_of(m) == flags_of(model_))) fit_lanes_ = false;
}

// the value that worlds share unless it differs
const void* Parameters::shared_value(const Item& item) const {
  if (item.option >= 0) return member(const_cast<Model&>(model_).opt, item.option);
  return fields_[size_t(item.field)].data;
}

void Parameters::clear() {
  list_.clear();
  flags_.clear();
  fit_lanes_ = alike_ = true;
}

}  // namespace lockstep
