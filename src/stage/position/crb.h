// crb.h: joint-space inertia, by composite rigid bodies; lower triangle, rows by
// M_rownnz/rowadr/colind, diagonal last.
//   M_ij = cdof_j . (crb_body(i) cdof_i) for ancestors j of i;   M_ii += armature;   M += J_t' a_t
//   J_t for tendons
// reads cinert cdof ten_J    writes crb M
#pragma once

#include "stage/position/reflected.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// reflected inertia of the actuators that drive one joint or tendon: sum of armature * gear^2
template <class Real>
LOCKSTEP_FN Real actuator_armature(const ModelView<Real>& m, int only, bool tendon, int id) {
  Real sum(0);
  each_reflected(m, only, tendon, id, [&](int actuator, Real gear2) {
    sum = sum + m.actuator_armature[actuator] * gear2;
  });
  return sum;
}

template <class Real>
LOCKSTEP_FN Real dof_armature(const ModelView<Real>& m, int dof) {
  const int joint = m.dof_jntid[dof];
  return m.dof_armature[dof] + actuator_armature(m, m.jnt_actuatorid[joint], false, joint);
}

// inertias of subtrees, as if their joints were locked
template <class Real>
LOCKSTEP_FN void composite_inertias(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int body = 0; body < m.nbody; body++) d.crb.set(body, d.cinert[body]);
  for (int body = m.nbody - 1; body > 0; body--) {
    if (m.body_parentid[body] > 0) d.crb.add(m.body_parentid[body], d.crb[body]);
  }
}

// inertia that each dof feels with all others locked, tendons aside: dof_M0 at qpos0
template <class Real>
LOCKSTEP_FN void dof_inertias(const ModelView<Real>& m, const DataView<Real>& d, Real* inertia) {
  composite_inertias(m, d);
  for (int dof = 0; dof < m.nv; dof++) {
    const Vec6<Real> cdof = d.cdof[dof];
    inertia[dof] = dof_armature(m, dof) + dot(cdof, d.crb[m.dof_bodyid[dof]] * cdof);
  }
}

// all inertia that moves with a tendon
template <class Real>
LOCKSTEP_FN Real tendon_inertia(const ModelView<Real>& m, int tendon) {
  return m.tendon_armature[tendon] +
         actuator_armature(m, m.tendon_actuatorid[tendon], true, tendon);
}

// M += a J'J inside the pattern of M: couplings between trees have no place there
template <class Real>
LOCKSTEP_FN void add_tendon_armature(const ModelView<Real>& m, const DataView<Real>& d,
                                     int tendon) {
  const Real armature = tendon_inertia(m, tendon);
  const int first = m.ten_J_rowadr[tendon], count = m.ten_J_rownnz[tendon];
  for (int i = first; i < first + count; i++) {
    const int row = m.ten_J_colind[i];
    int k = m.M_rowadr[row];
    const int end = k + m.M_rownnz[row];
    for (int j = first; j <= i; j++) {
      while (k < end && m.M_colind[k] < m.ten_J_colind[j]) k++;
      if (k == end) break;
      if (m.M_colind[k] == m.ten_J_colind[j]) {
        d.M[k] = d.M[k] + armature * d.ten_J[j] * d.ten_J[i];
      }
    }
  }
}

template <class Real>
LOCKSTEP_FN void crb(const ModelView<Real>& m, const DataView<Real>& d) {
  composite_inertias(m, d);
  for (int dof = 0; dof < m.nv; dof++) {
    const int first = m.M_rowadr[dof], diagonal = first + m.M_rownnz[dof] - 1;
    if (m.dof_simplenum[dof] > 0) {
      d.M[diagonal] = m.dof_M0[dof];
      continue;
    }
    const Vec6<Real> momentum = d.crb[m.dof_bodyid[dof]] * d.cdof[dof];
    for (int k = first; k <= diagonal; k++) d.M[k] = dot(d.cdof[m.M_colind[k]], momentum);
    d.M[diagonal] = d.M[diagonal] + dof_armature(m, dof);
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) add_tendon_armature(m, d, tendon);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
