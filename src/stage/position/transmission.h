// transmission.h: how far each actuator output has moved, and how it pushes on dofs: force =
// moment' * actuator_force. rows of actuator_moment keep every dof that can matter, so that the
// pattern does not depend on the pose. reads qpos, contacts (con_*), ten_length ten_J site_xpos
// site_xquat site_xmat subtree_com cdof writes actuator_length moment_rownnz moment_rowadr
// moment_colind actuator_moment
#pragma once

#include "stage/position/jacobian.h"
#include "stage/position/kinematics.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// one row of actuator_moment being written
template <class Real>
struct MomentRow {
  const DataView<Real>& d;
  int row, adr, count;

  LOCKSTEP_INLINE void put(int dof, Real value) {
    d.moment_colind.fill(adr + count, dof);
    d.actuator_moment[adr + count] = value;
    count++;
  }
  LOCKSTEP_INLINE void finish(Real length) const {
    d.actuator_length[row] = length;
    d.moment_rowadr.fill(row, adr);
    d.moment_rownnz.fill(row, count);
  }
};

// frames of the two ends of a transmission, as the dofs move them
template <class Real>
struct TransmissionEnd {
  int body;
  Vec3<Real> offset;  // from the center that cdof refers to
};

template <class Real>
LOCKSTEP_INLINE TransmissionEnd<Real> site_end(const ModelView<Real>& m, const DataView<Real>& d,
                                               int site) {
  const int body = m.site_bodyid[site];
  return {body, from_center(m, d, body, d.site_xpos[site])};
}

// Puts value(dof, moves first body, moves second body) for every dof that moves one of two bodies,
// lowest dof first. `skip_common` leaves out dofs that move both. Body -1 is none.
template <class Real, class F>
LOCKSTEP_FN void put_chains(const ModelView<Real>& m, MomentRow<Real>& out, int body0, int body1,
                            bool skip_common, F&& value) {
  const ChainPair start{last_dof(m, body0), body1 >= 0 ? last_dof(m, body1) : -1};
  int total = 0;
  for (ChainPair c = start; !c.done(); c.advance(m)) total += !(skip_common && c.common());
  // the chains run from the last dof to the first
  int k = total;
  for (ChainPair c = start; !c.done(); c.advance(m)) {
    if (skip_common && c.common()) continue;
    const int dof = c.dof();
    k--;
    out.d.moment_colind.fill(out.adr + out.count + k, dof);
    out.d.actuator_moment[out.adr + out.count + k] = value(dof, c.a == dof, c.b == dof);
  }
  out.count += total;
}

template <class Real>
LOCKSTEP_FN Real joint_moment(const ModelView<Real>& m, const DataView<Real>& d, int actuator,
                              const Real* gear, MomentRow<Real>& out) {
  const int joint = m.actuator_trnid[2 * actuator], type = m.jnt_type[joint];
  const int dof = m.jnt_dofadr[joint];
  const Real* q = d.qpos + m.jnt_qposadr[joint];
  const bool in_parent = m.actuator_trntype[actuator] == code(TrnType::jointinparent);
  if (type == code(JointType::ball)) {
    const Quat<Real> quat = unit_quat(q);
    const Vec3<Real> axis = in_parent ? rotate_inv(quat, load3(gear)) : load3(gear);
    for (int k = 0; k < 3; k++) out.put(dof + k, axis[k]);
    return dot(quat_to_vel(quat, Real(1)), axis);
  }
  if (type == code(JointType::free)) {
    const Vec3<Real> axis =
        in_parent ? rotate_inv(unit_quat(q + 3), load3(gear + 3)) : load3(gear + 3);
    for (int k = 0; k < 3; k++) out.put(dof + k, gear[k]);
    for (int k = 0; k < 3; k++) out.put(dof + 3 + k, axis[k]);
    return Real(0);  // a pose has no length
  }
  out.put(dof, gear[0]);
  return q[0] * gear[0];
}

template <class Real>
LOCKSTEP_FN Real tendon_moment(const ModelView<Real>& m, const DataView<Real>& d, int tendon,
                               Real gear, MomentRow<Real>& out) {
  const int first = m.ten_J_rowadr[tendon];
  for (int k = first; k < first + m.ten_J_rownnz[tendon]; k++) {
    out.put(m.ten_J_colind[k], d.ten_J[k] * gear);
  }
  return d.ten_length[tendon] * gear;
}

// a rod of fixed length between the crank site and a slider on the z axis of the slider site:
//   length = a.v - sqrt((a.v)^2 + r^2 - v.v),  v from slider site to crank site
template <class Real>
LOCKSTEP_FN Real slidercrank_moment(const ModelView<Real>& m, const DataView<Real>& d, int actuator,
                                    Real gear, MomentRow<Real>& out) {
  const int crank = m.actuator_trnid[2 * actuator], slider = m.actuator_trnid[2 * actuator + 1];
  const Real rod = m.actuator_cranklength[actuator];
  const Vec3<Real> axis = col(d.site_xmat[slider], 2);
  const Vec3<Real> v = d.site_xpos[crank] - d.site_xpos[slider];
  const Real av = dot(v, axis), det = av * av + rod * rod - dot(v, v);
  const Mask<Real> broken = det <= Real(0);
  const Real root = sqrt(select(broken, Real(1), det));
  const Real share = Real(1) - av / root;
  const Vec3<Real> by_axis = select(broken, v, v * share);
  const Vec3<Real> by_v = select(broken, axis, axis * share + v * (Real(1) / root));
  const TransmissionEnd<Real> end0 = site_end(m, d, crank), end1 = site_end(m, d, slider);
  put_chains(m, out, end0.body, end1.body, false, [&](int dof, bool moves0, bool moves1) {
    const Vec6<Real> cdof = d.cdof[dof];
    Vec3<Real> dv{Real(0), Real(0), Real(0)}, daxis = dv;
    if (moves0) dv += point_velocity(cdof, end0.offset);
    if (moves1) {
      dv -= point_velocity(cdof, end1.offset);
      daxis = cross(cdof.rot, axis);
    }
    return (dot(by_axis, daxis) + dot(by_v, dv)) * gear;
  });
  return select(broken, av, av - root) * gear;
}

// a wrench on a site, in the frame of the site; no length
template <class Real>
LOCKSTEP_FN Real site_moment(const ModelView<Real>& m, const DataView<Real>& d, int site,
                             const Real* gear, MomentRow<Real>& out) {
  const Vec3<Real> force = d.site_xmat[site] * load3(gear);
  const Vec3<Real> torque = d.site_xmat[site] * load3(gear + 3);
  const TransmissionEnd<Real> end = site_end(m, d, site);
  put_chains(m, out, end.body, -1, false, [&](int dof, bool, bool) {
    const Vec6<Real> cdof = d.cdof[dof];
    return dot(force, point_velocity(cdof, end.offset)) + dot(torque, cdof.rot);
  });
  return Real(0);
}

// a wrench between a site and a reference site, in the frame of the latter; dofs that carry both do
// not feel it
template <class Real>
LOCKSTEP_FN Real refsite_moment(const ModelView<Real>& m, const DataView<Real>& d, int site,
                                int ref, const Real* gear, MomentRow<Real>& out) {
  const Mat3<Real> frame = d.site_xmat[ref];
  const Vec3<Real> move = load3(gear), turn = load3(gear + 3);
  const Vec3<Real> force = frame * move, torque = frame * turn;
  const TransmissionEnd<Real> end0 = site_end(m, d, site), end1 = site_end(m, d, ref);
  put_chains(m, out, end0.body, end1.body, true, [&](int dof, bool moves0, bool) {
    const Vec6<Real> cdof = d.cdof[dof];
    const Vec3<Real> offset = moves0 ? end0.offset : end1.offset;
    const Real push = dot(force, point_velocity(cdof, offset)) + dot(torque, cdof.rot);
    return moves0 ? push : -push;
  });
  const Vec3<Real> way = mul_transposed(frame, d.site_xpos[site] - d.site_xpos[ref]);
  const Vec3<Real> angle = subtract(d.site_xquat[site], d.site_xquat[ref]);
  return dot(way, move) + dot(angle, turn);
}

// three torques on a ball joint, or between two sites in the frame of the first; lengths are the
// rotation vector
template <class Real>
LOCKSTEP_FN int so3_moment(const ModelView<Real>& m, const DataView<Real>& d, int actuator,
                           int adr) {
  const int id = m.actuator_trnid[2 * actuator], ref = m.actuator_trnid[2 * actuator + 1];
  const int row = m.actuator_outadr[actuator];
  const Vec3<Real> length = ref < 0 ? quat_to_vel(unit_quat(d.qpos + m.jnt_qposadr[id]), Real(1))
                                    : subtract(d.site_xquat[id], d.site_xquat[ref]);
  for (int k = 0; k < 3; k++) {
    MomentRow<Real> out{d, row + k, adr, 0};
    if (ref < 0) {
      out.put(m.jnt_dofadr[id] + k, Real(1));
    } else {
      const Vec3<Real> axis = col(d.site_xmat[id], k);
      put_chains(m, out, m.site_bodyid[id], m.site_bodyid[ref], true,
                 [&](int dof, bool moves0, bool) {
                   const Real push = dot(axis, d.cdof[dof].rot);
                   return moves0 ? push : -push;
                 });
    }
    out.finish(length[k]);
    adr += out.count;
  }
  return adr;
}

// lanes in which a contact is there, touching or in its gap
template <class Real>
LOCKSTEP_FN Mask<Real> contact_is_near(const ArenaView<Real>& arena, int contact) {
  constexpr int gap = 1;  // exclude: 0 touches, 1 in the gap
  Mask<Real> near = false;
  for (int i = 0; i < lanes<Real>; i++) {
    set_lane(near, i,
             arena.con_geom.get(2 * contact, i) >= 0 && arena.con_exclude.get(contact, i) <= gap);
  }
  return near;
}

// pulls a body towards what it touches, the same at each contact; any dof may take part. no length
template <class Real>
LOCKSTEP_FN Real body_moment(const ModelView<Real>& m, const DataView<Real>& d, int body,
                             MomentRow<Real>& out) {
  const ArenaView<Real>& arena = *d.arena;
  Real* moment = d.actuator_moment + out.adr;
  for (int dof = 0; dof < m.nv; dof++) out.put(dof, Real(0));
  Real count(0);
  for (int contact = 0; contact < arena.ncon; contact++) {
    const int* ends = arena.con_body + 2 * contact;
    if (ends[0] != body && ends[1] != body) continue;
    const Mask<Real> near = contact_is_near(arena, contact);
    if (!any(near)) continue;
    count = select(near, count + Real(1), count);
    const Vec3<Real> normal = row(arena.con_frame[contact], 0), point = arena.con_pos[contact];
    for (int side = 0; side < 2; side++) {
      const Vec3<Real> offset = from_center(m, d, ends[side], point);
      for (int dof = last_dof(m, ends[side]); dof >= 0; dof = m.dof_parentid[dof]) {
        const Real along = dot(normal, point_velocity(d.cdof[dof], offset));
        const Real apart = side == 0 ? moment[dof] - along : moment[dof] + along;
        moment[dof] = select(near, apart, moment[dof]);
      }
    }
  }
  const Mask<Real> touches = count != Real(0);
  const Real share = Real(-1) / select(touches, count, Real(1));
  for (int dof = 0; dof < m.nv; dof++) {
    moment[dof] = select(touches, moment[dof] * share, Real(0));
  }
  return Real(0);
}

template <class Real>
LOCKSTEP_FN Real output_moment(const ModelView<Real>& m, const DataView<Real>& d, int actuator,
                               MomentRow<Real>& out) {
  const int type = m.actuator_trntype[actuator];
  const int id = m.actuator_trnid[2 * actuator], ref = m.actuator_trnid[2 * actuator + 1];
  const Real* gear = m.actuator_gear + 6 * m.actuator_outadr[actuator];
  if (type == code(TrnType::joint) || type == code(TrnType::jointinparent)) {
    return joint_moment(m, d, actuator, gear, out);
  }
  if (type == code(TrnType::tendon)) return tendon_moment(m, d, id, gear[0], out);
  if (type == code(TrnType::slidercrank)) return slidercrank_moment(m, d, actuator, gear[0], out);
  if (type == code(TrnType::site)) {
    return ref < 0 ? site_moment(m, d, id, gear, out) : refsite_moment(m, d, id, ref, gear, out);
  }
  return body_moment(m, d, id, out);
}

template <class Real>
LOCKSTEP_FN void transmission(const ModelView<Real>& m, const DataView<Real>& d) {
  int adr = 0;
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (m.actuator_trntype[actuator] == code(TrnType::so3)) {
      adr = so3_moment(m, d, actuator, adr);
      continue;
    }
    MomentRow<Real> out{d, m.actuator_outadr[actuator], adr, 0};
    out.finish(output_moment(m, d, actuator, out));
    adr += out.count;
  }
  // places that no row uses
  for (; adr < m.nJmom; adr++) {
    d.moment_colind.fill(adr, 0);
    d.actuator_moment[adr] = Real(0);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
