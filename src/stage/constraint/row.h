// row.h: writing constraint rows into the arena. Not a stage.
// A constraint asks for a block of rows with one pattern of dofs, fills pattern and Jacobian, and
// closes it with its parameters. Blocks that do not fit are counted only: the stage then returns,
// and runs again with more room. A lane without the constraint gets zeros.
#pragma once

#include "stage/constraint/impedance.h"
#include "stage/position/jacobian.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// whether MuJoCo keeps J in compressed rows
template <class Real>
LOCKSTEP_INLINE bool keeps_sparse(const ModelView<Real>& m) {
  constexpr int sparse_from = 60;  // dofs, unless the user decides
  const int kind = m.opt.jacobian;
  return kind == code(Jacobian::sparse) || (kind == code(Jacobian::auto_) && m.nv >= sparse_from);
}

template <class Real>
struct RowBlock {
  int row, adr;  // first row, first number of the Jacobian
  int size, nnz;
  Mask<Real> here;  // lanes that have the constraint
  bool fits;
};

template <class Real>
struct RowWriter {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  ArenaView<Real>& arena;
  int nefc = 0, nJ = 0;
  bool cones = false;
  int lane_nefc[lanes<Real>] = {}, lane_nJ[lanes<Real>] = {};

  LOCKSTEP_FN RowBlock<Real> open(Constraint type, int id, int size, int nnz, Mask<Real> here) {
    const RowBlock<Real> block{
        nefc, nJ,   size,
        nnz,  here, nefc + size <= arena.room.nefc && nJ + size * nnz <= arena.room.nJ};
    nefc += size;
    nJ += size * nnz;
    cones |= type == Constraint::contact_elliptic;
    for (int i = 0; i < lanes<Real>; i++) {
      if (!lane(here, i)) continue;
      lane_nefc[i] += size;
      lane_nJ[i] += size * nnz;
    }
    if (!block.fits) return block;
    for (int row = block.row; row < block.row + size; row++) {
      arena.efc_type[row] = code(type);
      arena.efc_id[row] = id;
      arena.efc_J_rownnz[row] = nnz;
      arena.efc_J_rowadr[row] = block.adr + (row - block.row) * nnz;
      arena.efc_J_rowsuper[row] = block.row + size - 1 - row;
    }
    return block;
  }

  LOCKSTEP_INLINE int* columns(const RowBlock<Real>& block) const {
    return arena.efc_J_colind + block.adr;
  }
  // entry k of row `row` of a block
  LOCKSTEP_INLINE void put(const RowBlock<Real>& block, int row, int k, Real value) const {
    arena.efc_J[block.adr + row * block.nnz + k] = select(block.here, value, Real(0));
  }
  // all rows of a block have the columns of its first
  LOCKSTEP_FN void repeat_columns(const RowBlock<Real>& block) const {
    const int nnz = block.nnz, *first = columns(block), *end = first + block.size * nnz;
    for (int* to = columns(block) + nnz; to != end; to += nnz) {
      for (int k = 0; k < nnz; k++) to[k] = first[k];
    }
  }

  // Where MuJoCo keeps J dense it drops constraints whose J vanishes; so do we, in lanes where all
  // entries are zero. Asked once the Jacobian of the last block is there; false if nothing is left
  LOCKSTEP_FN bool keep(RowBlock<Real>& block) {
    if (keeps_sparse(m)) return true;
    Mask<Real> moves = false;
    for (int k = block.adr; k < nJ; k++) moves = moves || arena.efc_J[k] != Real(0);
    const Mask<Real> gone = block.here && !moves;
    if (!any(gone)) return true;
    for (int i = 0; i < lanes<Real>; i++) {
      if (!lane(gone, i)) continue;
      lane_nefc[i] -= block.size;
      lane_nJ[i] -= block.size * block.nnz;
    }
    block.here = block.here && moves;
    if (any(block.here)) return true;
    nefc = block.row;
    nJ = block.adr;
    return false;
  }

  // the numbers of a row of a block. K and B may differ within a constraint, the impedance not
  LOCKSTEP_FN void set(const RowBlock<Real>& block, int row, Real pos, Real margin, Real friction,
                       const Stiffness<Real>& s, const Impedance<Real>& d_pos) const {
    const auto put_at = [&](Real* field, int at, Real x) {
      field[at] = select(block.here, x, Real(0));
    };
    const int i = block.row + row;
    put_at(arena.efc_pos, i, pos);
    put_at(arena.efc_margin, i, margin);
    put_at(arena.efc_frictionloss, i, friction);
    put_at(arena.efc_KBIP, 4 * i, s.K);
    put_at(arena.efc_KBIP, 4 * i + 1, s.B);
    put_at(arena.efc_KBIP, 4 * i + 2, d_pos.value);
    put_at(arena.efc_KBIP, 4 * i + 3, d_pos.slope);
  }
};

// a single row whose spring acts along its violation
template <class Real>
LOCKSTEP_FN void set_single(const RowWriter<Real>& w, const RowBlock<Real>& block, Real pos,
                            Real margin, const Real* solref, const Real* solimp) {
  const ImpedanceCurve<Real> curve = load_curve(solimp);
  const Impedance<Real> d_pos = impedance_at(curve, pos - margin);
  const Reference<Real> ref = load_reference(w.m, solref);
  const Stiffness<Real> s = stiffness_of(ref, curve.high, true);
  const bool equality = w.arena.efc_type[block.row] == code(Constraint::equality);
  w.set(block, 0, pos, margin, Real(0), equality ? s : within_a_step(w.m, ref, s, d_pos.value),
        d_pos);
}

// calls f(place, dof, moves body 0, moves body 1) for every dof of two merged chains, the last
// dof first; places are those of increasing dofs
template <class Real, class F>
LOCKSTEP_INLINE void each_chain_dof(const ModelView<Real>& m, int body0, int body1,
                                    bool skip_common, int count, F&& f) {
  int k = count;
  for (ChainPair c{last_dof(m, body0), last_dof(m, body1)}; !c.done(); c.advance(m)) {
    if (c.common() && skip_common) return;  // all further dofs move both
    const int dof = c.dof();
    f(--k, dof, c.a == dof, c.b == dof);
  }
}
template <class Real>
LOCKSTEP_INLINE int chain_length(const ModelView<Real>& m, int body0, int body1, bool skip_common) {
  int count = 0;
  for (ChainPair c{last_dof(m, body0), last_dof(m, body1)}; !c.done(); c.advance(m)) {
    if (c.common() && skip_common) break;
    count++;
  }
  return count;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
