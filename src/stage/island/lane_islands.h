// lane_islands.h: islands of all lanes, and which lanes have the same one. Not a stage.
// An island of some lanes is the same where it holds the same trees, in the order in which Newton
// takes them: these lanes do the same arithmetic and can be solved at once. Rows may differ; those
// that a lane lacks are zero.
// reads what islands.h reads
#pragma once

#include "stage/island/order.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct LaneIslands {
  static constexpr int width = lanes<Real>;
  const ModelView<Real>& m;
  const DataView<Real>& d;
  const bool ordered;        // Newton's method
  Islands of[width];         // lanes with the same rows share memory
  int* solved;               // lanes whose island begins with a tree, as bits
  int *order, *other_order;  // trees as Newton takes them
  int *tree_place, *order_work;
  int *row_of, *merged;  // rows of the island, in any of the lanes
  int nrow;

  static LOCKSTEP_FN int words(const ModelView<Real>& m, const ArenaView<Real>& rows) {
    using C = WordCutter;
    return width * C::words<int>(island_words(m.ntree, m.nv, rows.nefc)) +
           C::words<int>(order_words(m.ntree)) + 4 * C::words<int>(m.ntree) +
           2 * C::words<int>(rows.nefc);
  }

  LOCKSTEP_FN LaneIslands(const ModelView<Real>& model, const DataView<Real>& data,
                          WordCutter& cutter)
      : m(model), d(data), ordered(model.opt.solver == code(Solver::newton)) {
    const int nefc = d.arena->nefc;
    int* memory[width];
    for (int i = 0; i < width; i++) {
      memory[i] = cutter.cut<int>(island_words(m.ntree, m.nv, nefc));
    }
    order_work = cutter.cut<int>(order_words(m.ntree));
    int** const per_tree[] = {&solved, &order, &other_order, &tree_place};
    for (int i = 0; i < 4; i++) *per_tree[i] = cutter.cut<int>(m.ntree);
    row_of = cutter.cut<int>(nefc);
    merged = cutter.cut<int>(nefc);
    for (int tree = 0; tree < m.ntree; tree++) solved[tree] = 0;
    const Mask<Real> like_first = same_rows();
    for (int i = 0; i < width; i++) {
      if (i > 0 && lane(like_first, i)) {
        of[i] = of[0];
      } else {
        place_islands(of[i], memory[i], m.ntree, m.nv, nefc);
        find_islands(m, d, i, of[i]);
      }
    }
  }

  // lanes that have the rows of the first one. Rows whose trees depend on numbers are not compared
  LOCKSTEP_FN Mask<Real> same_rows() const {
    Mask<Real> same = true;
    if constexpr (width > 1) {
      const ArenaView<Real>& rows = *d.arena;
      if (rows.ne > 0 || m.ntendon > 0 || steps_in_metric(m)) return false;
      for (int row = 0; row < rows.nefc; row++) {
        const Mask<Real> has = rows.efc_D[row] != Real(0);
        same = same && (lane(has, 0) ? has : !has);
      }
    }
    return same;
  }

  LOCKSTEP_INLINE const int* trees(int which, int island) const {
    return of[which].map_itree2tree + of[which].island_itreeadr[island];
  }
  LOCKSTEP_INLINE const int* rows(int which, int island) const {
    return of[which].map_iefc2efc + of[which].island_iefcadr[island];
  }
  static LOCKSTEP_FN bool equal(const int* a, const int* b, int count) {
    for (int i = 0; i < count; i++) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  LOCKSTEP_FN bool equal_rows(int which, int island, int other, int others) const {
    const int count = of[which].island_nefc[island];
    return count == of[other].island_nefc[others] &&
           equal(rows(which, island), rows(other, others), count);
  }
  LOCKSTEP_INLINE bool is_ordered(int which, int island) const {
    return ordered && of[which].island_ntree[island] > 2;
  }

  // the island of a lane that is the same as that of another; -1 if there is none
  LOCKSTEP_FN int same_island(int which, int island, int other) const {
    const Islands &own = of[which], &theirs = of[other];
    if (theirs.nisland == 0) return -1;
    if (own.map_itree2tree == theirs.map_itree2tree) return island;
    const int count = own.island_ntree[island];
    const int found = theirs.tree_island[trees(which, island)[0]];
    if (found < 0 || theirs.island_ntree[found] != count || theirs.island_nefc[found] == 0 ||
        !equal(trees(which, island), trees(other, found), count)) {
      return -1;
    }
    if (!is_ordered(which, island) || equal_rows(which, island, other, found)) return found;
    order_trees(m, *d.arena, theirs, found, order_work, tree_place, other_order);
    return equal(order, other_order, count) ? found : -1;
  }

  // rows that one more lane has
  LOCKSTEP_FN void merge_rows(int other, int island) {
    const int *theirs = rows(other, island), count = of[other].island_nefc[island];
    if (count == nrow && equal(row_of, theirs, count)) return;
    int total = 0;
    for (int i = 0, j = 0; i < nrow || j < count;) {
      const bool mine = j == count || (i < nrow && row_of[i] <= theirs[j]);
      const int row = mine ? row_of[i] : theirs[j];
      i += mine;
      j += j < count && theirs[j] == row;
      merged[total++] = row;
    }
    int* const old = row_of;
    row_of = merged;
    merged = old;
    nrow = total;
  }

  // Lanes that have the same island as one of them, and have not been solved there: their islands,
  // -1 for others. They count as solved from now on. Finds order and rows
  LOCKSTEP_FN int take_group(int which, int island, int (&islands)[width]) {
    if (is_ordered(which, island)) {
      order_trees(m, *d.arena, of[which], island, order_work, tree_place, order);
    }
    nrow = of[which].island_nefc[island];
    for (int i = 0; i < nrow; i++) row_of[i] = rows(which, island)[i];
    const int first = trees(which, island)[0];
    int count = 0;
    for (int i = 0; i < width; i++) {
      islands[i] = -1;
      if (i < which || solved[first] >> i & 1) continue;
      islands[i] = i == which ? island : same_island(which, island, i);
      if (islands[i] < 0) continue;
      solved[first] |= int(1u << i);
      if (i != which) merge_rows(i, islands[i]);
      count++;
    }
    return count;
  }
  LOCKSTEP_INLINE bool is_solved(int which, int island) const {
    return of[which].island_nefc[island] == 0 || (solved[trees(which, island)[0]] >> which & 1);
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
