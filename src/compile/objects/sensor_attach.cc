// sensor_attach.cc: what each kind of sensor demands of the objects it is attached to.
#include <fmt/format.h>

#include "compile/mesh/mesh.h"
#include "compile/objects/common.h"
#include "compile/objects/plugin.h"
#include "compile/objects/sensor.h"

namespace lockstep {
namespace {

// numbers per field of a contact and of a ray, by bit
constexpr int contact_sizes[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3, 3, 3};
constexpr int ray_sizes[mjNRAYDATA] = {1, 3, 3, 3, 3, 1};

bool refuse(Build& b, const Sensor& s, std::string_view attribute, std::string message,
            std::string expected = "", std::string found = "") {
  expect(b.error(s, attribute, std::move(message)), std::move(expected), std::move(found));
  return false;
}

bool needs(Build& b, const Sensor& s, std::initializer_list<ObjType> kinds) {
  std::string words;
  for (ObjType kind : kinds) {
    if (s.objtype == kind) return true;
    if (!words.empty()) words += " or ";
    words += keyword_of(kind);
  }
  return refuse(b, s, "objtype", "the sensor cannot be attached to this", words,
                std::string(keyword_of(s.objtype)));
}

template <size_t n>
int sum_of(const int (&sizes)[n], int bits) {
  int sum = 0;
  for (size_t i = 0; i < n; i++) sum += bits & (1 << i) ? sizes[i] : 0;
  return sum;
}

}  // namespace

int ray_data_size(int fields) { return sum_of(ray_sizes, fields); }
int contact_data_size(int fields) { return sum_of(contact_sizes, fields); }

namespace {

bool check_resolution(Build& b, const Sensor& s, const Camera& camera) {
  if (camera.resolution[0] > 0 && camera.resolution[1] > 0) return true;
  return refuse(b, s, "camera", fmt::format("camera '{}' has no resolution", camera.name),
                "positive resolution",
                fmt::format("{} {}", camera.resolution[0], camera.resolution[1]));
}

bool plan_rays(Build& b, const Sensor& s, SensorPlan& plan) {
  if (!needs(b, s, {ObjType::site, ObjType::camera})) return false;
  int64_t rays = 1;
  if (s.objtype == ObjType::camera) {
    const Camera& camera = *b.cameras[plan.object];
    if (!check_resolution(b, s, camera)) return false;
    rays = int64_t{camera.resolution[0]} * camera.resolution[1];
  }
  if (s.intprm[0] <= 0 || ray_data_size(s.intprm[0]) == 0) {
    return refuse(b, s, "data",
                  s.intprm[0] <= 0 ? "data spec (intprm[0]) must be positive"
                                   : "unknown data of a rangefinder",
                  "dist dir origin point normal depth", std::to_string(s.intprm[0]));
  }
  const int64_t dim = rays * ray_data_size(s.intprm[0]);
  if (dim > max_sensordata) return refuse(b, s, "camera", "too many rays");
  plan.dim = static_cast<int>(dim);
  return true;
}

bool check_projection(Build& b, const Sensor& s, const SensorPlan& plan) {
  if (!needs(b, s, {ObjType::site})) return false;
  if (s.reftype != ObjType::camera) return refuse(b, s, "camera", "no camera is named", "a camera");
  return check_resolution(b, s, *b.cameras[plan.reference]);
}

bool check_joint(Build& b, const Sensor& s, Attach attach, const SensorPlan& plan) {
  if (!needs(b, s, {ObjType::joint})) return false;
  const Joint& joint = *b.joints[plan.object];
  const bool scalar = joint.type == JointType::hinge || joint.type == JointType::slide;
  const std::string found(keyword_of(joint.type));
  if (attach == Attach::scalar_joint && !scalar) {
    return refuse(b, s, "joint", "the sensor measures scalar joints", "a hinge or slide joint",
                  found);
  }
  if (attach == Attach::ball_joint && joint.type != JointType::ball) {
    return refuse(b, s, "joint", "the sensor measures ball joints", "a ball joint", found);
  }
  if (attach == Attach::limited_joint && !is_limited(joint.limited, joint.range)) {
    return refuse(b, s, "joint", fmt::format("joint '{}' has no limit", joint.name));
  }
  return true;
}

bool check_tendon(Build& b, const Sensor& s, Attach attach, const SensorPlan& plan) {
  if (!needs(b, s, {ObjType::tendon})) return false;
  const Tendon& tendon = *b.spec.tendons[plan.object];
  if (attach != Attach::limited_tendon || is_limited(tendon.limited, tendon.range)) return true;
  return refuse(b, s, "tendon", fmt::format("tendon '{}' has no limit", tendon.name));
}

bool check_frame(Build& b, const Sensor& s) {
  return needs(b, s,
               {ObjType::body, ObjType::xbody, ObjType::geom, ObjType::site, ObjType::camera});
}

bool is_compact(GeomType type) {
  return type == GeomType::sphere || type == GeomType::capsule || type == GeomType::ellipsoid ||
         type == GeomType::cylinder || type == GeomType::box || type == GeomType::mesh;
}

// `enclosed` measures how far a shape reaches out of the site: both must be bounded
bool check_enclosed(Build& b, const Sensor& s, const SensorPlan& plan) {
  if (s.objtype == ObjType::camera) {
    return refuse(b, s, "objtype", "a camera cannot be enclosed", "body, geom or site", "camera");
  }
  if (s.objtype == ObjType::geom && !is_compact(b.geoms[plan.object]->type)) {
    return refuse(b, s, "objname", "only bounded convex geoms can be enclosed",
                  "sphere, capsule, ellipsoid, cylinder, box or mesh",
                  std::string(keyword_of(b.geoms[plan.object]->type)));
  }
  if (s.objtype != ObjType::body && s.objtype != ObjType::xbody) return true;
  const Body& body = *b.bodies[plan.object];
  if (body.geoms.empty()) {
    return refuse(b, s, "objname", fmt::format("body '{}' has no geom to be enclosed", body.name));
  }
  for (const Geom* geom : body.geoms) {
    if (is_compact(geom->type)) continue;
    return refuse(b, s, "objname", fmt::format("geom '{}' is not bounded and convex", geom->name));
  }
  return true;
}

bool plan_inside(Build& b, const Sensor& s, SensorPlan& plan) {
  if (!check_frame(b, s)) return false;
  if (s.reftype != ObjType::site) return refuse(b, s, "site", "no site is named", "a site");
  if (!s.intprm[0]) return true;
  plan.datatype = DataType::real;
  return check_enclosed(b, s, plan);
}

bool check_two_geoms(Build& b, const Sensor& s, const SensorPlan& plan) {
  auto fits = [](ObjType kind) { return kind == ObjType::body || kind == ObjType::geom; };
  if (!fits(s.objtype) || !fits(s.reftype)) {
    return refuse(b, s, "objtype", "distances are between bodies or geoms", "body or geom");
  }
  if (s.objtype == s.reftype && plan.object == plan.reference) {
    return refuse(b, s, "refname", "the two objects are the same", "two different ones");
  }
  const bool first = s.objtype == ObjType::geom && b.geoms[plan.object]->type == GeomType::hfield;
  const bool second =
      s.reftype == ObjType::geom && b.geoms[plan.reference]->type == GeomType::hfield;
  if (!first && !second) return true;
  return refuse(b, s, first ? "objname" : "refname",
                "distances to height fields are not available");
}

// what the geoms of a contact may be told to match
// what is wrong with the set of data that a contact sensor gives, or ""
std::string contact_fields_problem(int fields) {
  constexpr int all = (1 << mjNCONDATA) - 1;
  if (fields <= 0) return fmt::format("data spec (intprm[0]) must be positive, got {}", fields);
  if (!(fields & all)) {
    return fmt::format(
        "data spec intprm[0]={} must have at least one bit set of the first mjNCONDATA bits",
        fields);
  }
  if (fields & ~all) {
    return fmt::format("data spec intprm[0]={} has bits set beyond the first mjNCONDATA bits",
                       fields);
  }
  return "";
}

bool check_sides(Build& b, const Sensor& s) {
  auto fits = [](ObjType kind) {
    return kind == ObjType::unknown || kind == ObjType::body || kind == ObjType::xbody ||
           kind == ObjType::geom;
  };
  if (!fits(s.objtype) && s.objtype != ObjType::site) {
    return refuse(b, s, "objtype",
                  "first matching criterion: if set, must be (x)body, geom or site",
                  "body, xbody, geom or site", std::string(keyword_of(s.objtype)));
  }
  if (fits(s.reftype)) return true;
  return refuse(b, s, "reftype", "second matching criterion: if set, must be (x)body or geom",
                "body, xbody or geom", std::string(keyword_of(s.reftype)));
}

// intprm: fields, way to choose among contacts, number of contacts
bool plan_contacts(Build& b, const Sensor& s, SensorPlan& plan) {
  constexpr int force_fields = (1 << code(ConDataField::force)) | (1 << code(ConDataField::torque));
  constexpr int velocity_fields =
      (1 << code(ConDataField::linvel)) | (1 << code(ConDataField::angvel));
  constexpr int by_force = 2;  // maxforce, netforce
  const int fields = s.intprm[0], reduce = s.intprm[1], num = s.intprm[2];
  if (!check_sides(b, s)) return false;
  const std::string problem = contact_fields_problem(fields);
  if (!problem.empty()) {
    return refuse(b, s, "data", problem, "found force torque dist pos normal tangent linvel angvel",
                  std::to_string(fields));
  }
  if (reduce < 0 || reduce > 3) {
    return refuse(b, s, "reduce", fmt::format("unknown reduction criterion. got {}", reduce),
                  "none, mindist, maxforce or netforce", std::to_string(reduce));
  }
  if (num <= 0) {
    return refuse(b, s, "num", "num (intprm[2]) must be positive in sensor", "1 or more",
                  std::to_string(num));
  }
  const int64_t dim = int64_t{num} * contact_data_size(fields);
  if (dim > max_sensordata) return refuse(b, s, "num", "too many contacts");
  plan.dim = static_cast<int>(dim);
  if (fields & velocity_fields) plan.stage = SensorStage::vel;
  if (fields & force_fields || reduce >= by_force) plan.stage = SensorStage::acc;
  return true;
}

// three numbers per vertex of the mesh
bool plan_tactile(Build& b, const Sensor& s, SensorPlan& plan) {
  if (!needs(b, s, {ObjType::mesh})) return false;
  if (s.reftype != ObjType::geom) return refuse(b, s, "geom", "no geom is named", "a geom");
  const auto& meshes = b.meshes.meshes;
  if (plan.object >= static_cast<int>(meshes.size()) || !meshes[plan.object]) {
    return refuse(b, s, "mesh", "the mesh has no vertices");
  }
  plan.dim = 3 * meshes[plan.object]->surface.nvert();
  return true;
}

bool plan_user(Build& b, const Sensor& s, SensorPlan& plan) {
  plan.dim = s.dim;
  plan.datatype = s.datatype;
  plan.stage = s.needstage;
  const std::string found = std::to_string(s.dim);
  if (s.dim < 0) return refuse(b, s, "dim", "cannot be negative", "zero or more", found);
  if (s.datatype == DataType::axis && s.dim != 3) {
    return refuse(b, s, "dim", "a direction has three numbers", "3", found);
  }
  if (s.datatype == DataType::quaternion && s.dim != 4) {
    return refuse(b, s, "dim", "a quaternion has four numbers", "4", found);
  }
  return true;
}

bool plan_plugin(Build& b, const Sensor& s, SensorPlan& plan) {
  PluginRef use = s.plugin;
  use.active = true;
  plan.plugin = plan_plugin_use(b, s, use, PluginCapabilityBit::sensor);
  if (plan.plugin < 0) return false;
  plan.stage = plugin_kinds()[b.plans.plugins[plan.plugin].slot].stage;
  plan.dim = plugin_sensor_dim(b, s, plan.plugin);
  return plan.dim >= 0;
}

}  // namespace

bool plan_attachment(Build& b, const Sensor& s, const SensorRow& row, SensorPlan& plan) {
  switch (row.attach) {
    case Attach::site: return needs(b, s, {ObjType::site});
    case Attach::rays: return plan_rays(b, s, plan);
    case Attach::projection: return check_projection(b, s, plan);
    case Attach::scalar_joint:
    case Attach::ball_joint:
    case Attach::limited_joint: return check_joint(b, s, row.attach, plan);
    case Attach::tendon:
    case Attach::limited_tendon: return check_tendon(b, s, row.attach, plan);
    case Attach::actuator:
      if (!needs(b, s, {ObjType::actuator})) return false;
      plan.dim = b.plans.actuators[plan.object].outnum;
      return true;
    case Attach::frame: return check_frame(b, s);
    case Attach::body: return needs(b, s, {ObjType::body});
    case Attach::inside: return plan_inside(b, s, plan);
    case Attach::two_geoms: return check_two_geoms(b, s, plan);
    case Attach::contacts: return plan_contacts(b, s, plan);
    case Attach::tactile: return plan_tactile(b, s, plan);
    case Attach::nothing: return true;
    case Attach::plugin: return plan_plugin(b, s, plan);
    case Attach::user: return plan_user(b, s, plan);
  }
  return false;
}

}  // namespace lockstep
