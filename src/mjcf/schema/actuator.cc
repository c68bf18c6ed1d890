// actuator.cc: the general actuator and its shortcuts.
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "spec/attributes.h"

namespace lockstep::mjcf {
namespace {

using A = ActuatorSpec;

// clang-format off
constexpr auto base = rows(
    name_row, class_row,
    row<&A::group>("group", "group, for disabling and drawing"),
    row<&A::nsample>("nsample", "controls kept in the history"),
    keyword<&A::interp>("interp", &interpolations, "interpolation of past controls"),
    row<&A::delay>("delay", "delay of controls"),
    row<&A::ctrlrange>("ctrlrange", "range of controls"),
    row<&A::userdata>("user", "user numbers", save_by_hook));
constexpr auto ctrl_limited = row<&A::ctrllimited>("ctrllimited", "whether controls are clamped");
constexpr auto force_limited = row<&A::forcelimited>("forcelimited", "whether forces are clamped");
constexpr auto act_limited = row<&A::actlimited>("actlimited", "whether activations are clamped");
constexpr auto force_range = row<&A::forcerange>("forcerange", "range of forces");
constexpr auto act_range = row<&A::actrange>("actrange", "range of activations");
constexpr auto inherit_range = row<&A::inheritrange>("inheritrange", "part of the joint or tendon range that becomes the range of setpoints", save_by_hook);
constexpr auto dynamics = rows(
    row<&A::lengthrange>("lengthrange", "feasible lengths", not_in_default),
    row<&A::gear>("gear", "ratio of length to joint position", fewer),
    row<&A::damping>("damping", "damper polynomial", fewer),
    row<&A::armature>("armature", "rotor inertia"),
    row<&A::cranklength>("cranklength", "length of the rod of a slider-crank", save_by_hook));

constexpr Row joint = hook("joint", "the name of a joint", "joint that is driven", not_in_default);
constexpr Row joint_in_parent = hook("jointinparent", "the name of a joint", "joint that is driven, in the frame of the parent", not_in_default);
constexpr Row tendon = hook("tendon", "the name of a tendon", "tendon that is driven", not_in_default);
constexpr Row slider_site = hook("slidersite", "the name of a site", "site of the slider", not_in_default);
constexpr Row crank_site = hook("cranksite", "the name of a site", "site of the crank", not_in_default);
constexpr Row site = hook("site", "the name of a site", "site that is driven", not_in_default);
constexpr Row ref_site = hook("refsite", "the name of a site", "site relative to which force is applied", not_in_default);
constexpr Row body = hook("body", "the name of a body", "body whose contacts are pulled", not_in_default);
constexpr auto transmission = rows(joint, joint_in_parent, tendon, slider_site, crank_site, site, ref_site);

constexpr Row kp = hook("kp", "a number", "position gain");
constexpr Row kv = hook("kv", "a number", "velocity gain");
constexpr Row dampratio = hook("dampratio", "a number", "damping ratio, instead of kv");
constexpr Row timeconst = hook("timeconst", "a number", "time constant");
constexpr Row inputs = hook("input", "inputs in order, or none", "which controls the actuator has");
constexpr auto vel_range = row<&A::velrange>("velrange", "range of velocity setpoints");
constexpr auto ff_range = row<&A::ffrange>("ffrange", "range of feed-forward forces");

constexpr auto general_rows = rows(base, ctrl_limited, force_limited, act_limited, force_range, act_range, dynamics,
    transmission, body,
    row<&A::actdim>("actdim", "number of activations", save_by_hook),
    inherit_range, inputs, vel_range, ff_range,
    row<&A::dyntype>("dyntype", "dynamics of activation"),
    row<&A::gaintype>("gaintype", "kind of gain", save_by_hook),
    row<&A::biastype>("biastype", "kind of bias", save_by_hook),
    row<&A::dynprm>("dynprm", "parameters of the dynamics", fewer),
    row<&A::gainprm>("gainprm", "parameters of the gain", fewer | save_by_hook),
    row<&A::biasprm>("biasprm", "parameters of the bias", fewer | save_by_hook),
    row<&A::actearly>("actearly", "force from the next activation"));
constexpr auto motor_rows = rows(base, ctrl_limited, force_limited, force_range, dynamics, transmission);
constexpr auto position_rows = rows(base, ctrl_limited, force_limited, inherit_range, force_range, dynamics, transmission,
    kp, kv, dampratio, timeconst);
constexpr auto velocity_rows = rows(base, ctrl_limited, force_limited, force_range, dynamics, transmission, kv);
constexpr auto intvelocity_rows = rows(base, ctrl_limited, force_limited, act_limited, force_range, act_range, inherit_range,
    dynamics, transmission, kp, kv, dampratio);
constexpr auto orientation_rows = rows(base, force_limited, force_range, joint, site, ref_site, kp, kv, dampratio,
    hook("input", "expmap or quat", "how the target is given"));
constexpr auto pid_rows = rows(base, ctrl_limited, force_limited,
    hook("posrange", "2 numbers", "range of position setpoints, as ctrlrange"),
    vel_range, ff_range, force_range, inherit_range, dynamics, transmission, kp, kv, dampratio,
    hook("ki", "a number", "integral gain"),
    hook("imax", "a number", "bound of the integral; 0: none"),
    hook("slewmax", "a number", "bound of the setpoint's velocity; 0: none"),
    inputs);
constexpr auto damper_rows = rows(base, force_limited, force_range, dynamics, transmission, kv);
constexpr auto cylinder_rows = rows(base, ctrl_limited, force_limited, force_range, dynamics, transmission,
    timeconst,
    hook("area", "a number", "area of the piston"),
    hook("diameter", "a number", "diameter of the piston, instead of area"),
    hook("bias", "3 numbers", "constant, position and velocity bias"));
constexpr auto muscle_rows = rows(base, ctrl_limited, force_limited, force_range, dynamics, joint, joint_in_parent, tendon, slider_site, crank_site,
    hook("timeconst", "2 numbers", "time constants of activation and deactivation"),
    hook("tausmooth", "a number", "width of the smooth transition between them", not_in_default),
    hook("range", "2 numbers", "operating range in units of L0"),
    hook("force", "a number", "peak active force; negative: from scale"),
    hook("scale", "a number", "force of a negative peak force, divided by acc0"),
    hook("lmin", "a number", "lower end of the force-length curve"),
    hook("lmax", "a number", "upper end of the force-length curve"),
    hook("vmax", "a number", "shortening velocity of zero force"),
    hook("fpmax", "a number", "passive force at lmax"),
    hook("fvmax", "a number", "active force at saturated lengthening"));
constexpr auto adhesion_rows = rows(base, force_limited, force_range, body, hook("gain", "a number", "force per control"));
constexpr auto dcmotor_rows = rows(base, ctrl_limited, dynamics, transmission,
    hook("motorconst", "1 to 2 numbers", "torque constant and back-EMF constant"),
    hook("resistance", "a number", "resistance of the windings"),
    hook("nominal", "1 to 3 numbers", "voltage, stall torque and no-load speed of the data sheet"),
    hook("saturation", "1 to 3 numbers", "bounds of torque, current and voltage"),
    hook("inductance", "1 to 2 numbers", "inductance, electrical time constant"),
    hook("cogging", "1 to 3 numbers", "amplitude, periods and phase of the cogging torque"),
    hook("controller", "1 to 6 numbers", "gains and bounds of the servo"),
    hook("thermal", "1 to 6 numbers", "heating of the windings"),
    hook("lugre", "1 to 5 numbers", "LuGre friction"),
    inputs);
constexpr auto plugin_rows = rows(base,
    hook("plugin", "the name of a plugin", "plugin of an unnamed instance"),
    hook("instance", "the name of an instance", "declared instance"),
    ctrl_limited, force_limited, act_limited, force_range, act_range, dynamics, joint, joint_in_parent, site,
    row<&A::actdim>("actdim", "number of activations", save_by_hook),
    row<&A::dyntype>("dyntype", "dynamics of activation"),
    row<&A::dynprm>("dynprm", "parameters of the dynamics", fewer),
    tendon, crank_site, slider_site,
    row<&A::actearly>("actearly", "force from the next activation"));

constexpr Child plugin_children[] = {{&config_rule}};
constexpr Child actuator_children[] = {
    {&general_rule}, {&motor_rule}, {&position_rule}, {&velocity_rule}, {&intvelocity_rule}, {&orientation_rule}, {&pid_rule},
    {&damper_rule}, {&cylinder_rule}, {&muscle_rule}, {&adhesion_rule}, {&dcmotor_rule}, {&actuator_plugin_rule}};
// clang-format on

}  // namespace

const Rule general_rule{"general", "actuator with all parameters", general_rows};
const Rule motor_rule{"motor", "force", motor_rows};
const Rule position_rule{"position", "position servo", position_rows};
const Rule velocity_rule{"velocity", "velocity servo", velocity_rows};
const Rule intvelocity_rule{"intvelocity", "position servo of an integrated velocity",
                            intvelocity_rows};
const Rule orientation_rule{"orientation", "orientation servo", orientation_rows};
const Rule pid_rule{"pid", "PID servo", pid_rows};
const Rule damper_rule{"damper", "controlled damper", damper_rows};
const Rule cylinder_rule{"cylinder", "pneumatic or hydraulic cylinder", cylinder_rows};
const Rule muscle_rule{"muscle", "muscle", muscle_rows};
const Rule adhesion_rule{"adhesion", "pull at contacts", adhesion_rows};
const Rule dcmotor_rule{"dcmotor", "DC motor", dcmotor_rows};
const Rule actuator_plugin_rule{"plugin", "actuator of a plugin", plugin_rows, plugin_children, {},
                                false};
const Rule actuator_rule{"actuator", "actuators", {}, actuator_children};

std::optional<ActuatorKind> actuator_kind(std::string_view tag) {
  return enum_of<ActuatorKind>(tag);
}

const Rule& actuator_rule_of(ActuatorKind kind) {
  return *actuator_rule.child(keyword_of(kind))->rule;
}

}  // namespace lockstep::mjcf
