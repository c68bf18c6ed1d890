// reset.h: the state a world starts from: qpos0, initial poses of mocap bodies, springs that have
// not yielded, everything else zero.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// count numbers or integers of every field that is written, in the lanes where the mask holds
template <class Real>
LOCKSTEP_FN void clear_rows(Real* rows, int count, Mask<Real> where) {
  for (int i = 0; i < count; i++) rows[i] = select(where, Real(0), rows[i]);
}
template <class T, class Real>
LOCKSTEP_FN void clear_rows(const View<T, Real>& rows, int count, Mask<Real> where) {
  clear_rows(rows.start, count, where);
}
template <class Cell, class Real>
LOCKSTEP_FN void clear_rows(const LaneView<Cell, Real>& rows, int count, Mask<Real> where) {
  for_each_lane<Real>(where, [&](int lane) {
    for (int i = 0; i < count; i++) rows.set(i, lane, Cell(0));
  });
}

template <class Real>
LOCKSTEP_FN void clear(const ModelView<Real>& m, const DataView<Real>& d, Mask<Real> where) {
#define SIZE(name, doc) [[maybe_unused]] const int name = m.name;
#include "model/sizes.def"
#undef SIZE
#define FIELD(element, name, rows, cols, stage, doc) \
  clear_rows(d.name, rows* cols* width_##element, where);
#define ARENA(element, name, rows, cols, stage, doc)
#define SCRATCH(element, name, rows, cols)
#define SCALAR(element, name, count, stage, doc) clear_rows(d.name, count, where);
#include "model/data_fields.def"
#undef FIELD
#undef ARENA
#undef SCRATCH
#undef SCALAR
}

// yielded references of springs, at the references they start from
template <class Real>
LOCKSTEP_FN void reset_plastic(const ModelView<Real>& m, const DataView<Real>& d,
                               Mask<Real> where) {
  for (int joint = 0; joint < m.njnt; joint++) {
    const int adr = m.jnt_plasticadr[joint];
    if (adr < 0) continue;
    const int count = m.jnt_type[joint] == code(JointType::ball) ? 4 : 1;
    const Real* rest = m.qpos_spring + m.jnt_qposadr[joint];
    for (int k = 0; k < count; k++) d.plastic[adr + k] = select(where, rest[k], d.plastic[adr + k]);
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const int adr = m.tendon_plasticadr[tendon];
    if (adr < 0) continue;
    const Real* rest = m.tendon_lengthspring + 2 * tendon;
    for (int k = 0; k < 2; k++) d.plastic[adr + k] = select(where, rest[k], d.plastic[adr + k]);
  }
}

// the lanes where the mask holds start anew
template <class Real>
LOCKSTEP_FN void reset(const ModelView<Real>& m, const DataView<Real>& d, Mask<Real> where) {
  clear(m, d, where);
  for (int i = 0; i < m.nq; i++) d.qpos[i] = select(where, m.qpos0[i], d.qpos[i]);
  for_each_lane<Real>(where, [&](int lane) {
    for (int eq = 0; eq < m.neq; eq++) d.eq_active.set(eq, lane, m.eq_active0[eq]);
  });
  for (int body = 0; body < m.nbody; body++) {
    const int mocap = m.body_mocapid[body];
    if (mocap < 0) continue;
    d.mocap_pos.set(mocap, select(where, m.body_pos[body], d.mocap_pos[mocap]));
    d.mocap_quat.set(mocap, select(where, normalize(m.body_quat[body]), d.mocap_quat[mocap]));
  }
  reset_plastic(m, d, where);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
