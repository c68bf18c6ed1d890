// tendon_force.h: what pulls along a tendon, part by part, when someone asks for it. Not a stage.
//   positive parts lengthen the tendon:  qfrc = J' force
// reads ten_length ten_velocity plastic actuator_force efc_force
#pragma once

#include "stage/position/springs.h"
#include "stage/velocity/damping.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct TendonForce {
  Real spring, damper, limit, friction, actuator;

  LOCKSTEP_INLINE Real sum() const { return spring + damper + limit + friction + actuator; }
};

// forces of the rows that act along a tendon alone
template <class Real>
LOCKSTEP_FN void add_row_forces(const ModelView<Real>& m, const DataView<Real>& d, int tendon,
                                TendonForce<Real>& force) {
  const ArenaView<Real>& rows = *d.arena;
  const int end = rows.ne + rows.nf + rows.nl;
  const auto is_limit = [&](int row) {
    return rows.efc_type[row] == code(Constraint::limit_tendon) && rows.efc_id[row] == tendon;
  };
  for (int row = max(rows.tendon_efcadr[tendon], 0); row < end; row++) {
    const bool own = rows.efc_id[row] == tendon;
    if (own && rows.efc_type[row] == code(Constraint::friction_tendon)) {
      force.friction = force.friction + rows.efc_force[row];
    }
    if (!is_limit(row)) continue;
    // the upper limit comes after the lower, or alone
    const Real low = d.ten_length[tendon] - m.tendon_range[2 * tendon];
    const Mask<Real> second(row > 0 && is_limit(row - 1));
    const Mask<Real> upper = second || rows.efc_pos[row] != low;
    const Real push = rows.efc_force[row];
    force.limit = force.limit + select(upper, Real(0) - push, push);
  }
}

template <class Real>
LOCKSTEP_FN TendonForce<Real> tendon_force(const ModelView<Real>& m, const DataView<Real>& d,
                                           int tendon) {
  TendonForce<Real> force{};
  if (!(m.opt.disableflags & code(DisableBit::spring))) {
    force.spring = tendon_spring(m, tendon).force(tendon_stretch(m, d, tendon));
  }
  if (!(m.opt.disableflags & code(DisableBit::damper))) {
    force.damper = tendon_damper(m, tendon).force(d.ten_velocity[tendon]);
  }
  add_row_forces(m, d, tendon, force);
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (m.actuator_trntype[actuator] != code(TrnType::tendon)) continue;
    if (m.actuator_trnid[2 * actuator] != tendon) continue;
    const int out = m.actuator_outadr[actuator];
    force.actuator = force.actuator + m.actuator_gear[6 * out] * d.actuator_force[out];
  }
  return force;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
