// query.h: what users ask about a world between steps: Jacobians, velocities of objects, products
// with M. Nothing here writes a field of Data.
//   J of a point p of body b, column of dof i:  cdof_i.lin + cdof_i.rot x (p - com)  and cdof_i.rot
//   its rate:  cdof_dot_i.lin + cdof_dot_i.rot x (p - com) + cdof_i.rot x p_dot
#pragma once

#include "stage/position/factor_m.h"
#include "stage/position/jacobian.h"
#include "stage/sensor/object.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// 3 x nv, row-major, or null
template <class Real>
LOCKSTEP_INLINE void set_column(Real* jacobian, int nv, int dof, const Vec3<Real>& v) {
  for (int k = 0; jacobian && k < 3; k++) jacobian[k * nv + dof] = v[k];
}
template <class Real>
LOCKSTEP_INLINE void add_column(Real* jacobian, int nv, int dof, const Vec3<Real>& v) {
  for (int k = 0; k < 3; k++) jacobian[k * nv + dof] = jacobian[k * nv + dof] + v[k];
}
template <class Real>
LOCKSTEP_INLINE void clear_jacobian(Real* jacobian, int nv) {
  for (int i = 0; jacobian && i < 3 * nv; i++) jacobian[i] = Real(0);
}

// translation of a point of a body, and rotation of the body
template <class Real>
LOCKSTEP_FN void jac(const ModelView<Real>& m, const DataView<Real>& d, Real* jacp, Real* jacr,
                     const Vec3<Real>& point, int body) {
  clear_jacobian(jacp, m.nv);
  clear_jacobian(jacr, m.nv);
  const Vec3<Real> offset = from_center(m, d, body, point);
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    const Vec6<Real> cdof = d.cdof[dof];
    set_column(jacp, m.nv, dof, point_velocity(cdof, offset));
    set_column(jacr, m.nv, dof, cdof.rot);
  }
}

// translation of the point of an axis, and how the axis turns
template <class Real>
LOCKSTEP_FN void jac_point_axis(const ModelView<Real>& m, const DataView<Real>& d, Real* jac_point,
                                Real* jac_axis, const Vec3<Real>& point, const Vec3<Real>& axis,
                                int body) {
  jac(m, d, jac_point, static_cast<Real*>(nullptr), point, body);
  clear_jacobian(jac_axis, m.nv);
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    set_column(jac_axis, m.nv, dof, cross(d.cdof[dof].rot, axis));
  }
}

// whether a body belongs to the subtree of another
template <class Real>
LOCKSTEP_INLINE bool in_subtree(const ModelView<Real>& m, int body, int root) {
  while (body > root) body = m.body_parentid[body];
  return body == root;
}

// translation of the center of mass of a subtree: mean of its bodies, weighted by their masses
template <class Real>
LOCKSTEP_FN void jac_subtree_com(const ModelView<Real>& m, const DataView<Real>& d, Real* jacp,
                                 int root) {
  clear_jacobian(jacp, m.nv);
  for (int body = root; body < m.nbody; body++) {
    if (!in_subtree(m, body, root)) continue;
    const Vec3<Real> offset = from_center(m, d, body, d.xipos[body]);
    for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
      add_column(jacp, m.nv, dof, point_velocity(d.cdof[dof], offset) * m.body_mass[body]);
    }
  }
  const Real mass = max(m.body_subtreemass[root], Real(min_val));
  for (int i = 0; i < 3 * m.nv; i++) jacp[i] = jacp[i] / mass;
}

// rate of a motion axis; those of quaternions turn with the velocity after their joint
template <class Real>
LOCKSTEP_FN Vec6<Real> axis_rate(const ModelView<Real>& m, const DataView<Real>& d, int dof) {
  const int joint = m.dof_jntid[dof], type = m.jnt_type[joint];
  const bool turns = type == code(JointType::ball) ||
                     (type == code(JointType::free) && dof >= m.jnt_dofadr[joint] + 3);
  return turns ? cross_motion(d.cvel[m.dof_bodyid[dof]], d.cdof[dof]) : d.cdof_dot[dof];
}

template <class Real>
LOCKSTEP_FN void jac_dot(const ModelView<Real>& m, const DataView<Real>& d, Real* jacp, Real* jacr,
                         const Vec3<Real>& point, int body) {
  clear_jacobian(jacp, m.nv);
  clear_jacobian(jacr, m.nv);
  const Vec3<Real> offset = from_center(m, d, body, point);
  const Vec3<Real> velocity = shift_motion(d.cvel[body], offset).lin;
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    const Vec6<Real> rate = axis_rate(m, d, dof);
    set_column(jacp, m.nv, dof, point_velocity(rate, offset) + cross(d.cdof[dof].rot, velocity));
    set_column(jacr, m.nv, dof, rate.rot);
  }
}

// qfrc += J' (force, torque), for a force at a point of a body
template <class Real>
LOCKSTEP_FN void apply_ft(const ModelView<Real>& m, const DataView<Real>& d,
                          const Vec3<Real>& force, const Vec3<Real>& torque,
                          const Vec3<Real>& point, int body, Real* qfrc) {
  const Vec3<Real> offset = from_center(m, d, body, point);
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    const Vec6<Real> cdof = d.cdof[dof];
    qfrc[dof] = qfrc[dof] + (dot(point_velocity(cdof, offset), force) + dot(cdof.rot, torque));
  }
}

// angular momentum of a subtree about its center of mass, per unit velocity of each dof; 3 x nv
template <class Real>
LOCKSTEP_FN void angmom_mat(const ModelView<Real>& m, const DataView<Real>& d, Real* mat,
                            int root) {
  clear_jacobian(mat, m.nv);
  for (int body = root; body < m.nbody; body++) {
    if (!in_subtree(m, body, root)) continue;
    const Vec3<Real> offset = from_center(m, d, body, d.xipos[body]);
    const Vec3<Real> arm = (d.xipos[body] - d.subtree_com[root]) * m.body_mass[body];
    const Mat3<Real> axes = d.ximat[body];
    for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
      const Vec6<Real> cdof = d.cdof[dof];
      const Vec3<Real> spin =
          axes * mul_elements(m.body_inertia[body], mul_transposed(axes, cdof.rot));
      add_column(mat, m.nv, dof, spin + cross(arm, point_velocity(cdof, offset)));
    }
  }
}

// y <- M x
template <class Real>
LOCKSTEP_FN void mul_m(const ModelView<Real>& m, const DataView<Real>& d, const Real* x, Real* y) {
  mul_symmetric(pattern_m(m), d.M, x, y);
}

// y <- sqrt(D) L x, so that |y|^2 = x' M x
template <class Real>
LOCKSTEP_FN void mul_m2(const ModelView<Real>& m, const DataView<Real>& d, const Real* x, Real* y) {
  for (int k = 0; k < m.nv; k++) {
    const int first = m.M_rowadr[k], diagonal = first + m.M_rownnz[k] - 1;
    Real sum = x[k];
    for (int i = first; i < diagonal; i++) sum = sum + d.qLD[i] * x[m.M_colind[i]];
    y[k] = sqrt(d.qLD[diagonal]) * sum;
  }
}

// dense <- M, both triangles; nv x nv
template <class Real>
LOCKSTEP_FN void full_m(const ModelView<Real>& m, const DataView<Real>& d, Real* dense) {
  for (int i = 0; i < m.nv * m.nv; i++) dense[i] = Real(0);
  for (int row = 0; row < m.nv; row++) {
    for (int i = m.M_rowadr[row]; i < m.M_rowadr[row] + m.M_rownnz[row]; i++) {
      dense[row * m.nv + m.M_colind[i]] = d.M[i];
      dense[m.M_colind[i] * m.nv + row] = d.M[i];
    }
  }
}

// all quaternions of a position get unit length
template <class Real>
LOCKSTEP_FN void normalize_quat(const ModelView<Real>& m, Real* qpos) {
  for (int joint = 0; joint < m.njnt; joint++) {
    const int type = m.jnt_type[joint];
    if (type != code(JointType::free) && type != code(JointType::ball)) continue;
    Real* q = qpos + m.jnt_qposadr[joint] + (type == code(JointType::free) ? 3 : 0);
    const Quat<Real> unit = normalize(Quat<Real>{q[0], q[1], q[2], q[3]});
    for (int k = 0; k < 4; k++) q[k] = unit[k];
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
