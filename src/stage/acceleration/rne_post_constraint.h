// rne_post_constraint.h: accelerations of bodies, outer forces on them and forces through their
// joints, once all is known and when someone asks for it.
//   f_int = I a + v x* I v - f_ext, summed over subtrees;   f_ext = applied + spatial tendons +
//   contacts, connects and welds
// reads qacc qvel cdof cdof_dot cinert cvel xfrc_applied xipos subtree_com ten_J ten_length
// ten_velocity actuator_force plastic efc_force con_*    writes cacc cfrc_ext cfrc_int
#pragma once

#include "stage/acceleration/tendon_force.h"
#include "stage/constraint/contact_force.h"
#include "stage/constraint/equality.h"
#include "stage/position/body_force.h"
#include "stage/velocity/tendon_bias.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// pulls at the bodies along the path of a tendon
template <class Real>
struct PullPath {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  Real force;

  LOCKSTEP_FN void pull(Mask<Real> where, int body, const Vec3<Real>& point,
                        const Vec3<Real>& with) {
    if (body == 0) return;
    const Vec3<Real> torque{Real(0), Real(0), Real(0)};
    const Vec6<Real> old = d.cfrc_ext[body];
    d.cfrc_ext.set(body, select(where, old + about_center(m, d, body, point, with, torque), old));
  }
  LOCKSTEP_FN void point(Mask<Real>, int, const Vec3<Real>&) {}
  LOCKSTEP_FN void segment(Mask<Real> where, Real divisor, const Vec3<Real>& along, int body0,
                           const Vec3<Real>& p0, int body1, const Vec3<Real>& p1) {
    const Vec3<Real> with = along * (force / divisor);
    const Mask<Real> acts = where && force != Real(0);
    pull(acts, body1, p1, with);
    pull(acts, body0, p0, -with);
  }
};

// forces of equalities along a tendon
template <class Real>
LOCKSTEP_FN Real coupling_force(const ModelView<Real>& m, const DataView<Real>& d, int tendon) {
  const ArenaView<Real>& rows = *d.arena;
  constexpr int kind = code(EqType::tendon);
  Real force(0);
  for (int row = 0; row < rows.ne; row++) {
    const int eq = rows.efc_id[row], id0 = m.eq_obj1id[eq], id1 = m.eq_obj2id[eq];
    if (m.eq_type[eq] != kind || (id0 != tendon && id1 != tendon)) continue;
    const Real push = rows.efc_force[row];
    if (id0 == tendon) force = force + push;
    if (id1 != tendon) continue;
    const Coupling<Real> c = coupling_at(m.eq_data + mjNEQDATA * eq, coordinate_of(m, d, kind, id0),
                                         coordinate_of(m, d, kind, id1));
    force = force - c.slope * push;
  }
  return force;
}

// all that acts along a tendon; what has inertia resists its acceleration
template <class Real>
LOCKSTEP_FN Real total_tendon_force(const ModelView<Real>& m, const DataView<Real>& d,
                                    const View<Vec6<Real>, Real>& bias_acc, int tendon) {
  const Real force = tendon_force(m, d, tendon).sum() + coupling_force(m, d, tendon);
  const Real inertia = tendon_inertia(m, tendon);
  const Mask<Real> resists = inertia != Real(0);
  if (!any(resists)) return force;
  Real acc = tendon_bias_rate(m, d, bias_acc, tendon);
  const int first = m.ten_J_rowadr[tendon];
  for (int k = first; k < first + m.ten_J_rownnz[tendon]; k++) {
    acc = acc + d.ten_J[k] * d.qacc[m.ten_J_colind[k]];
  }
  return select(resists, force - inertia * acc, force);
}

template <class Real>
LOCKSTEP_FN void add_tendon_pulls(const ModelView<Real>& m, const DataView<Real>& d) {
  const View<Vec6<Real>, Real> bias_acc{d.body_work6.start};
  if (m.ntendon > 0) body_accelerations<Real>(m, d, nullptr, bias_acc);
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    if (m.tendon_type[tendon] == code(TendonType::fixed)) continue;
    const Real force = total_tendon_force(m, d, bias_acc, tendon);
    if (!any(force != Real(0))) continue;
    PullPath<Real> path{m, d, force};
    walk_tendon(m, d, tendon, path);
  }
}

// a force between two bodies at points of theirs, in lanes where the mask holds
template <class Real>
LOCKSTEP_FN void add_between(const ModelView<Real>& m, const DataView<Real>& d, Mask<Real> where,
                             const int* body, const Vec3<Real>* point, const Vec3<Real>& force,
                             const Vec3<Real>& torque) {
  for (int side = 0; side < 2; side++) {
    if (body[side] == 0) continue;
    const Vec6<Real> push = about_center(m, d, body[side], point[side], force, torque);
    const Vec6<Real> old = d.cfrc_ext[body[side]];
    d.cfrc_ext.set(body[side], select(where, side == 0 ? old + push : old - push, old));
  }
}

template <class Real>
LOCKSTEP_FN void add_contact_pushes(const ModelView<Real>& m, const DataView<Real>& d) {
  const ArenaView<Real>& arena = *d.arena;
  for (int contact = 0; contact < arena.ncon; contact++) {
    const int row = arena.con_efc_address[contact];
    if (row < 0) continue;
    const ContactForce<Real> f = contact_force(arena, contact);
    const Mat3<Real> frame = arena.con_frame[contact];
    const Vec3<Real> points[2] = {arena.con_pos[contact], arena.con_pos[contact]};
    // the second body feels the force, the first what it does in return
    add_between(m, d, arena.efc_D[row] != Real(0), arena.con_body + 2 * contact, points,
                -mul_transposed(frame, f.force), -mul_transposed(frame, f.torque));
  }
}

template <class Real>
LOCKSTEP_FN void add_equality_pushes(const ModelView<Real>& m, const DataView<Real>& d) {
  const ArenaView<Real>& arena = *d.arena;
  for (int row = 0; row < arena.ne;) {
    const int eq = arena.efc_id[row], type = m.eq_type[eq];
    const bool weld = type == code(EqType::weld);
    const Real* f = arena.efc_force + row;
    const int first = row;
    row += weld ? 6 : type == code(EqType::connect) ? 3 : 1;
    if (type == code(EqType::distance)) {
      const CenterLine<Real> line = center_line(m, d, eq);
      add_between(m, d, arena.efc_D[first] != Real(0), line.body, line.point, line.along * f[0],
                  Vec3<Real>{Real(0), Real(0), Real(0)});
    }
    if (!weld && type != code(EqType::connect)) continue;
    const Anchors<Real> ends = anchors_of(m, d, eq);
    Vec3<Real> torque{Real(0), Real(0), Real(0)};
    if (weld) {
      const TurnColumns<Real> columns = turn_columns(m, eq, weld_quats(m, d, eq));
      for (int k = 0; k < 3; k++) torque[k] = dot(columns.of[k], load3(f + 3));
    }
    add_between(m, d, arena.efc_D[first] != Real(0), ends.body, ends.point, load3(f), torque);
  }
}

template <class Real>
LOCKSTEP_FN void rne_post_constraint(const ModelView<Real>& m, const DataView<Real>& d) {
  d.cfrc_ext.set(0, zero6<Real>());
  for (int body = 1; body < m.nbody; body++) {
    // here the force comes first
    const Vec6<Real> applied = d.xfrc_applied[body];
    d.cfrc_ext.set(body, about_center(m, d, body, d.xipos[body], applied.rot, applied.lin));
  }
  add_tendon_pulls(m, d);
  add_contact_pushes(m, d);
  add_equality_pushes(m, d);

  body_accelerations<Real>(m, d, d.qacc, d.cacc);
  d.cfrc_int.set(0, zero6<Real>());
  for (int body = 1; body < m.nbody; body++) {
    d.cfrc_int.set(body, inertial_force(d, body, d.cacc[body]) - d.cfrc_ext[body]);
  }
  for (int body = m.nbody - 1; body > 0; body--) {
    d.cfrc_int.add(m.body_parentid[body], d.cfrc_int[body]);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
