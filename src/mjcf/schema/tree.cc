// tree.cc: bodies, frames and what they carry.
#include "mjcf/schema/orientation.h"
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "spec/attributes.h"

namespace lockstep::mjcf {
namespace {

// clang-format off
constexpr auto body_rows = rows(
    name_row,
    row<&BodySpec::childclass>("childclass", "default class of what is inside", save_by_hook),
    row<&BodySpec::pos>("pos", "position", save_by_hook),
    orientation_rows<&BodySpec::quat>,
    row<&BodySpec::mocap>("mocap", "moved by the user, not by physics"),
    row<&BodySpec::gravcomp>("gravcomp", "part of the weight that is compensated"),
    keyword<&BodySpec::sleep>("sleep", &sleep_policies, "whether the tree may sleep"),
    keyword<&BodySpec::simple>("simple", &false_auto, "use of the diagonal inertia of simple bodies"),
    keyword<&BodySpec::fuse>("fuse", &false_auto, "may be merged into its parent if static"),
    row<&BodySpec::userdata>("user", "user numbers", save_by_hook));

constexpr auto frame_rows = rows(
    name_row,
    row<&FrameSpec::childclass>("childclass", "default class of what is inside", save_by_hook),
    row<&FrameSpec::pos>("pos", "position", save_by_hook),
    orientation_rows<&FrameSpec::quat>,
    hook("scale", "1 or 3 numbers", "factor of lengths inside"),
    row<&FrameSpec::scaling>("scaling", "scale everything by its dimension, or geometry only"),
    row<&FrameSpec::massscale>("massscale", "factor of masses inside; 0: cube of scale"));

constexpr auto replicate_rows = rows(
    hook("count", "an integer", "number of copies", required | filled),
    hook("offset", "3 numbers", "shift from copy to copy"),
    hook("euler", "3 numbers", "rotation from copy to copy"),
    hook("sep", "a text", "text between name and number"),
    hook("childclass", "the name of a default class", "default class of what is inside"));

constexpr auto inertial_rows = rows(
    row<&BodySpec::ipos>("pos", "center of mass", required | filled | save_by_hook),
    orientation_rows<&BodySpec::iquat>,
    row<&BodySpec::mass>("mass", "mass", required | filled | save_by_hook),
    row<&BodySpec::inertia>("diaginertia", "principal moments", save_by_hook),
    row<&BodySpec::fullinertia>("fullinertia", "inertia matrix: xx yy zz xy xz yz", save_by_hook));
constexpr Presence inertial_presence[] = {{Presence::exclusive, "fullinertia quat axisangle xyaxes zaxis euler"}};

constexpr auto joint_rows = rows(
    name_row, class_row,
    row<&JointSpec::type>("type", "kind of motion"),
    row<&JointSpec::group>("group", "visual group"),
    row<&JointSpec::pos>("pos", "a point on the axis, body frame", save_by_hook),
    row<&JointSpec::axis>("axis", "axis of motion, body frame", save_by_hook),
    row<&JointSpec::springdamper>("springdamper", "time constant and damping ratio that set stiffness and damping", save_by_hook),
    row<&JointSpec::limited>("limited", "whether range limits the joint", save_by_hook),
    row<&JointSpec::actfrclimited>("actuatorfrclimited", "whether actuator forces are clamped", save_by_hook),
    row<&JointSpec::solref_limit>("solreflimit", "solref of the limit", fewer),
    row<&JointSpec::solimp_limit>("solimplimit", "solimp of the limit", fewer),
    row<&JointSpec::solref_friction>("solreffriction", "solref of dry friction", fewer),
    row<&JointSpec::solimp_friction>("solimpfriction", "solimp of dry friction", fewer),
    row<&JointSpec::stiffness>("stiffness", "spring polynomial", fewer),
    row<&JointSpec::range>("range", "limits"),
    row<&JointSpec::actfrcrange>("actuatorfrcrange", "range of the total actuator force"),
    row<&JointSpec::actgravcomp>("actuatorgravcomp", "gravity compensation counts as actuation"),
    row<&JointSpec::margin>("margin", "distance at which a limit becomes active"),
    row<&JointSpec::ref>("ref", "position in the initial pose"),
    row<&JointSpec::springref>("springref", "position of zero spring force"),
    row<&JointSpec::springyield>("springyield", "displacement at which the spring yields; 0: never"),
    row<&JointSpec::armature>("armature", "rotor inertia seen by the joint"),
    row<&JointSpec::damping>("damping", "damper polynomial", fewer),
    row<&JointSpec::frictionloss>("frictionloss", "dry friction"),
    row<&JointSpec::userdata>("user", "user numbers", save_by_hook));

constexpr auto freejoint_rows = rows(
    name_row,
    row<&JointSpec::group>("group", "visual group", filled),
    row<&JointSpec::align>("align", "move the body frame to the inertial frame"));

constexpr auto geom_rows = rows(
    name_row, class_row,
    keyword<&GeomSpec::type>("type", &geom_types, "shape"),
    row<&GeomSpec::contype>("contype", "bits of what it is in collision"),
    row<&GeomSpec::conaffinity>("conaffinity", "bits of what it collides with"),
    row<&GeomSpec::condim>("condim", "dimension of its contacts: 1, 3, 4 or 6"),
    row<&GeomSpec::group>("group", "visual group"),
    row<&GeomSpec::priority>("priority", "whose contact parameters count"),
    row<&GeomSpec::size>("size", "half sizes, by type", fewer | save_by_hook),
    row<&GeomSpec::material>("material", "material", save_by_hook),
    row<&GeomSpec::friction>("friction", "sliding, torsional and rolling friction", fewer),
    row<&GeomSpec::mass>("mass", "mass, instead of density", save_by_hook),
    row<&GeomSpec::density>("density", "density", save_by_hook),
    keyword<&GeomSpec::typeinertia>("shellinertia", &false_true, "mass on the surface only", save_by_hook),
    row<&GeomSpec::solmix>("solmix", "weight in mixing of contact parameters"),
    row<&GeomSpec::solref>("solref", "solref of contacts", fewer),
    row<&GeomSpec::solimp>("solimp", "solimp of contacts", fewer),
    row<&GeomSpec::margin>("margin", "distance at which contact force begins"),
    row<&GeomSpec::gap>("gap", "further distance in which contacts are reported"),
    row<&GeomSpec::surfacevel>("surfacevel", "velocity of the surface, linear and angular", fewer),
    row<&GeomSpec::adhesion>("adhesion", "force that pulls on contacts"),
    row<&GeomSpec::fromto>("fromto", "two ends of an elongated geom", save_by_hook),
    row<&GeomSpec::pos>("pos", "position", save_by_hook),
    orientation_rows<&GeomSpec::quat>,
    row<&GeomSpec::hfieldname>("hfield", "height field asset", save_by_hook),
    row<&GeomSpec::meshname>("mesh", "mesh asset, or mesh to fit", save_by_hook),
    row<&GeomSpec::fitscale>("fitscale", "factor of a size fitted to a mesh", save_by_hook),
    row<&GeomSpec::rgba>("rgba", "color"),
    row<&GeomSpec::castshadow>("castshadow", "casts shadows"),
    keyword<&GeomSpec::fluid_ellipsoid>("fluidshape", &fluid_shapes, "fluid forces of an ellipsoid", save_by_hook),
    row<&GeomSpec::fluid_coefs>("fluidcoef", "coefficients of fluid forces", fewer),
    row<&GeomSpec::userdata>("user", "user numbers", save_by_hook));
constexpr Child geom_children[] = {{&plugin_rule}};

constexpr auto attach_rows = rows(
    hook("model", "the name of a model asset", "model that is attached from; absent: this one"),
    hook("body", "the name of a body", "body that is attached with its subtree"),
    hook("frame", "the name of a frame", "frame that is attached with its content"),
    hook("prefix", "a text", "prefix of all names", required));
constexpr Presence attach_presence[] = {{Presence::exclusive, "body frame"}};

constexpr auto site_rows = rows(
    name_row, class_row,
    keyword<&SiteSpec::type>("type", &geom_types, "shape"),
    row<&SiteSpec::group>("group", "visual group"),
    row<&SiteSpec::pos>("pos", "position", save_by_hook),
    orientation_rows<&SiteSpec::quat>,
    row<&SiteSpec::material>("material", "material", save_by_hook),
    row<&SiteSpec::size>("size", "half sizes, by type", fewer | save_by_hook),
    row<&SiteSpec::fromto>("fromto", "two ends of an elongated site", save_by_hook),
    row<&SiteSpec::rgba>("rgba", "color", save_by_hook),
    row<&SiteSpec::meshname>("mesh", "mesh asset", save_by_hook),
    row<&SiteSpec::userdata>("user", "user numbers", save_by_hook));

constexpr auto camera_rows = rows(
    name_row, class_row,
    row<&CameraSpec::proj>("projection", "perspective or orthographic"),
    row<&CameraSpec::fovy>("fovy", "vertical field of view", save_by_hook),
    row<&CameraSpec::ipd>("ipd", "distance of the eyes"),
    row<&CameraSpec::resolution>("resolution", "pixels in x and y"),
    bits<&CameraSpec::output>("output", &camera_outputs, "kinds of images"),
    row<&CameraSpec::pos>("pos", "position"),
    orientation_rows<&CameraSpec::quat>,
    row<&CameraSpec::mode>("mode", "how the camera follows bodies"),
    row<&CameraSpec::targetbody>("target", "body looked at", not_in_default | save_by_hook),
    row<&CameraSpec::focal_length>("focal", "focal length", save_by_hook),
    row<&CameraSpec::focal_pixel>("focalpixel", "focal length in pixels", save_by_hook),
    row<&CameraSpec::principal_length>("principal", "principal point", save_by_hook),
    row<&CameraSpec::principal_pixel>("principalpixel", "principal point in pixels", save_by_hook),
    row<&CameraSpec::sensor_size>("sensorsize", "size of the sensor", save_by_hook),
    row<&CameraSpec::userdata>("user", "user numbers", save_by_hook));
constexpr Presence camera_presence[] = {{Presence::exclusive, "fovy sensorsize"}};

constexpr auto light_rows = rows(
    name_row, class_row,
    hook("directional", "true or false", "old way to choose type directional"),
    row<&LightSpec::type>("type", "kind of light", save_by_hook),
    row<&LightSpec::castshadow>("castshadow", "casts shadows"),
    row<&LightSpec::active>("active", "on at start"),
    row<&LightSpec::pos>("pos", "position"),
    row<&LightSpec::dir>("dir", "direction"),
    row<&LightSpec::bulbradius>("bulbradius", "radius of the bulb, softens shadows"),
    row<&LightSpec::intensity>("intensity", "intensity in candela"),
    row<&LightSpec::range>("range", "range of effect"),
    row<&LightSpec::attenuation>("attenuation", "constant, linear and quadratic attenuation"),
    row<&LightSpec::cutoff>("cutoff", "half angle of a spot"),
    row<&LightSpec::softness>("softness", "softness of the edge of a spot"),
    row<&LightSpec::exponent>("exponent", "exponent of a spot"),
    row<&LightSpec::ambient>("ambient", "ambient color"),
    row<&LightSpec::diffuse>("diffuse", "diffuse color"),
    row<&LightSpec::specular>("specular", "specular color"),
    row<&LightSpec::mode>("mode", "how the light follows bodies"),
    row<&LightSpec::targetbody>("target", "body pointed at", not_in_default | save_by_hook),
    row<&LightSpec::texture>("texture", "texture of an image light", not_in_default | save_by_hook));
constexpr Presence light_presence[] = {{Presence::exclusive, "directional type"}};

constexpr Child body_children[] = {
    {&body_rule, Count::recursive}, {&frame_rule, Count::recursive}, {&replicate_rule}, {&inertial_rule, Count::optional},
    {&joint_rule}, {&freejoint_rule}, {&geom_rule}, {&attach_rule}, {&site_rule}, {&camera_rule}, {&light_rule},
    {&plugin_rule}, {&flexcomp_rule}};
// clang-format on

}  // namespace

const Rule inertial_rule{
    "inertial", "mass and inertia of a body", inertial_rows, {}, inertial_presence};
const Rule joint_rule{"joint", "way a body moves relative to its parent", joint_rows};
const Rule freejoint_rule{"freejoint", "free motion, without defaults", freejoint_rows};
const Rule geom_rule{"geom", "shape that collides, has mass and is drawn", geom_rows,
                     geom_children};
const Rule attach_rule{
    "attach", "place of a copy of another model", attach_rows, {}, attach_presence};
const Rule site_rule{"site", "point of interest", site_rows};
const Rule camera_rule{"camera", "view", camera_rows, {}, camera_presence};
const Rule light_rule{"light", "light", light_rows, {}, light_presence};
const Rule body_rule{"body", "rigid body", body_rows, body_children};
const Rule frame_rule{"frame", "coordinate frame without mass", frame_rows, body_children};
const Rule replicate_rule{"replicate", "copies of what is inside", replicate_rows, body_children};
const Rule worldbody_rule{"worldbody", "root of the tree", {}, body_children};

}  // namespace lockstep::mjcf
