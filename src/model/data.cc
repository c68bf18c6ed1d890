#include "model/data.h"

#include <algorithm>
#include <iterator>

#include "model/reset.h"

namespace lockstep {
namespace {

template <class Cell>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<Cell, double>) return Dtype::f64;
  if constexpr (std::is_same_v<Cell, int>) return Dtype::i32;
  if constexpr (std::is_same_v<Cell, bool>) return Dtype::boolean;
}

// view rows point at host rows
template <class Rows, class Cell>
void point(Rows& rows, Cell* host) {
  if constexpr (std::is_pointer_v<Rows>) {
    rows = host;
  } else {
    rows.start = host;
  }
}

template <class Rows>
auto* start_of(const Rows& rows) {
  if constexpr (std::is_pointer_v<Rows>) {
    return rows;
  } else {
    return rows.start;
  }
}

}  // namespace

std::vector<FieldInfo> Data::fields(const Model& m) const {
  std::vector<FieldInfo> list;
#define SIZE(name, doc) [[maybe_unused]] const int64_t name = m.name;
#include "model/sizes.def"
#undef SIZE
#define FIELD(element, name, rows, cols, stage, doc)                          \
  list.push_back({#name, dtype_of<Model::element##_cell>(), this->name, rows, \
                  int64_t{cols} * width_##element,                            \
                  std::string_view(#cols) == "1" && width_##element == 1, #rows, doc});
#define SCRATCH(element, name, rows, cols)
#define SCALAR(element, name, count, stage, doc) \
  list.push_back(                                \
      {#name, dtype_of<Model::element##_cell>(), this->name, count, 1, true, #count, doc});
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
  return list;
}

std::vector<FieldInfo> Data::arena_fields(const Model& m) const {
  std::vector<FieldInfo> list;
#define SIZE(name, doc) [[maybe_unused]] const int64_t name = m.name;
#include "model/sizes.def"
#undef SIZE
  const auto now = [](const int* count) { return int64_t{count ? *count : 0}; };
  const int64_t nY = now(this->nY), nA = now(this->nA), ncon = now(this->ncon);
  const int64_t nefc = now(this->nefc), nJ = now(this->nJ);
  const int64_t nisland = now(this->nisland), nidof = now(this->nidof);
  const int64_t nefmK = now(this->nefmK), nefmcon = now(this->nefmcon);
  const int64_t nefmdof = now(this->nefmdof), nefmL = now(this->nefmL);
  const ArenaView<double> none, &view = arena ? arena->view() : none;
#define ROOM(name, doc)
#define ARENA(element, name, rows, cols, stage, doc)                                   \
  list.push_back({#name, dtype_of<Model::element##_cell>(), start_of(view.name), rows, \
                  int64_t{cols} * width_##element,                                     \
                  std::string_view(#cols) == "1" && width_##element == 1, #rows, doc});
#define WORK(element, name, rows, cols)
#define REPORT(element, name, rows, cols, stage, doc)                      \
  list.push_back({#name, dtype_of<Model::element##_cell>(), nullptr, rows, \
                  int64_t{cols} * width_##element,                         \
                  std::string_view(#cols) == "1" && width_##element == 1, #rows, doc});
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT
  return list;
}

Data make_data(const Model& m) {
  Data d;
  DataView<double> v;
  d.nbuffer = lay_out(m, nullptr, v);
  d.block = Block(d.nbuffer);
  lay_out(m, d.block.start(), v);
#define FIELD(element, name, rows, cols, stage, doc) d.name = start_of(v.name);
#define SCRATCH(element, name, rows, cols) d.name = start_of(v.name);
#define SCALAR(element, name, count, stage, doc) d.name = start_of(v.name);
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
  d.arena = std::make_unique<Arena<double>>(m);
  d.solver.resize(size_t{mjNISLAND} * mjNSOLVER);
  d.arena->view().solver = d.solver.data();
  reset(m, d);
  return d;
}

void reset(const Model& m, Data& d) {
  reset(view(m), view(d), true);
  std::fill(std::begin(d.timer), std::end(d.timer), Data::TimerStat{});
}

void reset_ctrl(const Model& m, Data& d) { reset_ctrl(view(m), view(d), true); }

void reset_keyframe(const Model& m, Data& d, int key) {
  if (key < 0 || key >= m.nkey) return reset(m, d);
  reset_keyframe(view(m), view(d), key, true);
}

void set_keyframe(Model& m, const Data& d, int key) {
  const auto put = [key](double* to, const double* from, int64_t count) {
    std::copy_n(from, count, to + key * count);
  };
  put(m.key_time, d.time, 1);
  put(m.key_qpos, d.qpos, m.nq);
  put(m.key_qvel, d.qvel, m.nv);
  put(m.key_act, d.act, m.na);
  put(m.key_mpos, d.mocap_pos, 3 * m.nmocap);
  put(m.key_mquat, d.mocap_quat, 4 * m.nmocap);
  put(m.key_ctrl, d.ctrl, m.nu);
  put(m.key_plastic, d.plastic, m.nplastic);
}

std::string memory_report(const Model& m, const Data& d) {
  std::vector<FieldInfo> list = d.fields(m);
  std::sort(list.begin(), list.end(), [](const FieldInfo& a, const FieldInfo& b) {
    return a.bytes() != b.bytes() ? a.bytes() > b.bytes() : a.name < b.name;
  });
  std::string text = "total " + std::to_string(d.nbuffer) + " bytes\n";
  for (const FieldInfo& field : list) {
    if (field.bytes() == 0) continue;
    text += std::string(field.name) + " " + std::to_string(field.bytes()) + "\n";
  }
  return text;
}

ModelView<double> view(const Model& m) {
  ModelView<double> v;
  view_header(m, v);
#define FIELD(element, name, rows, cols, doc) point(v.name, m.name);
#include "model/model_fields.def"
#undef FIELD
  return v;
}

DataView<double> view(Data& d) {
  DataView<double> v;
#define FIELD(element, name, rows, cols, stage, doc) point(v.name, d.name);
#define SCRATCH(element, name, rows, cols) point(v.name, d.name);
#define SCALAR(element, name, count, stage, doc) point(v.name, d.name);
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
  v.arena = &d.arena->view();
  v.watch = d.watch;
  return v;
}

}  // namespace lockstep
