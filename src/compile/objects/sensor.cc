// sensor.cc: sensors: what they are attached to, and what they measure.
#include "compile/objects/sensor.h"

#include <fmt/core.h>

#include <algorithm>

#include "compile/objects/common.h"
#include "compile/objects/history.h"
#include "compile/objects/plugin.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

using enum Attach;
constexpr auto real = DataType::real, positive = DataType::positive, axis = DataType::axis,
               quat = DataType::quaternion;
constexpr auto p = SensorStage::pos, v = SensorStage::vel, a = SensorStage::acc;

// dim 0: found out by the attachment
// clang-format off
constexpr SensorRow sensor_rows[] = {
    {SensorType::touch,          site,           1, positive, a},
    {SensorType::accelerometer,  site,           3, real,     a},
    {SensorType::velocimeter,    site,           3, real,     v},
    {SensorType::gyro,           site,           3, real,     v},
    {SensorType::force,          site,           3, real,     a},
    {SensorType::torque,         site,           3, real,     a},
    {SensorType::magnetometer,   site,           3, real,     p},
    {SensorType::rangefinder,    rays,           0, real,     p},
    {SensorType::camprojection,  projection,     2, real,     p},
    {SensorType::jointpos,       scalar_joint,   1, real,     p},
    {SensorType::jointvel,       scalar_joint,   1, real,     v},
    {SensorType::tendonpos,      tendon,         1, real,     p},
    {SensorType::tendonvel,      tendon,         1, real,     v},
    {SensorType::actuatorpos,    actuator,       0, real,     p},
    {SensorType::actuatorvel,    actuator,       0, real,     v},
    {SensorType::actuatorfrc,    actuator,       0, real,     a},
    {SensorType::jointactfrc,    scalar_joint,   1, real,     a},
    {SensorType::tendonactfrc,   tendon,         1, real,     a},
    {SensorType::ballquat,       ball_joint,     4, quat,     p},
    {SensorType::ballangvel,     ball_joint,     3, real,     v},
    {SensorType::jointlimitpos,  limited_joint,  1, real,     p},
    {SensorType::jointlimitvel,  limited_joint,  1, real,     v},
    {SensorType::jointlimitfrc,  limited_joint,  1, real,     a},
    {SensorType::tendonlimitpos, limited_tendon, 1, real,     p},
    {SensorType::tendonlimitvel, limited_tendon, 1, real,     v},
    {SensorType::tendonlimitfrc, limited_tendon, 1, real,     a},
    {SensorType::framepos,       frame,          3, real,     p},
    {SensorType::framequat,      frame,          4, quat,     p},
    {SensorType::framexaxis,     frame,          3, axis,     p},
    {SensorType::frameyaxis,     frame,          3, axis,     p},
    {SensorType::framezaxis,     frame,          3, axis,     p},
    {SensorType::framelinvel,    frame,          3, real,     v},
    {SensorType::frameangvel,    frame,          3, real,     v},
    {SensorType::framelinacc,    frame,          3, real,     a},
    {SensorType::frameangacc,    frame,          3, real,     a},
    {SensorType::subtreecom,     body,           3, real,     p},
    {SensorType::subtreelinvel,  body,           3, real,     v},
    {SensorType::subtreeangmom,  body,           3, real,     v},
    {SensorType::insidesite,     inside,         1, positive, p},
    {SensorType::geomdist,       two_geoms,      1, real,     p},
    {SensorType::geomnormal,     two_geoms,      3, axis,     p},
    {SensorType::geomfromto,     two_geoms,      6, real,     p},
    {SensorType::contact,        contacts,       0, real,     p},
    {SensorType::e_potential,    nothing,        1, real,     p},
    {SensorType::e_kinetic,      nothing,        1, real,     p},
    {SensorType::clock,          nothing,        1, real,     p},
    {SensorType::tactile,        tactile,        0, real,     v},
    {SensorType::plugin,         plugin,         0, real,     a},
    {SensorType::user,           user,           0, real,     a},
};
// clang-format on

const SensorRow* row_of(SensorType type) {
  for (const SensorRow& row : sensor_rows) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

}  // namespace

int sensor_data_size(const Sensor& sensor) {
  const SensorRow* row = row_of(sensor.type);
  const auto& [fields, reduce, num] = sensor.intprm;
  if (sensor.type == SensorType::user) return sensor.dim;
  if (sensor.type == SensorType::contact) return num * contact_data_size(fields);
  if (sensor.type == SensorType::rangefinder) {
    const Camera* camera =
        sensor.objtype == ObjType::camera ? sensor.spec->find<Camera>(sensor.objname) : nullptr;
    return ray_data_size(fields) * (camera ? camera->resolution[0] * camera->resolution[1] : 1);
  }
  return row ? row->dim : 0;
}

namespace {

bool has_frame(ObjType kind) {
  return kind == ObjType::body || kind == ObjType::xbody || kind == ObjType::geom ||
         kind == ObjType::site || kind == ObjType::camera;
}

// types that need no object
bool may_float(Attach attach) {
  return attach == nothing || attach == contacts || attach == plugin || attach == user;
}

bool resolve_objects(Build& b, const Sensor& s, Attach attach, SensorPlan& plan) {
  if (s.objtype != ObjType::unknown) {
    if (s.objname.empty()) {
      expect(b.error(s, "objname", "the sensor does not name what it measures"),
             fmt::format("name of a {}", keyword_of(s.objtype)));
      return false;
    }
    plan.object = b.resolve(s, keyword_of(s.objtype), s.objtype, s.objname);
    if (plan.object < 0) return false;
  } else if (!may_float(attach)) {
    b.error(s, "objtype", "the sensor is attached to nothing");
    return false;
  }
  if (s.reftype == ObjType::unknown) return true;
  if (s.refname.empty()) {
    expect(b.error(s, "refname", "the sensor does not name its reference"),
           fmt::format("name of a {}", keyword_of(s.reftype)));
    return false;
  }
  if (!has_frame(s.reftype)) {
    expect(b.error(s, "reftype", "the reference has no frame"), "body, xbody, geom, site or camera",
           std::string(keyword_of(s.reftype)));
    return false;
  }
  plan.reference = b.resolve(s, "refname", s.reftype, s.refname);
  return plan.reference >= 0;
}

bool check_values(Build& b, const Sensor& s) {
  auto refuse = [&](std::string_view attribute, std::string message, std::string expected,
                    double found) {
    expect(b.error(s, attribute, std::move(message)), std::move(expected),
           fmt::format("{}", found));
    return false;
  };
  if (s.noise < 0) return refuse("noise", "cannot be negative", "zero or more", s.noise);
  if (s.cutoff < 0) return refuse("cutoff", "cannot be negative", "zero or more", s.cutoff);
  if (s.interval[0] < 0) {
    return refuse("interval", "the period is negative", "zero or more", s.interval[0]);
  }
  if (s.interval[1] > 0) {
    return refuse("interval", "the phase is positive", "zero or less", s.interval[1]);
  }
  if (s.interval[1] != 0 && s.interval[1] <= -s.interval[0]) {
    return refuse("interval", "the phase is a period or more", "more than minus the period",
                  s.interval[1]);
  }
  return check_history(b, s, s.nsample, s.delay);
}

bool check_cutoff(Build& b, const Sensor& s, const SensorPlan& plan) {
  const bool direction = plan.datatype == axis && s.type != SensorType::geomnormal;
  if (!(s.cutoff > 0) || !(direction || plan.datatype == quat)) return true;
  expect(b.error(s, "cutoff", "directions and quaternions cannot be cut off"), "0",
         fmt::format("{}", s.cutoff));
  return false;
}

bool plan_sensor(Build& b, const Sensor& s, SensorPlan& plan) {
  const SensorRow* row = row_of(s.type);
  if (!row) {
    b.error(s, "type", "unknown type of sensor");
    return false;
  }
  if (!check_values(b, s) || !resolve_objects(b, s, row->attach, plan)) return false;
  plan.dim = row->dim;
  plan.datatype = row->datatype;
  plan.stage = row->stage;
  return plan_attachment(b, s, *row, plan) && check_cutoff(b, s, plan);
}

}  // namespace

void compile_sensors(Build& b) {
  Model& m = b.model;
  for (const Sensor* sensor : b.spec.sensors) {
    SensorPlan plan;
    if (plan_sensor(b, *sensor, plan)) {
      plan.adr = static_cast<int>(m.nsensordata);
      plan.historyadr = history_address(m, sensor->nsample, plan.dim);
      m.nsensordata += plan.dim;
      if (m.nsensordata > max_sensordata) b.error(*sensor, "", "too many sensor readings");
    }
    b.plans.sensors.push_back(plan);
  }
}

void pack_sensors(Build& b) {
  Model& m = b.model;
  for (const Sensor* sensor : b.spec.sensors) {
    const int id = sensor->id;
    const SensorPlan& plan = b.plans.sensors[id];
    m.sensor_type[id] = code(sensor->type);
    m.sensor_datatype[id] = code(plan.datatype);
    m.sensor_needstage[id] = code(plan.stage);
    m.sensor_objtype[id] = code(sensor->objtype);
    m.sensor_objid[id] = plan.object;
    m.sensor_reftype[id] = code(sensor->reftype);
    m.sensor_refid[id] = plan.reference;
    m.sensor_dim[id] = plan.dim;
    m.sensor_adr[id] = plan.adr;
    m.sensor_cutoff[id] = sensor->cutoff;
    m.sensor_noise[id] = sensor->noise;
    m.sensor_history[2 * id] = sensor->nsample;
    m.sensor_history[2 * id + 1] = sensor->interp;
    m.sensor_historyadr[id] = plan.historyadr;
    m.sensor_delay[id] = sensor->delay;
    m.sensor_plugin[id] = plan.plugin;
    put(m.sensor_intprm, id, sensor->intprm);
    put(m.sensor_interval, id, sensor->interval);
    put_user(m.sensor_user, m.nuser_sensor, id, sensor->userdata);
  }
}

}  // namespace lockstep
