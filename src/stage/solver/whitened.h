// whitened.h: the rows in the coordinates in which inertia is one. Not a stage.
//   Y = J L^-1 D^-1/2,   A = J M^-1 J' = Y Y'
// Y has the pattern of J closed under ancestors, so that a product with a row of A costs two runs
// over its chain: u = Y'f is kept up to date, and A_i f = Y_i u.
// reads efc_J qLD qLDiagInv (or the factor that the step solves with)
// writes whitened row_stiff (the diagonal of A)
#pragma once

#include "stage/solver/primal.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the dofs of a row and their ancestors in ascending order: calls f(dof)
template <class Real, class F>
LOCKSTEP_FN void each_closed_dof(const ModelView<Real>& m, ArenaView<Real>& rows, int row, F&& f) {
  const int words = (m.nv + 31) / 32;
  int* bits = rows.newton_bits;
  for (int w = 0; w < words; w++) bits[w] = 0;
  const int* column = rows.efc_J_colind + rows.efc_J_rowadr[row];
  for (int k = 0; k < rows.efc_J_rownnz[row]; k++) {
    bits[column[k] / 32] |= int(1u << (column[k] % 32));
  }
  for (int dof = m.nv - 1; dof >= 0; dof--) {
    if (!(unsigned(bits[dof / 32]) >> (dof % 32) & 1u)) continue;
    const int* above = m.M_colind + m.M_rowadr[dof];
    for (int k = 0; k < m.M_rownnz[dof] - 1; k++) {
      bits[above[k] / 32] |= int(1u << (above[k] % 32));
    }
  }
  for (int w = 0; w < words; w++) {
    for (unsigned left = unsigned(bits[w]); left; left &= left - 1) {
      f(32 * w + __builtin_ctz(left));
    }
  }
}

// Y; false if there is no room for it
template <class Real>
LOCKSTEP_FN bool whiten(const ModelView<Real>& m, const DataView<Real>& d,
                        const StepInertia<Real>& inertia) {
  ArenaView<Real>& rows = *d.arena;
  group_rows(rows);
  if (!rows.has_room(&Room::nB, (m.nv + 31) / 32)) return false;
  int total = 0;
  for (int first = 0; first < rows.nefc; first += rows.row_group[first]) {
    int count = 0;
    each_closed_dof(m, rows, first, [&](int) { count++; });
    for (int row = first; row < first + rows.row_group[first]; row++) {
      rows.whitened_rownnz[row] = count;
      rows.whitened_rowadr[row] = total;
      total += count;
    }
  }
  if (!rows.has_room(&Room::nY, total)) return false;
  Real* x = d.solver_work;
  for (int first = 0; first < rows.nefc; first += rows.row_group[first]) {
    int at = rows.whitened_rowadr[first];
    each_closed_dof(m, rows, first, [&](int dof) { rows.whitened_colind[at++] = dof; });
    const int count = rows.whitened_rownnz[first];
    const int* dofs = rows.whitened_colind + rows.whitened_rowadr[first];
    for (int row = first; row < first + rows.row_group[first]; row++) {
      int* own = rows.whitened_colind + rows.whitened_rowadr[row];
      Real* Y = rows.whitened + rows.whitened_rowadr[row];
      for (int k = 0; k < count; k++) {
        own[k] = dofs[k];
        x[dofs[k]] = Real(0);
      }
      const int* column = rows.efc_J_colind + rows.efc_J_rowadr[row];
      const Real* J = rows.efc_J + rows.efc_J_rowadr[row];
      for (int k = 0; k < rows.efc_J_rownnz[row]; k++) x[column[k]] = J[k];
      for (int k = count - 1; k >= 0; k--) {
        const int dof = dofs[k], adr = m.M_rowadr[dof];
        for (int j = 0; j < m.M_rownnz[dof] - 1; j++) {
          const int above = m.M_colind[adr + j];
          x[above] = x[above] - inertia.factor[adr + j] * x[dof];
        }
        Y[k] = x[dof] * sqrt(inertia.diag_inv[dof]);
      }
      Real square(0);
      for (int k = 0; k < count; k++) square = square + Y[k] * Y[k];
      rows.row_stiff[row] = square;
    }
  }
  return true;
}

template <class Real>
LOCKSTEP_INLINE Real whitened_dot(const ArenaView<Real>& rows, int row, const Real* u) {
  const Real* Y = rows.whitened + rows.whitened_rowadr[row];
  const int* dof = rows.whitened_colind + rows.whitened_rowadr[row];
  Real sum(0);
  for (int k = 0; k < rows.whitened_rownnz[row]; k++) sum = sum + Y[k] * u[dof[k]];
  return sum;
}
template <class Real>
LOCKSTEP_INLINE void whitened_add(const ArenaView<Real>& rows, int row, Real force, Real* u) {
  const Real* Y = rows.whitened + rows.whitened_rowadr[row];
  const int* dof = rows.whitened_colind + rows.whitened_rowadr[row];
  for (int k = 0; k < rows.whitened_rownnz[row]; k++) u[dof[k]] = u[dof[k]] + force * Y[k];
}

// Y_a . Y_b for rows with the same dofs
template <class Real>
LOCKSTEP_FN Real whitened_product(const ArenaView<Real>& rows, int a, int b) {
  const Real *left = rows.whitened + rows.whitened_rowadr[a],
             *right = rows.whitened + rows.whitened_rowadr[b];
  Real sum(0);
  for (int k = 0; k < rows.whitened_rownnz[a]; k++) sum = sum + left[k] * right[k];
  return sum;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
