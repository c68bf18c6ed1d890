// islands.h: islands, the groups of trees that constraints tie together, of one lane. Not a stage.
// Two trees are in one island if a row acts on both, or if the step solves them together
// (couplings of the discrete integrator). Trees that nothing holds are in none. Islands are
// numbered by their first tree; trees, dofs and rows keep their order inside an island.
// reads efc_type efc_id efc_J efc_D con_body, moment_* under the discrete integrator
#pragma once

#include "stage/acceleration/metric.h"
#include "stage/constraint/row.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// hands out pieces of the arena's words for islands
struct WordCutter {
  int* at;
  template <class Cell>
  LOCKSTEP_INLINE Cell* cut(int count) {
    Cell* piece = reinterpret_cast<Cell*>(at);
    at += words<Cell>(count);
    return piece;
  }
  // rounded up, so that pieces begin where cache lines do
  template <class Cell>
  static LOCKSTEP_INLINE int words(int count) {
    return (count * int(sizeof(Cell) / sizeof(int)) + 15) / 16 * 16;
  }
};

// of one lane; names as in MuJoCo. rows that the lane lacks are in island -1
struct Islands {
  int nisland = 0, nidof = 0, nefc = 0;
  int *tree_island, *map_itree2tree;                          // per tree
  int *map_dof2idof, *map_idof2dof;                           // per dof
  int *island_ntree, *island_itreeadr;                        // per island: trees
  int *island_nv, *island_idofadr;                            // dofs
  int *island_ne, *island_nf, *island_nefc, *island_iefcadr;  // rows
  int *efc_island, *map_efc2iefc, *map_iefc2efc;              // per row
};

// integers that Islands needs, and handing them out
LOCKSTEP_INLINE int island_words(int ntree, int nv, int nefc) {
  return 10 * ntree + 2 * nv + 3 * nefc;
}
LOCKSTEP_INLINE int* place_islands(Islands& islands, int* at, int ntree, int nv, int nefc) {
  int** const per_tree[] = {&islands.tree_island,  &islands.map_itree2tree,
                            &islands.island_ntree, &islands.island_itreeadr,
                            &islands.island_nv,    &islands.island_idofadr,
                            &islands.island_ne,    &islands.island_nf,
                            &islands.island_nefc,  &islands.island_iefcadr};
  for (int i = 0; i < 10; i++, at += ntree) *per_tree[i] = at;
  int** const per_dof[] = {&islands.map_dof2idof, &islands.map_idof2dof};
  for (int i = 0; i < 2; i++, at += nv) *per_dof[i] = at;
  int** const per_row[] = {&islands.efc_island, &islands.map_efc2iefc, &islands.map_iefc2efc};
  for (int i = 0; i < 3; i++, at += nefc) *per_row[i] = at;
  return at;
}

// trees that are tied to each other: the root of a group is its lowest tree
struct TreeGroups {
  int *parent, *tied;

  LOCKSTEP_FN int root(int tree) const {
    while (parent[tree] != tree) {
      parent[tree] = parent[parent[tree]];
      tree = parent[tree];
    }
    return tree;
  }
  LOCKSTEP_FN void tie(int a, int b) const {
    tied[a] = tied[b] = 1;
    a = root(a);
    b = root(b);
    parent[max(a, b)] = min(a, b);
  }
};

// calls f(tree) for the trees that a row of the lane acts on
template <class Real, class F>
LOCKSTEP_FN void each_tree(const ModelView<Real>& m, const ArenaView<Real>& rows, int row,
                           int which, F&& f) {
  const int type = rows.efc_type[row], id = rows.efc_id[row];
  const auto both = [&](int body1, int body2) {
    if (m.body_treeid[body1] >= 0) f(m.body_treeid[body1]);
    if (m.body_treeid[body2] >= 0) f(m.body_treeid[body2]);
  };
  if (type == code(Constraint::friction_dof)) return f(m.dof_treeid[id]);
  if (type == code(Constraint::limit_joint)) return f(m.dof_treeid[m.jnt_dofadr[id]]);
  if (type >= code(Constraint::contact_frictionless)) {
    return both(rows.con_body[2 * id], rows.con_body[2 * id + 1]);
  }
  if (type == code(Constraint::equality)) {
    const int kind = m.eq_type[id];
    if (kind == code(EqType::connect) || kind == code(EqType::weld)) {
      const bool sites = m.eq_objtype[id] == code(ObjType::site);
      const int a = m.eq_obj1id[id], b = m.eq_obj2id[id];
      return both(sites ? m.site_bodyid[a] : a, sites ? m.site_bodyid[b] : b);
    }
  }
  if (type == code(Constraint::equality) && m.eq_type[id] == code(EqType::distance)) {
    return both(m.geom_bodyid[m.eq_obj1id[id]], m.geom_bodyid[m.eq_obj2id[id]]);
  }
  // where MuJoCo keeps J dense it cannot tell a dof that does not move the row from one beside it
  const bool sparse = keeps_sparse(m);
  const int adr = rows.efc_J_rowadr[row];
  for (int k = adr; k < adr + rows.efc_J_rownnz[row]; k++) {
    if (!sparse && lane(rows.efc_J[k], which) == 0) continue;
    f(m.dof_treeid[rows.efc_J_colind[k]]);
  }
}

// dofs that the effective inertia of a discrete step couples, whatever their state
template <class Real>
LOCKSTEP_FN void tie_couplings(const ModelView<Real>& m, const DataView<Real>& d,
                               const TreeGroups& groups, int which) {
  if (!steps_in_metric(m) || m.opt.solver == code(Solver::pgs)) return;
  const auto tie_all = [&](int count, auto column) {
    for (int k = 1; k < count; k++) {
      const int a = m.dof_treeid[column(k - 1)], b = m.dof_treeid[column(k)];
      if (a != b) groups.tie(a, b);
    }
  };
  const bool springs = !(m.opt.disableflags & code(DisableBit::spring));
  const bool dampers = !(m.opt.disableflags & code(DisableBit::damper));
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const Mask<Real> acts = (tendon_spring(m, tendon).acts() && springs) ||
                            (tendon_damper(m, tendon).acts() && dampers);
    if (!lane(acts, which)) continue;
    const int* columns = m.ten_J_colind + m.ten_J_rowadr[tendon];
    tie_all(m.ten_J_rownnz[tendon], [columns](int k) { return columns[k]; });
  }
  if (springs_only(m) || (m.opt.disableflags & code(DisableBit::actuation))) return;
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (!has_slope(m, actuator)) continue;
    const int first = m.actuator_outadr[actuator];
    for (int out = first; out < first + m.actuator_outnum[actuator]; out++) {
      const int adr = d.moment_rowadr.get(out, which);
      tie_all(d.moment_rownnz.get(out, which),
              [&](int k) { return d.moment_colind.get(adr + k, which); });
    }
  }
}

// numbers the groups; trees that nothing ties get -1
LOCKSTEP_FN void number_islands(Islands& islands, const TreeGroups& groups, int ntree) {
  for (int tree = 0; tree < ntree; tree++) {
    int& island = islands.tree_island[tree];  // holds whether the tree is tied
    if (!island) {
      island = -1;
    } else {
      const int root = groups.root(tree);
      island = root == tree ? islands.nisland++ : islands.tree_island[root];
    }
  }
}

// begins of runs that have `count` things each; sets the counts to zero
LOCKSTEP_INLINE int begin_runs(int number, int* count, int* adr) {
  int total = 0;
  for (int i = 0; i < number; i++) {
    adr[i] = total;
    total += count[i];
    count[i] = 0;
  }
  return total;
}

// trees and dofs by island; those in none come last
template <class Real>
LOCKSTEP_FN void sort_trees(const ModelView<Real>& m, Islands& islands) {
  const int nisland = islands.nisland, *tree_island = islands.tree_island;
  for (int i = 0; i < nisland; i++) islands.island_ntree[i] = islands.island_nv[i] = 0;
  for (int tree = 0; tree < m.ntree; tree++) {
    if (tree_island[tree] < 0) continue;
    islands.island_ntree[tree_island[tree]]++;
    islands.island_nv[tree_island[tree]] += m.tree_dofnum[tree];
  }
  int others = begin_runs(nisland, islands.island_ntree, islands.island_itreeadr);
  for (int tree = 0; tree < m.ntree; tree++) {
    const int island = tree_island[tree];
    const int place =
        island < 0 ? others++ : islands.island_itreeadr[island] + islands.island_ntree[island]++;
    islands.map_itree2tree[place] = tree;
  }
  islands.nidof = 0;
  for (int i = 0; i < nisland; i++) {
    islands.island_idofadr[i] = islands.nidof;
    islands.nidof += islands.island_nv[i];
  }
  for (int place = 0, at = 0; place < m.ntree; place++) {
    const int tree = islands.map_itree2tree[place], first = m.tree_dofadr[tree];
    for (int dof = first; dof < first + m.tree_dofnum[tree]; dof++, at++) {
      islands.map_idof2dof[at] = dof;
      islands.map_dof2idof[dof] = at;
    }
  }
}

// rows by island, from the first tree of each row; those in none are left out
template <class Real>
LOCKSTEP_FN void sort_rows(const ArenaView<Real>& rows, Islands& islands) {
  const int nisland = islands.nisland;
  for (int i = 0; i < nisland; i++) {
    islands.island_nefc[i] = islands.island_ne[i] = islands.island_nf[i] = 0;
  }
  for (int row = 0; row < rows.nefc; row++) {
    int& island = islands.efc_island[row];
    if (island < 0) continue;
    island = islands.tree_island[island];
    islands.island_nefc[island]++;
    if (row < rows.ne + rows.nf) {
      (row < rows.ne ? islands.island_ne : islands.island_nf)[island]++;
    }
  }
  islands.nefc = begin_runs(nisland, islands.island_nefc, islands.island_iefcadr);
  for (int row = 0; row < rows.nefc; row++) {
    const int island = islands.efc_island[row];
    if (island < 0) continue;
    const int place = islands.island_iefcadr[island] + islands.island_nefc[island]++;
    islands.map_efc2iefc[row] = place;
    islands.map_iefc2efc[place] = row;
  }
}

// the islands of a lane; none where islands are switched off or the lane has no rows
template <class Real>
LOCKSTEP_FN void find_islands(const ModelView<Real>& m, const DataView<Real>& d, int which,
                              Islands& islands) {
  const ArenaView<Real>& rows = *d.arena;
  islands.nisland = islands.nidof = islands.nefc = 0;
  if ((m.opt.disableflags & code(DisableBit::island)) || d.nefc.get(0, which) == 0) return;
  const TreeGroups groups{islands.map_itree2tree, islands.tree_island};
  for (int tree = 0; tree < m.ntree; tree++) groups.parent[tree] = tree, groups.tied[tree] = 0;
  for (int row = 0; row < rows.nefc; row++) {
    int& first = islands.efc_island[row];
    first = -1;
    if (lane(rows.efc_D[row], which) == 0) continue;
    // both limits of a joint may have rows, of which a lane has one
    if (row > 0 && rows.efc_type[row] == rows.efc_type[row - 1] &&
        rows.efc_id[row] == rows.efc_id[row - 1] && lane(rows.efc_D[row - 1], which) != 0) {
      first = islands.efc_island[row - 1];
      continue;
    }
    each_tree(m, rows, row, which, [&](int tree) {
      if (first < 0) first = tree;
      groups.tie(first, tree);
    });
  }
  tie_couplings(m, d, groups, which);
  number_islands(islands, groups, m.ntree);
  sort_trees(m, islands);
  sort_rows(rows, islands);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
