// visual.cc: how a model is drawn.
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "model/option.h"

namespace lockstep::mjcf {
namespace {

// clang-format off
constexpr auto global_rows = rows(
    row<&Visual::global__t::cameraid>("cameraid", "camera shown at start, -1: free"),
    keyword<&Visual::global__t::orthographic>("orthographic", &false_true, "free camera without perspective"),
    row<&Visual::global__t::fovy>("fovy", "vertical field of view of the free camera"),
    row<&Visual::global__t::ipd>("ipd", "distance of the eyes of the free camera"),
    row<&Visual::global__t::azimuth>("azimuth", "initial azimuth of the free camera"),
    row<&Visual::global__t::elevation>("elevation", "initial elevation of the free camera"),
    row<&Visual::global__t::linewidth>("linewidth", "width of lines"),
    row<&Visual::global__t::glow>("glow", "emission of the selected body"),
    row<&Visual::global__t::offwidth>("offwidth", "width of off-screen images"),
    row<&Visual::global__t::offheight>("offheight", "height of off-screen images"),
    row<&Visual::global__t::realtime>("realtime", "initial speed relative to real time"),
    keyword<&Visual::global__t::ellipsoidinertia>("ellipsoidinertia", &false_true, "draw inertias as ellipsoids, not boxes"),
    keyword<&Visual::global__t::bvactive>("bvactive", &false_true, "mark bounding volumes tested by collision"));

constexpr auto quality_rows = rows(
    row<&Visual::quality_t::shadowsize>("shadowsize", "resolution of shadow maps"),
    row<&Visual::quality_t::offsamples>("offsamples", "samples per pixel off screen"),
    row<&Visual::quality_t::numslices>("numslices", "slices of round geoms"),
    row<&Visual::quality_t::numstacks>("numstacks", "stacks of round geoms"),
    row<&Visual::quality_t::numquads>("numquads", "quads of box edges"));

constexpr auto headlight_rows = rows(
    row<&Visual::headlight_t::ambient>("ambient", "ambient color"),
    row<&Visual::headlight_t::diffuse>("diffuse", "diffuse color"),
    row<&Visual::headlight_t::specular>("specular", "specular color"),
    keyword<&Visual::headlight_t::active>("active", &false_true_auto_or_number, "on, off, or as the renderer likes"));

constexpr auto map_rows = rows(
    row<&Visual::map_t::stiffness>("stiffness", "stiffness of the mouse spring"),
    row<&Visual::map_t::stiffnessrot>("stiffnessrot", "rotational stiffness of the mouse spring"),
    row<&Visual::map_t::force>("force", "length of a drawn unit force"),
    row<&Visual::map_t::torque>("torque", "length of a drawn unit torque"),
    row<&Visual::map_t::alpha>("alpha", "opacity of transparent geoms"),
    row<&Visual::map_t::fogstart>("fogstart", "where fog begins"),
    row<&Visual::map_t::fogend>("fogend", "where fog is complete"),
    row<&Visual::map_t::znear>("znear", "near clipping plane, times extent"),
    row<&Visual::map_t::zfar>("zfar", "far clipping plane, times extent"),
    row<&Visual::map_t::haze>("haze", "height of the haze at the horizon"),
    row<&Visual::map_t::shadowclip>("shadowclip", "extent of directional shadows"),
    row<&Visual::map_t::shadowscale>("shadowscale", "extent of spot shadows"),
    row<&Visual::map_t::actuatortendon>("actuatortendon", "width of an actuated tendon, times its width"));

constexpr auto scale_rows = rows(
    row<&Visual::scale_t::forcewidth>("forcewidth", "width of forces"),
    row<&Visual::scale_t::contactwidth>("contactwidth", "width of contacts"),
    row<&Visual::scale_t::contactheight>("contactheight", "height of contacts"),
    row<&Visual::scale_t::connect>("connect", "width of connectors between bodies"),
    row<&Visual::scale_t::com>("com", "size of centers of mass"),
    row<&Visual::scale_t::camera>("camera", "size of cameras"),
    row<&Visual::scale_t::light>("light", "size of lights"),
    row<&Visual::scale_t::selectpoint>("selectpoint", "size of the selected point"),
    row<&Visual::scale_t::jointlength>("jointlength", "length of joints"),
    row<&Visual::scale_t::jointwidth>("jointwidth", "width of joints"),
    row<&Visual::scale_t::actuatorlength>("actuatorlength", "length of actuators"),
    row<&Visual::scale_t::actuatorwidth>("actuatorwidth", "width of actuators"),
    row<&Visual::scale_t::framelength>("framelength", "length of frame axes"),
    row<&Visual::scale_t::framewidth>("framewidth", "width of frame axes"),
    row<&Visual::scale_t::constraint>("constraint", "width of violated constraints"),
    row<&Visual::scale_t::slidercrank>("slidercrank", "width of slider-cranks"),
    row<&Visual::scale_t::frustum>("frustum", "depth of camera frustums"));

constexpr auto rgba_rows = rows(
    row<&Visual::rgba_t::fog>("fog", "color of fog"),
    row<&Visual::rgba_t::haze>("haze", "color of haze"),
    row<&Visual::rgba_t::force>("force", "color of force"),
    row<&Visual::rgba_t::inertia>("inertia", "color of inertia"),
    row<&Visual::rgba_t::joint>("joint", "color of joint"),
    row<&Visual::rgba_t::actuator>("actuator", "color of actuator"),
    row<&Visual::rgba_t::actuatornegative>("actuatornegative", "color of actuatornegative"),
    row<&Visual::rgba_t::actuatorpositive>("actuatorpositive", "color of actuatorpositive"),
    row<&Visual::rgba_t::com>("com", "color of com"),
    row<&Visual::rgba_t::camera>("camera", "color of camera"),
    row<&Visual::rgba_t::light>("light", "color of light"),
    row<&Visual::rgba_t::selectpoint>("selectpoint", "color of selectpoint"),
    row<&Visual::rgba_t::connect>("connect", "color of connect"),
    row<&Visual::rgba_t::contactpoint>("contactpoint", "color of contactpoint"),
    row<&Visual::rgba_t::contactforce>("contactforce", "color of contactforce"),
    row<&Visual::rgba_t::contactfriction>("contactfriction", "color of contactfriction"),
    row<&Visual::rgba_t::contacttorque>("contacttorque", "color of contacttorque"),
    row<&Visual::rgba_t::contactgap>("contactgap", "color of contactgap"),
    row<&Visual::rgba_t::rangefinder>("rangefinder", "color of rangefinder"),
    row<&Visual::rgba_t::constraint>("constraint", "color of constraint"),
    row<&Visual::rgba_t::slidercrank>("slidercrank", "color of slidercrank"),
    row<&Visual::rgba_t::crankbroken>("crankbroken", "color of crankbroken"),
    row<&Visual::rgba_t::frustum>("frustum", "color of frustum"),
    row<&Visual::rgba_t::bv>("bv", "color of bv"),
    row<&Visual::rgba_t::bvactive>("bvactive", "color of bvactive"));

constexpr Child visual_children[] = {
    {&global_rule, Count::optional}, {&quality_rule, Count::optional}, {&headlight_rule, Count::optional},
    {&map_rule, Count::optional}, {&scale_rule, Count::optional}, {&rgba_rule, Count::optional}};
// clang-format on

}  // namespace

const Rule global_rule{"global", "settings of the whole picture", global_rows};
const Rule quality_rule{"quality", "quality of the picture", quality_rows};
const Rule headlight_rule{"headlight", "light at the camera", headlight_rows};
const Rule map_rule{"map", "from physical to drawn quantities", map_rows};
const Rule scale_rule{"scale", "sizes of symbols, times meansize", scale_rows};
const Rule rgba_rule{"rgba", "colors of symbols", rgba_rows};
const Rule visual_rule{"visual", "how the model is drawn", {}, visual_children};

}  // namespace lockstep::mjcf
