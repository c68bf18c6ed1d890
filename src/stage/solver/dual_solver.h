// dual_solver.h: solves islands of single lanes by their forces. Not a stage.
// reads efc_J efc_D efc_R efc_b efc_frictionloss qLD qLDiagInv
// writes efc_force solver_niter solver_nnz solver_residual solver_flags
#pragma once

#include "stage/solver/dual_memory.h"
#include "stage/solver/dual_state.h"
#include "stage/solver/noslip.h"
#include "stage/solver/outcome.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// what a lane comes to: a sweep, its end, too little room
enum class Turn { sweep, done, no_room };

// One lane after the other: its islands, and working memory for one of them. Several such solvers
// work side by side, each in memory of its own.
template <class Real>
struct DualSolver : DualMemory<Real> {
  using S = Scalar<Real>;
  using Memory = DualMemory<Real>;
  using Memory::dense, Memory::islands, Memory::orders, Memory::root, Memory::rows,
      Memory::whitened;

  const ModelView<Real>& m;
  const DataView<Real>& d;
  const StepInertia<Real>& inertia;
  ArenaView<Real>& all;
  const bool pgs;  // or only the pass against slip
  const int most;  // rows of any lane
  int which = 0, island = 0;
  S scale = 0;  // one over the trace of M of the island: what costs are measured in
  PgsRounds<S, DenseProducts<S>> rounds{rows, dense};
  RowRounds<S> row_rounds;  // where they take turns with those of other lanes

  // the k-th of several that work side by side
  LOCKSTEP_FN DualSolver(const ModelView<Real>& model, const DataView<Real>& data,
                         const StepInertia<Real>& step_inertia, bool gauss_seidel, int k,
                         int solvers, int most_rows)
      : Memory(model, *data.arena, k, solvers),
        m(model),
        d(data),
        inertia(step_inertia),
        all(*data.arena),
        pgs(gauss_seidel),
        most(most_rows) {
    if (pgs) dense.least_stride = Memory::stride_of(most);
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

  // what all lanes need, whatever their islands; one solver finds it
  LOCKSTEP_FN void prepare() const {
    Real trace(0);
    for (int dof = 0; dof < m.nv; dof++) {
      root[dof] = sqrt(inertia.diag_inv[dof]);
      trace = trace + d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
    }
    root[m.nv] = Real(1) / select(trace > Real(0), trace, Real(1));
  }

  LOCKSTEP_FN S inverse_trace(const int* dofs, int count) const {
    if (count == m.nv) return lane_of(root, count, which);
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
    if (pgs) run.start(lane(Real(m.opt.tolerance), which), scale);
  }

  // what follows the last round
  template <class Products>
  LOCKSTEP_FN void finish(const PgsRounds<S, Products>& run) const {
    int done = rounds_before();
    if (pgs) {
      const S last = run.progress.saved;
      add_outcome(d, which, is_finite(last) ? last : S(__builtin_inf()),
                  (last < run.progress.tolerance ? 0 : solver_unconverged) +
                      !is_finite(last) * solver_broken);
      if (counted()) {
        constexpr int most = 46340;  // whose square is an int
        d.solver_nnz.set(island, which, min(rows.count, most) * min(rows.count, most));
      }
      done += run.progress.round;
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
    while (pgs && run.progress.goes_on(m.opt.iterations)) {
      run.begin();
      run.end(run.sweep());
      note(rounds_before() + run.progress.round - 1, run.progress.saved);
    }
    finish(run);
  }

  // false if the arena has too little room
  LOCKSTEP_FN bool solve_whitened() {
    if (!all.has_room(&Room::nB, (m.nv + 31) / 32)) return false;
    if (!all.has_room(&Room::nY, whitened.measure(m, all))) return false;
    whitened.build(m, all, inertia, root, which);
    PgsRounds<S, WhitenedProducts<S>> run{rows, whitened};
    solve_alone(run);
    return true;
  }

  // ---- in turn with others ----

  // whether the island goes on; with the order of its next round
  LOCKSTEP_FN bool next_round() {
    if (!rounds.progress.goes_on(m.opt.iterations)) return false;
    row_rounds.order = orders.next(rounds.progress.round);
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
      dense.build(m, all, inertia, root, dofs, count, which);
      if (!pgs || !only_rows(rows)) {
        solve_alone(rounds);
        continue;
      }
      start_rounds(rounds);
      orders.start(rows.count);
      add_idle_rows(rows, dense, min(most, DualRows<S>::few));
      row_rounds = {rows.block, rows.count, &rounds.progress, nullptr};
      if (next_round()) return Turn::sweep;
      finish(rounds);
    }
    return Turn::done;
  }

  // after a sweep, on to the next one of the lane
  LOCKSTEP_INLINE Turn next_sweep() {
    if (all.solver) note(rounds_before() + rounds.progress.round - 1, rounds.progress.saved);
    if (next_round()) return Turn::sweep;
    finish(rounds);
    island++;
    return next_island();
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
