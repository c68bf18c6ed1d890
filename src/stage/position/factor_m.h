// factor_m.h: M = L' D L in the pattern of M, which elimination from the leaves to the roots does
// not fill. reads M    writes qLD qLDiagInv
#pragma once

#include "math/sparse.h"
#include "model/view.h"
#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_INLINE TreePattern pattern_m(const ModelView<Real>& m) {
  return {m.nv, m.M_rownnz, m.M_rowadr, m.M_colind, m.M_chainup, m.M_chaindown};
}

// calls f(pattern, first row) for the rows of each tree that is awake; once for all where none
// sleep
template <class Real, class F>
LOCKSTEP_INLINE void each_awake_tree(const ModelView<Real>& m, const DataView<Real>& d, F&& f) {
  if (!some_sleep(m, d)) return f(pattern_m(m), 0);
  for (int tree = 0; tree < m.ntree; tree++) {
    if (!d.tree_awake.get(tree, 0)) continue;
    TreePattern p = pattern_m(m);
    p.n = m.tree_dofadr[tree] + m.tree_dofnum[tree];
    f(p, m.tree_dofadr[tree]);
  }
}

// x <- M^-1 x
template <class Real>
LOCKSTEP_FN void solve_m(const ModelView<Real>& m, const DataView<Real>& d, Real* x) {
  solve_ltdl<Real>(pattern_m(m), d.qLD, d.qLDiagInv, x);
}

template <class Real>
LOCKSTEP_FN void factor_m(const ModelView<Real>& m, const DataView<Real>& d) {
  Mask<Real> good = true;
  each_awake_tree(m, d, [&](const TreePattern& p, int first) {
    if (first == p.n) return;
    const int end = p.rowadr[p.n - 1] + p.rownnz[p.n - 1];
    copy(d.M + p.rowadr[first], end - p.rowadr[first], d.qLD + p.rowadr[first]);
    const Mask<Real> fine = factor_ltdl(p, d.qLD, d.qLDiagInv, first);
    good = good && fine;
  });
  d.warn(Warning::inertia, !good);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
