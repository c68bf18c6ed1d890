// subtree_vel.h: momentum of subtrees, when someone asks for it.
//   linvel = sum m_b v_b / sum m_b;   angmom = sum (I_b w_b + (x_b - com) x m_b (v_b - linvel))
// reads cvel xipos ximat subtree_com    writes subtree_linvel subtree_angmom
#pragma once

#include "stage/position/jacobian.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// velocity of the center of mass of a body
template <class Real>
LOCKSTEP_INLINE Vec3<Real> center_velocity(const ModelView<Real>& m, const DataView<Real>& d,
                                           int body) {
  return point_velocity(d.cvel[body], from_center(m, d, body, d.xipos[body]));
}

template <class Real>
LOCKSTEP_FN void subtree_vel(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int body = 0; body < m.nbody; body++) {
    d.subtree_linvel.set(body, center_velocity(m, d, body) * m.body_mass[body]);
  }
  for (int body = m.nbody - 1; body > 0; body--) {
    d.subtree_linvel.add(m.body_parentid[body], d.subtree_linvel[body]);
  }
  for (int body = 0; body < m.nbody; body++) {
    const Real mass = max(Real(min_val), m.body_subtreemass[body]);
    d.subtree_linvel.set(body, d.subtree_linvel[body] * (Real(1) / mass));
  }
  // each body about the center of its own subtree
  for (int body = 0; body < m.nbody; body++) {
    const Mat3<Real> axes = d.ximat[body];
    const Vec3<Real> spin = mul_transposed(axes, d.cvel[body].rot);
    const Vec3<Real> arm = d.xipos[body] - d.subtree_com[body];
    const Vec3<Real> slip = center_velocity(m, d, body) - d.subtree_linvel[body];
    d.subtree_angmom.set(body, axes * mul_elements(m.body_inertia[body], spin) +
                                   cross(arm, slip * m.body_mass[body]));
  }
  // a subtree moves as one point mass about the center of its parent's
  for (int body = m.nbody - 1; body > 0; body--) {
    const int parent = m.body_parentid[body];
    const Vec3<Real> arm = d.subtree_com[body] - d.subtree_com[parent];
    const Vec3<Real> slip = d.subtree_linvel[body] - d.subtree_linvel[parent];
    d.subtree_angmom.add(parent,
                         d.subtree_angmom[body] + cross(arm, slip * m.body_subtreemass[body]));
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
