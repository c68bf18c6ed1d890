// jacobian.h: how bodies move with dofs; shared by tendons, transmissions and constraints. Not a
// stage.
//   velocity of point p of a body per unit velocity of dof i:  cdof_i.lin + cdof_i.rot x (p - com)
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the last dof that moves a body, -1 if it is static; its ancestors by dof_parentid move it too
template <class Real>
LOCKSTEP_INLINE int last_dof(const ModelView<Real>& m, int body) {
  while (body > 0 && m.body_dofnum[body] == 0) body = m.body_parentid[body];
  return body > 0 ? m.body_dofadr[body] + m.body_dofnum[body] - 1 : -1;
}

// a point of a body, seen from the center that cdof refers to
template <class Real>
LOCKSTEP_INLINE Vec3<Real> from_center(const ModelView<Real>& m, const DataView<Real>& d, int body,
                                       const Vec3<Real>& point) {
  return point - d.subtree_com[m.body_rootid[body]];
}

template <class Real>
LOCKSTEP_INLINE Vec3<Real> point_velocity(const Vec6<Real>& cdof, const Vec3<Real>& offset) {
  return cdof.lin + cross(cdof.rot, offset);
}

// two chains of dofs joined, from the last dof down; dofs that move both bodies come once
struct ChainPair {
  int a, b;  // next dof of each chain, -1 at its end

  LOCKSTEP_INLINE bool done() const { return a < 0 && b < 0; }
  LOCKSTEP_INLINE bool common() const { return a == b; }
  LOCKSTEP_INLINE int dof() const { return a > b ? a : b; }
  template <class Real>
  LOCKSTEP_INLINE void advance(const ModelView<Real>& m) {
    const int now = dof();
    if (a == now) a = m.dof_parentid[now];
    if (b == now) b = m.dof_parentid[now];
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
