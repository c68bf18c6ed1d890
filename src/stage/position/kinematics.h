// kinematics.h: poses of bodies, joints, geoms and sites.
//   x_body = x_parent o (pos, quat) o joint_1(q) o joint_2(q) ...;   x_geom = x_body o (geom_pos,
//   geom_quat)
// reads qpos mocap_pos mocap_quat
// writes xpos xquat xmat xipos xiquat ximat xanchor xaxis geom_xpos geom_xquat geom_xmat site_xpos
// site_xquat site_xmat
#pragma once

#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Pose {
  Vec3<Real> pos;
  Quat<Real> quat;
};

// unit length; normalize leaves what has it already as it is, which is nearly always so: the branch
// spares waiting for root and quotient
template <class Real>
LOCKSTEP_INLINE Quat<Real> settle(const Quat<Real>& q) {
  if (all(abs(norm(q) - Real(1)) <= Real(min_val))) return q;
  return normalize(q);
}

// four numbers of qpos as a unit quaternion; qpos itself is left alone
template <class Real>
LOCKSTEP_INLINE Quat<Real> unit_quat(const Real* q) {
  return normalize(Quat<Real>{q[0], q[1], q[2], q[3]});
}

// moves a pose by one hinge, slide or ball joint
template <class Real>
LOCKSTEP_INLINE void apply_joint(const ModelView<Real>& m, const DataView<Real>& d, int joint,
                                 Pose<Real>& x) {
  const Vec3<Real> axis = rotate(x.quat, m.jnt_axis[joint]), offset = m.jnt_pos[joint];
  // most joints sit at the origin of their body
  const Mask<Real> centered = offset.x == Real(0) && offset.y == Real(0) && offset.z == Real(0);
  const bool shifts = !all(centered);
  Vec3<Real> anchor = x.pos;
  if (shifts) anchor = select(centered, x.pos, rotate(x.quat, offset) + x.pos);
  const int adr = m.jnt_qposadr[joint];
  if (m.jnt_type[joint] == code(JointType::slide)) {
    x.pos += axis * (d.qpos[adr] - m.qpos0[adr]);
  } else {
    const Quat<Real> turn = m.jnt_type[joint] == code(JointType::ball)
                                ? unit_quat(d.qpos + adr)
                                : from_axis_angle(m.jnt_axis[joint], d.qpos[adr] - m.qpos0[adr]);
    x.quat = x.quat * turn;
    // the anchor stays where it was
    if (shifts) x.pos = select(centered, x.pos, anchor - rotate(x.quat, offset));
  }
  d.xanchor.set(joint, anchor);
  d.xaxis.set(joint, axis);
}

// pose of a body before its joints move it; mocap bodies take theirs from Data
template <class Real>
LOCKSTEP_INLINE Pose<Real> reference_pose(const ModelView<Real>& m, const DataView<Real>& d,
                                          int body) {
  const int mocap = m.body_mocapid[body], parent = m.body_parentid[body];
  const Pose<Real> local = mocap >= 0
                               ? Pose<Real>{d.mocap_pos[mocap], normalize(d.mocap_quat[mocap])}
                               : Pose<Real>{m.body_pos[body], m.body_quat[body]};
  if (parent == 0) return local;
  return {d.xmat[parent] * local.pos + d.xpos[parent], d.xquat[parent] * local.quat};
}

template <class Real>
LOCKSTEP_INLINE Pose<Real> body_pose(const ModelView<Real>& m, const DataView<Real>& d, int body) {
  const int first = m.body_jntadr[body], count = m.body_jntnum[body];
  if (count == 1 && m.jnt_type[first] == code(JointType::free)) {
    const Real* q = d.qpos + m.jnt_qposadr[first];
    const Pose<Real> x{load3(q), unit_quat(q + 3)};
    d.xanchor.set(first, x.pos);
    d.xaxis.set(first, m.jnt_axis[first]);
    return x;
  }
  Pose<Real> x = reference_pose(m, d, body);
  for (int joint = first; joint < first + count; joint++) apply_joint(m, d, joint, x);
  x.quat = settle(x.quat);
  return x;
}

// world pose of a frame fixed to a body. `sameframe` says what can be copied; it decides by a
// tolerance, so that the copy is part of the answer and not only a shortcut.
template <class Real>
LOCKSTEP_INLINE void place(const DataView<Real>& d, int body, int sameframe,
                           const ConstView<Vec3<Real>, Real>& pos,
                           const ConstView<Quat<Real>, Real>& quat, int i,
                           const View<Vec3<Real>, Real>& xpos, const View<Quat<Real>, Real>& xquat,
                           const View<Mat3<Real>, Real>& xmat) {
  const bool at_body = sameframe == code(SameFrame::body);
  const bool at_inertia = sameframe == code(SameFrame::inertia);
  if (at_body) {
    xpos.set(i, d.xpos[body]);
  } else if (at_inertia) {
    xpos.set(i, d.xipos[body]);
  } else {
    xpos.set(i, d.xmat[body] * pos[i] + d.xpos[body]);
  }
  if (at_body || sameframe == code(SameFrame::bodyrot)) {
    xquat.set(i, d.xquat[body]);
    xmat.set(i, d.xmat[body]);
  } else if (at_inertia || sameframe == code(SameFrame::inertiarot)) {
    xquat.set(i, d.xiquat[body]);
    xmat.set(i, d.ximat[body]);
  } else {
    const Quat<Real> turned = d.xquat[body] * quat[i];
    xquat.set(i, turned);
    xmat.set(i, to_mat(turned));
  }
}

template <class Real>
LOCKSTEP_FN void body_and_geom_poses(const ModelView<Real>& m, const DataView<Real>& d) {
  const Vec3<Real> origin{Real(0), Real(0), Real(0)};
  d.xpos.set(0, origin);
  d.xquat.set(0, identity_quat<Real>());
  d.xmat.set(0, identity3<Real>());
  d.xipos.set(0, origin);
  d.xiquat.set(0, identity_quat<Real>());
  d.ximat.set(0, identity3<Real>());
  const Sleepers<Real> asleep(m, d);
  for (int body = 1; body < m.nbody; body++) {
    if (asleep.body(body)) continue;
    const Pose<Real> x = body_pose(m, d, body);
    d.xpos.set(body, x.pos);
    d.xquat.set(body, x.quat);
    d.xmat.set(body, to_mat(x.quat));
  }
  for (int body = 1; body < m.nbody; body++) {
    if (asleep.body(body)) continue;
    place(d, body, m.body_sameframe[body], m.body_ipos, m.body_iquat, body, d.xipos, d.xiquat,
          d.ximat);
  }
  for (int geom = 0; geom < m.ngeom; geom++) {
    if (asleep.body(m.geom_bodyid[geom])) continue;
    place(d, m.geom_bodyid[geom], m.geom_sameframe[geom], m.geom_pos, m.geom_quat, geom,
          d.geom_xpos, d.geom_xquat, d.geom_xmat);
  }
}

template <class Real>
LOCKSTEP_FN void site_poses(const ModelView<Real>& m, const DataView<Real>& d) {
  const Sleepers<Real> asleep(m, d);
  for (int site = 0; site < m.nsite; site++) {
    if (asleep.body(m.site_bodyid[site])) continue;
    place(d, m.site_bodyid[site], m.site_sameframe[site], m.site_pos, m.site_quat, site,
          d.site_xpos, d.site_xquat, d.site_xmat);
  }
}

template <class Real>
LOCKSTEP_FN void kinematics(const ModelView<Real>& m, const DataView<Real>& d) {
  body_and_geom_poses(m, d);
  site_poses(m, d);
}

// whether sites do more than mark places: they guide tendons, hold actuators or equalities, or are
// sensed with a delay
template <class Real>
LOCKSTEP_FN bool sites_act(const ModelView<Real>& m) {
  if (m.ntendon > 0 || m.nhistory > 0) return true;
  for (int equality = 0; equality < m.neq; equality++) {
    if (m.eq_objtype[equality] == code(ObjType::site)) return true;
  }
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    const int kind = m.actuator_trntype[actuator];
    if (kind != code(TrnType::joint) && kind != code(TrnType::jointinparent)) return true;
  }
  return false;
}
// without sites that no motion depends on
template <class Real>
LOCKSTEP_FN void kinematics_bare(const ModelView<Real>& m, const DataView<Real>& d) {
  body_and_geom_poses(m, d);
  if (sites_act(m)) site_poses(m, d);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
