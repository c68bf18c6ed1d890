// data.h: the state and all results of one world, and the layout that views of any Real share.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "model/arena.h"
#include "model/block.h"
#include "model/model.h"
#include "model/view.h"

namespace lockstep {

struct Data {
  Data() = default;
  Data(Data&&) = default;
  Data& operator=(Data&&) = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;

  // every array, in the order of the list
  std::vector<FieldInfo> fields(const Model& m) const;

  // arrays that grow with contacts and rows, at the sizes they have now; null where nothing fills
  // them
  std::vector<FieldInfo> arena_fields(const Model& m) const;

// host arrays are plain, as in Model
#define FIELD(element, name, rows, cols, stage, doc) Model::element##_cell* name = nullptr;
#define SCRATCH(element, name, rows, cols) Model::element##_cell* name = nullptr;
#define SCALAR(element, name, count, stage, doc) Model::element##_cell* name = nullptr;
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR

  // how often and how long, by mjtTimer; seconds
  struct TimerStat {
    double duration = 0;
    int number = 0;
  };
  TimerStat timer[mjNTIMER]{};

  // contacts and constraint rows, and what the solver says of its iterations
  std::unique_ptr<Arena<double>> arena;
  std::vector<SolverStat> solver;

  // who looks on while stages run, or null; not owned
  Watch* watch = nullptr;

  Block block;
  int64_t nbuffer = 0;  // bytes
};

// a Data for this Model, reset; throws std::bad_alloc when there is no memory
Data make_data(const Model& m);

// qpos0, initial mocap poses, neutral controls, everything else zero
void reset(const Model& m, Data& d);
// the same, then the state of a keyframe; a key that does not exist changes nothing more
void reset_keyframe(const Model& m, Data& d, int key);
// the state becomes a keyframe
void set_keyframe(Model& m, const Data& d, int key);
// neutral controls: zero, quaternions at the identity
void reset_ctrl(const Model& m, Data& d);

// bytes per field, largest first, a line each
std::string memory_report(const Model& m, const Data& d);

// what kernels see of host structs
ModelView<double> view(const Model& m);
DataView<double> view(Data& d);

// Lays a Data of any Real out in memory at `start` and points the view at it; returns the bytes
// needed. With start null it only counts.
template <class Real>
int64_t lay_out(const Model& m, std::byte* start, DataView<Real>& view) {
#define SIZE(name, doc) [[maybe_unused]] const int64_t name = m.name;
#include "model/sizes.def"
#undef SIZE
  using V = DataView<Real>;
  detail::Cutter cutter{start};
  const auto rows_of = [&cutter](auto& rows, int64_t count) {
    using Rows = std::remove_reference_t<decltype(rows)>;
    if constexpr (std::is_same_v<Rows, Real*>) {
      rows = cutter.cut<Real>(count);
    } else if constexpr (std::is_same_v<Rows, typename V::int_rows>) {
      rows.start = cutter.cut<int>(count * lanes<Real>);
    } else if constexpr (std::is_same_v<Rows, typename V::Bool_rows>) {
      rows.start = cutter.cut<bool>(count * lanes<Real>);
    } else {
      rows.start = cutter.cut<Real>(count);
    }
  };
#define FIELD(element, name, rows, cols, stage, doc) \
  rows_of(view.name, rows* cols* width_##element);
#define SCRATCH(element, name, rows, cols) rows_of(view.name, rows* cols* width_##element);
#define SCALAR(element, name, count, stage, doc) rows_of(view.name, count);
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
  return cutter.used;
}

// sizes, flags and options
template <class Real>
void view_header(const Model& m, ModelView<Real>& view) {
#define SIZE(name, doc) view.name = static_cast<int>(m.name);
#include "model/sizes.def"
#undef SIZE
  view.flg_gravcomp = m.flg_gravcomp;
  view.flg_surfacevel = m.flg_surfacevel;
  view.flg_adhesion = m.flg_adhesion;
  const auto copy = [](auto& to, const auto& from) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(from)>>) {
      to.value = decltype(to.value)(from);
    } else {
      for (size_t i = 0; i < from.size(); i++)
        to.value[i] = Real(static_cast<Scalar<Real>>(from[i]));
    }
  };
#define OPTION(type, name, count, value, doc) copy(view.opt.name, m.opt.name);
#define STATISTIC(type, name, count, value, doc)
#include "model/option.def"
#undef OPTION
#undef STATISTIC
  view.M_chainup = m.M_chainup.data();
  view.M_chaindown = m.M_chaindown.data();
}

// Copies the numbers of a Model into memory at `start`, the same in all lanes, and points the view
// at them; integers stay where they are. Returns the bytes needed; with start null it only counts.
template <class Real>
int64_t lay_out(const Model& m, std::byte* start, ModelView<Real>& view) {
#define SIZE(name, doc) [[maybe_unused]] const int64_t name = m.name;
#include "model/sizes.def"
#undef SIZE
  view_header(m, view);
  detail::Cutter cutter{start};
  const auto rows_of = [&cutter](auto& rows, auto* host, int64_t count) {
    using Rows = std::remove_reference_t<decltype(rows)>;
    using Cell = std::remove_pointer_t<decltype(host)>;
    if constexpr (std::is_same_v<Cell, double>) {
      Real* copy = cutter.cut<Real>(count);
      for (int64_t i = 0; copy && i < count; i++)
        copy[i] = Real(static_cast<Scalar<Real>>(host[i]));
      if constexpr (std::is_pointer_v<Rows>) {
        rows = copy;
      } else {
        rows.start = copy;
      }
    } else {
      rows = host;
    }
  };
#define FIELD(element, name, rows, cols, doc) \
  rows_of(view.name, m.name, rows* cols* width_##element);
#include "model/model_fields.def"
#undef FIELD
  return cutter.used;
}

}  // namespace lockstep
