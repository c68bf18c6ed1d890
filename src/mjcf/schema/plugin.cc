// plugin.cc: extensions and references to them.
#include "mjcf/schema/sections.h"

namespace lockstep::mjcf {
namespace {

constexpr auto config_rows = rows(hook("key", "a name", "attribute of the plugin", required),
                                  hook("value", "a text", "its value", required));
constexpr auto instance_rows =
    rows(hook("name", "a name", "name that elements refer to", required));
constexpr auto extension_plugin_rows =
    rows(hook("plugin", "the name of a plugin", "plugin that is needed", required));
constexpr auto plugin_rows =
    rows(hook("plugin", "the name of a plugin", "plugin of an unnamed instance"),
         hook("instance", "the name of an instance", "declared instance"));

constexpr Child config_child[] = {{&config_rule}};
constexpr Child extension_plugin_children[] = {{&instance_rule}};
constexpr Child extension_children[] = {{&extension_plugin_rule}};

}  // namespace

const Rule config_rule{"config", "attribute of a plugin instance", config_rows};
const Rule instance_rule{"instance", "named instance of a plugin", instance_rows, config_child};
const Rule extension_plugin_rule{
    "plugin", "plugin that the model needs", extension_plugin_rows, extension_plugin_children, {},
    false};
const Rule extension_rule{"extension", "plugins", {}, extension_children};
const Rule plugin_rule{"plugin", "plugin of the element", plugin_rows, config_child, {}, false};

}  // namespace lockstep::mjcf
