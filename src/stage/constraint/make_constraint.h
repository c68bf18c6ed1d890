// make_constraint.h: rows of the constraints that act: equalities, dry friction, limits, contacts.
//   J qacc -> aref, with the regularization R = (1 - d) / d diagA
// reads qpos xpos xquat xmat site_xpos subtree_com cdof ten_length ten_J eq_active con_*
// writes efc_* up to efc_R, tendon_efcadr, con_mu con_efc_address, ne nf nl nefc nJ
#pragma once

#include "stage/constraint/equality.h"
#include "stage/constraint/friction.h"
#include "stage/constraint/limit.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// runs of rows with one pattern: how many follow
template <class Real>
LOCKSTEP_FN void mark_supernodes(ArenaView<Real>& arena) {
  for (int row = arena.nefc - 1; row >= 0; row--) {
    arena.efc_J_rowsuper[row] = 0;
    if (row == arena.nefc - 1) continue;
    const int nnz = arena.efc_J_rownnz[row], *columns = arena.efc_J_colind;
    bool same = nnz == arena.efc_J_rownnz[row + 1];
    const int a = arena.efc_J_rowadr[row], b = arena.efc_J_rowadr[row + 1];
    for (int k = 0; k < nnz && same; k++) same = columns[a + k] == columns[b + k];
    if (same) arena.efc_J_rowsuper[row] = arena.efc_J_rowsuper[row + 1] + 1;
  }
}

template <class Real>
LOCKSTEP_FN void make_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  const int off = m.opt.disableflags;
  for (int tendon = 0; tendon < m.ntendon; tendon++) arena.tendon_efcadr[tendon] = -1;
  RowWriter<Real> w{m, d, arena};
  int ends[4], lane_ends[4][lanes<Real>];
  for (int kind = 0; kind < 4; kind++) {
    if (!(off & code(DisableBit::constraint))) {
      if (kind == 0 && !(off & code(DisableBit::equality))) equalities(w);
      if (kind == 1 && !(off & code(DisableBit::frictionloss))) {
        dof_friction(w);
        tendon_friction(w);
      }
      if (kind == 2 && !(off & code(DisableBit::limit))) {
        joint_limits(w);
        tendon_limits(w);
      }
    }
    ends[kind] = w.nefc;
    for (int i = 0; i < lanes<Real>; i++) lane_ends[kind][i] = w.lane_nefc[i];
  }
  const bool rows_fit = arena.has_room(&Room::nefc, w.nefc);
  if (!arena.has_room(&Room::nJ, w.nJ) || !rows_fit) return;

  arena.ne = ends[0];
  arena.nf = ends[1] - ends[0];
  arena.nl = ends[2] - ends[1];
  arena.nefc = w.nefc;
  arena.nJ = w.nJ;
  for (int i = 0; i < lanes<Real>; i++) {
    const int rows = w.lane_nefc[i];
    d.ne.set(0, i, lane_ends[0][i]);
    d.nf.set(0, i, lane_ends[1][i] - lane_ends[0][i]);
    d.nl.set(0, i, lane_ends[2][i] - lane_ends[1][i]);
    d.nefc.set(0, i, rows);
    d.nJ.set(0, i, w.lane_nJ[i]);
    d.maxuse_efc.set(0, i, max(d.maxuse_efc.get(0, i), rows));
  }
  mark_supernodes(arena);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
