// energy_pos.h: potential energy of gravity and springs.
//   E = -sum_b m_b g . xi_b + sum_springs (a x^2 / 2 + b x^3 / 3 + c x^4 / 4)
// reads xipos qpos plastic ten_length    writes energy[0]
#pragma once

#include "stage/position/springs.h"
#include "stage/sensor/has_sensor.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN Real joint_energy(const ModelView<Real>& m, const DataView<Real>& d, int joint) {
  const Spring<Real> spring = joint_spring(m, joint);
  const Mask<Real> acts = spring.acts();
  if (!any(acts)) return Real(0);
  const Real* q = d.qpos + m.jnt_qposadr[joint];
  const Real* rest = spring_rest(m, d, joint);
  const int type = m.jnt_type[joint];
  Real energy(0);
  if (type == code(JointType::free)) {
    energy = spring.energy(distance(load3(q), load3(rest))) +
             spring.energy(norm(turn_from(rest + 3, q + 3)));
  } else if (type == code(JointType::ball)) {
    energy = spring.energy(norm(turn_from(rest, q)));
  } else {
    energy = spring.energy(q[0] - rest[0]);
  }
  return select(acts, energy, Real(0));
}

template <class Real>
LOCKSTEP_FN void energy_pos(const ModelView<Real>& m, const DataView<Real>& d) {
  Real energy(0);
  if (!(m.opt.disableflags & code(DisableBit::gravity))) {
    const Vec3<Real> gravity = load3(m.opt.gravity.value);
    for (int body = 1; body < m.nbody; body++) {
      energy = energy - m.body_mass[body] * dot(gravity, d.xipos[body]);
    }
  }
  if (!(m.opt.disableflags & code(DisableBit::spring))) {
    for (int joint = 0; joint < m.njnt; joint++) energy = energy + joint_energy(m, d, joint);
    for (int tendon = 0; tendon < m.ntendon; tendon++) {
      energy = energy + tendon_spring(m, tendon).energy(tendon_stretch(m, d, tendon));
    }
  }
  d.energy[0] = energy;
}

// in a step: only if the Model or one of its sensors asks for it
template <class Real>
LOCKSTEP_FN void energy_pos_if_enabled(const ModelView<Real>& m, const DataView<Real>& d) {
  d.energy[0] = d.energy[1] = Real(0);
  const bool enabled = m.opt.enableflags & code(EnableBit::energy);
  if (enabled || has_sensor(m, SensorType::e_potential)) energy_pos(m, d);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
