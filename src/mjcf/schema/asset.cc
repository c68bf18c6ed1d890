// asset.cc: meshes, height fields, skins, textures, materials, models.
#include "mjcf/schema/sections.h"
#include "mjcf/schema/words.h"
#include "spec/attributes.h"

namespace lockstep::mjcf {
namespace {

// clang-format off
constexpr auto mesh_rows = rows(
    name_row, class_row,
    row<&MeshSpec::content_type>("content_type", "kind of file, where its name does not tell", not_in_default | save_by_hook),
    hook("file", "a file name", "OBJ, STL or MSH file", not_in_default),
    row<&MeshSpec::uservert>("vertex", "vertex positions", not_in_default | save_by_hook),
    row<&MeshSpec::usernormal>("normal", "vertex normals", not_in_default | save_by_hook),
    row<&MeshSpec::usertexcoord>("texcoord", "texture coordinates", not_in_default | save_by_hook),
    row<&MeshSpec::userface>("face", "vertices of triangles", not_in_default | save_by_hook),
    row<&MeshSpec::refpos>("refpos", "point that becomes the origin", not_in_default),
    row<&MeshSpec::refquat>("refquat", "orientation that becomes the identity", not_in_default),
    row<&MeshSpec::scale>("scale", "factors along the axes"),
    row<&MeshSpec::smoothnormal>("smoothnormal", "average normals also over sharp edges", not_in_default),
    row<&MeshSpec::inertia>("inertia", "how inertia is computed"),
    hook("maxhullvert", "-1 or an integer above 3", "most vertices of the convex hull", filled),
    hook("builtin", "a shape", "shape made by the compiler", not_in_default),
    hook("params", "numbers", "parameters of the built-in shape", not_in_default),
    row<&MeshSpec::material>("material", "material of geoms that have none", not_in_default | save_by_hook));
constexpr Presence mesh_presence[] = {{Presence::exclusive, "builtin file"}, {Presence::exclusive, "builtin vertex"}};
constexpr Child mesh_children[] = {{&plugin_rule}};

constexpr auto hfield_rows = rows(
    name_row,
    row<&HFieldSpec::content_type>("content_type", "kind of file, where its name does not tell"),
    hook("file", "a file name", "PNG or binary file of elevations"),
    row<&HFieldSpec::nrow>("nrow", "rows of the grid"),
    row<&HFieldSpec::ncol>("ncol", "columns of the grid"),
    row<&HFieldSpec::size>("size", "half extents in x and y, height, thickness of the base", required | filled),
    hook("elevation", "nrow x ncol numbers", "elevations, top row first"));

constexpr auto skin_rows = rows(
    name_row,
    hook("file", "a file name", "SKN file"),
    row<&SkinSpec::material>("material", "material", save_by_hook),
    row<&SkinSpec::rgba>("rgba", "color"),
    row<&SkinSpec::inflate>("inflate", "shift along normals"),
    row<&SkinSpec::vert>("vertex", "vertex positions", save_by_hook),
    row<&SkinSpec::texcoord>("texcoord", "texture coordinates", save_by_hook),
    row<&SkinSpec::face>("face", "vertices of triangles", save_by_hook),
    row<&SkinSpec::group>("group", "visual group", save_by_hook));
constexpr auto bone_rows = rows(
    hook("body", "the name of a body", "body that moves the vertices", required),
    hook("bindpos", "3 numbers", "position of the body when bound", required | filled),
    hook("bindquat", "4 numbers", "orientation of the body when bound", required | filled),
    hook("vertid", "integers", "vertices moved", required | filled),
    hook("vertweight", "numbers", "weights of the vertices", required | filled));
constexpr Child skin_children[] = {{&bone_rule}};

constexpr auto texture_rows = rows(
    name_row, class_row,
    row<&TextureSpec::type>("type", "flat, around an object, or sky"),
    row<&TextureSpec::colorspace>("colorspace", "color space of the image"),
    row<&TextureSpec::content_type>("content_type", "kind of file, where its name does not tell", not_in_default),
    hook("file", "a file name", "image file", not_in_default),
    row<&TextureSpec::gridsize>("gridsize", "rows and columns of cube faces in one image"),
    hook("gridlayout", "up to 12 letters of .RLUDFB", "which face stands where"),
    hook("fileright", "a file name", "image of the right face", not_in_default),
    hook("fileleft", "a file name", "image of the left face", not_in_default),
    hook("fileup", "a file name", "image of the upper face", not_in_default),
    hook("filedown", "a file name", "image of the lower face", not_in_default),
    hook("filefront", "a file name", "image of the front face", not_in_default),
    hook("fileback", "a file name", "image of the back face", not_in_default),
    row<&TextureSpec::builtin>("builtin", "pattern made by the compiler"),
    row<&TextureSpec::rgb1>("rgb1", "first color"),
    row<&TextureSpec::rgb2>("rgb2", "second color"),
    row<&TextureSpec::mark>("mark", "marks on the pattern"),
    row<&TextureSpec::markrgb>("markrgb", "color of marks"),
    row<&TextureSpec::random>("random", "probability of random marks"),
    row<&TextureSpec::width>("width", "width in pixels"),
    row<&TextureSpec::height>("height", "height in pixels"),
    row<&TextureSpec::hflip>("hflip", "mirror left and right"),
    row<&TextureSpec::vflip>("vflip", "mirror up and down"),
    row<&TextureSpec::nchannel>("nchannel", "channels per pixel"),
    row<&TextureSpec::embed>("embed", "store pixels in the model, not a reference"));

constexpr auto material_rows = rows(
    name_row, class_row,
    hook("texture", "the name of a texture", "color texture"),
    row<&MaterialSpec::texrepeat>("texrepeat", "repetitions of the texture"),
    row<&MaterialSpec::texuniform>("texuniform", "repetitions per length, not per object"),
    row<&MaterialSpec::emission>("emission", "own light, times color"),
    row<&MaterialSpec::specular>("specular", "specularity"),
    row<&MaterialSpec::shininess>("shininess", "shininess"),
    row<&MaterialSpec::reflectance>("reflectance", "mirroring of planes and boxes"),
    row<&MaterialSpec::metallic>("metallic", "metalness of physical rendering"),
    row<&MaterialSpec::roughness>("roughness", "roughness of physical rendering"),
    row<&MaterialSpec::rgba>("rgba", "color"));
constexpr auto layer_rows = rows(
    hook("texture", "the name of a texture", "texture of the layer", required),
    hook("role", "a role", "what the texture modulates", required));
constexpr Child material_children[] = {{&layer_rule}};

constexpr auto model_rows = rows(
    name_row,
    hook("file", "a file name", "model file", required),
    hook("content_type", "a media type", "kind of file, where its name does not tell"));

constexpr Child asset_children[] = {{&mesh_rule}, {&hfield_rule}, {&skin_rule}, {&texture_rule}, {&material_rule}, {&model_rule}};
// clang-format on

}  // namespace

const Rule mesh_rule{"mesh", "triangle mesh", mesh_rows, mesh_children, mesh_presence};
const Rule hfield_rule{"hfield", "height field", hfield_rows};
const Rule bone_rule{"bone", "binding of a skin to a body", bone_rows};
const Rule skin_rule{"skin", "surface that follows bodies", skin_rows, skin_children, {}, false};
const Rule texture_rule{"texture", "image or pattern", texture_rows};
const Rule layer_rule{"layer", "texture of a material in a role", layer_rows};
const Rule material_rule{"material", "look of surfaces", material_rows, material_children};
const Rule model_rule{"model", "model to attach from", model_rows};
const Rule asset_rule{"asset", "things that elements refer to", {}, asset_children};

}  // namespace lockstep::mjcf
