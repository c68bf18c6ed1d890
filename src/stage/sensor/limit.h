// limit.h: sensors of the limits of joints and tendons: distance less margin, velocity and force of
// the first row of the limit; 0 where the limit is not reached.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SensorView;

// value(row) of the first row that each lane has
template <class Real, class F>
LOCKSTEP_FN void read_limit(const SensorView<Real>& s, Constraint kind, F&& value) {
  const ArenaView<Real>& rows = *s.d.arena;
  const int first = rows.ne + rows.nf;
  Real reading(0);
  Mask<Real> open = true;
  for (int row = first; row < first + rows.nl; row++) {
    if (rows.efc_type[row] != code(kind) || rows.efc_id[row] != s.obj()) continue;
    const Mask<Real> here = open && rows.efc_D[row] != Real(0);
    reading = select(here, value(rows, row), reading);
    open = open && !here;
  }
  s.out()[0] = reading;
}

template <class Real>
LOCKSTEP_INLINE Real limit_distance(const ArenaView<Real>& rows, int row) {
  return rows.efc_pos[row] - rows.efc_margin[row];
}
template <class Real>
LOCKSTEP_INLINE Real limit_velocity(const ArenaView<Real>& rows, int row) {
  return rows.efc_vel[row];
}
template <class Real>
LOCKSTEP_INLINE Real limit_force(const ArenaView<Real>& rows, int row) {
  return rows.efc_force[row];
}

template <class Real>
LOCKSTEP_FN void sensor_jointlimitpos(const SensorView<Real>& s) {
  read_limit(s, Constraint::limit_joint, limit_distance<Real>);
}
template <class Real>
LOCKSTEP_FN void sensor_jointlimitvel(const SensorView<Real>& s) {
  read_limit(s, Constraint::limit_joint, limit_velocity<Real>);
}
template <class Real>
LOCKSTEP_FN void sensor_jointlimitfrc(const SensorView<Real>& s) {
  read_limit(s, Constraint::limit_joint, limit_force<Real>);
}
template <class Real>
LOCKSTEP_FN void sensor_tendonlimitpos(const SensorView<Real>& s) {
  read_limit(s, Constraint::limit_tendon, limit_distance<Real>);
}
template <class Real>
LOCKSTEP_FN void sensor_tendonlimitvel(const SensorView<Real>& s) {
  read_limit(s, Constraint::limit_tendon, limit_velocity<Real>);
}
template <class Real>
LOCKSTEP_FN void sensor_tendonlimitfrc(const SensorView<Real>& s) {
  read_limit(s, Constraint::limit_tendon, limit_force<Real>);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
