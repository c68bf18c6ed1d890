// deformable.cc: flexes and skins; compiled and saved, not simulated.
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "spec/attributes.h"
#include "spec/flexcomp.h"

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
    row<&FlexSpec::contype>("contype", "bits of what it is in collision", filled),
    row<&FlexSpec::conaffinity>("conaffinity", "bits of what it collides with", filled),
    row<&FlexSpec::condim>("condim", "dimension of its contacts", filled),
    row<&FlexSpec::priority>("priority", "whose contact parameters count", filled),
    row<&FlexSpec::friction>("friction", "friction", fewer),
    row<&FlexSpec::solmix>("solmix", "weight in mixing of contact parameters"),
    row<&FlexSpec::solref>("solref", "solref of contacts", fewer),
    row<&FlexSpec::solimp>("solimp", "solimp of contacts", fewer),
    row<&FlexSpec::margin>("margin", "distance at which contact force begins"),
    row<&FlexSpec::gap>("gap", "further distance in which contacts are reported"),
    row<&FlexSpec::selfcollide>("selfcollide", "collision of the flex with itself"),
    row<&FlexSpec::activelayers>("activelayers", "layers of elements that collide", filled),
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

// a flexcomp is taken apart when it is read
constexpr auto flexcomp_edge_rows = rows(
    keyword<&FlexcompSpec::equality>("equality", &flex_equalities, "constraint of edges"),
    row<&FlexcompSpec::solref>("solref", "solref of the constraint", fewer),
    row<&FlexcompSpec::solimp>("solimp", "solimp of the constraint", fewer),
    row<&FlexcompSpec::edgestiffness>("stiffness", "stiffness of edges"),
    row<&FlexcompSpec::edgedamping>("damping", "damping of edges"));
constexpr auto pin_rows = rows(
    row<&FlexcompPin::id>("id", "points that are fixed"),
    row<&FlexcompPin::range>("range", "ranges of fixed points"),
    row<&FlexcompPin::grid>("grid", "grid points that are fixed"),
    row<&FlexcompPin::gridrange>("gridrange", "ranges of fixed grid points"));
constexpr auto flexcomp_rows = rows(
    hook("name", "a name", "name of the flex", required),
    keyword<&FlexcompSpec::type>("type", &flexcomp_types, "how points are made"),
    row<&FlexcompSpec::group>("group", "visual group", filled),
    row<&FlexcompSpec::dim>("dim", "dimension of elements", filled),
    keyword<&FlexcompSpec::dof>("dof", &flex_dofs, "degrees of freedom"),
    row<&FlexcompSpec::count>("count", "points along the axes"),
    row<&FlexcompSpec::cellcount>("cellcount", "cells of the interpolation grid"),
    row<&FlexcompSpec::spacing>("spacing", "distances of points"),
    row<&FlexcompSpec::radius>("radius", "radius around elements"),
    keyword<&FlexcompSpec::rigid>("rigid", &false_true, "all points fixed to the parent"),
    row<&FlexcompSpec::mass>("mass", "total mass"),
    row<&FlexcompSpec::inertiabox>("inertiabox", "size of the boxes that give point bodies inertia"),
    row<&FlexcompSpec::scale>("scale", "factors of points"),
    row<&FlexcompSpec::file>("file", "mesh file"),
    row<&FlexcompSpec::mesh>("mesh", "mesh asset"),
    row<&FlexcompSpec::point>("point", "points"),
    row<&FlexcompSpec::element>("element", "vertices of elements"),
    row<&FlexcompSpec::texcoord>("texcoord", "texture coordinates"),
    row<&FlexcompSpec::material>("material", "material"),
    row<&FlexcompSpec::rgba>("rgba", "color"),
    keyword<&FlexcompSpec::flatskin>("flatskin", &false_true, "flat shading"),
    row<&FlexcompSpec::pos>("pos", "position"),
    row<&FlexcompSpec::quat>("quat", "orientation as a quaternion"),
    hook("axisangle", "4 numbers", "orientation as rotation axis and angle"),
    hook("xyaxes", "6 numbers", "orientation by the x and y axes"),
    hook("zaxis", "3 numbers", "orientation by the z axis"),
    hook("euler", "3 numbers", "orientation by three angles"),
    row<&FlexcompSpec::origin>("origin", "center of tetrahedra made of a surface"));
constexpr Child flexcomp_children[] = {
    {&flexcomp_edge_rule, Count::optional}, {&flex_elasticity_rule, Count::optional}, {&flex_contact_rule, Count::optional},
    {&flexcomp_pin_rule}, {&plugin_rule}};
// clang-format on

}  // namespace

const Rule flex_contact_rule{"contact", "contact of a flex", contact_rows};
const Rule flex_edge_rule{"edge", "edges of a flex", edge_rows};
const Rule flex_elasticity_rule{"elasticity", "material of a flex", elasticity_rows};
const Rule flexcomp_edge_rule{"edge", "edges of a flexcomp", flexcomp_edge_rows};
const Rule flexcomp_pin_rule{"pin", "points fixed to the parent", pin_rows};
const Rule flex_rule{"flex", "deformable body", flex_rows, flex_children, {}, false};
const Rule flexcomp_rule{
    "flexcomp", "flex with the bodies it needs", flexcomp_rows, flexcomp_children, {}, false};
const Rule deformable_rule{"deformable", "flexes and skins", {}, deformable_children};

}  // namespace lockstep::mjcf
