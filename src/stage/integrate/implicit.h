// implicit.h: implicit in velocity.    (M - h qDeriv) a = qfrc_smooth + qfrc_constraint
// implicit takes all derivatives and an LU factor; implicitfast leaves the Coriolis terms out and
// makes the rest symmetric, except for free bodies that carry no joints, which get them back.
// reads M qfrc_smooth qfrc_constraint and what derivative.h reads
// writes qDeriv qLU, or qDeriv qH qHDiagInv
#pragma once

#include "stage/integrate/euler.h"
#include "stage/integrate/fluid_derivative.h"
#include "stage/integrate/free_body.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// qDeriv; `full` is what implicit takes, otherwise implicitfast
template <class Real>
LOCKSTEP_FN void smooth_derivative(const ModelView<Real>& m, const DataView<Real>& d, bool full) {
  for (int i = 0; i < m.nD; i++) d.qDeriv[i] = Real(0);
  actuator_derivative(m, d);
  damper_derivative(m, d);
  fluid_derivative(m, d, full ? FluidPart::all : FluidPart::symmetric,
                   [&](int row, int column, Real value, Mask<Real> where) {
                     Real& entry = d.qDeriv[entry_d(m, row, column)];
                     entry = select(where, entry + value, entry);
                   });
  if (full) coriolis_derivative(m, d);
}

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

// M - h (qDeriv + qDeriv')/2 into qH. Entries above the diagonal know where they stand below it
template <class Real>
LOCKSTEP_FN void fill_symmetric(const ModelView<Real>& m, const DataView<Real>& d) {
  const Real half_step = m.opt.timestep * Real(0.5);
  for (int k = 0; k < m.nC; k++) d.qH[k] = d.qDeriv[m.mapD2M[k]];
  for (int row = 0; row < m.nv; row++) {
    const int adr = m.D_rowadr[row];
    for (int at = adr + m.D_diag[row]; at < adr + m.D_rownnz[row]; at++) {
      const int k = m.mapM2D[at];
      if (k >= 0) d.qH[k] = d.M[k] - half_step * (d.qH[k] + d.qDeriv[at]);
    }
  }
}

// M - h qDeriv for the six dofs of a free body; in all lanes
template <class Real>
LOCKSTEP_FN Mask<Real> implicit_block(const ModelView<Real>& m, const DataView<Real>& d, int first,
                                      Real* block) {
  for (int i = 0; i < 36; i++) {
    const int at = entry_d(m, first + i / 6, first + i % 6);
    block[i] = inertia_d(m, d, at) - Real(m.opt.timestep) * d.qDeriv[at];
  }
  return true;
}

template <class Real>
LOCKSTEP_FN void implicitfast_acceleration(const ModelView<Real>& m, const DataView<Real>& d,
                                           Real* qacc) {
  smooth_derivative(m, d, false);
  fill_symmetric(m, d);
  d.warn(Warning::inertia, !factor_ltdl(pattern_m(m), d.qH, d.qHDiagInv));
  solve_qh(m, d, qacc);
  solve_free_bodies(m, d, qacc, [&](int first, Real* block, Real* force) {
    for (int k = 0; k < 6; k++) {
      force[k] = d.qfrc_smooth[first + k] + d.qfrc_constraint[first + k];
    }
    return implicit_block(m, d, first, block);
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
