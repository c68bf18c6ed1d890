// sensor.cc: sensors; the tag says the type and often the kind of object.
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "spec/attributes.h"

namespace lockstep::mjcf {
namespace {

using S = SensorSpec;

// clang-format off
constexpr auto history = rows(
    row<&S::nsample>("nsample", "readings kept in the history", save_by_hook),
    keyword<&S::interp>("interp", &interpolations, "interpolation of past readings", save_by_hook),
    row<&S::delay>("delay", "delay of readings", save_by_hook),
    row<&S::interval>("interval", "time between readings, and phase", fewer | save_by_hook));
constexpr Row cutoff = row<&S::cutoff>("cutoff", "bound of the output; 0: none", save_by_hook);
constexpr Row noise = row<&S::noise>("noise", "standard deviation, for the user", save_by_hook);
constexpr Row user = row<&S::userdata>("user", "user numbers", save_by_hook);
constexpr auto base = rows(name_row, history, cutoff, noise, user);

constexpr Row objname(std::string_view name, std::string_view doc) { Row r = row<&S::objname>(name, doc, required | save_by_hook); return r; }
constexpr Row refname(std::string_view name, std::string_view doc) { Row r = row<&S::refname>(name, doc, required | save_by_hook); return r; }

constexpr auto site_rows = rows(base, objname("site", "site that is measured"));
constexpr auto joint_rows = rows(base, objname("joint", "joint that is measured"));
constexpr auto tendon_rows = rows(base, objname("tendon", "tendon that is measured"));
constexpr auto actuator_rows = rows(base, objname("actuator", "actuator that is measured"));
constexpr auto body_rows = rows(base, objname("body", "root of the subtree"));
constexpr auto object = rows(
    keyword<&S::objtype>("objtype", &frame_objects, "kind of the object", required | save_by_hook),
    objname("objname", "object whose frame is measured"));
constexpr auto reference = rows(
    keyword<&S::reftype>("reftype", &frame_objects, "kind of the reference", save_by_hook),
    row<&S::refname>("refname", "object in whose frame is measured; absent: the world", save_by_hook));
constexpr auto frame_rows = rows(base, object, reference);
constexpr auto acceleration_rows = rows(base, object);
constexpr auto camprojection_rows = rows(base, objname("site", "site that is seen"), refname("camera", "camera that sees it"));
constexpr auto rangefinder_rows = rows(base,
    hook("site", "the name of a site", "site whose z axis is the ray"),
    hook("camera", "the name of a camera", "camera with a ray per pixel"),
    hook("data", "some of dist, dir, origin, point, normal, depth, in this order", "what is reported per ray"));
constexpr auto insidesite_rows = rows(base, refname("site", "site that contains"), object,
    hook("enclosed", "true or false", "whole geom inside, with its distance"));
constexpr auto distance_rows = rows(base,
    hook("geom1", "the name of a geom", "first geom"), hook("geom2", "the name of a geom", "second geom"),
    hook("body1", "the name of a body", "first body"), hook("body2", "the name of a body", "second body"));
constexpr auto contact_rows = rows(base,
    hook("geom1", "the name of a geom", "first geom"), hook("geom2", "the name of a geom", "second geom"),
    hook("body1", "the name of a body", "first body"), hook("body2", "the name of a body", "second body"),
    hook("subtree1", "the name of a body", "first subtree"), hook("subtree2", "the name of a body", "second subtree"),
    hook("site", "the name of a site", "volume in which contacts count"),
    hook("num", "a positive integer", "most contacts reported", filled),
    hook("data", "some of found, force, torque, dist, pos, normal, tangent, linvel, angvel, in this order", "what is reported per contact"),
    hook("reduce", "none, mindist, maxforce or netforce", "which contacts are reported"));
constexpr auto tactile_rows = rows(name_row,
    refname("geom", "geom whose surface senses"), objname("mesh", "mesh of sensing points"), cutoff, history, user);
constexpr auto user_rows = rows(name_row,
    hook("objtype", "a kind of element", "kind of the object"),
    row<&S::objname>("objname", "object of the sensor", save_by_hook),
    row<&S::datatype>("datatype", "kind of output", save_by_hook),
    row<&S::needstage>("needstage", "when the output can be computed", save_by_hook),
    row<&S::dim>("dim", "number of outputs", required | filled | save_by_hook),
    cutoff, noise, user);
constexpr auto plugin_rows = rows(name_row,
    hook("plugin", "the name of a plugin", "plugin of an unnamed instance"),
    hook("instance", "the name of an instance", "declared instance"),
    cutoff,
    hook("objtype", "a kind of element", "kind of the object"),
    row<&S::objname>("objname", "object of the sensor", save_by_hook),
    hook("reftype", "a kind of element", "kind of the reference"),
    row<&S::refname>("refname", "reference of the sensor", save_by_hook),
    user);

constexpr Presence rangefinder_presence[] = {{Presence::exclusive, "site camera"}, {Presence::one_of, "site camera"}};
constexpr Presence distance_presence[] = {
    {Presence::exclusive, "geom1 body1"}, {Presence::one_of, "geom1 body1"}, {Presence::exclusive, "geom2 body2"}, {Presence::one_of, "geom2 body2"}};
constexpr Presence contact_presence[] = {
    {Presence::exclusive, "geom1 body1 subtree1 site"}, {Presence::exclusive, "geom2 body2 subtree2"}};
constexpr Presence reference_presence[] = {{Presence::together, "reftype refname"}};
constexpr Presence user_presence[] = {{Presence::together, "objtype objname"}};
constexpr Presence plugin_presence[] = {{Presence::together, "objtype objname"}, {Presence::together, "reftype refname"}};
constexpr Child plugin_children[] = {{&config_rule}};

struct Entry {
  SensorKind kind;
  Rule rule;
};

using T = SensorType;
constexpr Entry entries[] = {
    {{T::touch, ObjType::site}, {"touch", "sum of contact forces", site_rows}},
    {{T::accelerometer, ObjType::site}, {"accelerometer", "linear acceleration, with gravity", site_rows}},
    {{T::velocimeter, ObjType::site}, {"velocimeter", "linear velocity, local", site_rows}},
    {{T::gyro, ObjType::site}, {"gyro", "angular velocity, local", site_rows}},
    {{T::force, ObjType::site}, {"force", "force between child and parent", site_rows}},
    {{T::torque, ObjType::site}, {"torque", "torque between child and parent", site_rows}},
    {{T::magnetometer, ObjType::site}, {"magnetometer", "magnetic flux, local", site_rows}},
    {{T::camprojection, ObjType::site, ObjType::camera}, {"camprojection", "pixel of a site", camprojection_rows}},
    {{T::rangefinder, ObjType::site}, {"rangefinder", "distance along rays", rangefinder_rows, {}, rangefinder_presence}},
    {{T::jointpos, ObjType::joint}, {"jointpos", "position of a joint", joint_rows}},
    {{T::jointvel, ObjType::joint}, {"jointvel", "velocity of a joint", joint_rows}},
    {{T::tendonpos, ObjType::tendon}, {"tendonpos", "length of a tendon", tendon_rows}},
    {{T::tendonvel, ObjType::tendon}, {"tendonvel", "velocity of a tendon", tendon_rows}},
    {{T::actuatorpos, ObjType::actuator}, {"actuatorpos", "length of an actuator", actuator_rows}},
    {{T::actuatorvel, ObjType::actuator}, {"actuatorvel", "velocity of an actuator", actuator_rows}},
    {{T::actuatorfrc, ObjType::actuator}, {"actuatorfrc", "force of an actuator", actuator_rows}},
    {{T::jointactfrc, ObjType::joint}, {"jointactuatorfrc", "actuator force at a joint", joint_rows}},
    {{T::tendonactfrc, ObjType::tendon}, {"tendonactuatorfrc", "actuator force at a tendon", tendon_rows}},
    {{T::ballquat, ObjType::joint}, {"ballquat", "orientation of a ball joint", joint_rows}},
    {{T::ballangvel, ObjType::joint}, {"ballangvel", "angular velocity of a ball joint", joint_rows}},
    {{T::jointlimitpos, ObjType::joint}, {"jointlimitpos", "distance from a joint limit", joint_rows}},
    {{T::jointlimitvel, ObjType::joint}, {"jointlimitvel", "velocity of a joint limit", joint_rows}},
    {{T::jointlimitfrc, ObjType::joint}, {"jointlimitfrc", "force of a joint limit", joint_rows}},
    {{T::tendonlimitpos, ObjType::tendon}, {"tendonlimitpos", "distance from a tendon limit", tendon_rows}},
    {{T::tendonlimitvel, ObjType::tendon}, {"tendonlimitvel", "velocity of a tendon limit", tendon_rows}},
    {{T::tendonlimitfrc, ObjType::tendon}, {"tendonlimitfrc", "force of a tendon limit", tendon_rows}},
    {{T::framepos}, {"framepos", "position of a frame", frame_rows, {}, reference_presence}},
    {{T::framequat}, {"framequat", "orientation of a frame", frame_rows, {}, reference_presence}},
    {{T::framexaxis}, {"framexaxis", "x axis of a frame", frame_rows, {}, reference_presence}},
    {{T::frameyaxis}, {"frameyaxis", "y axis of a frame", frame_rows, {}, reference_presence}},
    {{T::framezaxis}, {"framezaxis", "z axis of a frame", frame_rows, {}, reference_presence}},
    {{T::framelinvel}, {"framelinvel", "linear velocity of a frame", frame_rows, {}, reference_presence}},
    {{T::frameangvel}, {"frameangvel", "angular velocity of a frame", frame_rows, {}, reference_presence}},
    {{T::framelinacc}, {"framelinacc", "linear acceleration of a frame", acceleration_rows}},
    {{T::frameangacc}, {"frameangacc", "angular acceleration of a frame", acceleration_rows}},
    {{T::subtreecom, ObjType::body}, {"subtreecom", "center of mass of a subtree", body_rows}},
    {{T::subtreelinvel, ObjType::body}, {"subtreelinvel", "velocity of the center of mass", body_rows}},
    {{T::subtreeangmom, ObjType::body}, {"subtreeangmom", "angular momentum of a subtree", body_rows}},
    {{T::insidesite, ObjType::unknown, ObjType::site}, {"insidesite", "whether an object is inside a site", insidesite_rows}},
    {{T::geomdist}, {"distance", "distance of geoms", distance_rows, {}, distance_presence}},
    {{T::geomnormal}, {"normal", "direction between geoms", distance_rows, {}, distance_presence}},
    {{T::geomfromto}, {"fromto", "nearest points of geoms", distance_rows, {}, distance_presence}},
    {{T::contact}, {"contact", "contacts that match", contact_rows, {}, contact_presence}},
    {{T::e_potential}, {"e_potential", "potential energy", base}},
    {{T::e_kinetic}, {"e_kinetic", "kinetic energy", base}},
    {{T::clock}, {"clock", "time", base}},
    {{T::tactile, ObjType::mesh, ObjType::geom}, {"tactile", "depth and slip at points", tactile_rows}},
    {{T::user}, {"user", "computed by a callback", user_rows, {}, user_presence}},
    {{T::plugin}, {"plugin", "computed by a plugin", plugin_rows, plugin_children, plugin_presence, false}},
};
// clang-format on

constexpr size_t count = std::size(entries);

constexpr auto children = [] {
  std::array<Child, count> result{};
  for (size_t i = 0; i < count; i++) result[i] = {&entries[i].rule, Count::any};
  return result;
}();

}  // namespace

const Rule sensor_rule{"sensor", "sensors", {}, children};

const SensorKind* sensor_kind(std::string_view tag) {
  for (const Entry& entry : entries) {
    if (entry.rule.name == tag) return &entry.kind;
  }
  return nullptr;
}

const Rule* sensor_rule_of(SensorType type) {
  for (const Entry& entry : entries) {
    if (entry.kind.type == type) return &entry.rule;
  }
  return nullptr;
}

}  // namespace lockstep::mjcf
