// world.h: a Model and a Data of any Real, and comparison of a lane with one world in double.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "math/pack.h"
#include "model/data.h"
#include "model/reset.h"

namespace lockstep {

template <class Real>
struct World {
  ModelView<Real> m;
  DataView<Real> d;
  Arena<Real> arena;
  Block model_block, data_block;

  explicit World(const Model& model)
      : arena(model),
        model_block(lay_out(model, nullptr, m)),
        data_block(lay_out(model, nullptr, d)) {
    lay_out(model, model_block.start(), m);
    lay_out(model, data_block.start(), d);
    d.arena = &arena.view();
    reset(m, d, Mask<Real>(true));
  }
};

// calls f(name, stage, host cells, rows of the view, number of cells) for every field but scratch
template <class Real, class F>
void each_field(const Model& m, const Data& one, const DataView<Real>& many, F&& f) {
  const auto start_of = [](const auto& rows) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(rows)>>) {
      return rows;
    } else {
      return rows.start;
    }
  };
#define SIZE(name, doc) [[maybe_unused]] const int64_t name = m.name;
#include "model/sizes.def"
#undef SIZE
#define FIELD(element, name, rows, cols, stage, doc)                                  \
  f(std::string_view(#name), std::string_view(#stage), one.name, start_of(many.name), \
    rows* cols* width_##element);
#define SCRATCH(element, name, rows, cols)
#define SCALAR(element, name, count, stage, doc)                                      \
  f(std::string_view(#name), std::string_view(#stage), one.name, start_of(many.name), \
    int64_t(count));
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
}

// copies the inputs of one world into lane `i`
template <class Real>
void put_input(const Model& m, const Data& from, const DataView<Real>& to, int i) {
  each_field(m, from, to, [i](auto, auto stage, const auto* host, auto* rows, int64_t cells) {
    if (stage != "input") return;
    for (int64_t k = 0; k < cells; k++) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*rows)>, Real>) {
        set_lane(rows[k], i, static_cast<Scalar<Real>>(host[k]));
      } else {
        rows[k * lanes<Real> + i] = host[k];
      }
    }
  });
}

// number of cells that differ between one world and lane `i`; the first field with such is named
template <class Real>
int64_t differences(const Model& m, const Data& one, const DataView<Real>& many, int i,
                    std::string* first = nullptr) {
  int64_t count = 0;
  each_field(m, one, many, [&](auto name, auto, const auto* host, const auto* rows, int64_t cells) {
    if (name == "solver_nnz") return;  // the size of a matrix that lanes share
    const bool none = count == 0;
    for (int64_t k = 0; k < cells; k++) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*rows)>, Real>) {
        count += to_bits(host[k]) != to_bits(lane(rows[k], i));
      } else {
        count += host[k] != rows[k * lanes<Real> + i];
      }
    }
    if (first && none && count > 0) *first = name;
  });
  return count;
}

}  // namespace lockstep
