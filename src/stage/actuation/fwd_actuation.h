// fwd_actuation.h: forces of actuators.    qfrc_actuator = moment' * actuator_force
//   controls -> rates of states -> forces -> limits of tendons, actuators, joints
// reads ctrl history act time actuator_length actuator_velocity actuator_moment qfrc_gravcomp
// writes act_dot actuator_force qfrc_actuator warning
#pragma once

#include "stage/actuation/control.h"
#include "stage/actuation/force.h"
#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a tendon whose total force is limited scales down all actuators that pull it
template <class Real>
LOCKSTEP_FN void limit_tendon_forces(const ModelView<Real>& m, const DataView<Real>& d) {
  if (m.ntendon == 0) return;
  const auto limited = [&m](int actuator) {
    return m.actuator_trntype[actuator] == code(TrnType::tendon) &&
           m.tendon_actfrclimited[m.actuator_trnid[2 * actuator]];
  };
  Real* total = d.tendon_work;
  for (int tendon = 0; tendon < m.ntendon; tendon++) total[tendon] = Real(0);
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (!limited(actuator)) continue;
    const int tendon = m.actuator_trnid[2 * actuator];
    total[tendon] = total[tendon] + d.actuator_force[m.actuator_outadr[actuator]];
  }
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (!limited(actuator)) continue;
    const int tendon = m.actuator_trnid[2 * actuator], out = m.actuator_outadr[actuator];
    const Real sum = total[tendon], force = d.actuator_force[out];
    const Real* range = m.tendon_actfrcrange + 2 * tendon;
    const Real safe = select(sum == Real(0), Real(1), sum);
    const Real scaled = select(sum < range[0], force * (range[0] / safe),
                               select(sum > range[1], force * (range[1] / safe), force));
    d.actuator_force[out] = select(sum == Real(0), force, scaled);
  }
}

// forcerange: of each output, or of the norm of the three torques of an so3 servo
template <class Real>
LOCKSTEP_FN void limit_actuator_force(const ActuatorView<Real>& a) {
  if (!a.m.actuator_forcelimited[a.id]) return;
  const Real* range = a.m.actuator_forcerange + 2 * a.id;
  Real* force = a.d.actuator_force + a.out();
  if (a.gaintype() != code(GainType::so3)) {
    for (int k = 0; k < a.m.actuator_outnum[a.id]; k++) {
      force[k] = clamp(force[k], range[0], range[1]);
    }
    return;
  }
  const Real size = norm(load3(force));
  const Mask<Real> over = size > range[1];
  const Real scale = range[1] / select(over, size, Real(1));
  for (int k = 0; k < 3; k++) force[k] = select(over, force[k] * scale, force[k]);
}

// gravity compensation of joints that take it as actuation; then limits of joints
template <class Real>
LOCKSTEP_FN void limit_joint_forces(const ModelView<Real>& m, const DataView<Real>& d) {
  const bool lifts = m.flg_gravcomp && !(m.opt.disableflags & code(DisableBit::gravity));
  for (int joint = 0; joint < m.njnt; joint++) {
    if (!lifts && !m.jnt_actfrclimited[joint]) continue;
    const int type = m.jnt_type[joint], dof = m.jnt_dofadr[joint];
    const int dofs = type == code(JointType::free) ? 6 : type == code(JointType::ball) ? 3 : 1;
    for (int k = dof; k < dof + dofs && lifts && m.jnt_actgravcomp[joint]; k++) {
      d.qfrc_actuator[k] = d.qfrc_actuator[k] + d.qfrc_gravcomp[k];
    }
    if (!m.jnt_actfrclimited[joint]) continue;
    const Real* range = m.jnt_actfrcrange + 2 * joint;
    d.qfrc_actuator[dof] = clamp(d.qfrc_actuator[dof], range[0], range[1]);
  }
}

template <class Real>
LOCKSTEP_FN void project_actuator_forces(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int out = 0; out < m.nout; out++) {
    const int first = d.moment_rowadr.get(out, 0);  // the pattern is the same in all lanes
    for (int k = first; k < first + d.moment_rownnz.get(out, 0); k++) {
      const int dof = d.moment_colind.get(k, 0);
      d.qfrc_actuator[dof] = d.qfrc_actuator[dof] + d.actuator_moment[k] * d.actuator_force[out];
    }
  }
}

template <class Real>
LOCKSTEP_FN void fwd_actuation(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int dof = 0; dof < m.nv; dof++) d.qfrc_actuator[dof] = Real(0);
  const Sleepers<Real> asleep(m, d);  // their actuators keep their forces
  for (int id = 0; asleep.any && id < m.nactuator; id++) {
    const int first = m.actuator_outadr[id];
    for (int out = first; out < first + m.actuator_outnum[id] && !asleep.actuator(id); out++) {
      d.actuator_force[out] = Real(0);
    }
  }
  for (int out = 0; !asleep.any && out < m.nout; out++) d.actuator_force[out] = Real(0);
  if (m.nactuator == 0 || (m.opt.disableflags & code(DisableBit::actuation))) return;
  acting_controls(m, d);
  for (int id = 0; m.na > 0 && id < m.nactuator; id++) {
    const ActuatorView<Real> a{m, d, id};
    if (a.states() > 0 && !asleep.actuator(id)) activation_rate(a);
  }
  for (int id = 0; id < m.nactuator; id++) {
    const ActuatorView<Real> a{m, d, id};
    if (!a.idle() && !asleep.actuator(id)) actuator_force(a);
  }
  limit_tendon_forces(m, d);
  for (int id = 0; id < m.nactuator; id++) {
    const ActuatorView<Real> a{m, d, id};
    if (asleep.actuator(id)) continue;
    limit_actuator_force(a);
    if (a.idle() || a.biastype() != code(BiasType::dcmotor)) continue;
    d.actuator_force[a.out()] = d.actuator_force[a.out()] + dcmotor_friction(a);
  }
  project_actuator_forces(m, d);
  limit_joint_forces(m, d);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
