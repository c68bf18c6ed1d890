// constraint.cc: contact pairs, equality constraints, tendons.
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "spec/attributes.h"

namespace lockstep::mjcf {
namespace {

// clang-format off
constexpr auto pair_rows = rows(
    name_row, class_row,
    row<&PairSpec::geomname1>("geom1", "first geom", not_in_default | save_by_hook),
    row<&PairSpec::geomname2>("geom2", "second geom", not_in_default | save_by_hook),
    row<&PairSpec::condim>("condim", "dimension of contacts: 1, 3, 4 or 6"),
    row<&PairSpec::friction>("friction", "friction: two sliding, torsional, two rolling", fewer),
    row<&PairSpec::solref>("solref", "solref of contacts", fewer),
    row<&PairSpec::solreffriction>("solreffriction", "solref in friction dimensions", fewer),
    row<&PairSpec::solimp>("solimp", "solimp of contacts", fewer),
    row<&PairSpec::gap>("gap", "further distance in which contacts are reported"),
    row<&PairSpec::margin>("margin", "distance at which contact force begins"),
    row<&PairSpec::adhesion>("adhesion", "force that pulls on contacts"));

constexpr auto exclude_rows = rows(
    name_row,
    row<&ExcludeSpec::bodyname1>("body1", "first body", required),
    row<&ExcludeSpec::bodyname2>("body2", "second body", required));

constexpr auto equality_base = rows(
    name_row, class_row,
    row<&EqualitySpec::active>("active", "on at start"),
    row<&EqualitySpec::solref>("solref", "solref", fewer),
    row<&EqualitySpec::solimp>("solimp", "solimp", fewer));
constexpr auto connect_rows = rows(equality_base,
    hook("body1", "the name of a body", "first body"),
    hook("body2", "the name of a body", "second body; absent: the world"),
    hook("anchor", "3 numbers", "common point, in the frame of body1"),
    hook("site1", "the name of a site", "site on the first body"),
    hook("site2", "the name of a site", "site on the second body"));
constexpr Presence connect_presence[] = {
    {Presence::exclusive, "site1+site2 body1+body2+anchor"}, {Presence::one_of, "site1+site2 body1+anchor"}, {Presence::together, "site1 site2"}};
constexpr auto weld_rows = rows(equality_base,
    hook("body1", "the name of a body", "first body"),
    hook("body2", "the name of a body", "second body; absent: the world"),
    hook("relpose", "7 numbers", "pose of body2 relative to body1"),
    hook("anchor", "3 numbers", "point that is welded, in the frame of body2"),
    hook("site1", "the name of a site", "site on the first body"),
    hook("site2", "the name of a site", "site on the second body"),
    hook("torquescale", "a number", "weight of rotation against translation"));
constexpr Presence weld_presence[] = {
    {Presence::exclusive, "site1+site2 body1+body2+anchor+relpose"}, {Presence::one_of, "site1+site2 body1"}, {Presence::together, "site1 site2"}};
constexpr auto equality_joint_rows = rows(equality_base,
    row<&EqualitySpec::name1>("joint1", "joint that follows", required | save_by_hook),
    row<&EqualitySpec::name2>("joint2", "joint that leads; absent: constant", save_by_hook),
    hook("polycoef", "1 to 5 numbers", "polynomial of the leading position"));
constexpr auto equality_tendon_rows = rows(equality_base,
    row<&EqualitySpec::name1>("tendon1", "tendon that follows", required | save_by_hook),
    row<&EqualitySpec::name2>("tendon2", "tendon that leads; absent: constant", save_by_hook),
    hook("polycoef", "1 to 5 numbers", "polynomial of the leading length"));
constexpr auto equality_flex_rows = rows(equality_base,
    row<&EqualitySpec::name1>("flex", "flex whose edges keep their lengths", required | save_by_hook));
constexpr auto flexstrain_rows = rows(equality_base,
    row<&EqualitySpec::name1>("flex", "flex whose cells keep their strain", required | save_by_hook),
    hook("cell", "3 numbers", "cell of the grid"));
// our own: a distance is an equality of its own, gears, differentials and networks expand when they are read
constexpr auto distance_rows = rows(equality_base,
    row<&EqualitySpec::name1>("geom1", "first geom", required | save_by_hook),
    row<&EqualitySpec::name2>("geom2", "second geom", required | save_by_hook),
    hook("distance", "a number", "distance of the centers; absent: the initial one"));
constexpr auto gear_rows = rows(equality_base,
    row<&EqualitySpec::name1>("joint1", "joint that follows", required | save_by_hook),
    row<&EqualitySpec::name2>("joint2", "joint that leads", required | save_by_hook),
    hook("ratio", "a number", "how far the first moves when the second moves by one"));
constexpr auto differential_rows = rows(equality_base,
    hook("joint1", "the name of a joint", "joint that follows", required),
    hook("joint2", "the name of a joint", "first joint that leads", required),
    hook("joint3", "the name of a joint", "second joint that leads", required),
    hook("type", "average, difference or weighted", "what the first joint follows"),
    hook("weight", "2 numbers", "weights of the leading joints"));
constexpr auto network_rows = rows(equality_base,
    hook("offset", "a number", "what the sum is kept at; absent: 0, what it is in qpos0"));
constexpr auto network_tendon_rows = rows(
    hook("tendon", "the name of a tendon", "tendon whose length counts", required),
    hook("coef", "a number", "its coefficient", required | filled));

constexpr auto tendon_front = rows(
    name_row, class_row,
    row<&TendonSpec::group>("group", "visual group"),
    row<&TendonSpec::limited>("limited", "whether range limits the length"),
    row<&TendonSpec::actfrclimited>("actuatorfrclimited", "whether actuator forces are clamped"),
    row<&TendonSpec::range>("range", "limits of the length"),
    row<&TendonSpec::actfrcrange>("actuatorfrcrange", "range of the total actuator force"),
    row<&TendonSpec::solref_limit>("solreflimit", "solref of the limit", fewer),
    row<&TendonSpec::solimp_limit>("solimplimit", "solimp of the limit", fewer),
    row<&TendonSpec::solref_friction>("solreffriction", "solref of dry friction", fewer),
    row<&TendonSpec::solimp_friction>("solimpfriction", "solimp of dry friction", fewer),
    row<&TendonSpec::frictionloss>("frictionloss", "dry friction"),
    hook("springlength", "1 or 2 numbers", "rest length of the spring, or dead band; -1: initial length"),
    row<&TendonSpec::springyield>("springyield", "displacement at which the spring yields; 0: never"));
constexpr auto tendon_look = rows(
    row<&TendonSpec::width>("width", "drawn width"),
    row<&TendonSpec::material>("material", "material", save_by_hook));
constexpr auto tendon_middle = rows(
    row<&TendonSpec::margin>("margin", "distance at which a limit becomes active"),
    row<&TendonSpec::stiffness>("stiffness", "spring polynomial", fewer),
    row<&TendonSpec::damping>("damping", "damper polynomial", fewer),
    row<&TendonSpec::armature>("armature", "inertia of changes of length"));
constexpr auto tendon_color = row<&TendonSpec::rgba>("rgba", "color");
constexpr auto tendon_user = row<&TendonSpec::userdata>("user", "user numbers", save_by_hook);
constexpr auto spatial_rows = rows(tendon_front, tendon_look, tendon_middle, tendon_color, tendon_user);
constexpr auto fixed_rows = rows(tendon_front, tendon_middle, tendon_user);

constexpr auto wrap_site_rows = rows(hook("site", "the name of a site", "site the path goes through", required));
constexpr auto wrap_geom_rows = rows(
    hook("geom", "the name of a geom", "sphere or cylinder the path wraps", required),
    hook("sidesite", "the name of a site", "side on which the path wraps"));
constexpr auto wrap_pulley_rows = rows(hook("divisor", "a number", "ratio of the branch", required | filled));
constexpr auto wrap_joint_rows = rows(
    hook("joint", "the name of a joint", "joint whose position counts", required),
    hook("coef", "a number", "its coefficient", required | filled));

constexpr Child contact_children[] = {{&pair_rule}, {&exclude_rule}};
constexpr Child equality_children[] = {{&connect_rule}, {&weld_rule}, {&equality_joint_rule}, {&equality_tendon_rule}, {&equality_flex_rule}, {&flexstrain_rule}, {&distance_rule}, {&gear_rule}, {&differential_rule}, {&network_rule}};
constexpr Child network_children[] = {{&network_tendon_rule}, {&wrap_joint_rule}};
constexpr Child spatial_children[] = {{&wrap_site_rule}, {&wrap_geom_rule}, {&wrap_pulley_rule}};
constexpr Child fixed_children[] = {{&wrap_joint_rule}};
constexpr Child tendon_children[] = {{&spatial_rule}, {&fixed_rule}};
// clang-format on

}  // namespace

const Rule pair_rule{"pair", "two geoms whose contacts have their own parameters", pair_rows};
const Rule exclude_rule{"exclude", "two bodies that do not collide", exclude_rows};
const Rule contact_rule{"contact", "pairs of geoms and bodies", {}, contact_children};
const Rule connect_rule{"connect", "two bodies share a point", connect_rows, {}, connect_presence};
const Rule weld_rule{"weld", "two bodies keep their relative pose", weld_rows, {}, weld_presence};
const Rule equality_joint_rule{"joint", "a joint follows another", equality_joint_rows};
const Rule equality_tendon_rule{"tendon", "a tendon follows another", equality_tendon_rows};
const Rule equality_flex_rule{"flex", "edges keep their lengths", equality_flex_rows, {}, {},
                              false};
const Rule flexstrain_rule{"flexstrain", "cells keep their strain", flexstrain_rows, {}, {}, false};
const Rule distance_rule{"distance", "centers of two geoms keep their distance", distance_rows};
const Rule gear_rule{"gear", "two joints turn in a ratio", gear_rows};
const Rule differential_rule{"differential", "a joint follows two others", differential_rows};
const Rule network_rule{"network", "a weighted sum of tendons and joints is kept", network_rows,
                        network_children};
const Rule network_tendon_rule{"tendon", "term of a weighted sum", network_tendon_rows};
const Rule equality_rule{"equality", "equality constraints", {}, equality_children};
const Rule wrap_site_rule{"site", "point of a path", wrap_site_rows};
const Rule wrap_geom_rule{"geom", "obstacle of a path", wrap_geom_rows};
const Rule wrap_pulley_rule{"pulley", "start of a new branch", wrap_pulley_rows};
const Rule wrap_joint_rule{"joint", "term of a linear combination", wrap_joint_rows};
const Rule spatial_rule{"spatial", "shortest path through sites and around geoms", spatial_rows,
                        spatial_children};
const Rule fixed_rule{"fixed", "linear combination of joint positions", fixed_rows, fixed_children};
const Rule tendon_rule{"tendon", "tendons", {}, tendon_children};

}  // namespace lockstep::mjcf
