// dual.h: solvers that work on the forces of the rows: Gauss-Seidel, and the pass against slip
// after any solver. Not a stage.
// Forces start in all lanes at once and become accelerations so; in between each lane solves its
// own islands one after the other.
// reads efc_J efc_D efc_R efc_aref efc_frictionloss qLD qLDiagInv qacc_smooth qacc_warmstart
// writes efc_b efc_force row_zone qacc qfrc_constraint solver_niter solver_nnz solver_residual
// solver_flags
#pragma once

#include "stage/island/islands.h"
#include "stage/solver/dense_products.h"
#include "stage/solver/jacobian.h"
#include "stage/solver/noslip.h"
#include "stage/solver/outcome.h"
#include "stage/solver/pgs.h"
#include "stage/solver/whitened.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// |tangents| of an elliptic contact, each in units of its friction
template <class Real>
LOCKSTEP_FN Real scaled_friction(const ArenaView<Real>& rows, int row) {
  const int contact = rows.efc_id[row];
  Real square(0);
  for (int j = 1; j < rows.con_dim[contact]; j++) {
    const Real friction = rows.con_friction[5 * contact + j - 1];
    const Real part = rows.efc_force[row + j] / select(friction > Real(0), friction, Real(1));
    square = square + part * part;
  }
  return sqrt(square);
}

// the state that belongs to the forces of a block; the names are those of the primal problem, in
// which a force inside its cone is a contact that is apart
template <class Real>
LOCKSTEP_FN Real dual_state(const ArenaView<Real>& rows, int row) {
  const Real satisfied = zone<Real>(ConstraintState::satisfied);
  const Real quadratic = zone<Real>(ConstraintState::quadratic);
  const Real f = rows.efc_force[row];
  if (row < rows.ne) return quadratic;
  if (row < rows.ne + rows.nf) {
    const Real most = rows.efc_frictionloss[row];
    return select(f <= -most, zone<Real>(ConstraintState::linearpos),
                  select(f >= most, zone<Real>(ConstraintState::linearneg), quadratic));
  }
  if (!is_elliptic(rows, row)) return select(f <= Real(0), satisfied, quadratic);
  const Real mu = rows.con_mu[rows.efc_id[row]], tangent = scaled_friction(rows, row);
  const Real normal = f / select(mu > Real(0), mu, Real(1));
  return select(
      mu * normal >= tangent, satisfied,
      select(normal + mu * tangent <= Real(0), quadratic, zone<Real>(ConstraintState::cone)));
}

// One lane: its islands, and working memory for one of them.
template <class Real>
struct DualSolver {
  using S = Scalar<Real>;

  const ModelView<Real>& m;
  const DataView<Real>& d;
  const StepInertia<Real>& inertia;
  ArenaView<Real>& all;
  const int which;
  Islands islands;
  DualRows<S> rows;
  DenseProducts<S> dense{rows};
  WhitenedProducts<S> whitened{rows};

  // ---- memory ----

  static LOCKSTEP_FN int words(const ModelView<Real>& m, const ArenaView<Real>& rows) {
    using C = WordCutter;
    const int ntree = max(m.ntree, 1), few = eights(min(rows.nefc, DenseProducts<S>::most));
    return C::words<int>(island_words(ntree, m.nv, rows.nefc)) +
           DualRows<S>::int_vectors * C::words<int>(eights(rows.nefc)) +
           DualRows<S>::vectors * C::words<S>(eights(rows.nefc)) + C::words<S>(few * few) +
           C::words<S>(few) + C::words<S>(few * m.nv) + 3 * C::words<S>(m.nv) +
           C::words<int>(m.nv) + C::words<int>(few / 8 * m.nv) + C::words<int>(few);
  }

  LOCKSTEP_FN void cut() {
    WordCutter cutter{all.island_work};
    const int ntree = max(m.ntree, 1), nefc = all.nefc, nv = m.nv;
    place_islands(islands, cutter.cut<int>(island_words(ntree, nv, nefc)), ntree, nv, nefc);
    int** const numbers[] = {&rows.slot, &rows.size, &rows.type, &rows.order};
    for (int i = 0; i < DualRows<S>::int_vectors; i++) *numbers[i] = cutter.cut<int>(eights(nefc));
    S** const vectors[] = {&rows.force,    &rows.b,     &rows.R,     &rows.low,
                           &rows.high,     &rows.stiff, &rows.curve, &rows.inverse_curve,
                           &rows.friction, &rows.last,  &rows.from};
    for (int i = 0; i < DualRows<S>::vectors; i++) *vectors[i] = cutter.cut<S>(eights(nefc));
    const int few = eights(min(nefc, DenseProducts<S>::most));
    dense.nv = nv;
    dense.A = cutter.cut<S>(few * few);
    dense.residuals = cutter.cut<S>(few);
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

  LOCKSTEP_FN DualSolver(const ModelView<Real>& model, const DataView<Real>& data,
                         const StepInertia<Real>& step_inertia, int of_lane)
      : m(model), d(data), inertia(step_inertia), all(*data.arena), which(of_lane) {
    cut();
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

  LOCKSTEP_FN void note(int island, int round, S saved) const {
    if (!all.solver || island >= mjNISLAND || round >= mjNSOLVER) return;
    SolverStat& stat = all.solver[island * mjNSOLVER + round];
    stat = {double(saved), 0, 0, 0, 0, 0, 0};
    update_states(stat);
  }

  // ---- solving ----

  // one over the trace of M of an island: what costs are measured in
  LOCKSTEP_FN S inverse_trace(const int* dofs, int count) const {
    S trace(0);
    for (int k = 0; k < count; k++) {
      trace = trace + lane_of(d.M, m.M_rowadr[dofs[k]] + m.M_rownnz[dofs[k]] - 1, which);
    }
    return S(1) / (trace > S(0) ? trace : S(1));
  }

  template <class Products>
  LOCKSTEP_FN void iterate(int island, Products& products, S scale, bool pgs) {
    if (all.solver) {
      SolverStat unread{};
      update_states(unread);
    }
    const bool counted = island < mjNISLAND;
    int done = counted ? d.solver_niter.get(island, which) : 0;
    const auto noted = [&](int round, S saved) { note(island, done + round, saved); };
    if (pgs) {
      const S tolerance = lane(Real(m.opt.tolerance), which), inf(__builtin_inf());
      S last = inf;
      const auto followed = [&](int round, S saved) { noted(round, last = saved); };
      done += solve_pgs<S>(rows, products, m.opt.iterations, tolerance, scale, followed);
      add_outcome(d, which, is_finite(last) ? last : inf,
                  (last < tolerance ? 0 : solver_unconverged) + !is_finite(last) * solver_broken);
      if (counted) d.solver_nnz.set(island, which, rows.count * rows.count);
    }
    if (m.opt.noslip_iterations > 0) {
      done += solve_noslip<S>(rows, products, m.opt.noslip_iterations,
                              lane(Real(m.opt.noslip_tolerance), which), scale, noted);
    }
    if (counted) d.solver_niter.set(island, which, done);
  }

  // false if the arena has too little room
  LOCKSTEP_FN bool solve(int island, bool pgs) {
    const int* dofs = islands.map_idof2dof + islands.island_idofadr[island];
    const int count = islands.island_nv[island];
    rows.gather(all, islands.map_iefc2efc + islands.island_iefcadr[island],
                islands.island_nefc[island], which);
    const S scale = inverse_trace(dofs, count);
    if (rows.count <= DenseProducts<S>::most) {
      dense.build(m, all, inertia, dofs, count, which);
      iterate(island, dense, scale, pgs);
    } else {
      if (!all.has_room(&Room::nB, (m.nv + 31) / 32)) return false;
      if (!all.has_room(&Room::nY, whitened.measure(m, all))) return false;
      whitened.build(m, all, inertia, which);
      iterate(island, whitened, scale, pgs);
    }
    give_back();
    return true;
  }

  LOCKSTEP_FN bool solve_all(bool pgs) {
    for (int island = 0; island < islands.nisland; island++) {
      if (islands.island_nefc[island] > 0 && !solve(island, pgs)) return false;
    }
    return true;
  }
};

// accelerations that the forces give
template <class Real>
LOCKSTEP_FN void finish_dual(const ModelView<Real>& m, const DataView<Real>& d,
                             const StepInertia<Real>& inertia, Mask<Real> where) {
  ArenaView<Real>& rows = *d.arena;
  mul_jac_t(rows, m.nv, rows.efc_force, d.qfrc_constraint);
  Real* x = d.solver_work;
  for (int dof = 0; dof < m.nv; dof++) x[dof] = d.qfrc_constraint[dof];
  solve_ltdl<Real>(pattern_m(m), inertia.factor, inertia.diag_inv, x);
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc[dof] = select(where, d.qacc_smooth[dof] + x[dof], d.qacc_smooth[dof]);
  }
  for (int row = 0, size; row < rows.nefc; row += size) {
    size = block_size(rows, row);
    const Real state = dual_state(rows, row);
    for (int j = 0; j < size; j++) rows.row_zone[row + j] = state;
  }
}

// what the forces in efc_force cost
template <class Real>
LOCKSTEP_FN Real dual_cost(const ModelView<Real>& m, const DataView<Real>& d,
                           const StepInertia<Real>& inertia) {
  const ArenaView<Real>& rows = *d.arena;
  Real *x = d.solver_work, cost(0);
  mul_jac_t(rows, m.nv, rows.efc_force, x);
  for (int dof = m.nv - 1; dof >= 0; dof--) {
    const int adr = m.M_rowadr[dof];
    for (int j = adr; j < adr + m.M_rownnz[dof] - 1; j++) {
      x[m.M_colind[j]] = x[m.M_colind[j]] - inertia.factor[j] * x[dof];
    }
    cost = cost + x[dof] * x[dof] * inertia.diag_inv[dof];
  }
  for (int row = 0; row < rows.nefc; row++) {
    const Real f = rows.efc_force[row];
    cost = cost + f * (rows.efc_R[row] * f + Real(2) * rows.efc_b[row]);
  }
  return Real(0.5) * cost;
}

// forces of the last acceleration unless they cost more than none
template <class Real>
LOCKSTEP_FN void start_dual(const ModelView<Real>& m, const DataView<Real>& d,
                            const StepInertia<Real>& inertia) {
  ArenaView<Real>& rows = *d.arena;
  const Real zero(0);
  mul_jac(rows, d.qacc_smooth, rows.efc_b);
  for (int row = 0; row < rows.nefc; row++) rows.efc_b[row] = rows.efc_b[row] - rows.efc_aref[row];
  Mask<Real> warm = false;
  if (!(m.opt.disableflags & code(DisableBit::warmstart))) {
    mul_jac(rows, d.qacc_warmstart, rows.row_jar);
    for (int row = 0; row < rows.nefc; row++) {
      rows.row_jar[row] = rows.row_jar[row] - rows.efc_aref[row];
    }
    push_rows(rows, rows.row_jar);
    warm = !(dual_cost(m, d, inertia) > zero);
  }
  for (int row = 0; row < rows.nefc; row++) {
    rows.efc_force[row] = select(warm, rows.efc_force[row], zero);
  }
}

// Gauss-Seidel if the Model asks for it, else only the pass against slip from the forces that
// another solver found. False if the arena has too little room.
template <class Real>
LOCKSTEP_FN bool solve_dual(const ModelView<Real>& m, const DataView<Real>& d,
                            const StepInertia<Real>& inertia, Mask<Real> constrained) {
  ArenaView<Real>& rows = *d.arena;
  const bool pgs = m.opt.solver == code(Solver::pgs);
  if (!rows.has_room(&Room::nisl, DualSolver<Real>::words(m, rows))) return false;
  if (pgs) start_dual(m, d, inertia);
  for (int i = 0; i < lanes<Real>; i++) {
    if (!lane(constrained, i)) continue;
    DualSolver<Real> solver(m, d, inertia, i);
    if (!solver.solve_all(pgs)) return false;
  }
  finish_dual(m, d, inertia, constrained);
  return true;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
