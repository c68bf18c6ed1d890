// settings.cc: compiler, option, size, statistic.
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "model/option.h"
#include "spec/spec.h"

namespace lockstep::mjcf {
namespace {

// clang-format off
constexpr auto lengthrange_rows = rows(
    keyword<&LengthRangeOptions::mode>("mode", &enum_values<LRMode>, "actuators whose length range is computed"),
    keyword<&LengthRangeOptions::useexisting>("useexisting", &false_true, "keep length ranges given in the file"),
    keyword<&LengthRangeOptions::uselimit>("uselimit", &false_true, "take the limits of joint or tendon if there are any"),
    row<&LengthRangeOptions::accel>("accel", "acceleration that the pulling force aims at"),
    row<&LengthRangeOptions::maxforce>("maxforce", "largest pulling force, 0: no bound"),
    row<&LengthRangeOptions::timeconst>("timeconst", "time in which velocity decays"),
    row<&LengthRangeOptions::timestep>("timestep", "time step of the search"),
    row<&LengthRangeOptions::inttotal>("inttotal", "duration of the search"),
    row<&LengthRangeOptions::interval>("interval", "final part of the search that is measured"),
    row<&LengthRangeOptions::tolrange>("tolrange", "spread, relative to the range, that counts as converged"));

constexpr auto compiler_rows = rows(
    row<&CompilerSpec::autolimits>("autolimits", "a range given means that it limits"),
    row<&CompilerSpec::boundmass>("boundmass", "least mass of a moving body"),
    row<&CompilerSpec::boundinertia>("boundinertia", "least diagonal inertia of a moving body"),
    row<&CompilerSpec::settotalmass>("settotalmass", "scale all masses to this sum if positive"),
    row<&CompilerSpec::balanceinertia>("balanceinertia", "replace inertias that violate A + B >= C by their mean"),
    hook("strippath", "true or false", "drop directories from file names"),
    hook("coordinate", "local", "frame of positions; only local is left"),
    keyword<&CompilerSpec::degree>("angle", &radian_degree, "unit of angles in the file"),
    row<&CompilerSpec::fitaabb>("fitaabb", "fit geoms to the bounding box of a mesh, not its inertia"),
    hook("eulerseq", "3 letters of xyzXYZ", "axes of Euler angles: lower case turn with the body"),
    row<&CompilerSpec::meshdir>("meshdir", "directory of meshes and height fields", save_by_hook),
    row<&CompilerSpec::texturedir>("texturedir", "directory of textures", save_by_hook),
    row<&CompilerSpec::discardvisual>("discardvisual", "drop what is only drawn"),
    row<&CompilerSpec::usethread>("usethread", "compile with several threads"),
    row<&CompilerSpec::fusestatic>("fusestatic", "merge bodies without joints into their parents"),
    row<&CompilerSpec::inertiafromgeom>("inertiafromgeom", "whether body inertias follow from geoms"),
    row<&CompilerSpec::inertiagrouprange>("inertiagrouprange", "geom groups that carry mass"),
    row<&CompilerSpec::saveinertial>("saveinertial", "save an inertial element for every body"),
    hook("assetdir", "a text", "directory of meshes and textures"),
    row<&CompilerSpec::alignfree>("alignfree", "move frames of free bodies to their inertial frames"),
    row<&CompilerSpec::conflict>("conflict", "what happens when an attached model has other global settings"),
    row<&CompilerSpec::savecompiled>("savecompiled", "save compiled values, not the text of the model"),
    row<&CompilerSpec::savecanonical>("savecanonical", "save orientations as quaternions, shortcuts as general actuators"),
    row<&CompilerSpec::passthrough>("passthrough", "assets that stay references to files"));

constexpr auto option_rows = rows(
    row<&Option::timestep>("timestep", "time step of the simulation"),
    row<&Option::impratio>("impratio", "ratio of frictional to normal impedance"),
    row<&Option::tolerance>("tolerance", "improvement below which the solver stops"),
    row<&Option::ls_tolerance>("ls_tolerance", "gradient below which the line search stops"),
    row<&Option::noslip_tolerance>("noslip_tolerance", "tolerance of the noslip solver"),
    row<&Option::ccd_tolerance>("ccd_tolerance", "tolerance of convex collision"),
    row<&Option::sleep_tolerance>("sleep_tolerance", "velocity below which trees fall asleep"),
    row<&Option::gravity>("gravity", "gravitational acceleration"),
    row<&Option::wind>("wind", "velocity of the medium"),
    row<&Option::magnetic>("magnetic", "magnetic flux"),
    row<&Option::density>("density", "density of the medium"),
    row<&Option::viscosity>("viscosity", "viscosity of the medium"),
    row<&Option::o_margin>("o_margin", "margin of all contacts when override is on"),
    row<&Option::o_solref>("o_solref", "solref of all contacts when override is on", fewer),
    row<&Option::o_solimp>("o_solimp", "solimp of all contacts when override is on", fewer),
    row<&Option::o_friction>("o_friction", "friction of all contacts when override is on", fewer),
    keyword<&Option::integrator>("integrator", &enum_values<Integrator>, "rule by which time advances"),
    keyword<&Option::cone>("cone", &enum_values<Cone>, "shape of friction cones"),
    keyword<&Option::jacobian>("jacobian", &enum_values<Jacobian>, "storage of constraint Jacobians"),
    keyword<&Option::solver>("solver", &enum_values<Solver>, "constraint solver"),
    row<&Option::iterations>("iterations", "most iterations of the solver"),
    row<&Option::ls_iterations>("ls_iterations", "most iterations of the line search"),
    row<&Option::noslip_iterations>("noslip_iterations", "iterations of the noslip solver"),
    row<&Option::ccd_iterations>("ccd_iterations", "most iterations of convex collision"),
    row<&Option::sdf_iterations>("sdf_iterations", "iterations of SDF collision"),
    row<&Option::sdf_initpoints>("sdf_initpoints", "starting points of SDF collision"),
    hook("actuatorgroupdisable", "integers from 0 to 30", "groups whose actuators are off"));

constexpr Row flag_row(std::string_view name, std::string_view doc) { return hook(name, "enable or disable", doc); }
constexpr auto flag_rows = rows(
    flag_row("constraint", "all constraints"),
    flag_row("equality", "equality constraints"),
    flag_row("frictionloss", "dry friction in joints and tendons"),
    flag_row("limit", "joint and tendon limits"),
    flag_row("contact", "collision and contact constraints"),
    flag_row("spring", "springs of joints and tendons"),
    flag_row("damper", "dampers of joints and tendons"),
    flag_row("gravity", "gravity"),
    flag_row("clampctrl", "clamping of controls to their range"),
    flag_row("warmstart", "start of the solver from the previous solution"),
    flag_row("filterparent", "no collision between parent and child"),
    flag_row("actuation", "actuator forces"),
    flag_row("refsafe", "lower bound of solref time constants"),
    flag_row("sensor", "sensors"),
    flag_row("midphase", "bounding volume trees in collision"),
    flag_row("eulerdamp", "implicit joint damping in Euler"),
    flag_row("autoreset", "reset when the state diverges"),
    flag_row("nativeccd", "own convex collision"),
    flag_row("island", "splitting of constraints into islands"),
    flag_row("multiccd", "several contacts per convex pair"),
    flag_row("override", "contact parameters of option for all contacts"),
    flag_row("energy", "energy computed in every step"),
    flag_row("fwdinv", "comparison of forward and inverse dynamics"),
    flag_row("invdiscrete", "inverse dynamics of discrete time"),
    flag_row("sleep", "sleeping"),
    flag_row("diagexact", "exact diagonal of the constraint inertia"),
    flag_row("ipc", "barrier contacts of flexes"),
    flag_row("speculative", "contacts ahead of fast geoms"));

constexpr auto size_rows = rows(
    hook("memory", "bytes, with K, M, G, T, P or E", "size of the arena"),
    hook("njmax", "an integer of at least -1", "old bound on constraints", filled),
    hook("nconmax", "an integer of at least -1", "old bound on contacts", filled),
    hook("nstack", "an integer of at least -1", "old size of the stack", filled),
    row<&SizeSpec::nuserdata>("nuserdata", "length of userdata"),
    row<&SizeSpec::nkey>("nkey", "least number of keyframes"),
    row<&SizeSpec::nuser_body>("nuser_body", "user numbers per body"),
    row<&SizeSpec::nuser_jnt>("nuser_jnt", "user numbers per joint"),
    row<&SizeSpec::nuser_geom>("nuser_geom", "user numbers per geom"),
    row<&SizeSpec::nuser_site>("nuser_site", "user numbers per site"),
    row<&SizeSpec::nuser_cam>("nuser_cam", "user numbers per camera"),
    row<&SizeSpec::nuser_tendon>("nuser_tendon", "user numbers per tendon"),
    row<&SizeSpec::nuser_actuator>("nuser_actuator", "user numbers per actuator"),
    row<&SizeSpec::nuser_sensor>("nuser_sensor", "user numbers per sensor"));
constexpr Presence size_presence[] = {{Presence::exclusive, "memory nstack"}, {Presence::exclusive, "memory njmax"}};

constexpr auto statistic_rows = rows(
    row<&Statistic::meaninertia>("meaninertia", "typical inertia"),
    row<&Statistic::meanmass>("meanmass", "typical mass, scales drawn forces"),
    row<&Statistic::meansize>("meansize", "typical size, scales drawn symbols"),
    row<&Statistic::extent>("extent", "size of the scene"),
    row<&Statistic::center>("center", "center of the scene"));

constexpr Child compiler_children[] = {{&lengthrange_rule, Count::optional}};
constexpr Child option_children[] = {{&flag_rule, Count::optional}};
// clang-format on

}  // namespace

const Rule lengthrange_rule{"lengthrange", "how actuator length ranges are found",
                            lengthrange_rows};
const Rule compiler_rule{"compiler", "how the file is understood", compiler_rows,
                         compiler_children};
const Rule flag_rule{"flag", "parts of the engine that can be switched", flag_rows};
const Rule option_rule{"option", "physics and algorithms", option_rows, option_children};
const Rule size_rule{"size", "sizes that cannot be inferred", size_rows, {}, size_presence};
const Rule statistic_rule{"statistic", "overrides of model statistics", statistic_rows};

}  // namespace lockstep::mjcf
