// sensor.h: readings, each in the phase after which its value is known. Those of sensors with a
// delay or a period of their own come from their history.
// reads what the sensor looks at, history    writes sensordata
#pragma once

#include "stage/actuation/history.h"
#include "stage/sensor/contact.h"
#include "stage/sensor/inside.h"
#include "stage/sensor/limit.h"
#include "stage/sensor/near.h"
#include "stage/sensor/needs.h"
#include "stage/sensor/object.h"
#include "stage/sensor/rangefinder.h"
#include "stage/sensor/sleep.h"
#include "stage/sensor/tactile.h"
#include "stage/sensor/touch.h"
#include "stage/velocity/energy_vel.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// one sensor of a Model, and where its readings go
template <class Real>
struct SensorView {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  int id;
  Real* to;

  LOCKSTEP_INLINE int obj() const { return m.sensor_objid[id]; }
  LOCKSTEP_INLINE int ref() const { return m.sensor_refid[id]; }
  LOCKSTEP_INLINE Real* out() const { return to; }
  LOCKSTEP_INLINE ObjType obj_type() const { return ObjType(m.sensor_objtype[id]); }
  LOCKSTEP_INLINE ObjType ref_type() const { return ObjType(m.sensor_reftype[id]); }
  LOCKSTEP_INLINE Placed<Real> place() const { return place_of(m, d, obj_type(), obj()); }
  LOCKSTEP_INLINE Placed<Real> ref_place() const { return place_of(m, d, ref_type(), ref()); }
  LOCKSTEP_INLINE void put(const Vec3<Real>& v) const { store3(out(), v); }
};

// orientation of an object, as a quaternion
template <class Real>
LOCKSTEP_FN Quat<Real> orientation_of(const ModelView<Real>& m, const DataView<Real>& d,
                                      ObjType type, int id) {
  switch (type) {
    case ObjType::body: return d.xiquat[id];
    case ObjType::geom: return d.geom_xquat[id];
    case ObjType::site: return d.site_xquat[id];
    case ObjType::camera: return d.xquat[m.cam_bodyid[id]] * m.cam_quat[id];
    default: return d.xquat[id];
  }
}

template <class Real>
LOCKSTEP_FN void sensor_magnetometer(const SensorView<Real>& s) {
  s.put(mul_transposed(s.d.site_xmat[s.obj()], load3(s.m.opt.magnetic.value)));
}
// pixel in which a camera sees a site; the middle of the image is on its axis
template <class Real>
LOCKSTEP_FN void sensor_camprojection(const SensorView<Real>& s) {
  const ModelView<Real>& m = s.m;
  const int cam = s.ref();
  const float *size = m.cam_sensorsize + 2 * cam, *intrinsic = m.cam_intrinsic + 4 * cam;
  const Real half_angle = m.cam_fovy[cam] * Real(pi / 360);
  const Vec3<Real> seen =
      mul_transposed(s.d.cam_xmat[cam], s.d.site_xpos[s.obj()] - s.d.cam_xpos[cam]);
  const Real tiny = select(seen.z < Real(0), Real(-min_val), Real(min_val));
  const Real depth = select(abs(seen.z) < Real(min_val), tiny, seen.z);
  for (int k = 0; k < 2; k++) {
    const double pixels = m.cam_resolution[2 * cam + k], height = m.cam_resolution[2 * cam + 1];
    const float ratio = intrinsic[k] / size[k] * static_cast<float>(pixels);  // as MuJoCo rounds
    const bool has_size = size[0] != 0 && size[1] != 0;
    const Real focal =
        has_size ? Real(Scalar<Real>(ratio)) : Real(Scalar<Real>(0.5 * height)) / tan(half_angle);
    const Real off = focal * seen[k] / depth;
    s.out()[k] = Real(Scalar<Real>(0.5 * pixels)) + (k == 0 ? -off : off);
  }
}
template <class Real>
LOCKSTEP_FN void sensor_jointpos(const SensorView<Real>& s) {
  s.out()[0] = s.d.qpos[s.m.jnt_qposadr[s.obj()]];
}
template <class Real>
LOCKSTEP_FN void sensor_tendonpos(const SensorView<Real>& s) {
  s.out()[0] = s.d.ten_length[s.obj()];
}
// one number per output of the actuator
template <class Real>
LOCKSTEP_INLINE void put_outputs(const SensorView<Real>& s, const Real* values) {
  for (int k = 0; k < s.m.sensor_dim[s.id]; k++) {
    s.out()[k] = values[s.m.actuator_outadr[s.obj()] + k];
  }
}
template <class Real>
LOCKSTEP_FN void sensor_actuatorpos(const SensorView<Real>& s) {
  put_outputs(s, s.d.actuator_length);
}
template <class Real>
LOCKSTEP_FN void sensor_ballquat(const SensorView<Real>& s) {
  const Real* q = s.d.qpos + s.m.jnt_qposadr[s.obj()];
  const Quat<Real> unit = normalize(Quat<Real>{q[0], q[1], q[2], q[3]});
  for (int k = 0; k < 4; k++) s.out()[k] = unit[k];
}
template <class Real>
LOCKSTEP_FN void sensor_framepos(const SensorView<Real>& s) {
  const Placed<Real> at = s.place();
  if (s.ref() < 0) return s.put(at.pos);
  const Placed<Real> ref = s.ref_place();
  s.put(mul_transposed(ref.axes, at.pos - ref.pos));
}
template <class Real>
LOCKSTEP_FN void sensor_framequat(const SensorView<Real>& s) {
  Quat<Real> q = orientation_of(s.m, s.d, s.obj_type(), s.obj());
  if (s.ref() >= 0) q = conj(orientation_of(s.m, s.d, s.ref_type(), s.ref())) * q;
  for (int k = 0; k < 4; k++) s.out()[k] = q[k];
}
template <class Real>
LOCKSTEP_FN void sensor_frameaxis(const SensorView<Real>& s) {
  const int axis = s.m.sensor_type[s.id] - code(SensorType::framexaxis);
  const Vec3<Real> v = col(s.place().axes, axis);
  s.put(s.ref() < 0 ? v : mul_transposed(s.ref_place().axes, v));
}
template <class Real>
LOCKSTEP_FN void sensor_subtreecom(const SensorView<Real>& s) {
  s.put(s.d.subtree_com[s.obj()]);
}
template <class Real>
LOCKSTEP_FN void sensor_e_potential(const SensorView<Real>& s) {
  s.out()[0] = s.d.energy[0];
}
// known as soon as M is
template <class Real>
LOCKSTEP_FN void sensor_e_kinetic(const SensorView<Real>& s) {
  energy_vel(s.m, s.d);
  s.out()[0] = s.d.energy[1];
}
template <class Real>
LOCKSTEP_FN void sensor_clock(const SensorView<Real>& s) {
  s.out()[0] = s.d.time[0];
}

template <class Real>
LOCKSTEP_FN void sensor_velocimeter(const SensorView<Real>& s) {
  s.put(object_velocity(s.m, s.d, ObjType::site, s.obj(), true).lin);
}
template <class Real>
LOCKSTEP_FN void sensor_gyro(const SensorView<Real>& s) {
  s.put(object_velocity(s.m, s.d, ObjType::site, s.obj(), true).rot);
}
template <class Real>
LOCKSTEP_FN void sensor_jointvel(const SensorView<Real>& s) {
  s.out()[0] = s.d.qvel[s.m.jnt_dofadr[s.obj()]];
}
template <class Real>
LOCKSTEP_FN void sensor_tendonvel(const SensorView<Real>& s) {
  s.out()[0] = s.d.ten_velocity[s.obj()];
}
template <class Real>
LOCKSTEP_FN void sensor_actuatorvel(const SensorView<Real>& s) {
  put_outputs(s, s.d.actuator_velocity);
}
template <class Real>
LOCKSTEP_FN void sensor_ballangvel(const SensorView<Real>& s) {
  s.put(load3(s.d.qvel + s.m.jnt_dofadr[s.obj()]));
}
// velocity of an object, as seen from a reference frame that moves itself
template <class Real>
LOCKSTEP_FN Vec6<Real> frame_velocity(const SensorView<Real>& s) {
  const Vec6<Real> v = object_velocity(s.m, s.d, s.obj_type(), s.obj(), false);
  if (s.ref() < 0) return v;
  const Placed<Real> ref = s.ref_place();
  const Vec6<Real> moving = object_velocity(s.m, s.d, s.ref_type(), s.ref(), false);
  Vec6<Real> seen = v - moving;
  seen.lin = seen.lin - cross(moving.rot, s.place().pos - ref.pos);
  return into_axes(ref.axes, seen);
}
template <class Real>
LOCKSTEP_FN void sensor_framelinvel(const SensorView<Real>& s) {
  s.put(frame_velocity(s).lin);
}
template <class Real>
LOCKSTEP_FN void sensor_frameangvel(const SensorView<Real>& s) {
  s.put(frame_velocity(s).rot);
}
template <class Real>
LOCKSTEP_FN void sensor_subtreelinvel(const SensorView<Real>& s) {
  s.put(s.d.subtree_linvel[s.obj()]);
}
template <class Real>
LOCKSTEP_FN void sensor_subtreeangmom(const SensorView<Real>& s) {
  s.put(s.d.subtree_angmom[s.obj()]);
}

template <class Real>
LOCKSTEP_FN void sensor_accelerometer(const SensorView<Real>& s) {
  s.put(object_acceleration(s.m, s.d, ObjType::site, s.obj(), true).lin);
}
// what passes from the parent to the body of a site: torque and force at the site
template <class Real>
LOCKSTEP_FN Vec6<Real> force_at_site(const SensorView<Real>& s) {
  const Placed<Real> at = place_of(s.m, s.d, ObjType::site, s.obj());
  Vec6<Real> f = s.d.cfrc_int[at.body];
  f.rot = f.rot - cross(from_center(s.m, s.d, at.body, at.pos), f.lin);
  return into_axes(at.axes, f);
}
template <class Real>
LOCKSTEP_FN void sensor_force(const SensorView<Real>& s) {
  s.put(force_at_site(s).lin);
}
template <class Real>
LOCKSTEP_FN void sensor_torque(const SensorView<Real>& s) {
  s.put(force_at_site(s).rot);
}
template <class Real>
LOCKSTEP_FN void sensor_actuatorfrc(const SensorView<Real>& s) {
  put_outputs(s, s.d.actuator_force);
}
template <class Real>
LOCKSTEP_FN void sensor_jointactfrc(const SensorView<Real>& s) {
  s.out()[0] = s.d.qfrc_actuator[s.m.jnt_dofadr[s.obj()]];
}
template <class Real>
LOCKSTEP_FN void sensor_tendonactfrc(const SensorView<Real>& s) {
  Real sum(0);
  for (int actuator = 0; actuator < s.m.nactuator; actuator++) {
    if (s.m.actuator_trntype[actuator] != code(TrnType::tendon)) continue;
    if (s.m.actuator_trnid[2 * actuator] != s.obj()) continue;
    sum = sum + s.d.actuator_force[s.m.actuator_outadr[actuator]];
  }
  s.out()[0] = sum;
}
template <class Real>
LOCKSTEP_FN void sensor_framelinacc(const SensorView<Real>& s) {
  s.put(object_acceleration(s.m, s.d, s.obj_type(), s.obj(), false).lin);
}
template <class Real>
LOCKSTEP_FN void sensor_frameangacc(const SensorView<Real>& s) {
  s.put(object_acceleration(s.m, s.d, s.obj_type(), s.obj(), false).rot);
}

// the kinds that are computed
template <class Real>
struct SensorKind {
  SensorType type;
  void (*read)(const SensorView<Real>&);
};
// clang-format off
template <class Real>
inline constexpr SensorKind<Real> sensor_kinds[] = {
  {SensorType::magnetometer,  sensor_magnetometer<Real>},
  {SensorType::rangefinder,   sensor_rangefinder<Real>},
  {SensorType::camprojection, sensor_camprojection<Real>},
  {SensorType::jointpos,      sensor_jointpos<Real>},
  {SensorType::tendonpos,     sensor_tendonpos<Real>},
  {SensorType::actuatorpos,   sensor_actuatorpos<Real>},
  {SensorType::ballquat,      sensor_ballquat<Real>},
  {SensorType::jointlimitpos,  sensor_jointlimitpos<Real>},
  {SensorType::jointlimitvel,  sensor_jointlimitvel<Real>},
  {SensorType::jointlimitfrc,  sensor_jointlimitfrc<Real>},
  {SensorType::tendonlimitpos, sensor_tendonlimitpos<Real>},
  {SensorType::tendonlimitvel, sensor_tendonlimitvel<Real>},
  {SensorType::tendonlimitfrc, sensor_tendonlimitfrc<Real>},
  {SensorType::framepos,      sensor_framepos<Real>},
  {SensorType::framequat,     sensor_framequat<Real>},
  {SensorType::framexaxis,    sensor_frameaxis<Real>},
  {SensorType::frameyaxis,    sensor_frameaxis<Real>},
  {SensorType::framezaxis,    sensor_frameaxis<Real>},
  {SensorType::subtreecom,    sensor_subtreecom<Real>},
  {SensorType::insidesite,    sensor_insidesite<Real>},
  {SensorType::geomdist,      sensor_geomdist<Real>},
  {SensorType::geomnormal,    sensor_geomnormal<Real>},
  {SensorType::geomfromto,    sensor_geomfromto<Real>},
  {SensorType::contact,       sensor_contact<Real>},
  {SensorType::e_potential,   sensor_e_potential<Real>},
  {SensorType::e_kinetic,     sensor_e_kinetic<Real>},
  {SensorType::clock,         sensor_clock<Real>},
  {SensorType::velocimeter,   sensor_velocimeter<Real>},
  {SensorType::gyro,          sensor_gyro<Real>},
  {SensorType::jointvel,      sensor_jointvel<Real>},
  {SensorType::tendonvel,     sensor_tendonvel<Real>},
  {SensorType::actuatorvel,   sensor_actuatorvel<Real>},
  {SensorType::ballangvel,    sensor_ballangvel<Real>},
  {SensorType::framelinvel,   sensor_framelinvel<Real>},
  {SensorType::frameangvel,   sensor_frameangvel<Real>},
  {SensorType::subtreelinvel, sensor_subtreelinvel<Real>},
  {SensorType::subtreeangmom, sensor_subtreeangmom<Real>},
  {SensorType::tactile,       sensor_tactile<Real>},
  {SensorType::touch,         sensor_touch<Real>},
  {SensorType::accelerometer, sensor_accelerometer<Real>},
  {SensorType::force,         sensor_force<Real>},
  {SensorType::torque,        sensor_torque<Real>},
  {SensorType::actuatorfrc,   sensor_actuatorfrc<Real>},
  {SensorType::jointactfrc,   sensor_jointactfrc<Real>},
  {SensorType::tendonactfrc,  sensor_tendonactfrc<Real>},
  {SensorType::framelinacc,   sensor_framelinacc<Real>},
  {SensorType::frameangacc,   sensor_frameangacc<Real>},
};
// clang-format on

// readings beyond the cutoff are cut; normalized ones, segments and contacts have no cutoff
template <class Real>
LOCKSTEP_FN void cut_off(const SensorView<Real>& s) {
  const int type = s.m.sensor_type[s.id];
  if (type == code(SensorType::geomfromto) || type == code(SensorType::contact)) return;
  const Real cutoff = s.m.sensor_cutoff[s.id];
  const Mask<Real> cuts = cutoff > Real(0);
  const int kind = s.m.sensor_datatype[s.id];
  if (!any(cuts) || (kind != code(DataType::real) && kind != code(DataType::positive))) return;
  for (int k = 0; k < s.m.sensor_dim[s.id]; k++) {
    Real& x = s.out()[k];
    const Real low = kind == code(DataType::real) ? -cutoff : x;
    x = select(cuts, clamp(x, low, cutoff), x);
  }
}

// the table by type
template <class Real>
struct SensorReaders {
  void (*of[code(SensorType::user) + 1])(const SensorView<Real>&) = {};

  constexpr SensorReaders() {
    for (const SensorKind<Real>& kind : sensor_kinds<Real>) of[code(kind.type)] = kind.read;
  }
};
template <class Real>
inline constexpr SensorReaders<Real> sensor_readers{};

// what a sensor reads at this moment, to any place
template <class Real>
LOCKSTEP_FN void read_now(const ModelView<Real>& m, const DataView<Real>& d, int id, Real* to) {
  const auto read = sensor_readers<Real>.of[m.sensor_type[id]];
  if (!read) return;
  const SensorView<Real> sensor{m, d, id, to};
  read(sensor);
  cut_off(sensor);
}

// ---- sensors that remember ----

template <class Real>
LOCKSTEP_INLINE bool remembers(const ModelView<Real>& m, int sensor) {
  return m.sensor_history[2 * sensor] > 0;
}
template <class Real>
LOCKSTEP_INLINE History<Real> sensor_history(const ModelView<Real>& m, const DataView<Real>& d,
                                             int id) {
  return {d.history + m.sensor_historyadr[id], m.sensor_history[2 * id], m.sensor_dim[id]};
}
// whether a sensor with a period ticks at this moment; one without always does
template <class Real>
LOCKSTEP_INLINE Mask<Real> ticks_now(const ModelView<Real>& m, const DataView<Real>& d, int id) {
  const Real period = m.sensor_interval[2 * id];
  return !(period > Real(0)) || sensor_history(m, d, id).start[0] + period <= d.time[0];
}

// late readings and those between ticks come from the history
template <class Real>
LOCKSTEP_FN void read_remembering(const ModelView<Real>& m, const DataView<Real>& d, int id) {
  Real* to = d.sensordata + m.sensor_adr[id];
  const Real delay = m.sensor_delay[id], then = d.time[0] - delay;
  const Mask<Real> fresh = !(delay > Real(0)) && ticks_now(m, d, id);
  if (any(fresh)) read_now(m, d, id, to);
  const History<Real> history = sensor_history(m, d, id);
  const int interpolation = m.sensor_history[2 * id + 1];
  for_each_lane<Real>(!fresh, [&](int at) {
    for (int i = 0; i < history.dim; i++) {
      set_lane(to[i], at, read_history(history, lane(then, at), i, interpolation, at));
    }
  });
}

// readings of this moment go into the histories; the integrators call it before the state moves on
template <class Real>
LOCKSTEP_FN void advance_sensor_history(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int id = 0; id < m.nsensor; id++) {
    if (!remembers(m, id)) continue;
    const History<Real> history = sensor_history(m, d, id);
    const Mask<Real> ticks = ticks_now(m, d, id), late = m.sensor_delay[id] > Real(0);
    Real *now = d.sensordata + m.sensor_adr[id], *fresh = d.sensor_work + m.sensor_adr[id];
    for (int i = 0; i < history.dim; i++) fresh[i] = now[i];
    if (any(late)) read_now(m, d, id, fresh);
    const Real period = max(m.sensor_interval[2 * id], Real(0));
    for_each_lane<Real>(ticks, [&](int at) {
      set_lane(history.start[0], at, lane(history.start[0], at) + lane(period, at));
      const int rank = insert_history(history, lane(d.time[0], at), at);
      const Real* from = lane(late, at) ? fresh : now;
      for (int i = 0; i < history.dim; i++) history.set_value(rank, i, at, lane(from[i], at));
    });
  }
}

template <class Real>
LOCKSTEP_FN void read_sensors(const ModelView<Real>& m, const DataView<Real>& d,
                              SensorStage stage) {
  if (m.opt.disableflags & code(DisableBit::sensor)) return;
  const Sleepers<Real> asleep(m, d);
  for (int id = 0; id < m.nsensor; id++) {
    if (m.sensor_needstage[id] != code(stage)) continue;
    if (asleep.any && sensor_sleeps(m, d, id)) continue;
    if (remembers(m, id)) {
      read_remembering(m, d, id);
    } else {
      read_now(m, d, id, d.sensordata + m.sensor_adr[id]);
    }
  }
}

template <class Real>
LOCKSTEP_FN void sensor_pos(const ModelView<Real>& m, const DataView<Real>& d) {
  read_sensors(m, d, SensorStage::pos);
}
template <class Real>
LOCKSTEP_FN void sensor_vel(const ModelView<Real>& m, const DataView<Real>& d) {
  read_sensors(m, d, SensorStage::vel);
}
template <class Real>
LOCKSTEP_FN void sensor_acc(const ModelView<Real>& m, const DataView<Real>& d) {
  read_sensors(m, d, SensorStage::acc);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
