// make_constraint.h: rows of the constraints that act: equalities, dry friction, limits, contacts.
//   J qacc -> aref, with the regularization R = (1 - d) / d diagA
// reads qpos xpos xquat xmat site_xpos subtree_com cdof ten_length ten_J eq_active con_*
// writes efc_* up to efc_R, tendon_efcadr, con_mu con_efc_address, ne nf nl nefc nJ
#pragma once

#include "stage/constraint/contact.h"
#include "stage/constraint/equality.h"
#include "stage/constraint/friction.h"
#include "stage/constraint/limit.h"
#include "stage/constraint/regularize.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// runs of rows with one pattern: how many follow. Inside a constraint all have the same
template <class Real>
LOCKSTEP_FN void mark_supernodes(ArenaView<Real>& arena) {
  int follow = 0;
  for (int row = arena.nefc - 1; row >= 0; row--) {
    int& super = arena.efc_J_rowsuper[row];
    bool same = super > 0;
    if (!same && row < arena.nefc - 1) {
      const int nnz = arena.efc_J_rownnz[row];
      const int* columns = arena.efc_J_colind + arena.efc_J_rowadr[row];
      same = nnz == arena.efc_J_rownnz[row + 1];
      for (int k = 0; k < nnz && same; k++) same = columns[k] == columns[k + nnz];
    }
    super = follow = same ? follow + 1 : 0;
  }
}

// the rows up to here, of all lanes together and of each
template <class Real>
struct RowCount {
  int all, lane[lanes<Real>];
};
template <class Real>
LOCKSTEP_INLINE RowCount<Real> rows_so_far(const RowWriter<Real>& w) {
  RowCount<Real> count{w.nefc, {}};
  for (int i = 0; i < lanes<Real>; i++) count.lane[i] = w.lane_nefc[i];
  return count;
}

template <class Real>
LOCKSTEP_FN void make_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  const int off = m.opt.disableflags;
  const auto wanted = [off](DisableBit bit) {
    return !(off & code(DisableBit::constraint)) && !(off & code(bit));
  };
  for (int tendon = 0; tendon < m.ntendon; tendon++) arena.tendon_efcadr[tendon] = -1;
  for (int contact = 0; contact < arena.ncon; contact++) {
    arena.con_efc_address[contact] = -1;
    arena.con_mu[contact] = Real(0);
  }
  RowWriter<Real> w{m, d, arena};
  if (wanted(DisableBit::equality)) equalities(w);
  const RowCount<Real> ne = rows_so_far(w);
  if (wanted(DisableBit::frictionloss)) {
    dof_friction(w);
    tendon_friction(w);
  }
  const RowCount<Real> nf = rows_so_far(w);
  if (wanted(DisableBit::limit)) {
    joint_limits(w);
    tendon_limits(w);
  }
  const RowCount<Real> nl = rows_so_far(w);
  if (wanted(DisableBit::contact)) contacts(w);
  const bool rows_fit = arena.has_room(&Room::nefc, w.nefc);
  if (!arena.has_room(&Room::nJ, w.nJ) || !rows_fit) return;

  arena.ne = ne.all;
  arena.nf = nf.all - ne.all;
  arena.nl = nl.all - nf.all;
  arena.nefc = w.nefc;
  arena.nJ = w.nJ;
  arena.cones = w.cones;
  for (int i = 0; i < lanes<Real>; i++) {
    const int rows = w.lane_nefc[i];
    d.ne.set(0, i, ne.lane[i]);
    d.nf.set(0, i, nf.lane[i] - ne.lane[i]);
    d.nl.set(0, i, nl.lane[i] - nf.lane[i]);
    d.nefc.set(0, i, rows);
    d.nJ.set(0, i, w.lane_nJ[i]);
    d.maxuse_efc.set(0, i, max(d.maxuse_efc.get(0, i), rows));
  }
  mark_supernodes(arena);
  regularize<Real>(m, d, {d.qLD, d.qLDiagInv, nullptr});
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
