// parts.h: rows that act on each other, through the trees they move. Not a stage.
// Two rows belong together if they move the same tree, or trees that other rows join. A part is a
// problem of its own; parts are numbered by their first tree. A lane has the parts that it would
// have alone.
// reads efc_D efc_J_colind dof_treeid M
// writes row_part tree_part, of each lane; -1: the lane has no such row, no row moves the tree
#pragma once

#include "stage/solver/cost.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_INLINE int part_of(const Real& part, int i) {
  return static_cast<int>(lane(part, i));
}
template <class Real>
LOCKSTEP_INLINE void set_part(Real& part, int i, int number) {
  set_lane(part, i, static_cast<Scalar<Real>>(number));
}

// where a Model has one tree, or an island stands for all of it, dof_treeid is not read
template <class Real>
LOCKSTEP_INLINE int tree_of_dof(const ModelView<Real>& m, int dof) {
  return m.ntree > 1 ? m.dof_treeid[dof] : 0;
}

// the first of the trees that are joined with this one
template <class Real>
LOCKSTEP_FN int first_tree(const Real* joined, int tree, int i) {
  for (int above; (above = part_of(joined[tree], i)) != tree;) tree = above;
  return tree;
}

// the parts of one lane; returns their number
template <class Real>
LOCKSTEP_FN int find_lane_parts(const ModelView<Real>& m, ArenaView<Real>& rows, int i) {
  // a tree that rows move points to itself or to an earlier one of its part
  Real* part = rows.tree_part;
  for (int tree = 0; tree < m.ntree; tree++) set_part(part[tree], i, -1);
  const auto tree_of = [&](int row, int k) {
    return m.dof_treeid[rows.efc_J_colind[rows.efc_J_rowadr[row] + k]];
  };
  for (int row = 0; row < rows.nefc; row++) {
    if (lane(rows.efc_D[row], i) == 0) continue;
    for (int k = 0; k < rows.efc_J_rownnz[row]; k++) {
      const int tree = tree_of(row, k);
      if (part_of(part[tree], i) < 0) set_part(part[tree], i, tree);
      const int a = first_tree(part, tree, i), b = first_tree(part, tree_of(row, 0), i);
      set_part(part[max(a, b)], i, min(a, b));
    }
  }
  int count = 0;
  for (int tree = 0; tree < m.ntree; tree++) {
    const int above = part_of(part[tree], i);
    if (above == tree) {
      set_part(part[tree], i, count++);
    } else if (above >= 0) {
      set_part(part[tree], i, part_of(part[above], i));
    }
  }
  // a row that moves nothing joins the first part
  for (int row = 0; row < rows.nefc; row++) {
    const bool exists = lane(rows.efc_D[row], i) != 0, moves = rows.efc_J_rownnz[row] > 0;
    set_part(rows.row_part[row], i, !exists ? -1 : moves ? part_of(part[tree_of(row, 0)], i) : 0);
  }
  return max(count, 1);
}

// the largest number of parts that a lane has; one where islands are off
template <class Real>
LOCKSTEP_FN int find_parts(const ModelView<Real>& m, ArenaView<Real>& rows) {
  if (m.ntree > 1 && !(m.opt.disableflags & code(DisableBit::island))) {
    int most = 1;
    for (int i = 0; i < lanes<Real>; i++) most = max(most, find_lane_parts(m, rows, i));
    return most;
  }
  for (int tree = 0; tree < m.ntree; tree++) rows.tree_part[tree] = Real(0);
  for (int row = 0; row < rows.nefc; row++) {
    rows.row_part[row] = select(rows.efc_D[row] != Real(0), Real(0), Real(-1));
  }
  return 1;
}

// tree_part alone, as if all rows were one part
template <class Real>
LOCKSTEP_FN void mark_moved_trees(const ModelView<Real>& m, ArenaView<Real>& rows) {
  const bool all = m.ntree == 1 || m.opt.disableflags & code(DisableBit::island);
  for (int tree = 0; tree < m.ntree; tree++) rows.tree_part[tree] = Real(all ? 0 : -1);
  if (all) return;
  for (int row = 0; row < rows.nefc; row++) {
    const Mask<Real> exists = rows.efc_D[row] != Real(0);
    const int* column = rows.efc_J_colind + rows.efc_J_rowadr[row];
    for (int k = 0, last = -1; k < rows.efc_J_rownnz[row]; k++) {
      const int tree = m.dof_treeid[column[k]];
      if (tree == last) continue;
      rows.tree_part[tree] = select(exists, Real(0), rows.tree_part[tree]);
      last = tree;
    }
  }
}

// one over the trace of M of a part: what costs and gradients are measured in
template <class Real>
LOCKSTEP_FN Real inverse_trace(const ModelView<Real>& m, const DataView<Real>& d, int part) {
  Real trace(0);
  for (int dof = 0; dof < m.nv; dof++) {
    const Mask<Real> inside = d.arena->tree_part[tree_of_dof(m, dof)] == Real(part);
    trace = trace + select(inside, d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1], Real(0));
  }
  return Real(1) / select(trace > Real(0), trace, Real(1));
}

// rows that an elliptic contact or a row of another kind takes together
template <class Real>
LOCKSTEP_INLINE int block_size(const ArenaView<Real>& rows, int row) {
  return is_elliptic(rows, row) ? rows.con_dim[rows.efc_id[row]] : 1;
}

// The rows of one part, in lanes. Lanes with the same rows go together: the first of them leads,
// and its column of part_order holds the blocks in the order in which they are visited.
template <class Real>
struct Part {
  int number, count;        // count: rows that any lane has, in part_rows
  int blocks[lanes<Real>];  // of each lane
  int leader[lanes<Real>];

  LOCKSTEP_INLINE Mask<Real> holds(const ArenaView<Real>& rows, int row) const {
    return rows.row_part[row] == Real(number);
  }

  LOCKSTEP_FN Part(ArenaView<Real>& rows, int part) : number(part), count(0) {
    for (int i = 0; i < lanes<Real>; i++) blocks[i] = leader[i] = 0;
    for (int row = 0, size; row < rows.nefc; row += size) {
      size = block_size(rows, row);
      const Mask<Real> inside = holds(rows, row);
      if (!any(inside)) continue;
      for (int j = 0; j < size; j++) rows.part_rows[count++] = row + j;
      for (int i = 0; i < lanes<Real>; i++) {
        if (lane(inside, i)) set_part(rows.part_order[blocks[i]++], i, row);
      }
    }
    for (int i = 1; i < lanes<Real>; i++) {
      while (leader[i] < i && !same_blocks(rows, leader[i], i)) leader[i]++;
    }
  }

  LOCKSTEP_FN bool same_blocks(const ArenaView<Real>& rows, int a, int b) const {
    if (blocks[a] != blocks[b]) return false;
    for (int k = 0; k < blocks[a]; k++) {
      if (lane(rows.part_order[k], a) != lane(rows.part_order[k], b)) return false;
    }
    return true;
  }

  // the lanes that have any of it
  LOCKSTEP_FN Mask<Real> exists() const {
    Mask<Real> some = false;
    for (int i = 0; i < lanes<Real>; i++) set_lane(some, i, blocks[i] > 0);
    return some;
  }

  // the lanes that lane i leads
  LOCKSTEP_FN Mask<Real> led_by(int i) const {
    Mask<Real> led = false;
    for (int j = i; j < lanes<Real>; j++) set_lane(led, j, leader[j] == i);
    return led;
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
