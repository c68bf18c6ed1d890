// dual_solver.h: solves islands of single lanes by their forces. Not a stage.
// reads efc_J efc_D efc_R efc_b efc_frictionloss qLD qLDiagInv
// writes efc_force solver_niter solver_nnz solver_residual solver_flags
#pragma once

#include "stage/island/islands.h"
#include "stage/solver/dual_state.h"
#include "stage/solver/noslip.h"
#include "stage/solver/outcome.h"
#include "stage/solver/pgs.h"
#include "stage/solver/row_sweep.h"
#include "stage/solver/whitened.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// what a lane comes to: a sweep, its end, too little room
enum class Turn { sweep, done, no_room };

// One lane after the other: its islands, and working memory for one of them. Several such solvers
// work side by side, each in memory of its own.
template <class Real>
struct DualSolver {
  using S = Scalar<Real>;

  const ModelView<Real>& m;
  const DataView<Real>& d;
  const StepInertia<Real>& inertia;
  ArenaView<Real>& all;
  const bool pgs;  // or only the pass against slip
  int which = 0, island = 0;
  S scale = 0;  // one over the trace of M of the island: what costs are measured in
  Islands islands;
  DualRows<S> rows;
  DenseProducts<S> dense{rows};
  WhitenedProducts<S> whitened{rows};
  PgsRounds<S, DenseProducts<S>> rounds{rows, dense};
  RowOrders orders;   // of these rounds
  RowSweep<S> sweep;  // of the one under way

  // ---- memory ----

  static LOCKSTEP_INLINE int dense_rows(const ArenaView<Real>& rows) {
    return eights(min(rows.nefc, DenseProducts<S>::most));
  }
  static constexpr int order_words = DenseProducts<S>::most / int(sizeof(int)) + 1;
  // of one solver
  static LOCKSTEP_FN int own_words(const ModelView<Real>& m, const ArenaView<Real>& rows) {
    using C = WordCutter;
    const int few = dense_rows(rows), nefc = rows.nefc;
    return C::words<int>(island_words(max(m.ntree, 1), m.nv, nefc)) +
           DualRows<S>::int_vectors * C::words<int>(eights(nefc)) + C::words<int>(order_words) +
           DualRows<S>::vectors * C::words<S>(eights(nefc)) + C::words<RowVisit<S>>(eights(nefc)) +
           C::words<S>(few * few) + C::words<S>(few);
  }
  // of any number of them: beside their own what they need while they build matrices
  static LOCKSTEP_FN int words(const ModelView<Real>& m, const ArenaView<Real>& rows, int solvers) {
    using C = WordCutter;
    const int few = dense_rows(rows);
    return solvers * own_words(m, rows) + C::words<S>(few * m.nv) + 3 * C::words<S>(m.nv) +
           C::words<int>(m.nv) + C::words<int>(few / 8 * m.nv) + C::words<int>(few);
  }

  LOCKSTEP_FN void cut_own(WordCutter cutter) {
    const int ntree = max(m.ntree, 1), nefc = all.nefc, few = dense_rows(all);
    place_islands(islands, cutter.cut<int>(island_words(ntree, m.nv, nefc)), ntree, m.nv, nefc);
    int** const numbers[] = {&rows.slot, &rows.size, &rows.type, &rows.order};
    for (int i = 0; i < DualRows<S>::int_vectors; i++) {
      *numbers[i] = cutter.cut<int>(eights(nefc));
    }
    orders.drawn = reinterpret_cast<uint8_t*>(cutter.cut<int>(order_words));
    S** const vectors[] = {&rows.force, &rows.b,     &rows.R,        &rows.low,  &rows.high,
                           &rows.stiff, &rows.curve, &rows.friction, &rows.last, &rows.from};
    for (int i = 0; i < DualRows<S>::vectors; i++) *vectors[i] = cutter.cut<S>(eights(nefc));
    rows.visit = cutter.cut<RowVisit<S>>(eights(nefc));
    dense.A = cutter.cut<S>(few * few);
    dense.residuals = cutter.cut<S>(few);
  }

  LOCKSTEP_FN void cut_common(WordCutter cutter) {
    const int nv = m.nv, few = dense_rows(all);
    dense.nv = nv;
    dense.white = cutter.cut<S>(few * nv);
    dense.root = cutter.cut<S>(nv);
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

  // the k-th of several that work side by side
  LOCKSTEP_FN DualSolver(const ModelView<Real>& model, const DataView<Real>& data,
                         const StepInertia<Real>& step_inertia, bool gauss_seidel, int k,
                         int solvers)
      : m(model), d(data), inertia(step_inertia), all(*data.arena), pgs(gauss_seidel) {
    islands.nisland = 0;
    if (k >= solvers) return;
    const int own = own_words(m, all);
    cut_own({all.island_work + k * own});
    cut_common({all.island_work + solvers * own});
  }

  // ---- islands ----

  LOCKSTEP_FN void take(int lane) {
    which = lane;
    island = 0;
    if (m.ntree > 1 && !(m.opt.disableflags & code(DisableBit::island))) {
      find_islands(m, d, which, islands);
    } else {
      take_all();
    }
  }

  // one island of everything
  LOCKSTEP_FN void take_all() {
    islands.nisland = 1;
    islands.island_idofadr[0] = islands.island_iefcadr[0] = 0;
    islands.island_nv[0] = m.nv;
    for (int dof = 0; dof < m.nv; dof++) islands.map_idof2dof[dof] = dof;
    int count = 0;
    for (int row = 0; row < all.nefc; row++) {
      if (lane_of(all.efc_D, row, which) != S(0)) islands.map_iefc2efc[count++] = row;
    }
    islands.island_nefc[0] = count;
  }

  // ---- statistics, where someone reads them: in one world ----

  // forces into the arena
  LOCKSTEP_FN void give_back() const {
    for (int k = 0; k < rows.count; k++) {
      set_lane_of(all.efc_force, rows.slot[k], which, rows.force[k]);
    }
  }

  // what the rows do; counts those that push, and those that no longer do what they did
  LOCKSTEP_FN void update_states(SolverStat& stat) const {
    give_back();
    for (int k = 0; k < rows.count; k++) {
      const int row = rows.slot[k];
      if (rows.size[k] == 0) continue;
      const S state = lane(dual_state(all, row), which);
      const bool acts = row < all.ne + all.nf || state != zone<S>(ConstraintState::satisfied);
      stat.nactive += acts ? rows.size[k] : 0;
      stat.nchange += state != lane_of(all.row_zone, row, which) ? rows.size[k] : 0;
      for (int j = 0; j < rows.size[k]; j++) set_lane_of(all.row_zone, row + j, which, state);
    }
  }

  LOCKSTEP_FN void note(int round, S saved) const {
    if (!all.solver || island >= mjNISLAND || round >= mjNSOLVER) return;
    SolverStat& stat = all.solver[island * mjNSOLVER + round];
    stat = {double(saved), 0, 0, 0, 0, 0, 0};
    update_states(stat);
  }

  // ---- solving ----

  LOCKSTEP_FN S inverse_trace(const int* dofs, int count) const {
    S trace(0);
    for (int k = 0; k < count; k++) {
      trace = trace + lane_of(d.M, m.M_rowadr[dofs[k]] + m.M_rownnz[dofs[k]] - 1, which);
    }
    return S(1) / (trace > S(0) ? trace : S(1));
  }

  LOCKSTEP_INLINE bool counted() const { return island < mjNISLAND; }
  LOCKSTEP_INLINE int rounds_before() const {
    return counted() ? d.solver_niter.get(island, which) : 0;
  }

  template <class Products>
  LOCKSTEP_FN void start_rounds(PgsRounds<S, Products>& run) const {
    if (all.solver) {
      SolverStat unread{};
      update_states(unread);
    }
    run.tolerance = lane(Real(m.opt.tolerance), which);
    run.scale = scale;
    if (pgs) run.start();
  }

  template <class Products>
  LOCKSTEP_FN void end_round(PgsRounds<S, Products>& run, S sum) const {
    if (all.solver) note(rounds_before() + run.round, scale * sum);
    run.end(sum);
  }

  // what follows the last round
  template <class Products>
  LOCKSTEP_FN void finish(const PgsRounds<S, Products>& run) const {
    int done = rounds_before();
    if (pgs) {
      const S last = run.saved;
      add_outcome(
          d, which, is_finite(last) ? last : S(__builtin_inf()),
          (last < run.tolerance ? 0 : solver_unconverged) + !is_finite(last) * solver_broken);
      if (counted()) d.solver_nnz.set(island, which, rows.count * rows.count);
      done += run.round;
    }
    if (m.opt.noslip_iterations > 0) {
      const auto noted = [&](int round, S saved) { note(done + round, saved); };
      const S tolerance = lane(Real(m.opt.noslip_tolerance), which);
      done += solve_noslip<S>(rows, run.products, m.opt.noslip_iterations, tolerance, scale, noted);
    }
    if (counted()) d.solver_niter.set(island, which, done);
    give_back();
  }

  template <class Products>
  LOCKSTEP_FN void solve_alone(PgsRounds<S, Products>& run) const {
    start_rounds(run);
    while (pgs && run.goes_on(m.opt.iterations)) {
      run.begin();
      end_round(run, run.sweep());
    }
    finish(run);
  }

  // false if the arena has too little room
  LOCKSTEP_FN bool solve_whitened() {
    if (!all.has_room(&Room::nB, (m.nv + 31) / 32)) return false;
    if (!all.has_room(&Room::nY, whitened.measure(m, all))) return false;
    whitened.build(m, all, inertia, which);
    PgsRounds<S, WhitenedProducts<S>> run{rows, whitened};
    solve_alone(run);
    return true;
  }

  // ---- in turn with others ----

  LOCKSTEP_FN bool begin_round() {
    if (!rounds.goes_on(m.opt.iterations)) return false;
    rounds.begin_rows();
    sweep.start(rows, dense, orders.next(rounds.round));
    return true;
  }

  // On to an island whose sweeps take turns with those of other lanes; what cannot is solved on the
  // way.
  LOCKSTEP_FN Turn next_island() {
    for (; island < islands.nisland; island++) {
      if (islands.island_nefc[island] == 0) continue;
      const int* dofs = islands.map_idof2dof + islands.island_idofadr[island];
      const int count = islands.island_nv[island];
      rows.gather(all, islands.map_iefc2efc + islands.island_iefcadr[island],
                  islands.island_nefc[island], which);
      scale = inverse_trace(dofs, count);
      if (rows.count > DenseProducts<S>::most) {
        if (!solve_whitened()) return Turn::no_room;
        continue;
      }
      dense.build(m, all, inertia, dofs, count, which);
      if (!pgs || !only_rows(rows)) {
        solve_alone(rounds);
        continue;
      }
      start_rounds(rounds);
      orders.start(rows.count);
      if (begin_round()) return Turn::sweep;
      finish(rounds);
    }
    return Turn::done;
  }

  // after a sweep, on to the next one of the lane
  LOCKSTEP_FN Turn next_sweep() {
    end_round(rounds, sweep.saved);
    if (begin_round()) return Turn::sweep;
    finish(rounds);
    island++;
    return next_island();
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
