// parts.h: the trees that rows move. Not a stage.
// reads efc_D efc_J_colind dof_treeid M
// writes tree_part, of each lane; -1: no row of the lane moves the tree, else 0
#pragma once

#include "stage/solver/cost.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// where a Model has one tree, or an island stands for all of it, dof_treeid is not read
template <class Real>
LOCKSTEP_INLINE int tree_of_dof(const ModelView<Real>& m, int dof) {
  return m.ntree > 1 ? m.dof_treeid[dof] : 0;
}

// all trees where islands are off
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

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
