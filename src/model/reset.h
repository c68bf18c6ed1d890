// reset.h: the state a world starts from: qpos0, initial poses of mocap bodies, springs that have
// not yielded, neutral controls, everything else zero.
#pragma once

#include "math/rounding.h"
#include "model/awake.h"

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
#define SCRATCH(element, name, rows, cols)
#define SCALAR(element, name, count, stage, doc) clear_rows(d.name, count, where);
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
  if (!all(where)) return;
  ArenaView<Real>& arena = *d.arena;
  arena.ncon = arena.ne = arena.nf = arena.nl = arena.nefc = arena.nJ = 0;
  for (int tendon = 0; tendon < m.ntendon; tendon++) arena.tendon_efcadr[tendon] = -1;
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

// neutral controls: zero, quaternions at the identity
template <class Real>
LOCKSTEP_FN void reset_ctrl(const ModelView<Real>& m, const DataView<Real>& d, Mask<Real> where) {
  for (int u = 0; u < m.nu; u++) d.ctrl[u] = select(where, Real(0), d.ctrl[u]);
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (m.actuator_gaintype[actuator] != code(GainType::so3)) continue;
    if (m.actuator_ctrlspec[actuator] != code(CtrlChart::quat)) continue;
    Real& first = d.ctrl[m.actuator_ctrladr[actuator]];
    first = select(where, Real(1), first);
  }
}

// a ring of past values: cursor at the newest sample, times as given by their rank
template <class Real, class F>
LOCKSTEP_FN void reset_ring(Real* ring, int count, Real tick, Mask<Real> where, F&& time) {
  ring[0] = select(where, tick, ring[0]);
  ring[1] = select(where, Real(count - 1), ring[1]);
  for (int k = 0; k < count; k++) ring[2 + k] = select(where, time(k), ring[2 + k]);
}

// Past values before the first step: samples one time step apart, of controls as they are after a
// reset, of readings zero. Sensors with an interval have samples at the steps after their ticks.
template <class Real>
LOCKSTEP_FN void reset_history(const ModelView<Real>& m, const DataView<Real>& d,
                               Mask<Real> where) {
  const Real dt = m.opt.timestep;
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    const int count = m.actuator_history[2 * actuator], dim = m.actuator_ctrlnum[actuator];
    if (count <= 0) continue;
    Real* ring = d.history + m.actuator_historyadr[actuator];
    reset_ring(ring, count, Real(0), where, [&](int k) { return Real(k - count) * dt; });
    for (int i = 0; i < count * dim; i++) {
      const Real ctrl = d.ctrl[m.actuator_ctrladr[actuator] + i % dim];
      ring[2 + count + i] = select(where, ctrl, ring[2 + count + i]);
    }
  }
  for (int sensor = 0; sensor < m.nsensor; sensor++) {
    const int count = m.sensor_history[2 * sensor];
    if (count <= 0) continue;
    const Real period = m.sensor_interval[2 * sensor], phase = m.sensor_interval[2 * sensor + 1];
    const Mask<Real> ticks = period > Real(0), plain = phase == Real(0);
    const Real tick = select(ticks, select(plain, -period, phase), -dt);
    const Real apart = max(period, dt), last = select(plain, -apart, phase);
    reset_ring(d.history + m.sensor_historyadr[sensor], count, tick, where, [&](int k) {
      const Real step = (last - Real(count - 1 - k) * apart) / dt;
      const Real whole = ceil(step - Real(1e-9));  // a tick on a step is that step
      return select(ticks, whole, Real(k - count)) * dt;
    });
  }
}

// the lanes where the mask holds start anew
template <class Real>
LOCKSTEP_FN void reset(const ModelView<Real>& m, const DataView<Real>& d, Mask<Real> where) {
  clear(m, d, where);
  for (int i = 0; i < m.nq; i++) d.qpos[i] = select(where, m.qpos0[i], d.qpos[i]);
  for_each_lane<Real>(where, [&](int lane) {
    for (int eq = 0; eq < m.neq; eq++) d.eq_active.set(eq, lane, m.eq_active0[eq]);
    for (int tree = 0; tree < m.ntree; tree++) d.tree_asleep.set(tree, lane, wide_awake);
    update_awake(m, d, lane);
  });
  for (int body = 0; body < m.nbody; body++) {
    const int mocap = m.body_mocapid[body];
    if (mocap < 0) continue;
    d.mocap_pos.set(mocap, select(where, m.body_pos[body], d.mocap_pos[mocap]));
    d.mocap_quat.set(mocap, select(where, normalize(m.body_quat[body]), d.mocap_quat[mocap]));
  }
  reset_plastic(m, d, where);
  reset_ctrl(m, d, where);
  reset_history(m, d, where);
}

// the lanes where the mask holds start anew from a keyframe
template <class Real>
LOCKSTEP_FN void reset_keyframe(const ModelView<Real>& m, const DataView<Real>& d, int key,
                                Mask<Real> where) {
  reset(m, d, where);
  const auto take = [&](Real* to, const Real* from, int count) {
    for (int i = 0; i < count; i++) to[i] = select(where, from[key * count + i], to[i]);
  };
  take(d.time, m.key_time, 1);
  take(d.qpos, m.key_qpos, m.nq);
  take(d.qvel, m.key_qvel, m.nv);
  take(d.act, m.key_act, m.na);
  take(d.mocap_pos.start, m.key_mpos, 3 * m.nmocap);
  take(d.mocap_quat.start, m.key_mquat, 4 * m.nmocap);
  take(d.ctrl, m.key_ctrl, m.nu);
  take(d.plastic, m.key_plastic, m.nplastic);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
