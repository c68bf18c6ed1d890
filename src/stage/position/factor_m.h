// factor_m.h: M = L' D L in the pattern of M, which elimination from the leaves to the roots does
// not fill. reads M    writes qLD qLDiagInv
#pragma once

#include "math/sparse.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_INLINE TreePattern pattern_m(const ModelView<Real>& m) {
  return {m.nv, m.M_rownnz, m.M_rowadr, m.M_colind};
}

// x <- M^-1 x
template <class Real>
LOCKSTEP_FN void solve_m(const ModelView<Real>& m, const DataView<Real>& d, Real* x) {
  solve_ltdl<Real>(pattern_m(m), d.qLD, d.qLDiagInv, x);
}

template <class Real>
LOCKSTEP_FN void factor_m(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int i = 0; i < m.nC; i++) d.qLD[i] = d.M[i];
  d.warn(Warning::inertia, !factor_ltdl(pattern_m(m), d.qLD, d.qLDiagInv));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
