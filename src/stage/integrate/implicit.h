// implicit.h: implicit in velocity.    (M - h qDeriv) a = qfrc_smooth + qfrc_constraint
// implicit takes all derivatives and an LU factor; implicitfast leaves the Coriolis terms out and
// makes the rest symmetric, except for free bodies that carry no joints, which get them back.
// reads M qfrc_smooth qfrc_constraint and what derivative.h reads
// writes qDeriv qLU, or qDeriv qH qHDiagInv
#pragma once

#include "stage/integrate/derivative.h"
#include "stage/integrate/euler.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// M at an entry of the full pattern; simple bodies have more entries there
template <class Real>
LOCKSTEP_INLINE Real inertia_d(const ModelView<Real>& m, const DataView<Real>& d, int at) {
  return m.mapM2D[at] < 0 ? Real(0) : d.M[m.mapM2D[at]];
}

template <class Real>
LOCKSTEP_FN void implicit_acceleration(const ModelView<Real>& m, const DataView<Real>& d,
                                       Real* qacc) {
  smooth_derivative(m, d, true);
  const Real h = m.opt.timestep;
  for (int i = 0; i < m.nD; i++) d.qLU[i] = inertia_d(m, d, i) - h * d.qDeriv[i];
  const SquarePattern pattern{m.nv, m.D_rownnz, m.D_rowadr, m.D_diag, m.D_colind};
  d.warn(Warning::inertia, !factor_lu(pattern, d.qLU));
  for (int dof = 0; dof < m.nv; dof++) {
    qacc[dof] = d.qfrc_smooth[dof] + d.qfrc_constraint[dof];
  }
  solve_lu(pattern, d.qLU, qacc);
}

// M - h qDeriv into qH, of which the lower triangle speaks for both
template <class Real>
LOCKSTEP_FN void fill_symmetric(const ModelView<Real>& m, const DataView<Real>& d) {
  const Real h = m.opt.timestep;
  for (int k = 0; k < m.nC; k++) d.qH[k] = d.M[k] - h * d.qDeriv[m.mapD2M[k]];
}

// its block of M - h qDeriv, with the derivative of its bias force
template <class Real>
LOCKSTEP_FN void free_body_block(const ModelView<Real>& m, const DataView<Real>& d, int first,
                                 Real* block) {
  const Real h = m.opt.timestep;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      const int at = entry_d(m, first + i, first + j);
      block[6 * i + j] = inertia_d(m, d, at) - h * d.qDeriv[at];
    }
  }
  for (int j = 0; j < 6; j++) {
    bias_derivative(m, d, first + j, [&](int row, Real value) {
      const int at = 6 * (row - first) + j;
      block[at] = block[at] + h * value;
    });
  }
}

// solves this block again
template <class Real>
LOCKSTEP_FN void solve_free_body(const ModelView<Real>& m, const DataView<Real>& d, int first,
                                 Real* qacc) {
  constexpr int rownnz[6] = {6, 6, 6, 6, 6, 6}, rowadr[6] = {0, 6, 12, 18, 24, 30};
  constexpr int diag[6] = {0, 1, 2, 3, 4, 5};
  constexpr int colind[36] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5,
                              0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
  Real block[36];
  free_body_block(m, d, first, block);
  for (int i = first; i < first + 6; i++) qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  const SquarePattern pattern{6, rownnz, rowadr, diag, colind};
  factor_lu(pattern, block);
  solve_lu(pattern, block, qacc + first);
}

template <class Real>
LOCKSTEP_FN void solve_free_bodies(const ModelView<Real>& m, const DataView<Real>& d, Real* qacc) {
  for (int joint = 0; joint < m.njnt; joint++) {
    if (lone_free_body(m, joint)) solve_free_body(m, d, m.jnt_dofadr[joint], qacc);
  }
}

template <class Real>
LOCKSTEP_FN void implicitfast_acceleration(const ModelView<Real>& m, const DataView<Real>& d,
                                           Real* qacc) {
  smooth_derivative(m, d, false);
  fill_symmetric(m, d);
  d.warn(Warning::inertia, !factor_ltdl(pattern_m(m), d.qH, d.qHDiagInv));
  solve_qh(m, d, qacc);
  solve_free_bodies(m, d, qacc);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
