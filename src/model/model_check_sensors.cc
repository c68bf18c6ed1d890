// model_check_sensors.cc: sensors look at what exists and give as many numbers as they say.
#include <span>

#include "model/model_check_parts.h"

namespace lockstep {
namespace {

// what a sensor can look at, or from
enum class Target {
  anything,  // nothing is read
  site,
  camera,
  site_or_camera,
  joint,
  ball,
  tendon,
  actuator,
  body,
  placed,        // whatever has a pose
  perhaps_none,  // likewise, or nothing
  shape,         // a geom, or all of a body
  contact,       // one side of contacts
  geom,
  mesh,
};

constexpr int netforce = 3;  // way to reduce contacts that gives one of them
constexpr int computed = 0;  // dim depends on settings

struct Rule {
  SensorType type;
  Target object, reference;
  int dim;
};

// clang-format off
constexpr Rule rules[] = {
    {SensorType::touch,          Target::site,           Target::anything,     1},
    {SensorType::accelerometer,  Target::site,           Target::anything,     3},
    {SensorType::velocimeter,    Target::site,           Target::anything,     3},
    {SensorType::gyro,           Target::site,           Target::anything,     3},
    {SensorType::force,          Target::site,           Target::anything,     3},
    {SensorType::torque,         Target::site,           Target::anything,     3},
    {SensorType::magnetometer,   Target::site,           Target::anything,     3},
    {SensorType::rangefinder,    Target::site_or_camera, Target::anything,     computed},
    {SensorType::camprojection,  Target::site,           Target::camera,       2},
    {SensorType::jointpos,       Target::joint,          Target::anything,     1},
    {SensorType::jointvel,       Target::joint,          Target::anything,     1},
    {SensorType::tendonpos,      Target::tendon,         Target::anything,     1},
    {SensorType::tendonvel,      Target::tendon,         Target::anything,     1},
    {SensorType::actuatorpos,    Target::actuator,       Target::anything,     computed},
    {SensorType::actuatorvel,    Target::actuator,       Target::anything,     computed},
    {SensorType::actuatorfrc,    Target::actuator,       Target::anything,     computed},
    {SensorType::jointactfrc,    Target::joint,          Target::anything,     1},
    {SensorType::tendonactfrc,   Target::tendon,         Target::anything,     1},
    {SensorType::ballquat,       Target::ball,           Target::anything,     4},
    {SensorType::ballangvel,     Target::ball,           Target::anything,     3},
    {SensorType::jointlimitpos,  Target::joint,          Target::anything,     1},
    {SensorType::jointlimitvel,  Target::joint,          Target::anything,     1},
    {SensorType::jointlimitfrc,  Target::joint,          Target::anything,     1},
    {SensorType::tendonlimitpos, Target::tendon,         Target::anything,     1},
    {SensorType::tendonlimitvel, Target::tendon,         Target::anything,     1},
    {SensorType::tendonlimitfrc, Target::tendon,         Target::anything,     1},
    {SensorType::framepos,       Target::placed,         Target::perhaps_none, 3},
    {SensorType::framequat,      Target::placed,         Target::perhaps_none, 4},
    {SensorType::framexaxis,     Target::placed,         Target::perhaps_none, 3},
    {SensorType::frameyaxis,     Target::placed,         Target::perhaps_none, 3},
    {SensorType::framezaxis,     Target::placed,         Target::perhaps_none, 3},
    {SensorType::framelinvel,    Target::placed,         Target::perhaps_none, 3},
    {SensorType::frameangvel,    Target::placed,         Target::perhaps_none, 3},
    {SensorType::framelinacc,    Target::placed,         Target::perhaps_none, 3},
    {SensorType::frameangacc,    Target::placed,         Target::perhaps_none, 3},
    {SensorType::subtreecom,     Target::body,           Target::anything,     3},
    {SensorType::subtreelinvel,  Target::body,           Target::anything,     3},
    {SensorType::subtreeangmom,  Target::body,           Target::anything,     3},
    {SensorType::insidesite,     Target::placed,         Target::site,         1},
    {SensorType::geomdist,       Target::shape,          Target::shape,        1},
    {SensorType::geomnormal,     Target::shape,          Target::shape,        3},
    {SensorType::geomfromto,     Target::shape,          Target::shape,        6},
    {SensorType::contact,        Target::contact,        Target::contact,      computed},
    {SensorType::e_potential,    Target::anything,       Target::anything,     1},
    {SensorType::e_kinetic,      Target::anything,       Target::anything,     1},
    {SensorType::clock,          Target::anything,       Target::anything,     1},
    {SensorType::tactile,        Target::mesh,           Target::geom,         computed},
    {SensorType::plugin,         Target::anything,       Target::anything,     computed},
    {SensorType::user,           Target::anything,       Target::anything,     computed},
};
// clang-format on

// ids of known kinds were checked before: they exist, or are -1
bool fits(const Model& m, Target target, ObjType kind, int id) {
  const bool placed = kind == ObjType::body || kind == ObjType::xbody || kind == ObjType::geom ||
                      kind == ObjType::site || kind == ObjType::camera;
  switch (target) {
    case Target::anything: return true;
    case Target::site: return id >= 0 && kind == ObjType::site;
    case Target::camera: return id >= 0 && kind == ObjType::camera;
    case Target::site_or_camera:
      return id >= 0 && (kind == ObjType::site || kind == ObjType::camera);
    case Target::joint: return id >= 0 && kind == ObjType::joint;
    case Target::ball:
      return id >= 0 && kind == ObjType::joint && m.jnt_type[id] == code(JointType::ball);
    case Target::tendon: return id >= 0 && kind == ObjType::tendon;
    case Target::actuator: return id >= 0 && kind == ObjType::actuator;
    case Target::body: return id >= 0 && kind == ObjType::body;
    case Target::placed: return id >= 0 && placed;
    case Target::perhaps_none: return id < 0 || placed;
    case Target::shape: return id >= 0 && (kind == ObjType::geom || kind == ObjType::body);
    case Target::geom: return id >= 0 && kind == ObjType::geom;
    case Target::mesh: return id >= 0 && kind == ObjType::mesh;
    case Target::contact: return id >= 0 ? placed : kind == ObjType::unknown;
  }
  return false;
}

// numbers of the fields that a bit mask names
int64_t width(int mask, std::span<const int> sizes) {
  int64_t total = 0;
  for (size_t k = 0; k < sizes.size(); k++) total += (mask >> k & 1) * sizes[k];
  return total;
}

// numbers that a sensor writes at most; those that nobody computes write none
int64_t written(const Model& m, int sensor) {
  constexpr int ray_sizes[mjNRAYDATA] = {1, 3, 3, 3, 3, 1};
  constexpr int contact_sizes[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3, 3, 3};
  const int* setting = m.sensor_intprm + mjNSENS * sensor;
  const int id = m.sensor_objid[sensor];
  switch (static_cast<SensorType>(m.sensor_type[sensor])) {
    case SensorType::rangefinder: {
      int64_t rays = 1;
      if (m.sensor_objtype[sensor] == code(ObjType::camera)) {
        rays = int64_t{m.cam_resolution[2 * id]} * m.cam_resolution[2 * id + 1];
      }
      return rays > m.nsensordata ? rays : rays * width(setting[0], ray_sizes);
    }
    case SensorType::contact: {
      const int64_t places = setting[1] == netforce || setting[2] < 1 ? 1 : setting[2];
      return places * width(setting[0], contact_sizes);
    }
    case SensorType::actuatorpos:
    case SensorType::actuatorvel:
    case SensorType::actuatorfrc: return m.actuator_outnum[id];
    case SensorType::tactile: return 3 * int64_t{m.mesh_vertnum[id]};
    default: return 0;
  }
}

}  // namespace

std::string check_sensors(const Model& m) {
  for (int i = 0; i < m.nsensor; i++) {
    const auto wrong = [i](const char* field) {
      return std::string(field) + " is out of range at " + std::to_string(i);
    };
    const Rule* found = nullptr;
    for (const Rule& rule : rules) {
      if (m.sensor_type[i] == code(rule.type)) found = &rule;
    }
    if (!found) return wrong("sensor_type");
    if (!fits(m, found->object, ObjType{m.sensor_objtype[i]}, m.sensor_objid[i]))
      return wrong("sensor_objtype");
    if (!fits(m, found->reference, ObjType{m.sensor_reftype[i]}, m.sensor_refid[i]))
      return wrong("sensor_reftype");
    if (found->dim != computed ? m.sensor_dim[i] != found->dim : m.sensor_dim[i] < written(m, i))
      return wrong("sensor_dim");
  }
  return "";
}

}  // namespace lockstep
