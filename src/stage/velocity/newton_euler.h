// newton_euler.h: forces that accelerations and velocities of bodies take, from the root to the
// leaves and back. Not a stage.
//   a_b = a_parent + sum_i (cdof_dot_i qvel_i + cdof_i qacc_i), a_world = -g
//   f_b = I a_b + v x* I v;   qfrc_i = cdof_i . sum_{subtree} f
// reads cinert cdof cdof_dot cvel qvel
#pragma once

#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// accelerations of bodies with the world pushed up against gravity; joints do not accelerate where
// qacc is null
template <class Real>
LOCKSTEP_FN void body_accelerations(const ModelView<Real>& m, const DataView<Real>& d,
                                    const Real* qacc, const View<Vec6<Real>, Real>& acc,
                                    bool awake_only = false) {
  const Sleepers<Real> asleep(m, d);
  Vec6<Real> world = zero6<Real>();
  if (!(m.opt.disableflags & code(DisableBit::gravity))) world.lin = -load3(m.opt.gravity.value);
  acc.set(0, world);
  for (int body = 1; body < m.nbody; body++) {
    if (awake_only && asleep.body(body)) continue;
    Vec6<Real> a = acc[m.body_parentid[body]];
    const int first = m.body_dofadr[body];
    for (int dof = first; dof < first + m.body_dofnum[body]; dof++) {
      a += d.cdof_dot[dof] * d.qvel[dof];
      if (qacc) a += d.cdof[dof] * qacc[dof];
    }
    acc.set(body, a);
  }
}

// force that gives a body an acceleration while it moves
template <class Real>
LOCKSTEP_INLINE Vec6<Real> inertial_force(const DataView<Real>& d, int body,
                                          const Vec6<Real>& acc) {
  const Vec6<Real> v = d.cvel[body];
  return d.cinert[body] * acc + cross_force(v, d.cinert[body] * v);
}

// M qacc + bias without the armatures, or the bias alone where qacc is null; of trees that are
// awake, if that is enough
template <class Real>
LOCKSTEP_FN void newton_euler(const ModelView<Real>& m, const DataView<Real>& d, const Real* qacc,
                              Real* qfrc, bool awake_only = false) {
  const Sleepers<Real> asleep(m, d);
  const bool skips = awake_only && asleep.any;
  const View<Vec6<Real>, Real> acc{d.body_work6.start};
  const View<Vec6<Real>, Real> force{d.body_work6.start + 6 * m.nbody};
  body_accelerations(m, d, qacc, acc, awake_only);
  for (int body = 1; body < m.nbody; body++) {
    if (skips && asleep.body(body)) continue;
    force.set(body, inertial_force(d, body, acc[body]));
  }
  for (int body = m.nbody - 1; body > 0; body--) {
    if (skips && asleep.body(body)) continue;
    if (m.body_parentid[body] > 0) force.add(m.body_parentid[body], force[body]);
  }
  for (int dof = 0; dof < m.nv; dof++) {
    if (skips && asleep.dof(dof)) continue;
    qfrc[dof] = dot(d.cdof[dof], force[m.dof_bodyid[dof]]);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
