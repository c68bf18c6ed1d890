// yield.h: elasto-plastic springs: a reference follows the position where the spring is strained
// beyond its yield. Not a stage: advancing the position ends with it.
//   |q - ref| <= yield;  ball: angle(ref, q) <= yield
//   tendon: lower - yield <= length + h J qvel <= upper + yield
// reads qpos qvel ten_length ten_J    writes plastic
#pragma once

#include "stage/integrate/pose.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void yield_joint(const ModelView<Real>& m, const DataView<Real>& d, int joint) {
  const int adr = m.jnt_plasticadr[joint];
  const Real* q = d.qpos + m.jnt_qposadr[joint];
  const Real yield = m.jnt_springyield[joint];
  if (m.jnt_type[joint] != code(JointType::ball)) {
    d.plastic[adr] = clamp(d.plastic[adr], q[0] - yield, q[0] + yield);
    return;
  }
  // turn the reference towards the position, about the axis between them
  const Quat<Real> ref = load_quat(d.plastic + adr), pos = normalize(load_quat(q));
  const Normalized3<Real> strain = normalize_with_norm(subtract(pos, ref));
  const Quat<Real> moved = integrate(ref, strain.vec, strain.norm - yield);
  store_quat(d.plastic + adr, select(strain.norm > yield, moved, ref));
}

// both ends of the slack interval move together; the new length is extrapolated
template <class Real>
LOCKSTEP_FN void yield_tendon(const ModelView<Real>& m, const DataView<Real>& d, const Real* qvel,
                              Real h, int tendon) {
  Real* rest = d.plastic + m.tendon_plasticadr[tendon];
  const int first = m.ten_J_rowadr[tendon];
  Real rate(0);
  for (int k = first; k < first + m.ten_J_rownnz[tendon]; k++) {
    rate = rate + d.ten_J[k] * qvel[m.ten_J_colind[k]];
  }
  const Real length = d.ten_length[tendon] + h * rate, yield = m.tendon_springyield[tendon];
  const Real above = length - (rest[1] + yield), below = length - (rest[0] - yield);
  const Real shift = select(above > Real(0), above, select(below < Real(0), below, Real(0)));
  const Mask<Real> yields = shift != Real(0);
  for (int k = 0; k < 2; k++) rest[k] = select(yields, rest[k] + shift, rest[k]);
}

// after a step of h with the velocity qvel
template <class Real>
LOCKSTEP_FN void yield_springs(const ModelView<Real>& m, const DataView<Real>& d, const Real* qvel,
                               Real h) {
  if (m.nplastic == 0) return;
  for (int joint = 0; joint < m.njnt; joint++) {
    if (m.jnt_plasticadr[joint] >= 0) yield_joint(m, d, joint);
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    if (m.tendon_plasticadr[tendon] >= 0) yield_tendon(m, d, qvel, h, tendon);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
