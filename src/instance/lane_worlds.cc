// lane_worlds.cc: several worlds behind plain functions. The kernels themselves are compiled in
// kernels.cc and double.cc.
#include <algorithm>
#include <cassert>
#include <cstring>
#include <type_traits>

#include "math/pack.h"
#include "model/reset.h"
#include "step/engine.h"
#include "step/lanes.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// what contacts and rows are, as numbers before their arrays
struct RowCounts {
  int ncon, ne, nf, nl, nefc, nJ, cones;
};

template <class Real>
std::vector<std::byte> rows_as_bytes(const Arena<Real>& arena) {
  const ArenaView<Real>& view = arena.view();
  const RowCounts counts{view.ncon, view.ne, view.nf, view.nl, view.nefc, view.nJ, view.cones};
  std::vector<std::byte> bytes;
  const auto put = [&bytes](const auto* cells, int64_t count) {
    const auto* first = reinterpret_cast<const std::byte*>(cells);
    bytes.insert(bytes.end(), first, first + count * int64_t(sizeof *cells));
  };
  put(&counts, 1);
  arena.each_array(put);
  return bytes;
}

template <class Real>
bool set_rows_from(std::span<const std::byte> bytes, Arena<Real>& arena) {
  RowCounts counts;
  if (bytes.size() < sizeof counts) return false;
  std::memcpy(&counts, bytes.data(), sizeof counts);
  for (int count : {counts.ncon, counts.nefc, counts.nJ}) {
    if (count < 0 || size_t(count) > bytes.size()) return false;
  }
  ArenaView<Real>& view = arena.view();
  view.need.ncon = counts.ncon;
  view.need.nefc = counts.nefc;
  view.need.nJ = counts.nJ;
  if (!arena.make_room()) throw std::bad_alloc();
  view.ncon = counts.ncon;
  view.ne = counts.ne;
  view.nf = counts.nf;
  view.nl = counts.nl;
  view.nefc = counts.nefc;
  view.nJ = counts.nJ;
  view.cones = counts.cones;
  size_t at = sizeof counts;
  bool good = true;
  arena.each_array([&](auto* cells, int64_t count) {
    const size_t size = size_t(count) * sizeof *cells;
    good = good && size <= bytes.size() - at;
    if (!good || size == 0) return;
    std::memcpy(cells, bytes.data() + at, size);
    at += size;
  });
  return good && at == bytes.size();
}

template <class Real>
class LanesOf final : public LaneWorlds {
 public:
  LanesOf(const Model& m, const Kernels& kernels)
      : kernels_(kernels),
        arena_(m),
        model_block_(lay_out(m, nullptr, m_)),
        data_block_(lay_out(m, nullptr, d_)) {
    width = lanes<Real>;
    bytes = lay_out(m, model_block_.start(), m_) + lay_out(m, data_block_.start(), d_);
    d_.arena = &arena_.view();
    name_cells();
    lockstep::reset(m_, d_, Mask<Real>(true));
  }

  void step(Detail detail) override { kernels_.step(&m_, &d_, detail); }
  void run_phases(Phase first, Phase last) override { kernels_.run_phases(&m_, &d_, first, last); }
  void check_state() override { kernels_.check_state(&m_, &d_); }
  void run_stage(int stage) override { kernels_.run_stage(&m_, &d_, stage); }
  void run_on_demand(int stage) override { kernels_.run_on_demand(&m_, &d_, stage); }
  void reset(unsigned which, int key) override {
    Mask<Real> where = false;
    for (int i = 0; i < lanes<Real>; i++) set_lane(where, i, which >> i & 1);
    if (key < 0) {
      lockstep::reset(m_, d_, where);
    } else {
      reset_keyframe(m_, d_, key, where);
    }
  }
  void set_flags(const ForceFlags& flags) override {
    m_.flg_gravcomp = flags.gravcomp;
    m_.flg_surfacevel = flags.surfacevel;
    m_.flg_adhesion = flags.adhesion;
  }
  void contact_keys(uint64_t* keys) const override {
    const ArenaView<Real>& arena = arena_.view();
    std::fill_n(keys, lanes<Real>, uint64_t(0));
    for (int slot = 0; slot < arena.ncon; slot++) {
      const uint64_t bit = contact_bit(arena.con_body[2 * slot], arena.con_body[2 * slot + 1]);
      for (int i = 0; i < lanes<Real>; i++) {
        if (arena.con_geom.get(2 * slot, i) >= 0) keys[i] |= bit;
      }
    }
  }
  void take_rows(const LaneWorlds& other) override {
    arena_.copy(static_cast<const LanesOf&>(other).arena_);
  }
  void give_rows(Data& d) const override {
    if constexpr (lanes<Real> == 1) d.arena->copy(arena_);
  }
  std::vector<std::byte> rows() const override { return rows_as_bytes(arena_); }
  bool set_rows(std::span<const std::byte> bytes) override { return set_rows_from(bytes, arena_); }
  void rows_to_lanes(const void* const* rows, void* cells, int64_t count) const override {
    kernels_.rows_to_lanes(rows, cells, count);
  }
  void lanes_to_rows(const void* cells, void* const* rows, int64_t count) const override {
    kernels_.lanes_to_rows(cells, rows, count);
  }

 private:
  // contacts with the world first: most models have more of them
  static uint64_t contact_bit(int body1, int body2) {
    return body1 == 0 ? uint64_t(1) << (63 - body2 % 48) : uint64_t(1) << (body1 + 5 * body2) % 16;
  }
  template <class Rows>
  static void* start_of(const Rows& rows) {
    if constexpr (std::is_pointer_v<Rows>) {
      return const_cast<void*>(static_cast<const void*>(rows));
    } else {
      return const_cast<void*>(static_cast<const void*>(rows.start));
    }
  }

  void name_cells() {
#define SIZE(name, doc) [[maybe_unused]] const int64_t name = m_.name;
#include "model/sizes.def"
#undef SIZE
    LaneCells* next = data;
#define FIELD(element, name, rows, cols, stage, doc) \
  *next++ = {start_of(d_.name), rows * cols * width_##element};
#define SCRATCH(element, name, rows, cols)
#define SCALAR(element, name, count, stage, doc) *next++ = {start_of(d_.name), count};
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
    next = model;
#define FIELD(element, name, rows, cols, doc)                              \
  if constexpr (std::is_same_v<Model::element##_cell, double>)             \
    *next = {start_of(m_.name), int64_t(rows) * (cols) * width_##element}; \
  next++;
#include "model/model_fields.def"
#undef FIELD
    int at = 0;
    const auto name_option = [&](auto& cell) {
      using Value = std::remove_cvref_t<decltype(cell.value)>;
      if constexpr (std::is_same_v<Value, int>) {
        option_integer[at++] = &cell.value;
      } else {
        option[at++] = {&cell.value, int64_t(sizeof cell.value / sizeof(Real))};
      }
    };
#define OPTION(type, name, count, value, doc) name_option(m_.opt.name);
#define STATISTIC(type, name, count, value, doc)
#include "model/option.def"
#undef OPTION
#undef STATISTIC
  }

  const Kernels& kernels_;
  ModelView<Real> m_;
  DataView<Real> d_;
  Arena<Real> arena_;
  Block model_block_, data_block_;
};

}  // namespace LOCKSTEP_ISA

namespace {

// one world in double, on the Model itself and a Data
class OneWorld final : public LaneWorlds {
 public:
  explicit OneWorld(Model& m) : m_(m), d_(make_data(m)) {
    bytes = d_.nbuffer;
    LaneCells* next = data;
    for (const FieldInfo& field : d_.fields(m)) *next++ = {field.data, field.size()};
    next = model;
    for (const FieldInfo& field : m.fields()) {
      if (field.dtype == Dtype::f64) *next = {field.data, field.size()};
      next++;
    }
    int at = 0;
    for (const MemberInfo& info : option_members()) {
      void* member = reinterpret_cast<std::byte*>(&m.opt) + info.offset;
      if (info.dtype == Dtype::f64) {
        option[at++] = {member, info.count};
      } else {
        option_integer[at++] = static_cast<int*>(member);
      }
    }
  }

  void step(Detail detail) override { lockstep::step(m_, d_, 1, detail); }
  void run_phases(Phase first, Phase last) override { lockstep::run_phases(m_, d_, first, last); }
  void check_state() override {
    check_pos(m_, d_);
    check_vel(m_, d_);
  }
  void run_stage(int stage) override { lockstep::run_stage(m_, d_, stage_info(stage).name); }
  void run_on_demand(int stage) override { lockstep::run_on_demand(m_, d_, stage); }
  void reset(unsigned, int key) override { reset_keyframe(m_, d_, key); }
  void set_flags(const ForceFlags& flags) override {
    m_.flg_gravcomp = flags.gravcomp;
    m_.flg_surfacevel = flags.surfacevel;
    m_.flg_adhesion = flags.adhesion;
  }
  void contact_keys(uint64_t* keys) const override { *keys = 0; }
  void take_rows(const LaneWorlds& other) override {
    d_.arena->copy(*static_cast<const OneWorld&>(other).d_.arena);
  }
  void give_rows(Data& d) const override { d.arena->copy(*d_.arena); }
  std::vector<std::byte> rows() const override { return rows_as_bytes(*d_.arena); }
  bool set_rows(std::span<const std::byte> bytes) override {
    return set_rows_from(bytes, *d_.arena);
  }
  void rows_to_lanes(const void* const* rows, void* cells, int64_t count) const override {
    std::memcpy(cells, *rows, size_t(count) * sizeof(double));
  }
  void lanes_to_rows(const void* cells, void* const* rows, int64_t count) const override {
    std::memcpy(*rows, cells, size_t(count) * sizeof(double));
  }

 private:
  Model& m_;
  Data d_;
};

template <class Real>
std::unique_ptr<LaneWorlds> make(const Model& m, const Kernels& kernels) {
  assert(kernels.model_bytes == sizeof(ModelView<Real>));
  assert(kernels.data_bytes == sizeof(DataView<Real>));
  assert(kernels.arena_bytes == sizeof(ArenaView<Real>));
  return std::make_unique<LanesOf<Real>>(m, kernels);
}

// one world in double has no lanes: make_one_world()
template <class T, int W>
std::unique_ptr<LaneWorlds> make_kind(const Model& m, const Kernels& kernels) {
  if constexpr (W > 1) {
    return make<Pack<T, W>>(m, kernels);
  } else if constexpr (sizeof(T) == sizeof(float)) {
    return make<T>(m, kernels);
  } else {
    return nullptr;
  }
}

}  // namespace

#define VARIANT(name, number, lanes) extern const Kernels name;
#include "instance/variants.def"
#undef VARIANT

std::unique_ptr<LaneWorlds> make_lane_worlds(const Model& m, const Kernels& kernels) {
#define VARIANT(name, number, lanes) \
  if (&kernels == &name) return make_kind<number, lanes>(m, kernels);
#include "instance/variants.def"
#undef VARIANT
  return nullptr;
}

std::unique_ptr<LaneWorlds> make_one_world(Model& m, bool single_precision) {
  if (single_precision) return make_lane_worlds(m, *find_kernels(true, 1));
  return std::make_unique<OneWorld>(m);
}

}  // namespace lockstep
