// rne.h: bias force, by recursive Newton-Euler: what M qacc would be if the joints did not
// accelerate.
//   a_b = a_parent + sum_i cdof_dot_i qvel_i, a_world = -g;   f_b = I a_b + v x* I v;   qfrc_bias_i
//   = cdof_i . sum_{subtree} f
// reads cinert cdof cdof_dot cvel qvel    writes qfrc_bias
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void rne(const ModelView<Real>& m, const DataView<Real>& d) {
  // per body: acceleration, then force
  const View<Vec6<Real>, Real> acc{d.body_work6.start};
  const View<Vec6<Real>, Real> force{d.body_work6.start + 6 * m.nbody};
  Vec6<Real> world = zero6<Real>();
  if (!(m.opt.disableflags & code(DisableBit::gravity))) world.lin = -load3(m.opt.gravity.value);
  acc.set(0, world);
  force.set(0, zero6<Real>());
  for (int body = 1; body < m.nbody; body++) {
    Vec6<Real> a = acc[m.body_parentid[body]];
    const int first = m.body_dofadr[body];
    for (int dof = first; dof < first + m.body_dofnum[body]; dof++) {
      a += d.cdof_dot[dof] * d.qvel[dof];
    }
    acc.set(body, a);
    const Vec6<Real> v = d.cvel[body];
    force.set(body, d.cinert[body] * a + cross_force(v, d.cinert[body] * v));
  }
  for (int body = m.nbody - 1; body > 0; body--) {
    if (m.body_parentid[body] > 0) force.add(m.body_parentid[body], force[body]);
  }
  for (int dof = 0; dof < m.nv; dof++) {
    d.qfrc_bias[dof] = dot(d.cdof[dof], force[m.dof_bodyid[dof]]);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
