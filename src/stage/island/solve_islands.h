// solve_islands.h: Newton's method or conjugate gradients for each island on its own. Not a stage:
// fwd_constraint uses it.
// What the solvers read of an island is gathered as if the island were the whole world: its dofs
// and rows numbered from 0, its own part of the inertia, trees in an order that suits Newton. Each
// island stops when it has converged, and costs are measured in the trace of its own inertia; but
// all of a world start from the last acceleration or none, whichever costs less in all.
// Lanes that have the same island are solved at once (lane_islands.h). Where only one lane has an
// island, it is solved in the scalar type of the lanes.
#pragma once

#include "stage/island/lane_islands.h"
#include "stage/solver/solve_primal.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// The Model decides, not its state: conjugate gradients need islands, because one length of step
// for all of them suits none; for Newton's method they pay where many trees of similar size make up
// a large world. Smaller ones are solved faster at once: alone, heaps of 20 bodies take as long
// either way and stacks less; in lanes, both two to four times less. Trees that the metric of a
// discrete step couples are solved together with all others.
template <class Real>
LOCKSTEP_FN bool solves_by_islands(const ModelView<Real>& m) {
  constexpr int many_dofs = 120;
  if (m.ntree < 2 || (m.opt.disableflags & code(DisableBit::island))) return false;
  if (steps_in_metric(m) && (m.ntendon > 0 || m.nactuator > 0)) return false;
  if (m.opt.solver == code(Solver::cg) || m.opt.solver == code(Solver::cgstrict)) return true;
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

// The views through which solvers see one island: of all lanes where Own is Real, of one lane where
// it is a number
template <class Real, class Own>
struct IslandSolver {
  static constexpr bool single = lanes<Real> == 1, together = lanes<Own> == lanes<Real>;
  static constexpr int dof_vectors = 6, row_vectors = 7;

  const ModelView<Real>& world;
  const DataView<Real>& data;
  const StepInertia<Real>& inertia;
  int which;                  // the lane, or one of them
  Mask<Real> group;           // lanes that are solved
  const int *trees, *row_of;  // of the island
  ModelView<Own> m;
  DataView<Own> d;
  ArenaView<Own> rows;
  int *dof_of, *place_of;  // dofs of the island; where a dof stands in it
  int *M_rownnz, *M_rowadr, *M_colind, *M_chainup, *M_chaindown, *type, *id, *J_rownnz, *J_rowadr,
      *J_rowsuper, *J_colind;
  Own *force, *matrix, *factor, *diag_inv, *M, *J, *factored;
  bool reordered;
  int warned[mjNWARNING], info[mjNWARNING];
  int niter[lanes<Own>], nnz[lanes<Own>], flags[lanes<Own>];
  Own residual;

  // enough for lanes alone too
  static LOCKSTEP_FN int words(const ModelView<Real>& m, const ArenaView<Real>& rows) {
    using C = WordCutter;
    return 6 * C::words<int>(m.nv) + C::words<int>(m.nC) + 5 * C::words<int>(rows.nefc) +
           C::words<int>(rows.nJ) + dof_vectors * C::words<Real>(m.nv) + 3 * C::words<Real>(m.nC) +
           row_vectors * C::words<Real>(rows.nefc) + C::words<Real>(rows.nJ) +
           C::words<Real>(contact_numbers(m) * rows.ncon) + 50;
  }
  // of elliptic contacts: friction and curvature
  static LOCKSTEP_INLINE int contact_numbers(const ModelView<Real>& m) {
    return single || m.opt.cone != code(Cone::elliptic) ? 0 : 42;
  }

  LOCKSTEP_FN IslandSolver(const ModelView<Real>& model, const DataView<Real>& all,
                           const StepInertia<Real>& step_inertia, WordCutter cutter)
      : world(model), data(all), inertia(step_inertia), which(-1), group(false) {
    if constexpr (together) {
      m = world;
      d = data;
      rows = *data.arena;
    } else {
      share_work();
    }
    cut(cutter);
    m.ntree = 1;
    d.arena = &rows;
    d.solver_niter.start = niter;
    d.solver_nnz.start = nnz;
    d.solver_flags.start = flags;
    d.solver_residual = &residual;
    m.M_rownnz = M_rownnz;
    m.M_rowadr = M_rowadr;
    m.M_colind = M_colind;
    m.M_chainup = M_chainup;
    m.M_chaindown = M_chaindown;
    rows.efc_type = type;
    rows.efc_id = id;
    rows.efc_J_rownnz = J_rownnz;
    rows.efc_J_rowadr = J_rowadr;
    rows.efc_J_rowsuper = J_rowsuper;
    rows.efc_J_colind = J_colind;
  }

  LOCKSTEP_INLINE Own take(const Real& x) const {
    if constexpr (together) {
      return x;
    } else {
      return lane(x, which);
    }
  }
  LOCKSTEP_INLINE void put(Real& to, const Own& x, Mask<Real> where) const {
    if constexpr (together) {
      to = select(where, x, to);
    } else {
      set_lane(to, which, x);
    }
  }

  // what all lanes share: contacts, working memory
  LOCKSTEP_FN void share_work() {
    m = {};
    d = {};
    rows = {};
    const ArenaView<Real>& from = *data.arena;
    rows.room = from.room;
    rows.need = from.need;
    rows.ncon = from.ncon;
    rows.cones = from.cones;
    rows.con_dim = from.con_dim;
    share(d.solver_work, data.solver_work);
    d.warning.start = warned;
    d.warning_info.start = info;
    for (int i = 0; i < mjNWARNING; i++) warned[i] = info[i] = 0;
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

  // what all islands of a lane share
  LOCKSTEP_FN void take_lane(int of_lane) {
    if (which == of_lane) return;
    which = of_lane;
    const auto take_one = [this](auto& to, const auto& option) {
      this->take_option(to.value, option.value);
    };
#define OPTION(kind, name, count, value, doc) take_one(m.opt.name, world.opt.name);
#define STATISTIC(kind, name, count, value, doc)
#include "model/option.def"
#undef OPTION
#undef STATISTIC
  }
  LOCKSTEP_INLINE void take_option(int& to, int from) const { to = from; }
  LOCKSTEP_INLINE void take_option(Own& to, const Real& from) const { to = take(from); }
  template <int N>
  LOCKSTEP_INLINE void take_option(Own (&to)[N], const Real (&from)[N]) const {
    for (int i = 0; i < N; i++) take_option(to[i], from[i]);
  }

  LOCKSTEP_FN void cut(WordCutter cutter) {
    const ArenaView<Real>& all = *data.arena;
    const int nv = world.nv, nefc = all.nefc;
    int** const dof_integers[] = {&dof_of,   &place_of,  &M_rownnz,
                                  &M_rowadr, &M_chainup, &M_chaindown};
    for (int i = 0; i < 6; i++) *dof_integers[i] = cutter.cut<int>(nv);
    M_colind = cutter.cut<int>(world.nC);
    int** const row_integers[] = {&type, &id, &J_rownnz, &J_rowadr, &J_rowsuper};
    for (int i = 0; i < 5; i++) *row_integers[i] = cutter.cut<int>(nefc);
    J_colind = cutter.cut<int>(all.nJ);
    Own** const per_dof[dof_vectors] = {&d.qacc, &d.qacc_smooth, &d.qacc_warmstart,
                                        &force,  &diag_inv,      &d.qfrc_constraint};
    for (int i = 0; i < dof_vectors; i++) *per_dof[i] = cutter.cut<Own>(nv);
    matrix = cutter.cut<Own>(world.nC);
    factor = cutter.cut<Own>(world.nC);
    M = cutter.cut<Own>(world.nC);
    d.M = inertia.matrix == data.M ? matrix : M;
    Own** const per_row[row_vectors] = {&rows.efc_D,    &rows.efc_R, &rows.efc_frictionloss,
                                        &rows.efc_aref, &rows.efc_b, &rows.efc_force,
                                        &factored};
    for (int i = 0; i < row_vectors; i++) *per_row[i] = cutter.cut<Own>(nefc);
    J = cutter.cut<Own>(all.nJ);
    if (contact_numbers(world) == 0) return;
    rows.con_H = cutter.cut<Own>(36 * all.ncon);
    if constexpr (!together) {
      rows.con_mu = cutter.cut<Own>(all.ncon);
      rows.con_friction = cutter.cut<Own>(5 * all.ncon);
    }
  }

  LOCKSTEP_FN void order_dofs(int count) {
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
      d.qacc_smooth[k] = take(data.qacc_smooth[dof]);
      d.qacc_warmstart[k] = take(data.qacc_warmstart[dof]);
      force[k] = take(inertia.force[dof]);
      diag_inv[k] = take(inertia.diag_inv[dof]);
      M_rowadr[k] = at;
      M_rownnz[k] = world.M_rownnz[dof];
      M_chainup[k] = world.M_chainup[dof];
      M_chaindown[k] = world.M_chaindown[dof];
      for (int j = adr; j < adr + M_rownnz[k]; j++, at++) {
        M_colind[at] = place_of[world.M_colind[j]];
        matrix[at] = take(inertia.matrix[j]);
        factor[at] = take(inertia.factor[j]);
        if (d.M == M) M[at] = take(data.M[j]);
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
      const Own value = take(all.efc_J[adr + from]);
      int to = at + j;
      for (; to > at && J_colind[to - 1] > place; to--) {  // more than two trees
        J_colind[to] = J_colind[to - 1];
        J[to] = J[to - 1];
      }
      J_colind[to] = place;
      J[to] = value;
    }
  }

  LOCKSTEP_FN void take_friction(int contact) {
    const ArenaView<Real>& all = *data.arena;
    rows.con_mu[contact] = take(all.con_mu[contact]);
    for (int i = 5 * contact; i < 5 * contact + 5; i++) {
      rows.con_friction[i] = take(all.con_friction[i]);
    }
  }

  LOCKSTEP_FN void take_rows(int count) {
    const ArenaView<Real>& all = *data.arena;
    rows.nefc = count;
    rows.ne = rows.nf = rows.nl = rows.nJ = 0;
    const bool in_place = together && !reordered;
    if constexpr (together) rows.efc_J = in_place ? all.efc_J : J;
    if constexpr (!together) rows.efc_J = J;
    for (int k = 0; k < count; k++) {
      const int row = row_of[k];
      type[k] = all.efc_type[row];
      id[k] = all.efc_id[row];
      rows.ne += row < all.ne;
      rows.nf += row >= all.ne && row < all.ne + all.nf;
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
      rows.efc_D[k] = take(all.efc_D[row]);
      rows.efc_R[k] = take(all.efc_R[row]);
      rows.efc_frictionloss[k] = take(all.efc_frictionloss[row]);
      rows.efc_aref[k] = take(all.efc_aref[row]);
      if constexpr (!together) {
        if (is_elliptic(rows, k)) take_friction(id[k]);
      }
    }
    for (int k = count - 1; k >= 0; k--) {
      const bool follows = k + 1 < count && row_of[k + 1] == row_of[k] + 1;
      J_rowsuper[k] = follows && all.efc_J_rowsuper[row_of[k]] > 0 ? J_rowsuper[k + 1] + 1 : 0;
    }
  }

  LOCKSTEP_FN void give_back() const {
    const ArenaView<Real>& all = *data.arena;
    for (int k = 0; k < m.nv; k++) {
      const int dof = dof_of[k];
      put(data.qacc[dof], d.qacc[k], group);
      put(data.qfrc_constraint[dof], d.qfrc_constraint[k], group);
    }
    for (int k = 0; k < rows.nefc; k++) {
      const int row = row_of[k];
      const Mask<Real> has = group && all.efc_D[row] != Real(0);
      put(all.efc_b[row], rows.efc_b[k], has);
      put(all.efc_force[row], rows.efc_force[k], has);
      for_each_lane<Real>(has, [&](int i) {
        const auto state = lane(rows.row_zone[k], together ? i : 0);
        all.efc_state.set(row, i, static_cast<int>(state));
      });
      const bool first = k == 0 || id[k] != id[k - 1] || type[k] != type[k - 1];
      if (single || !first || !is_elliptic(rows, k)) continue;
      for (int i = 36 * id[k]; i < 36 * id[k] + 36; i++) put(all.con_H[i], rows.con_H[i], has);
    }
  }

  // how solving went, in the places of each lane's island
  LOCKSTEP_FN void report(const int* islands) {
    for_each_lane<Real>(group, [&](int i) {
      const int own = together ? i : 0;
      add_outcome(data, i, lane(residual, own), flags[own]);
      if (islands[i] >= mjNISLAND) return;
      data.solver_niter.set(islands[i], i, niter[own]);
      // what several lanes share says nothing about one of them
      data.solver_nnz.set(islands[i], i, single ? nnz[0] : 0);
    });
    for (int i = 0; !together && i < mjNWARNING; i++) {
      if (!warned[i]) continue;
      data.warning.set(i, which, data.warning.get(i, which) + warned[i]);
      data.warning_info.set(i, which, info[i]);
      warned[i] = info[i] = 0;
    }
  }

  // Solves an island in the lanes that have one. false if the arena has too little room
  LOCKSTEP_FN bool solve(const LaneIslands<Real>& found, const int* islands, int first,
                         Mask<Real> from_last) {
    if constexpr (!together) take_lane(first);
    for (int i = 0; i < lanes<Real>; i++) set_lane(group, i, islands[i] >= 0);
    reordered = found.is_ordered(first, islands[first]);
    trees = reordered ? found.order : found.trees(first, islands[first]);
    row_of = found.row_of;
    order_dofs(found.of[first].island_ntree[islands[first]]);
    take_dofs();
    take_rows(found.nrow);
    for (int i = 0; i < lanes<Own>; i++) niter[i] = nnz[i] = 0;
    const bool reported = single && data.arena->solver && islands[first] < mjNISLAND;
    rows.solver = reported ? data.arena->solver + mjNSOLVER * islands[first] : nullptr;
    const StepInertia<Own> own{matrix, factor, diag_inv, force, false};
    if constexpr (together) {
      const IslandStart<Own> start{from_last, factored};
      solve_primal<Own>(m, d, own, group, &start);
    } else {
      const IslandStart<Own> start{lane(from_last, first), factored};
      solve_primal<Own>(m, d, own, true, &start);
    }
    data.arena->need = rows.need;
    data.arena->lacking |= rows.lacking;
    if (rows.lacking) return false;
    give_back();
    report(islands);
    return true;
  }
};

// all islands of all lanes; false if the arena has too little room
template <class Real>
LOCKSTEP_FN bool solve_found(LaneIslands<Real>& found, IslandSolver<Real, Real>& together,
                             IslandSolver<Real, Scalar<Real>>& alone, Mask<Real> from_last) {
  for (int i = 0; i < lanes<Real>; i++) {
    for (int island = 0; island < found.of[i].nisland; island++) {
      if (found.is_solved(i, island)) continue;
      int islands[lanes<Real>];
      const int count = found.take_group(i, island, islands);
      const bool done = count == 1 ? alone.solve(found, islands, i, from_last)
                                   : together.solve(found, islands, i, from_last);
      if (!done) return false;
    }
  }
  return true;
}

template <class Real>
LOCKSTEP_FN void solve_islands(const ModelView<Real>& m, const DataView<Real>& d,
                               const StepInertia<Real>& inertia) {
  using Together = IslandSolver<Real, Real>;
  ArenaView<Real>& rows = *d.arena;
  const int words = LaneIslands<Real>::words(m, rows) + Together::words(m, rows);
  if (!rows.has_room(&Room::nisl, words)) return;
  const Mask<Real> from_last = Primal<Real>(m, d, inertia).prefers_last();
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc[dof] = d.qacc_smooth[dof];
    d.qfrc_constraint[dof] = Real(0);
  }
  for (int row = 0; row < rows.nefc; row++) {
    rows.efc_b[row] = rows.efc_force[row] = Real(0);
    rows.efc_state.fill(row, code(ConstraintState::satisfied));
  }
  WordCutter cutter{rows.island_work};
  LaneIslands<Real> found(m, d, cutter);
  Together together(m, d, inertia, cutter);
  if constexpr (lanes<Real> == 1) {
    solve_found(found, together, together, from_last);
  } else {
    IslandSolver<Real, Scalar<Real>> alone(m, d, inertia, cutter);
    solve_found(found, together, alone, from_last);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
