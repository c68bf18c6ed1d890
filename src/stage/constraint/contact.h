// contact.h: rows of contacts. Not a stage: make_constraint uses it.
//   basis of a contact of dimension 1, 3, 4, 6: normal, two tangents, spin, two rolls of body 1
//   against body 0 at the point of contact, in the contact frame
//   frictionless: the normal;   elliptic: the basis;   pyramidal: normal +- friction_j basis_j
#pragma once

#include "stage/constraint/row.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

enum Exclude { exclude_none = 0, exclude_gap = 1, exclude_fused = 2, exclude_still = 3 };

// lanes in which a contact pushes
template <class Real>
LOCKSTEP_FN Mask<Real> contact_pushes(const ArenaView<Real>& arena, int contact) {
  Mask<Real> here = false;
  for (int i = 0; i < lanes<Real>; i++) {
    set_lane(here, i,
             arena.con_geom.get(2 * contact, i) >= 0 &&
                 arena.con_exclude.get(contact, i) == exclude_none);
  }
  return here;
}

// velocities of the basis directions per unit velocity of a dof that moves one of the bodies
template <class Real>
LOCKSTEP_INLINE void contact_basis(const Mat3<Real>& frame, const Vec6<Real>& cdof,
                                   const Vec3<Real>& offset, bool second, int dim, Real* basis) {
  const Vec3<Real> lin = point_velocity(cdof, offset), move = second ? lin : -lin;
  basis[0] = dot(row(frame, 0), move);
  if (dim == 1) return;
  basis[1] = dot(row(frame, 1), move);
  basis[2] = dot(row(frame, 2), move);
  const Vec3<Real> turn = second ? cdof.rot : -cdof.rot;
  for (int k = 3; k < dim; k++) basis[k] = dot(row(frame, k - 3), turn);
}

template <class Real>
LOCKSTEP_FN void contact_jacobian(const RowWriter<Real>& w, const RowBlock<Real>& block,
                                  Constraint type, int contact) {
  const ModelView<Real>& m = w.m;
  const ArenaView<Real>& arena = w.arena;
  const int *body = arena.con_body + 2 * contact, dim = arena.con_dim[contact];
  const Real* friction = arena.con_friction + 5 * contact;
  const Mat3<Real> frame = arena.con_frame[contact];
  const Vec3<Real> point = arena.con_pos[contact];
  const Vec3<Real> offset[2] = {from_center(m, w.d, body[0], point),
                                from_center(m, w.d, body[1], point)};
  each_chain_dof(m, body[0], body[1], true, block.nnz, [&](int k, int dof, bool, bool second) {
    Real basis[6];
    contact_basis(frame, w.d.cdof[dof], offset[second], second, dim, basis);
    w.columns(block)[k] = dof;
    if (type != Constraint::contact_pyramidal) {
      for (int row = 0; row < dim; row++) w.put(block, row, k, basis[row]);
      return;
    }
    for (int j = 1; j < dim; j++) {
      const Real side = friction[j - 1] * basis[j];
      w.put(block, 2 * j - 2, k, basis[0] + side);
      w.put(block, 2 * j - 1, k, basis[0] - side);
    }
  });
  w.repeat_columns(block);
}

template <class Real>
LOCKSTEP_FN void set_contact(const RowWriter<Real>& w, const RowBlock<Real>& block, Constraint type,
                             int contact) {
  const ModelView<Real>& m = w.m;
  const ArenaView<Real>& arena = w.arena;
  const Real dist = arena.con_dist[contact], margin = arena.con_includemargin[contact], zero(0);
  const ImpedanceCurve<Real> curve = load_curve(arena.con_solimp + mjNIMP * contact);
  const Impedance<Real> d_pos = impedance_at(curve, dist - margin);
  const Reference<Real> ref = load_reference(m, arena.con_solref + mjNREF * contact);
  const Stiffness<Real> normal =
      within_a_step(m, ref, stiffness_of(ref, curve.high, true), d_pos.value);
  if (type != Constraint::contact_elliptic) {
    for (int row = 0; row < block.size; row++) {
      w.set(block, row, dist, margin, zero, normal, d_pos);
    }
    return;
  }
  // tangents resist sliding only, by a reference of their own if there is one
  const Real* own = arena.con_solreffriction + mjNREF * contact;
  const Reference<Real> slide = safe_reference<Real>(m, {own[0], own[1]}, {zero, zero});
  const Mask<Real> given = slide.first != zero || slide.second != zero;
  const Stiffness<Real> tangent = stiffness_of<Real>(
      {select(given, slide.first, ref.first), select(given, slide.second, ref.second)}, curve.high,
      false);
  w.set(block, 0, dist, margin, zero, normal, d_pos);
  for (int row = 1; row < block.size; row++) w.set(block, row, zero, zero, zero, tangent, d_pos);
}

template <class Real>
LOCKSTEP_FN void contacts(RowWriter<Real>& w) {
  ArenaView<Real>& arena = w.arena;
  const bool pyramids = w.m.opt.cone == code(Cone::pyramidal);
  const int* last = nullptr;  // bodies of the contact before, which most often are the same
  int nnz = 0;
  for (int contact = 0; contact < arena.ncon; contact++) {
    const Mask<Real> here = contact_pushes(arena, contact);
    if (!any(here)) continue;
    const int dim = arena.con_dim[contact], *body = arena.con_body + 2 * contact;
    if (!last || last[0] != body[0] || last[1] != body[1]) {
      nnz = chain_length(w.m, body[0], body[1], true);
    }
    last = body;
    if (nnz == 0) {
      for (int i = 0; i < lanes<Real>; i++) {
        if (lane(here, i)) arena.con_exclude.set(contact, i, exclude_still);
      }
      continue;
    }
    const Constraint type = dim == 1   ? Constraint::contact_frictionless
                            : pyramids ? Constraint::contact_pyramidal
                                       : Constraint::contact_elliptic;
    const int size = type == Constraint::contact_pyramidal ? 2 * (dim - 1) : dim;
    const RowBlock<Real> block = w.open(type, contact, size, nnz, here);
    if (!block.fits) continue;
    arena.con_efc_address[contact] = block.row;
    contact_jacobian(w, block, type, contact);
    set_contact(w, block, type, contact);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
