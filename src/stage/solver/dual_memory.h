// dual_memory.h: working memory of solvers of single lanes that work side by side. Not a stage.
// Each has its own islands, rows and matrix; what they need only while they build matrices is
// common.
#pragma once

#include "stage/island/islands.h"
#include "stage/solver/row_rounds.h"
#include "stage/solver/whitened.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct DualMemory {
  using S = Scalar<Real>;

  Islands islands;
  DualRows<S> rows;
  DenseProducts<S> dense{rows};
  WhitenedProducts<S> whitened{rows};
  RowOrders orders;
  Real* root = nullptr;  // D^-1/2; 1 / trace of M. of all lanes

  // of A: rows of the lane that has most, but no more than are multiplied out
  static LOCKSTEP_INLINE int stride_of(int most) {
    return max(few_rows, min(eights(most), DualRows<S>::few));
  }
  static constexpr int order_words = (DualRows<S>::few + OrderTable::most) / int(sizeof(int));
  // of vectors and A, with idle rows and what is read after them
  static LOCKSTEP_FN int block_cells(int nefc) {
    const int stride = stride_of(nefc), few = DualRows<S>::matrix_place + (stride + 1) * stride + 1;
    return max(few, DualRows<S>::vectors * eights(nefc));
  }
  // of one solver
  static LOCKSTEP_FN int own_words(const ModelView<Real>& m, const ArenaView<Real>& rows) {
    using C = WordCutter;
    const int nefc = rows.nefc;
    return C::words<int>(island_words(max(m.ntree, 1), m.nv, nefc)) +
           DualRows<S>::int_vectors * C::words<int>(eights(nefc)) + C::words<int>(order_words) +
           C::words<S>(block_cells(nefc));
  }
  // of any number of them
  static LOCKSTEP_FN int words(const ModelView<Real>& m, const ArenaView<Real>& rows, int solvers) {
    using C = WordCutter;
    const int few = stride_of(rows.nefc);
    return solvers * own_words(m, rows) + C::words<Real>(m.nv + 1) + C::words<S>(few * m.nv) +
           2 * C::words<S>(m.nv) + C::words<int>(m.nv) + C::words<int>(few / 8 * m.nv) +
           C::words<int>(few);
  }

  LOCKSTEP_FN void cut_own(const ModelView<Real>& m, const ArenaView<Real>& all,
                           WordCutter cutter) {
    const int ntree = max(m.ntree, 1), nefc = all.nefc;
    place_islands(islands, cutter.cut<int>(island_words(ntree, m.nv, nefc)), ntree, m.nv, nefc);
    int** const numbers[] = {&rows.slot, &rows.size, &rows.type, &rows.order};
    for (int i = 0; i < DualRows<S>::int_vectors; i++) {
      *numbers[i] = cutter.cut<int>(eights(nefc));
    }
    orders.drawn = reinterpret_cast<uint8_t*>(cutter.cut<int>(order_words));
    rows.block = cutter.cut<S>(block_cells(nefc));
  }

  LOCKSTEP_FN void cut_common(const ModelView<Real>& m, const ArenaView<Real>& all,
                              WordCutter cutter) {
    const int nv = m.nv, few = stride_of(all.nefc);
    dense.nv = nv;
    root = cutter.cut<Real>(nv + 1);
    dense.white = cutter.cut<S>(few * nv);
    dense.touched = cutter.cut<int>(nv);
    dense.dofs = cutter.cut<int>(few / 8 * nv);
    dense.number = cutter.cut<int>(few);
    whitened.u = cutter.cut<S>(nv);
    whitened.x = cutter.cut<S>(nv);
    whitened.rownnz = all.whitened_rownnz;
    whitened.rowadr = all.whitened_rowadr;
    whitened.colind = all.whitened_colind;
    whitened.bits = all.newton_bits;
    whitened.Y = reinterpret_cast<S*>(all.whitened);
  }

  // of the k-th solver
  LOCKSTEP_FN DualMemory(const ModelView<Real>& m, const ArenaView<Real>& all, int k, int solvers) {
    const int own = own_words(m, all);
    islands.nisland = 0;
    cut_own(m, all, {all.island_work + k * own});
    cut_common(m, all, {all.island_work + solvers * own});
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
