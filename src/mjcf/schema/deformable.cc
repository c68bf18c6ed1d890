// deformable.cc: flexes and skins; kept and saved, not simulated.
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "spec/attributes.h"

namespace lockstep::mjcf {
namespace {

// clang-format off
constexpr auto flex_rows = rows(
    name_row,
    row<&FlexSpec::group>("group", "visual group"),
    row<&FlexSpec::dim>("dim", "dimension of elements: lines, triangles, tetrahedra"),
    row<&FlexSpec::radius>("radius", "radius around elements"),
    row<&FlexSpec::material>("material", "materials", save_by_hook),
    row<&FlexSpec::rgba>("rgba", "color"),
    row<&FlexSpec::flatskin>("flatskin", "flat shading"),
    row<&FlexSpec::vertbody>("body", "body of each vertex, or one for all", required | save_by_hook),
    row<&FlexSpec::vert>("vertex", "vertex positions in body frames", save_by_hook),
    row<&FlexSpec::elem>("element", "vertices of elements", required | save_by_hook),
    row<&FlexSpec::texcoord>("texcoord", "texture coordinates", save_by_hook),
    row<&FlexSpec::elemtexcoord>("elemtexcoord", "texture coordinates of elements", save_by_hook),
    row<&FlexSpec::nodebody>("node", "bodies of interpolation nodes", save_by_hook),
    row<&FlexSpec::node>("nodecoord", "positions of nodes in body frames", save_by_hook),
    row<&FlexSpec::cellcount>("cellcount", "cells of the interpolation grid", save_by_hook),
    hook("dof", "a parametrization", "order of interpolation"));

constexpr auto contact_rows = rows(
    row<&FlexSpec::contype>("contype", "bits of what it is in collision"),
    row<&FlexSpec::conaffinity>("conaffinity", "bits of what it collides with"),
    row<&FlexSpec::condim>("condim", "dimension of its contacts"),
    row<&FlexSpec::priority>("priority", "whose contact parameters count"),
    row<&FlexSpec::friction>("friction", "friction", fewer),
    row<&FlexSpec::solmix>("solmix", "weight in mixing of contact parameters"),
    row<&FlexSpec::solref>("solref", "solref of contacts", fewer),
    row<&FlexSpec::solimp>("solimp", "solimp of contacts", fewer),
    row<&FlexSpec::margin>("margin", "distance at which contact force begins"),
    row<&FlexSpec::gap>("gap", "further distance in which contacts are reported"),
    row<&FlexSpec::selfcollide>("selfcollide", "collision of the flex with itself"),
    row<&FlexSpec::activelayers>("activelayers", "layers of elements that collide"),
    keyword<&FlexSpec::passive>("passive", &false_true, "contact by passive forces"));
constexpr auto edge_rows = rows(
    row<&FlexSpec::edgestiffness>("stiffness", "stiffness of edges"),
    row<&FlexSpec::edgedamping>("damping", "damping of edges"));
constexpr auto elasticity_rows = rows(
    row<&FlexSpec::young>("young", "Young's modulus"),
    row<&FlexSpec::poisson>("poisson", "Poisson's ratio"),
    row<&FlexSpec::shear>("shear", "shear modulus of rods"),
    row<&FlexSpec::damping>("damping", "Rayleigh damping"),
    row<&FlexSpec::thickness>("thickness", "thickness of shells"),
    row<&FlexSpec::stressyield>("yield", "stress at which the material yields", fewer),
    keyword<&FlexSpec::elastic2d>("elastic2d", &elastic2d_modes, "bending and stretching of shells"),
    row<&FlexSpec::section>("section", "cross section of rods"),
    row<&FlexSpec::sectionsize>("sectionsize", "size of the cross section", fewer));
constexpr Child flex_children[] = {
    {&flex_contact_rule, Count::optional}, {&flex_edge_rule, Count::optional}, {&flex_elasticity_rule, Count::optional}};
constexpr Child deformable_children[] = {{&flex_rule}, {&skin_rule}};

// a flexcomp is kept word for word
constexpr auto flexcomp_edge_rows = rows(
    hook("equality", "false, true or strain", "constraint of edges"),
    hook("solref", "1 to 2 numbers", "solref of the constraint"),
    hook("solimp", "1 to 5 numbers", "solimp of the constraint"),
    hook("stiffness", "a number", "stiffness of edges"),
    hook("damping", "a number", "damping of edges"));
constexpr auto pin_rows = rows(
    hook("id", "integers", "points that are fixed"),
    hook("range", "integers", "ranges of fixed points"),
    hook("grid", "integers", "grid points that are fixed"),
    hook("gridrange", "integers", "ranges of fixed grid points"));
const Rule flexcomp_edge_rule{"edge", "edges of a flexcomp", flexcomp_edge_rows};
const Rule pin_rule{"pin", "points fixed to the parent", pin_rows};
constexpr auto flexcomp_rows = rows(
    hook("name", "a name", "name of the flex", required),
    hook("type", "a kind of flexcomp", "how points are made"),
    hook("group", "an integer", "visual group"),
    hook("dim", "an integer", "dimension of elements"),
    hook("dof", "a parametrization", "degrees of freedom"),
    hook("count", "3 integers", "points along the axes"),
    hook("cellcount", "3 integers", "cells of the interpolation grid"),
    hook("spacing", "3 numbers", "distances of points"),
    hook("radius", "a number", "radius around elements"),
    hook("rigid", "true or false", "all points fixed to the parent"),
    hook("mass", "a number", "total mass"),
    hook("inertiabox", "a number", "size of the boxes that give point bodies inertia"),
    hook("scale", "3 numbers", "factors of points"),
    hook("file", "a file name", "mesh file"),
    hook("mesh", "the name of a mesh", "mesh asset"),
    hook("point", "numbers", "points"),
    hook("element", "integers", "vertices of elements"),
    hook("texcoord", "numbers", "texture coordinates"),
    hook("material", "the name of a material", "material"),
    hook("rgba", "4 numbers", "color"),
    hook("flatskin", "true or false", "flat shading"),
    hook("pos", "3 numbers", "position"),
    hook("quat", "4 numbers", "orientation as a quaternion"),
    hook("axisangle", "4 numbers", "orientation as rotation axis and angle"),
    hook("xyaxes", "6 numbers", "orientation by the x and y axes"),
    hook("zaxis", "3 numbers", "orientation by the z axis"),
    hook("euler", "3 numbers", "orientation by three angles"),
    hook("origin", "3 numbers", "center of tetrahedra made of a surface"));
constexpr Child flexcomp_children[] = {
    {&flexcomp_edge_rule, Count::optional}, {&flex_elasticity_rule, Count::optional}, {&flex_contact_rule, Count::optional},
    {&pin_rule}, {&plugin_rule}};
// clang-format on

}  // namespace

const Rule flex_contact_rule{"contact", "contact of a flex", contact_rows};
const Rule flex_edge_rule{"edge", "edges of a flex", edge_rows};
const Rule flex_elasticity_rule{"elasticity", "material of a flex", elasticity_rows};
const Rule flex_rule{"flex", "deformable body", flex_rows, flex_children, {}, false};
const Rule flexcomp_rule{
    "flexcomp", "flex with the bodies it needs", flexcomp_rows, flexcomp_children, {}, false};
const Rule deformable_rule{"deformable", "flexes and skins", {}, deformable_children};

}  // namespace lockstep::mjcf
