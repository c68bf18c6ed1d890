// dense_products.h: the matrix of a few rows, multiplied out. Not a stage.
//   A = J M^-1 J' = Y Y',   Y = J L^-1 D^-1/2;   residual b + A f, or b + (A + R) f
// A change of one force adds a column of A to all residuals. Rows are whitened eight at a time, dof
// by dof.
// reads efc_J and the factor of the inertia that the step solves with
#pragma once

#include "math/transpose.h"
#include "stage/solver/dual_rows.h"
#include "stage/solver/primal.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class S>
struct DenseProducts {
  static constexpr bool multiplied_out = true;
  static constexpr int most = DualRows<S>::few;  // more rows than this are not multiplied out

  DualRows<S>& rows;
  int nv = 0, width = 0, stride = 0;  // width: rows, rounded up to eight; stride: of rows of A
  int least_stride = 0;
  S* A = nullptr;
  S* white = nullptr;  // Y', eight rows at a time: 8 x nv each
  // whether a dof moves eight rows; a list of those; its length
  int *touched = nullptr, *dofs = nullptr, *number = nullptr;

  // ---- the matrix ----

  // eight rows from `first` on
  template <class Real>
  LOCKSTEP_FN void whiten(const ModelView<Real>& m, const ArenaView<Real>& all,
                          const StepInertia<Real>& inertia, const Real* root,
                          const int* island_dofs, int count, int which, int first) {
    S* const Y = white + first * nv;
    int *const list = dofs + first / 8 * nv, end = min(first + 8, rows.count);
    for (int k = 0; k < count; k++) {
      store_eight(Y + 8 * island_dofs[k], eight_times(S(0)));
      touched[island_dofs[k]] = 0;
    }
    for (int row = first; row < end; row++) {
      const int adr = all.efc_J_rowadr[rows.slot[row]];
      for (int j = adr; j < adr + all.efc_J_rownnz[rows.slot[row]]; j++) {
        const int dof = all.efc_J_colind[j];
        Y[8 * dof + row - first] = lane_of(all.efc_J, j, which);
        touched[dof] = 1;
      }
    }
    number[first / 8] = eliminate(m, inertia.factor, root, island_dofs, count, which, Y, list);
  }

  // Y <- Y' of eight rows from their Jacobian, from the leaves to the roots; the dofs that move
  // them, or whose descendants do. A dof and the one before are taken together where that is its
  // parent
  template <class Real>
  LOCKSTEP_FN int eliminate(const ModelView<Real>& m, const Real* factor, const Real* root,
                            const int* island_dofs, int count, int which, S* Y, int* list) const {
    int used = 0;
    for (int k = count - 1; k >= 0; k--) {
      const int dof = island_dofs[k], above = m.M_rownnz[dof] - 1, adr = m.M_rowadr[dof];
      if (!touched[dof]) continue;
      const int* column = m.M_colind + adr;
      const Eight<S> x = load_eight(Y + 8 * dof);
      list[used++] = dof;
      store_eight(Y + 8 * dof, x * eight_times(lane_of(root, dof, which)));
      if (above == 0) continue;
      const int parent = column[above - 1];
      touched[parent] = 1;
      const auto times = [&](int j, const Eight<S>& y) {
        return eight_times(lane_of(factor, j, which)) * y;
      };
      if (k == 0 || island_dofs[k - 1] != parent || m.M_rownnz[parent] != above) {
        for (int j = 0; j < above; j++) {
          S* y = Y + 8 * column[j];
          store_eight(y, load_eight(y) - times(adr + j, x));
        }
        continue;
      }
      const int next = m.M_rowadr[parent];
      const Eight<S> x2 = load_eight(Y + 8 * parent) - times(adr + above - 1, x);
      list[used++] = parent;
      store_eight(Y + 8 * parent, x2 * eight_times(lane_of(root, parent, which)));
      if (above > 1) touched[column[above - 2]] = 1;
      for (int j = 0; j < above - 1; j++) {
        S* y = Y + 8 * column[j];
        store_eight(y, load_eight(y) - times(adr + j, x) - times(next + j, x2));
      }
      k--;
    }
    return used;
  }

  // eight by eight products, with zeros where there are no more rows
  LOCKSTEP_FN void multiply(int first, int other) const {
    const int* const list = dofs + first / 8 * nv;
    for (int half = 0; half < 8; half += 4) {
      const S *left = white + first * nv + half, *right = white + other * nv;
      Eight<S> sum[4] = {eight_times(S(0)), eight_times(S(0)), eight_times(S(0)),
                         eight_times(S(0))};
      for (int k = 0; first + half < rows.count && k < number[first / 8]; k++) {
        const Eight<S> Y = load_eight(right + 8 * list[k]);
        for (int i = 0; i < 4; i++) sum[i] = sum[i] + eight_times(left[8 * list[k] + i]) * Y;
      }
      for (int i = 0; i < 4; i++) store_eight(A + (first + half + i) * stride + other, sum[i]);
    }
    if (first != other) mirror(first, other);
  }
  LOCKSTEP_INLINE void mirror(int first, int other) const {
    if constexpr (fits_register<S, 8>) {
      typename Wide<S, 8>::V square[8];
      LOCKSTEP_UNROLL
      for (int i = 0; i < 8; i++) {
        __builtin_memcpy(&square[i], A + (first + i) * stride + other, sizeof square[i]);
      }
      turn_square<8>(square);
      LOCKSTEP_UNROLL
      for (int i = 0; i < 8; i++) {
        __builtin_memcpy(A + (other + i) * stride + first, &square[i], sizeof square[i]);
      }
    } else {
      for (int i = first; i < first + 8; i++) {
        for (int j = other; j < other + 8; j++) A[j * stride + i] = A[i * stride + j];
      }
    }
  }

  template <class Real>
  LOCKSTEP_FN void build(const ModelView<Real>& m, const ArenaView<Real>& all,
                         const StepInertia<Real>& inertia, const Real* root, const int* island_dofs,
                         int count, int which) {
    width = eights(rows.count);
    stride = max(width, least_stride);
    A = rows.block + DualRows<S>::matrix_place;
    for (int first = 0; first < width; first += 8) {
      whiten(m, all, inertia, root, island_dofs, count, which, first);
      for (int other = 0; other <= first; other += 8) multiply(first, other);
    }
    for (int row = 0; row < rows.count; row++) {
      rows.stiff[row] = A[row * stride + row];
    }
  }

  // ---- residuals ----

  LOCKSTEP_INLINE S product(int a, int b) const { return A[a * stride + b]; }
  LOCKSTEP_INLINE S residual(int row) const { return rows.residuals[row]; }
  LOCKSTEP_INLINE void add(int row, S change) const {
    add_scaled(width, change, A + row * stride, rows.residuals);
  }

  // b + A f of N times eight rows from `at` on, which stay in registers. Rows without a force add
  // zeros: skipping them would be guessed wrong half of the time
  template <int N>
  LOCKSTEP_INLINE void recompute_at(int at) const {
    Eight<S> sum[N];
    for (int i = 0; i < N; i++) sum[i] = load_eight(rows.b + at + 8 * i);
    for (int row = 0; row < rows.count; row++) {
      const Eight<S> force = eight_times(rows.force[row]);
      const S* column = A + row * stride + at;
      for (int i = 0; i < N; i++) sum[i] = sum[i] + force * load_eight(column + 8 * i);
    }
    for (int i = 0; i < N; i++) store_eight(rows.residuals + at + 8 * i, sum[i]);
  }
  LOCKSTEP_FN void recompute() const {
    int at = 0;
    for (; at + 32 <= width; at += 32) recompute_at<4>(at);
    if (at + 16 <= width) recompute_at<2>(at), at += 16;
    if (at < width) recompute_at<1>(at);
  }
  // residuals of A + R, or of A alone
  LOCKSTEP_FN void soften(bool with_R) const {
    for (int i = 0; i < rows.count; i++) {
      A[i * stride + i] = with_R ? rows.stiff[i] + rows.R[i] : rows.stiff[i];
    }
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
