// whitened.h: many rows in the coordinates in which inertia is one. Not a stage.
//   Y = J L^-1 D^-1/2,   A = J M^-1 J' = Y Y'
// Y has the pattern of J closed under ancestors, so that a product with a row of A costs two runs
// over its chain: u = Y'f is kept up to date, and A_i f = Y_i u.
// reads efc_J and the factor of the inertia that the step solves with
#pragma once

#include "stage/solver/dual_rows.h"
#include "stage/solver/primal.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class S>
struct WhitenedProducts {
  static constexpr bool multiplied_out = false;
  DualRows<S>& rows;
  int *rownnz = nullptr, *rowadr = nullptr, *colind = nullptr, *bits = nullptr;
  S *Y = nullptr, *u = nullptr, *x = nullptr;
  bool soft = true;

  // the dofs of a row and their ancestors in ascending order: calls f(dof)
  template <class Real, class F>
  LOCKSTEP_FN void each_dof(const ModelView<Real>& m, const ArenaView<Real>& all, int slot,
                            F&& f) const {
    const int words = (m.nv + 31) / 32;
    for (int w = 0; w < words; w++) bits[w] = 0;
    const int* column = all.efc_J_colind + all.efc_J_rowadr[slot];
    for (int k = 0; k < all.efc_J_rownnz[slot]; k++) {
      bits[column[k] / 32] |= int(1u << (column[k] % 32));
    }
    for (int w = words - 1; w >= 0; w--) {
      for (unsigned left = unsigned(bits[w]); left;) {
        const int bit = 31 - __builtin_clz(left), dof = 32 * w + bit;
        const int* above = m.M_colind + m.M_rowadr[dof];
        for (int k = 0; k < m.M_rownnz[dof] - 1; k++) {
          bits[above[k] / 32] |= int(1u << (above[k] % 32));
        }
        left = unsigned(bits[w]) & ((1u << bit) - 1);
      }
    }
    for (int w = 0; w < words; w++) {
      for (unsigned left = unsigned(bits[w]); left; left &= left - 1) {
        f(32 * w + __builtin_ctz(left));
      }
    }
  }

  // whether a row has the dofs of the one before
  template <class Real>
  LOCKSTEP_INLINE bool repeats(const ArenaView<Real>& all, int row) const {
    if (row == 0) return false;
    const int before = rows.slot[row - 1];
    return rows.slot[row] - before <= all.efc_J_rowsuper[before];
  }

  // lengths and places of the rows of Y; their sum
  template <class Real>
  LOCKSTEP_FN int measure(const ModelView<Real>& m, const ArenaView<Real>& all) const {
    int total = 0;
    for (int row = 0; row < rows.count; row++) {
      rowadr[row] = total;
      if (repeats(all, row)) {
        rownnz[row] = rownnz[row - 1];
      } else {
        rownnz[row] = 0;
        each_dof(m, all, rows.slot[row], [&](int) { rownnz[row]++; });
      }
      total += rownnz[row];
    }
    return total;
  }

  template <class Real>
  LOCKSTEP_FN void build(const ModelView<Real>& m, const ArenaView<Real>& all,
                         const StepInertia<Real>& inertia, const Real* root, int which) const {
    for (int row = 0; row < rows.count; row++) {
      int* const dofs = colind + rowadr[row];
      if (repeats(all, row)) {
        for (int k = 0; k < rownnz[row]; k++) dofs[k] = colind[rowadr[row - 1] + k];
      } else {
        int at = 0;
        each_dof(m, all, rows.slot[row], [&](int dof) { dofs[at++] = dof; });
      }
      whiten(m, all, inertia, root, row, which);
      rows.stiff[row] = product(row, row);
    }
  }

  template <class Real>
  LOCKSTEP_FN void whiten(const ModelView<Real>& m, const ArenaView<Real>& all,
                          const StepInertia<Real>& inertia, const Real* root, int row,
                          int which) const {
    const int *const dofs = colind + rowadr[row], slot = rows.slot[row];
    for (int k = 0; k < rownnz[row]; k++) x[dofs[k]] = S(0);
    const int adr = all.efc_J_rowadr[slot];
    for (int j = adr; j < adr + all.efc_J_rownnz[slot]; j++) {
      x[all.efc_J_colind[j]] = lane_of(all.efc_J, j, which);
    }
    for (int k = rownnz[row] - 1; k >= 0; k--) {
      const int dof = dofs[k], start = m.M_rowadr[dof];
      for (int j = start; j < start + m.M_rownnz[dof] - 1; j++) {
        const int above = m.M_colind[j];
        x[above] = x[above] - lane_of(inertia.factor, j, which) * x[dof];
      }
      Y[rowadr[row] + k] = x[dof] * lane_of(root, dof, which);
    }
  }

  // of rows with the same dofs
  LOCKSTEP_FN S product(int a, int b) const {
    const S *left = Y + rowadr[a], *right = Y + rowadr[b];
    S sum(0);
    for (int k = 0; k < rownnz[a]; k++) sum = sum + left[k] * right[k];
    return sum;
  }
  LOCKSTEP_INLINE S residual(int row) const {
    S sum(0);
    for (int k = rowadr[row]; k < rowadr[row] + rownnz[row]; k++) sum = sum + Y[k] * u[colind[k]];
    const S hard = rows.b[row] + sum;
    return soft ? hard + rows.R[row] * rows.force[row] : hard;
  }
  LOCKSTEP_INLINE void add(int row, S change) const {
    for (int k = rowadr[row]; k < rowadr[row] + rownnz[row]; k++) {
      u[colind[k]] = u[colind[k]] + change * Y[k];
    }
  }

  LOCKSTEP_FN void recompute() const {
    for (int row = 0; row < rows.count; row++) {
      for (int k = rowadr[row]; k < rowadr[row] + rownnz[row]; k++) u[colind[k]] = S(0);
    }
    for (int row = 0; row < rows.count; row++) {
      if (rows.force[row] != S(0)) add(row, rows.force[row]);
    }
  }
  // residuals of A + R, or of A alone
  LOCKSTEP_FN void soften(bool with_R) { soft = with_R; }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
