// solve_islands.h: Newton's method or conjugate gradients for each island on its own. Not a stage:
// fwd_constraint uses it.
// What the solvers read of an island is gathered as if the island were the whole world: its dofs
// and rows numbered from 0, its own part of the inertia, trees in an order that suits Newton. Each
// island stops when it has converged, and costs are measured in the trace of its own inertia; but
// all of a world start from the last acceleration or none, whichever costs less in all.
// Islands differ from lane to lane, so that lanes are solved one after the other, in their scalar
// type.
#pragma once

#include "stage/island/order.h"
#include "stage/solver/primal.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// The Model decides, not its state: conjugate gradients need islands, because one length of step
// for all of them suits none; for Newton's method they pay where many trees of similar size make up
// a large world. Trees that the metric of a discrete step couples are solved together with all
// others.
template <class Real>
LOCKSTEP_FN bool solves_by_islands(const ModelView<Real>& m) {
  constexpr int many_dofs = 60;
  if (m.ntree < 2 || (m.opt.disableflags & code(DisableBit::island))) return false;
  if (steps_in_metric(m) && (m.ntendon > 0 || m.nactuator > 0)) return false;
  if (m.opt.solver == code(Solver::cg)) return true;
  if (m.nv < many_dofs) return false;
  for (int tree = 0; tree < m.ntree; tree++) {
    if (2 * m.tree_dofnum[tree] > m.nv) return false;
  }
  return true;
}

// working memory of all lanes, which one lane uses while it is solved
template <class To, class From>
LOCKSTEP_INLINE void share(To*& to, From* work) {
  to = reinterpret_cast<To*>(work);
}

// one lane: its islands, and the views through which solvers see one of them
template <class Real>
struct IslandSolver {
  using S = Scalar<Real>;
  static constexpr bool single = lanes<Real> == 1;
  static constexpr int dof_vectors = 6, row_vectors = 7;

  const ModelView<Real>& world;
  const DataView<Real>& data;
  const StepInertia<Real>& inertia;
  const int which;
  Islands islands;
  ModelView<S> m;
  DataView<S> d;
  ArenaView<S> rows;
  int *order, *tree_place, *order_work;  // trees of an island as Newton takes them
  int *dof_of, *place_of;                // dofs of the island; where a dof stands in it
  int *M_rownnz, *M_rowadr, *M_colind, *type, *id, *J_rownnz, *J_rowadr, *J_rowsuper, *J_colind;
  S *force, *matrix, *factor, *diag_inv, *M, *J, *factored;
  bool reordered;
  int warned[mjNWARNING], info[mjNWARNING], niter, nnz;

  static LOCKSTEP_FN int words(const ModelView<Real>& m, const ArenaView<Real>& rows) {
    const int ncon = single ? 0 : rows.ncon;
    using C = WordCutter;
    return C::words<int>(island_words(m.ntree, m.nv, rows.nefc)) +
           C::words<int>(order_words(m.ntree)) + 2 * C::words<int>(m.ntree) +
           4 * C::words<int>(m.nv) + C::words<int>(m.nC) + 5 * C::words<int>(rows.nefc) +
           C::words<int>(rows.nJ) + dof_vectors * C::words<S>(m.nv) + 3 * C::words<S>(m.nC) +
           row_vectors * C::words<S>(rows.nefc) + C::words<S>(rows.nJ) + C::words<S>(42 * ncon) + 8;
  }

  LOCKSTEP_FN IslandSolver(const ModelView<Real>& model, const DataView<Real>& all,
                           const StepInertia<Real>& step_inertia, int of_lane)
      : world(model), data(all), inertia(step_inertia), which(of_lane) {
    if constexpr (single) {
      m = world;
      d = data;
      rows = *data.arena;
    } else {
      take_lane();
    }
    cut();
    m.ntree = 1;
    d.arena = &rows;
    d.solver_niter.start = &niter;
    d.solver_nnz.start = &nnz;
    m.M_rownnz = M_rownnz;
    m.M_rowadr = M_rowadr;
    m.M_colind = M_colind;
    rows.efc_type = type;
    rows.efc_id = id;
    rows.efc_J_rownnz = J_rownnz;
    rows.efc_J_rowadr = J_rowadr;
    rows.efc_J_rowsuper = J_rowsuper;
    rows.efc_J_colind = J_colind;
    find_islands(world, data, which, islands);
  }

  // what all islands share: options, contacts, working memory
  LOCKSTEP_FN void take_lane() {
    m = {};
    d = {};
    rows = {};
    const ArenaView<Real>& from = *data.arena;
    rows.room = from.room;
    rows.need = from.need;
    rows.ncon = from.ncon;
    rows.con_dim = from.con_dim;
    share(d.solver_work, data.solver_work);
    d.warning.start = warned;
    d.warning_info.start = info;
    for (int i = 0; i < mjNWARNING; i++) warned[i] = info[i] = 0;
    const auto take = [this](auto& to, const auto& option) {
      this->take_option(to.value, option.value);
    };
#define OPTION(kind, name, count, value, doc) take(m.opt.name, world.opt.name);
#define STATISTIC(kind, name, count, value, doc)
#include "model/option.def"
#undef OPTION
#undef STATISTIC
#define ROOM(name, doc)
#define ARENA(element, name, rows, cols, stage, doc)
#define WORK(element, name, count, cols) share(rows.name, from.name);
#define REPORT(element, name, rows, cols, stage, doc)
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT
  }
  LOCKSTEP_INLINE void take_option(int& to, int from) const { to = from; }
  LOCKSTEP_INLINE void take_option(S& to, const Real& from) const { to = lane(from, which); }
  template <int N>
  LOCKSTEP_INLINE void take_option(S (&to)[N], const Real (&from)[N]) const {
    for (int i = 0; i < N; i++) take_option(to[i], from[i]);
  }

  LOCKSTEP_FN void cut() {
    const ArenaView<Real>& all = *data.arena;
    WordCutter cutter{all.island_work};
    const int nv = world.nv, nefc = all.nefc;
    place_islands(islands, cutter.cut<int>(island_words(world.ntree, nv, nefc)), world.ntree, nv,
                  nefc);
    order_work = cutter.cut<int>(order_words(world.ntree));
    order = cutter.cut<int>(world.ntree);
    tree_place = cutter.cut<int>(world.ntree);
    dof_of = cutter.cut<int>(nv);
    place_of = cutter.cut<int>(nv);
    M_rownnz = cutter.cut<int>(nv);
    M_rowadr = cutter.cut<int>(nv);
    M_colind = cutter.cut<int>(world.nC);
    type = cutter.cut<int>(nefc);
    id = cutter.cut<int>(nefc);
    J_rownnz = cutter.cut<int>(nefc);
    J_rowadr = cutter.cut<int>(nefc);
    J_rowsuper = cutter.cut<int>(nefc);
    J_colind = cutter.cut<int>(all.nJ);
    S** const per_dof[dof_vectors] = {&d.qacc, &d.qacc_smooth, &d.qacc_warmstart,
                                      &force,  &diag_inv,      &d.qfrc_constraint};
    for (int i = 0; i < dof_vectors; i++) *per_dof[i] = cutter.cut<S>(nv);
    matrix = cutter.cut<S>(world.nC);
    factor = cutter.cut<S>(world.nC);
    M = cutter.cut<S>(world.nC);
    d.M = inertia.matrix == data.M ? matrix : M;
    S** const per_row[row_vectors] = {&rows.efc_D,    &rows.efc_R, &rows.efc_frictionloss,
                                      &rows.efc_aref, &rows.efc_b, &rows.efc_force,
                                      &factored};
    for (int i = 0; i < row_vectors; i++) *per_row[i] = cutter.cut<S>(nefc);
    J = cutter.cut<S>(all.nJ);
    if constexpr (!single) {
      rows.con_mu = cutter.cut<S>(all.ncon);
      rows.con_friction = cutter.cut<S>(5 * all.ncon);
      rows.con_H = cutter.cut<S>(36 * all.ncon);
      gather(all.con_mu, all.ncon, rows.con_mu);
      gather(all.con_friction, 5 * all.ncon, rows.con_friction);
    }
  }
  LOCKSTEP_FN void gather(const Real* from, int count, S* to) const {
    for (int i = 0; i < count; i++) to[i] = lane(from[i], which);
  }
  LOCKSTEP_FN void scatter(const S* from, int count, Real* to) const {
    for (int i = 0; i < count; i++) set_lane(to[i], which, from[i]);
  }

  LOCKSTEP_FN void order_dofs(int island) {
    const int count = islands.island_ntree[island];
    const int* trees = islands.map_itree2tree + islands.island_itreeadr[island];
    reordered = world.opt.solver == code(Solver::newton) && count > 2;
    if (reordered) {
      order_trees(world, *data.arena, islands, island, order_work, tree_place, order);
      trees = order;
    }
    int at = 0;
    for (int i = 0; i < count; i++) {
      const int first = world.tree_dofadr[trees[i]];
      for (int dof = first; dof < first + world.tree_dofnum[trees[i]]; dof++) {
        place_of[dof] = at;
        dof_of[at++] = dof;
      }
    }
    m.nv = at;
  }

  LOCKSTEP_FN void take_dofs() {
    int at = 0;
    for (int k = 0; k < m.nv; k++) {
      const int dof = dof_of[k], adr = world.M_rowadr[dof];
      d.qacc_smooth[k] = lane(data.qacc_smooth[dof], which);
      d.qacc_warmstart[k] = lane(data.qacc_warmstart[dof], which);
      force[k] = lane(inertia.force[dof], which);
      diag_inv[k] = lane(inertia.diag_inv[dof], which);
      M_rowadr[k] = at;
      M_rownnz[k] = world.M_rownnz[dof];
      for (int j = adr; j < adr + M_rownnz[k]; j++, at++) {
        M_colind[at] = place_of[world.M_colind[j]];
        matrix[at] = lane(inertia.matrix[j], which);
        factor[at] = lane(inertia.factor[j], which);
        if (d.M == M) M[at] = lane(data.M[j], which);
      }
    }
    m.nC = at;
  }

  // columns of a row whose numbers stay where they are
  LOCKSTEP_FN void rename_columns(int row) {
    const int adr = data.arena->efc_J_rowadr[row];
    const int* column = data.arena->efc_J_colind;
    for (int j = adr; j < adr + data.arena->efc_J_rownnz[row]; j++) {
      J_colind[j] = place_of[column[j]];
    }
  }

  // entries of a row in the order of the island's dofs: those of its trees stay together
  LOCKSTEP_FN void take_columns(int row, int at, int count) {
    const ArenaView<Real>& all = *data.arena;
    const int adr = all.efc_J_rowadr[row];
    const int* column = all.efc_J_colind + adr;
    int split = 1;
    while (split < count && place_of[column[split]] > place_of[column[split - 1]]) split++;
    for (int j = 0; j < count; j++) {
      const int from = j + split < count ? j + split : j + split - count;
      const int place = place_of[column[from]];
      const S value = lane(all.efc_J[adr + from], which);
      int to = at + j;
      for (; to > at && J_colind[to - 1] > place; to--) {  // more than two trees
        J_colind[to] = J_colind[to - 1];
        J[to] = J[to - 1];
      }
      J_colind[to] = place;
      J[to] = value;
    }
  }

  LOCKSTEP_FN void take_rows(int island) {
    const ArenaView<Real>& all = *data.arena;
    const int first = islands.island_iefcadr[island];
    rows.ne = islands.island_ne[island];
    rows.nf = islands.island_nf[island];
    rows.nefc = islands.island_nefc[island];
    rows.nl = rows.nJ = 0;
    const bool in_place = single && !reordered;
    if constexpr (single) rows.efc_J = in_place ? all.efc_J : J;
    if constexpr (!single) rows.efc_J = J;
    for (int k = 0; k < rows.nefc; k++) {
      const int row = islands.map_iefc2efc[first + k];
      type[k] = all.efc_type[row];
      id[k] = all.efc_id[row];
      rows.nl +=
          type[k] == code(Constraint::limit_joint) || type[k] == code(Constraint::limit_tendon);
      J_rownnz[k] = all.efc_J_rownnz[row];
      J_rowadr[k] = in_place ? all.efc_J_rowadr[row] : rows.nJ;
      rows.nJ += J_rownnz[k];
      if (in_place) {
        rename_columns(row);
      } else {
        take_columns(row, J_rowadr[k], J_rownnz[k]);
      }
      rows.efc_D[k] = lane(all.efc_D[row], which);
      rows.efc_R[k] = lane(all.efc_R[row], which);
      rows.efc_frictionloss[k] = lane(all.efc_frictionloss[row], which);
      rows.efc_aref[k] = lane(all.efc_aref[row], which);
    }
    for (int k = rows.nefc - 1; k >= 0; k--) {
      const int row = islands.map_iefc2efc[first + k];
      const bool follows = k + 1 < rows.nefc && islands.map_iefc2efc[first + k + 1] == row + 1;
      J_rowsuper[k] = follows && all.efc_J_rowsuper[row] > 0 ? J_rowsuper[k + 1] + 1 : 0;
    }
  }

  LOCKSTEP_FN void give_back(int island) const {
    const ArenaView<Real>& all = *data.arena;
    const int first = islands.island_iefcadr[island];
    for (int k = 0; k < m.nv; k++) {
      const int dof = dof_of[k];
      set_lane(data.qacc[dof], which, d.qacc[k]);
      set_lane(data.qfrc_constraint[dof], which, d.qfrc_constraint[k]);
    }
    for (int k = 0; k < rows.nefc; k++) {
      const int row = islands.map_iefc2efc[first + k];
      set_lane(all.efc_b[row], which, rows.efc_b[k]);
      set_lane(all.efc_force[row], which, rows.efc_force[k]);
      all.efc_state.set(row, which, static_cast<int>(rows.row_zone[k]));
    }
    if (island >= mjNISLAND) return;
    data.solver_niter.set(island, which, niter);
    data.solver_nnz.set(island, which, nnz);
  }

  // false if the arena has too little room
  LOCKSTEP_FN bool solve(int island, bool from_last) {
    order_dofs(island);
    take_dofs();
    take_rows(island);
    niter = nnz = 0;
    const bool reported = single && data.arena->solver && island < mjNISLAND;
    rows.solver = reported ? data.arena->solver + mjNSOLVER * island : nullptr;
    const StepInertia<S> own{matrix, factor, diag_inv, force, false};
    const IslandStart<S> start{from_last, factored};
    solve_primal<S>(m, d, own, true, &start);
    data.arena->need = rows.need;
    if (rows.lacks_room()) return false;
    give_back(island);
    return true;
  }

  LOCKSTEP_FN bool solve_all(bool from_last) {
    for (int island = 0; island < islands.nisland; island++) {
      if (islands.island_nefc[island] > 0 && !solve(island, from_last)) return false;
    }
    if constexpr (!single) {
      if (world.opt.cone == code(Cone::elliptic)) {
        scatter(rows.con_H, 36 * data.arena->ncon, data.arena->con_H);
      }
      for (int i = 0; i < mjNWARNING; i++) {
        if (!warned[i]) continue;
        data.warning.set(i, which, data.warning.get(i, which) + warned[i]);
        data.warning_info.set(i, which, info[i]);
      }
    }
    return true;
  }
};

template <class Real>
LOCKSTEP_FN void solve_islands(const ModelView<Real>& m, const DataView<Real>& d,
                               const StepInertia<Real>& inertia) {
  ArenaView<Real>& rows = *d.arena;
  if (!rows.has_room(&Room::nisl, IslandSolver<Real>::words(m, rows))) return;
  const Mask<Real> from_last = Primal<Real>(m, d, inertia).prefers_last();
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc[dof] = d.qacc_smooth[dof];
    d.qfrc_constraint[dof] = Real(0);
  }
  for (int row = 0; row < rows.nefc; row++) {
    rows.efc_b[row] = rows.efc_force[row] = Real(0);
    rows.efc_state.fill(row, code(ConstraintState::satisfied));
  }
  for (int i = 0; i < lanes<Real>; i++) {
    if (d.nefc.get(0, i) == 0) continue;
    IslandSolver<Real> solver(m, d, inertia, i);
    if (!solver.solve_all(lane(from_last, i))) return;
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
