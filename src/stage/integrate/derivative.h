// derivative.h: how smooth forces change with velocity, for the implicit integrators. Not a stage.
//   qDeriv = d (qfrc_smooth) / d qvel, in the pattern of M and its transpose (D_rownnz ...)
// couplings between branches of the tree have no place in it and are left out.
// reads cdof cdof_dot cvel cinert qvel ten_J ten_velocity actuator_moment, and what
// slopes of actuators need    writes qDeriv
#pragma once

#include "model/view.h"
#include "stage/actuation/slope.h"
#include "stage/velocity/damping.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// place of an entry of the full pattern, -1 if it has none
template <class Real>
LOCKSTEP_FN int entry_d(const ModelView<Real>& m, int row, int column) {
  int low = m.D_rowadr[row], high = low + m.D_rownnz[row] - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (m.D_colind[middle] < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == high && m.D_colind[low] == column ? low : -1;
}

// qDeriv += s J'J for a row J with the dofs `columns`
template <class Real, class Column>
LOCKSTEP_FN void add_outer(const ModelView<Real>& m, const DataView<Real>& d, Real s, const Real* J,
                           int count, Column&& column) {
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < count; k++) {
      const int at = entry_d(m, column(i), column(k));
      if (at >= 0) d.qDeriv[at] = d.qDeriv[at] + s * J[i] * J[k];
    }
  }
}

template <class Real>
LOCKSTEP_FN void damper_derivative(const ModelView<Real>& m, const DataView<Real>& d) {
  if (m.opt.disableflags & code(DisableBit::damper)) return;
  for (int dof = 0; dof < m.nv; dof++) {
    Real& diagonal = d.qDeriv[m.D_rowadr[dof] + m.D_diag[dof]];
    diagonal = diagonal - dof_damper(m, dof).slope(d.qvel[dof]);
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const int first = m.ten_J_rowadr[tendon];
    const Real slope = tendon_damper(m, tendon).slope(d.ten_velocity[tendon]);
    add_outer(m, d, -slope, d.ten_J + first, m.ten_J_rownnz[tendon],
              [&](int k) { return m.ten_J_colind[first + k]; });
  }
}

template <class Real>
LOCKSTEP_FN void actuator_derivative(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (!has_slope(m, actuator)) continue;
    const Real slope = actuator_slope(m, d, actuator).by_velocity;
    const int out = m.actuator_outadr[actuator];
    for (int row = out; row < out + m.actuator_outnum[actuator]; row++) {
      const int first = d.moment_rowadr.get(row, 0);  // the pattern is the same in all lanes
      add_outer(m, d, slope, d.actuator_moment + first, d.moment_rownnz.get(row, 0),
                [&](int k) { return d.moment_colind.get(first + k, 0); });
    }
  }
}

// Derivative of the bias force by the velocity of one dof: calls put(row, value) for the dofs of
// the chain to the root and of the subtree. Bodies are numbered so that a subtree is a range.
//   v' = cdof_j;  a' = a'_parent + sum_k (cdof_j x cdof_k) qvel_k, for dofs k that j carries;
//   f' = I a' + v' x* I v + v x* I v'
template <class Real, class F>
LOCKSTEP_FN void bias_derivative(const ModelView<Real>& m, const DataView<Real>& d, int j,
                                 F&& put) {
  const View<Vec6<Real>, Real> acc{d.body_work6.start};
  const View<Vec6<Real>, Real> force{d.body_work6.start + 6 * m.nbody};
  const int root = m.dof_bodyid[j];
  const Vec6<Real> v = d.cdof[j];
  // dofs of one ball, or of the turning part of a free joint, do not carry each other
  const int joint = m.dof_jntid[j], type = m.jnt_type[joint];
  int carried = j + 1;
  if (type == code(JointType::ball)) carried = m.jnt_dofadr[joint] + 3;
  if (type == code(JointType::free))
    carried = m.jnt_dofadr[joint] + (j < m.jnt_dofadr[joint] + 3 ? 3 : 6);
  int end = root;
  for (int body = root; body < m.nbody; body++) {
    if (body > root && m.body_parentid[body] < root) break;
    end = body + 1;
    Vec6<Real> a = body == root ? d.cdof_dot[j] : acc[m.body_parentid[body]];
    const int last = m.body_dofadr[body] + m.body_dofnum[body];
    for (int k = body == root ? carried : m.body_dofadr[body]; k < last; k++) {
      a += cross_motion(v, d.cdof[k]) * d.qvel[k];
    }
    acc.set(body, a);
    const Inertia<Real> inertia = d.cinert[body];
    const Vec6<Real> cvel = d.cvel[body];
    force.set(body, inertia * a + cross_force(v, inertia * cvel) + cross_force(cvel, inertia * v));
  }
  for (int body = end - 1; body > root; body--) force.add(m.body_parentid[body], force[body]);
  for (int dof = m.dof_parentid[m.body_dofadr[root]]; dof >= 0; dof = m.dof_parentid[dof]) {
    put(dof, dot(d.cdof[dof], force[root]));
  }
  for (int body = root; body < end; body++) {
    for (int dof = m.body_dofadr[body]; dof < m.body_dofadr[body] + m.body_dofnum[body]; dof++) {
      put(dof, dot(d.cdof[dof], force[body]));
    }
  }
}

template <class Real>
LOCKSTEP_FN void coriolis_derivative(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int column = 0; column < m.nv; column++) {
    bias_derivative(m, d, column, [&](int row, Real value) {
      const int at = entry_d(m, row, column);
      if (at >= 0) d.qDeriv[at] = d.qDeriv[at] - value;
    });
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
