// regularize.h: how soft each row is. Not a stage: make_constraint uses it, and scale_constraint
// once the inertia of a discrete step is known.
//   R = (1 - d) / d / g diagA,   D = 1 / R,   with the inverse inertia diagA along the row, from
//   qpos0 or exact; g = 1 where springs act at the start of the step, see row_gain
// contacts: tangents are impratio times harder than the normal, and R_j friction_j^2 is the same
// in all of them; the edges of a pyramid are as hard against sliding as the cone it stands for
#pragma once

#include "stage/constraint/equality.h"
#include "stage/position/factor_m.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the inertia that rows push against
template <class Real>
struct RowInertia {
  const Real *factor, *diag_inv;  // for exact answers
  const Real* diag;               // of the whole step; null: that of M
};

// inverse inertia along row k of an equality, in qpos0
template <class Real>
LOCKSTEP_FN Real equality_inertia(const ModelView<Real>& m, int eq, int k) {
  const int type = m.eq_type[eq], id[2] = {m.eq_obj1id[eq], m.eq_obj2id[eq]};
  Real sum(0);
  for (int side = 0; side < 2; side++) {
    if (id[side] < 0) continue;
    if (type == code(EqType::joint)) {
      sum = sum + m.dof_invweight0[m.jnt_dofadr[id[side]]];
    } else if (type == code(EqType::tendon)) {
      sum = sum + m.tendon_invweight0[id[side]];
    } else {
      const bool site = m.eq_objtype[eq] == code(ObjType::site);
      const bool geom = type == code(EqType::distance);
      const int body = geom ? m.geom_bodyid[id[side]] : site ? m.site_bodyid[id[side]] : id[side];
      sum = sum + m.body_invweight0[2 * body + (k < 3 ? 0 : 1)];
    }
  }
  return sum;
}

// row k of a constraint that begins at `first`
template <class Real>
LOCKSTEP_FN Real approximate_inertia(const ModelView<Real>& m, const ArenaView<Real>& arena,
                                     int first, int k) {
  const int id = arena.efc_id[first];
  switch (static_cast<Constraint>(arena.efc_type[first])) {
    case Constraint::equality: return equality_inertia(m, id, k);
    case Constraint::friction_dof: return m.dof_invweight0[id];
    case Constraint::limit_joint: return m.dof_invweight0[m.jnt_dofadr[id]];
    case Constraint::friction_tendon:
    case Constraint::limit_tendon: return m.tendon_invweight0[id];
    default: break;
  }
  const int* body = arena.con_body + 2 * id;
  const Real sum = m.body_invweight0[2 * body[0]] + m.body_invweight0[2 * body[1]];
  if (arena.efc_type[first] != code(Constraint::contact_pyramidal)) return sum;
  const Real friction = arena.con_friction[5 * id];
  return sum + friction * friction * sum;
}

// J inv(M) J'
template <class Real>
LOCKSTEP_FN Real exact_inertia(const ModelView<Real>& m, const DataView<Real>& d,
                               const RowInertia<Real>& inertia, int row) {
  const ArenaView<Real>& arena = *d.arena;
  const int adr = arena.efc_J_rowadr[row];
  Real *x = d.dof_work, sum(0);
  for (int dof = 0; dof < m.nv; dof++) x[dof] = Real(0);
  for (int k = adr; k < adr + arena.efc_J_rownnz[row]; k++)
    x[arena.efc_J_colind[k]] = arena.efc_J[k];
  solve_ltdl_half(pattern_m(m), inertia.factor, inertia.diag_inv, x);
  for (int dof = 0; dof < m.nv; dof++) sum = sum + x[dof] * x[dof];
  return sum;
}

// how much less a row moves against the inertia of the whole step than against M, judged by the
// diagonals
template <class Real>
LOCKSTEP_FN Real inertia_ratio(const ModelView<Real>& m, const DataView<Real>& d, const Real* diag,
                               int row) {
  const ArenaView<Real>& arena = *d.arena;
  const int adr = arena.efc_J_rowadr[row];
  Real of_step(0), of_m(0);
  for (int k = adr; k < adr + arena.efc_J_rownnz[row]; k++) {
    const int dof = arena.efc_J_colind[k];
    const Real square = arena.efc_J[k] * arena.efc_J[k];
    of_step = of_step + square / diag[dof];
    of_m = of_m + square / d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
  }
  const Mask<Real> moves = of_m > Real(min_val);
  return select(moves, of_step / select(moves, of_m, Real(1)), Real(1));
}

// The inverse inertia along a row whose bodies do not move as far as body_invweight0 knows (a
// turntable in its socket) is nothing, which makes it hard beyond all rounding in single precision:
// forces that cancel each other leave rests larger than all others. There it gets a millionth of
// what its dofs have.
template <class Real>
LOCKSTEP_FN Real least_inertia(const ModelView<Real>& m, const ArenaView<Real>& arena, int row,
                               const Real& diag) {
  if constexpr (sizeof(Scalar<Real>) == sizeof(double)) return diag;
  const Mask<Real> nothing = diag < Real(1e-9);
  if (!any(nothing)) return diag;
  Real most(0);
  const int adr = arena.efc_J_rowadr[row];
  for (int k = adr; k < adr + arena.efc_J_rownnz[row]; k++) {
    most = max(most, Real(m.dof_invweight0[arena.efc_J_colind[k]]));
  }
  return select(nothing, max(diag, Real(1e-6) * most), diag);
}

// R of row k of a constraint that begins at `first`
template <class Real>
LOCKSTEP_FN Real row_R(const ModelView<Real>& m, const DataView<Real>& d,
                       const RowInertia<Real>& inertia, int first, int k) {
  const ArenaView<Real>& arena = *d.arena;
  const Real* kbip = arena.efc_KBIP + 4 * (first + k);
  Real diag;
  if (m.opt.enableflags & code(EnableBit::diagexact)) {
    diag = exact_inertia(m, d, inertia, first + k);
  } else {
    diag = least_inertia(m, arena, first + k, approximate_inertia(m, arena, first, k));
    if (inertia.diag) diag = diag * inertia_ratio(m, d, inertia.diag, first + k);
  }
  const Real impedance = select(kbip[2] != Real(0), kbip[2], Real(1));
  if (!steps_discretely(m)) {
    return max(Real(min_val), (Real(1) - impedance) * diag / impedance);
  }
  // no harder than the hardest impedance
  const Real softness = (Real(1) - impedance) / impedance / row_gain(m, kbip);
  return max(Real(min_val), max(softness, Real(hardest)) * diag);
}

// a lane without the row has no impedance, and gets zeros
template <class Real>
LOCKSTEP_INLINE void set_R(ArenaView<Real>& arena, int row, Real R) {
  const Real impedance = arena.efc_KBIP[4 * row + 2], zero(0);
  const Mask<Real> here = impedance != zero;
  arena.efc_R[row] = select(here, R, zero);
  arena.efc_D[row] = select(here, Real(1) / R, zero);
  arena.efc_diagA[row] = select(here, R * impedance / (Real(1) - impedance), zero);
}

template <class Real>
LOCKSTEP_FN void regularize_contact(const ModelView<Real>& m, ArenaView<Real>& arena, int first,
                                    int size, Real R) {
  const int contact = arena.efc_id[first], type = arena.efc_type[first];
  if (type == code(Constraint::contact_frictionless)) return set_R(arena, first, R);
  const Real* friction = arena.con_friction + 5 * contact;
  const Mask<Real> here = arena.efc_KBIP[4 * first + 2] != Real(0);
  const Real slide = R / max(Real(min_val), m.opt.impratio);
  const Real mu = friction[0] * sqrt(slide / R);
  arena.con_mu[contact] = select(here, mu, Real(0));
  if (type == code(Constraint::contact_pyramidal)) {
    const Real edge = Real(2) * mu * mu * R;
    for (int row = first; row < first + size; row++) set_R(arena, row, edge);
    return;
  }
  set_R(arena, first, R);
  set_R(arena, first + 1, slide);
  for (int k = 2; k < size; k++) {
    const Real f = select(here, friction[k - 1], Real(1));
    set_R(arena, first + k, slide * friction[0] * friction[0] / (f * f));
  }
}

// rows of the constraint that begins at a row
template <class Real>
LOCKSTEP_INLINE int constraint_rows(const ModelView<Real>& m, const ArenaView<Real>& arena,
                                    int row) {
  const int type = arena.efc_type[row], id = arena.efc_id[row];
  if (type == code(Constraint::equality)) return equality_rows(m, id);
  if (type == code(Constraint::contact_pyramidal)) return 2 * (arena.con_dim[id] - 1);
  return type == code(Constraint::contact_elliptic) ? arena.con_dim[id] : 1;
}

template <class Real>
LOCKSTEP_FN void regularize(const ModelView<Real>& m, const DataView<Real>& d,
                            const RowInertia<Real>& inertia) {
  ArenaView<Real>& arena = *d.arena;
  for (int row = 0, size; row < arena.nefc; row += size) {
    size = constraint_rows(m, arena, row);
    if (arena.efc_type[row] >= code(Constraint::contact_frictionless)) {
      regularize_contact(m, arena, row, size, row_R(m, d, inertia, row, 0));
    } else {
      for (int k = 0; k < size; k++) set_R(arena, row + k, row_R(m, d, inertia, row, k));
    }
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
