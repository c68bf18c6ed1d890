// custom.cc: user data, keyframes.
#include "mjcf/schema/sections.h"
#include "spec/attributes.h"

namespace lockstep::mjcf {
namespace {

// clang-format off
constexpr Row custom_name = hook("name", "a name", "name of the element", required | identity);
constexpr auto numeric_rows = rows(
    custom_name,
    hook("size", "an integer from 1 to 500", "length; zeros follow the data", filled),
    hook("data", "numbers", "the numbers"));
constexpr auto text_rows = rows(custom_name, hook("data", "a text", "the text; may also be CDATA"));
constexpr auto tuple_rows = rows(custom_name);
constexpr auto element_rows = rows(
    hook("objtype", "a kind of element", "kind of the object", required),
    hook("objname", "a name", "name of the object", required),
    hook("prm", "a number", "parameter"));
constexpr auto key_rows = rows(
    name_row,
    row<&KeySpec::time>("time", "time"),
    row<&KeySpec::qpos>("qpos", "positions"),
    row<&KeySpec::qvel>("qvel", "velocities"),
    row<&KeySpec::act>("act", "activations"),
    row<&KeySpec::mpos>("mpos", "positions of mocap bodies"),
    row<&KeySpec::mquat>("mquat", "orientations of mocap bodies"),
    row<&KeySpec::ctrl>("ctrl", "controls"),
    row<&KeySpec::plastic>("plastic", "references of springs that yield"));
constexpr Child tuple_children[] = {{&element_rule}};
constexpr Child custom_children[] = {{&numeric_rule}, {&text_rule}, {&tuple_rule}};
constexpr Child keyframe_children[] = {{&key_rule}};
// clang-format on

}  // namespace

const Rule numeric_rule{"numeric", "named numbers", numeric_rows};
const Rule text_rule{"text", "named text", text_rows};
const Rule element_rule{"element", "member of a tuple", element_rows};
const Rule tuple_rule{"tuple", "named list of elements", tuple_rows, tuple_children};
const Rule custom_rule{"custom", "data for the user", {}, custom_children};
const Rule key_rule{"key", "a state to reset to", key_rows};
const Rule keyframe_rule{"keyframe", "states to reset to", {}, keyframe_children};

}  // namespace lockstep::mjcf
