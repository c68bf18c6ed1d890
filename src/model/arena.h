// arena.h: memory for contacts and constraint rows, which grows when a stage asks for more.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "model/block.h"
#include "model/model.h"
#include "model/view.h"

namespace lockstep {

// sizes of the Model that its arrays have
struct ArenaSizes {
  int64_t nv, ntendon, ngeom;
  int64_t nfilter;  // integers that decide which geoms may touch (stage/collision/candidates.h)

  explicit ArenaSizes(const Model& m)
      : nv(m.nv),
        ntendon(m.ntendon),
        ngeom(m.ngeom),
        nfilter(1 + 3 * (m.ngeom + m.nbody) + m.nexclude) {}
};

// Lays an arena out in memory at `start` for its room and points the view at it; returns the bytes
// needed. With start null it only counts.
template <class Real>
int64_t lay_out(const ArenaSizes& sizes, std::byte* start, ArenaView<Real>& view) {
  const int64_t nv = sizes.nv, ntendon = sizes.ntendon, ngeom = sizes.ngeom,
                nfilter = sizes.nfilter;
  detail::Cutter cutter{start};
  const auto rows_of = [&cutter](auto& rows, int64_t count) {
    using Rows = std::remove_reference_t<decltype(rows)>;
    if constexpr (std::is_same_v<Rows, Real*>) {
      rows = cutter.cut<Real>(count);
    } else if constexpr (std::is_same_v<Rows, int*>) {
      rows = cutter.cut<int>(count);
    } else if constexpr (std::is_same_v<Rows, typename ArenaView<Real>::int_rows>) {
      rows.start = cutter.cut<int>(count * lanes<Real>);
    } else {
      rows.start = cutter.cut<Real>(count);
    }
  };
#define ROOM(name, doc) [[maybe_unused]] const int64_t name = view.room.name;
#define ARENA(element, name, rows, cols, stage, doc) \
  rows_of(view.name, rows* cols* width_##element);
#define WORK(element, name, rows, cols) rows_of(view.name, rows* cols* width_##element);
#define REPORT(element, name, rows, cols, stage, doc)
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT
  return cutter.used;
}

// an arena of any Real. It does not move, so that views may point at it
template <class Real>
class Arena {
 public:
  explicit Arena(const Model& m) : sizes_(m) {
    view_.owner = this;
    view_.grow = [](ArenaView<Real>& view) { return static_cast<Arena*>(view.owner)->make_room(); };
    if (!make_room()) throw std::bad_alloc();
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  ArenaView<Real>& view() { return view_; }
  const ArenaView<Real>& view() const { return view_; }
  int64_t bytes() const { return bytes_; }
  // what arrays that were handed out keep alive; replaced when the arena grows
  const std::shared_ptr<Block>& block() const { return block_; }

  // room for what is needed and some more, keeping what is there; false if there is no memory
  bool make_room() {
    ArenaView<Real> next = view_;
    const auto more = [](int& room, int need) {
      if (need > room) room = std::max(need, room + room / 2);
    };
    bool enough = block_ != nullptr;
#define ROOM(name, doc)                        \
  enough &= view_.need.name <= next.room.name; \
  more(next.room.name, view_.need.name);
#define ARENA(element, name, rows, cols, stage, doc)
#define WORK(element, name, rows, cols)
#define REPORT(element, name, rows, cols, stage, doc)
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT
    view_.lacking = next.lacking = false;
    if (enough) return true;
    next.candidates_known = false;  // working memory is not kept
    const int64_t bytes = lay_out(sizes_, nullptr, next);
    std::shared_ptr<Block> block;
    try {
      block = std::make_shared<Block>(bytes);
    } catch (const std::bad_alloc&) {
      return false;
    }
    lay_out(sizes_, block->start(), next);
    if (block_) copy_rows(view_, next);
    view_ = next;
    block_ = std::move(block);
    bytes_ = bytes;
    return true;
  }

  // the contacts and rows of another arena for the same Model, which may hold other numbers; throws
  // std::bad_alloc
  template <class Other>
  void copy(const Arena<Other>& other) {
    static_assert(lanes<Real> == lanes<Other>);
    const ArenaView<Other>& from = other.view();
    view_.need = from.room;
    if (!make_room()) throw std::bad_alloc();
    view_.need = view_.room;
    copy_rows(from, view_);
    view_.ncon = from.ncon;
    view_.ne = from.ne;
    view_.nf = from.nf;
    view_.nl = from.nl;
    view_.nefc = from.nefc;
    view_.nJ = from.nJ;
    view_.cones = from.cones;
  }

  // f(cells, number) for all arrays that stages fill, as far as they are in use
  template <class F>
  void each_array(F&& f) const {
    Room used = view_.room;
    used.ncon = view_.ncon;
    used.nefc = view_.nefc;
    used.nJ = view_.nJ;
    each_pair(view_, view_, used,
              [&](auto* cells, const auto*, int64_t count) { f(cells, count); });
  }

 private:
  // all arrays, as far as the first view reaches
  template <class Other>
  void copy_rows(const ArenaView<Other>& from, const ArenaView<Real>& to) const {
    each_pair(from, to, from.room,
              [](const auto* old, auto* now, int64_t count) { std::copy_n(old, count, now); });
  }

  // f(cells, cells, number) for the arrays of two views
  template <class Other, class F>
  void each_pair(const ArenaView<Other>& from, const ArenaView<Real>& to, const Room& room,
                 F&& f) const {
    const int64_t ntendon = sizes_.ntendon;
    const auto pair = [&f](const auto& old, const auto& now, int64_t count) {
      using Rows = std::remove_cvref_t<decltype(now)>;
      if constexpr (std::is_pointer_v<Rows>) {
        f(old, now, count);
      } else if constexpr (std::is_same_v<Rows, typename ArenaView<Real>::int_rows>) {
        f(old.start, now.start, count * lanes<Real>);
      } else {
        f(old.start, now.start, count);
      }
    };
#define ROOM(name, doc) [[maybe_unused]] const int64_t name = room.name;
#define ARENA(element, name, rows, cols, stage, doc) \
  pair(from.name, to.name, rows* cols* width_##element);
#define WORK(element, name, rows, cols)
#define REPORT(element, name, rows, cols, stage, doc)
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT
  }

  ArenaView<Real> view_;
  ArenaSizes sizes_;
  std::shared_ptr<Block> block_;
  int64_t bytes_ = 0;
};

}  // namespace lockstep
