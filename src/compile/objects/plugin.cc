#include "compile/objects/plugin.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "compile/objects/common.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

using Config = std::vector<std::pair<std::string, std::string>>;

enum Slot { pid_slot = 0, touch_grid_slot = 1 };

int find_kind(std::string_view name) {
  const auto& kinds = plugin_kinds();
  for (size_t slot = 0; slot < kinds.size(); slot++) {
    if (kinds[slot].name == name) return static_cast<int>(slot);
  }
  return -1;
}

void report_unknown(Diagnostic& d, const std::string& name) {
  std::vector<std::string_view> known;
  for (const PluginKind& kind : plugin_kinds()) known.push_back(kind.name);
  d.attribute = "plugin";
  d.message = fmt::format("unknown plugin '{}'", name);
  d.found = name;
  d.suggestion = nearest_word(name, known);
}

int check_kind(Build& b, const Element& element, const std::string& name) {
  const int slot = find_kind(name);
  if (slot < 0) report_unknown(b.error(element, "plugin", ""), name);
  return slot;
}

// A new instance; its number, or -1 after an unknown key. Values go in the order of the plugin's
// attributes. Without a declaration (`plugin`) the working copy gets an element of no name for it.
int add_instance(Build& b, const Element& element, Plugin* plugin, int slot, const Config& config) {
  PluginPlan plan{slot, {}};
  const PluginKind& kind = plugin_kinds()[slot];
  plan.values.resize(kind.attributes.size());
  for (const auto& [key, value] : config) {
    auto known = std::find(kind.attributes.begin(), kind.attributes.end(), key);
    if (known == kind.attributes.end()) {
      Diagnostic& d = b.error(
          element, "key",
          fmt::format("unrecognized attribute 'plugin:{}' for plugin '{}'", key, kind.name));
      d.found = key;
      d.suggestion = nearest_word(key, kind.attributes);
      return -1;
    }
    plan.values[known - kind.attributes.begin()] = value;
  }
  for (const std::string& value : plan.values) {
    b.model.npluginattr += static_cast<int64_t>(value.size()) + 1;
  }
  if (plugin) {
    b.spec.plugins.push_back(plugin);
  } else {
    plugin = b.spec.add<Plugin>();
    plugin->plugin_name = kind.name;
  }
  plugin->id = static_cast<int>(b.plans.plugins.size());
  b.plans.plugins.push_back(std::move(plan));
  b.model.nplugin = plugin->id + 1;
  return plugin->id;
}

int find_instance(Build& b, const Element& element, const std::string& name) {
  std::vector<std::string_view> known;
  for (const Plugin* plugin : b.spec.plugins) {
    if (plugin->name == name) return plugin->id;
    if (!plugin->name.empty()) known.push_back(plugin->name);
  }
  Diagnostic& d = b.error(element, "instance", fmt::format("unknown plugin instance '{}'", name));
  d.found = name;
  d.suggestion = nearest_word(name, known);
  return -1;
}

bool is_declared(const Build& b, std::string_view plugin_name) {
  const auto& active = b.spec.active_plugins;
  return std::find(active.begin(), active.end(), plugin_name) != active.end();
}

double number_in(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

std::string_view word_of(PluginCapabilityBit capability) {
  switch (capability) {
    case PluginCapabilityBit::actuator: return "actuators";
    case PluginCapabilityBit::sensor: return "sensors";
    case PluginCapabilityBit::passive: return "passive forces";
    case PluginCapabilityBit::sdf: return "signed distance fields";
  }
  return "";
}

void warn_about_plugins(Build& b) {
  std::set<std::string> named;
  for (const std::string& name : b.spec.active_plugins) {
    if (!named.insert(name).second) continue;
    b.diagnostics.warning(b.spec.source,
                          fmt::format("plugin '{}' is kept, but not simulated yet", name));
  }
}

// elements that use an instance
template <class Plans, class T>
std::vector<const T*> users(const Plans& plans, const std::vector<T*>& elements, int instance) {
  std::vector<const T*> result;
  for (size_t id = 0; id < plans.size(); id++) {
    if (plans[id].plugin == instance) result.push_back(elements[id]);
  }
  return result;
}

// where an instance was written: in the extension, or with the element that uses it
const Element& place_of(const Plugin& plugin, const Element* user) {
  return plugin.name.empty() && user ? *user : static_cast<const Element&>(plugin);
}

void check_pid(Build& b, const Plugin& plugin, int instance) {
  const auto actuators = users(b.plans.actuators, b.spec.actuators, instance);
  const Element& place = place_of(plugin, actuators.empty() ? nullptr : actuators[0]);
  if (actuators.empty()) {
    expect(b.error(place, "name", "no actuator uses this instance"), "an actuator of this plugin");
  }
  const auto& values = b.plans.plugins[instance].values;
  for (const auto& [key, value] : {std::pair{"imax", values[3]}, {"slewmax", values[4]}}) {
    if (number_in(value) < 0) b.error(place, key, "cannot be negative").found = value;
  }
}

std::vector<double> numbers_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> result;
  for (double value; in >> value;) result.push_back(value);
  return result;
}

bool between(double value, double low, double high) { return value >= low && value <= high; }

void check_touch_grid(Build& b, const Plugin& plugin, int instance) {
  const auto sensors = users(b.plans.sensors, b.spec.sensors, instance);
  const Element& place = place_of(plugin, sensors.empty() ? nullptr : sensors[0]);
  const auto& values = b.plans.plugins[instance].values;
  const auto channels = numbers_in(values[0]), size = numbers_in(values[1]);
  const auto fov = numbers_in(values[2]), gamma = numbers_in(values[3]);
  if (!values[0].empty() && (channels.empty() || channels[0] >= 7)) {
    expect(b.error(place, "nchannel", "out of range"), "1 to 6", values[0]);
  }
  if (size.size() != 2 || size[0] < 1 || size[1] < 1) {
    expect(b.error(place, "size", "invalid resolution"), "two positive integers", values[1]);
  }
  if (fov.size() != 2 || fov[0] == 0 || fov[1] == 0 || !between(fov[0], 0, 180) ||
      !between(fov[1], 0, 90)) {
    expect(b.error(place, "fov", "invalid field of view"), "positive angles up to 180 and 90",
           values[2]);
  }
  if (!values[3].empty() && (gamma.empty() || !between(gamma[0], 0, 1))) {
    expect(b.error(place, "gamma", "out of range"), "a number from 0 to 1", values[3]);
  }
  for (const Sensor* sensor : sensors) {
    if (sensor->objtype == ObjType::site) continue;
    expect(b.error(*sensor, "objtype", "a touch grid belongs to a site"), "site");
  }
}

// instances used by the elements of a kind
template <class T>
void use_plugins(Build& b, const std::vector<T*>& elements, std::vector<int>* instances,
                 PluginCapabilityBit capability) {
  for (const T* element : elements) {
    const int instance = plan_plugin_use(b, *element, element->plugin, capability);
    if (instances) instances->push_back(instance);
  }
}

}  // namespace

const std::vector<PluginKind>& plugin_kinds() {
  constexpr int actuator = code(PluginCapabilityBit::actuator);
  constexpr int sensor = code(PluginCapabilityBit::sensor);
  constexpr int sdf = code(PluginCapabilityBit::sdf);
  // clang-format off
  static const std::vector<PluginKind> kinds = {
      {"mujoco.pid",               actuator, {"kp", "ki", "kd", "imax", "slewmax"}, SensorStage::none},
      {"mujoco.sensor.touch_grid", sensor,   {"nchannel", "size", "fov", "gamma"},  SensorStage::acc},
      {"mujoco.sdf.bolt",          sdf,      {"radius"},                            SensorStage::none},
      {"mujoco.sdf.bowl",          sdf,      {"height", "radius", "thickness"},     SensorStage::none},
      {"mujoco.sdf.gear",          sdf,      {"alpha", "diameter", "teeth", "thickness", "innerdiameter"},
                                                                                    SensorStage::none},
      {"mujoco.sdf.nut",           sdf,      {"radius"},                            SensorStage::none},
      {"mujoco.sdf.torus",         sdf,      {"radius1", "radius2"},                SensorStage::none},
  };
  // clang-format on
  return kinds;
}

int plan_plugin_use(Build& b, const Element& element, const PluginRef& use,
                    PluginCapabilityBit capability) {
  if (!use.active) return -1;
  int instance = -1;
  if (!use.name.empty()) {
    instance = find_instance(b, element, use.name);
  } else if (use.plugin_name.empty()) {
    expect(b.error(element, "plugin", "neither a plugin nor an instance of one is named"),
           "attribute plugin or instance");
  } else if (!is_declared(b, use.plugin_name)) {
    expect(b.error(element, "plugin",
                   fmt::format("plugin '{}' is not declared in an extension", use.plugin_name)),
           "an extension section with this plugin");
  } else if (const int slot = check_kind(b, element, use.plugin_name); slot >= 0) {
    instance = add_instance(b, element, nullptr, slot, use.config);
  }
  if (instance < 0) return -1;
  const PluginKind& kind = plugin_kinds()[b.plans.plugins[instance].slot];
  if (!(kind.capabilities & code(capability))) {
    b.error(element, "plugin",
            fmt::format("plugin '{}' does not support {}", kind.name, word_of(capability)));
    return -1;
  }
  return instance;
}

void check_plugin_states(Build& b, const Actuator& a, const ActuatorPlan& plan) {
  const PluginPlan& instance = b.plans.plugins[plan.plugin];
  if (instance.slot != pid_slot) return;
  const int needed = (number_in(instance.values[1]) > 0) + !instance.values[4].empty() +
                     (a.dyntype != DynType::none);
  if (plan.actnum == needed) return;
  expect(b.error(a, "actdim", "the plugin needs another number of states"), std::to_string(needed),
         std::to_string(plan.actnum));
}

void check_plugin_settings(Build& b) {
  const auto& plugins = b.plans.plugins;
  for (size_t id = 0; id < plugins.size(); id++) {
    const int instance = static_cast<int>(id);
    if (plugins[id].slot == pid_slot) check_pid(b, *b.spec.plugins[id], instance);
    if (plugins[id].slot == touch_grid_slot) check_touch_grid(b, *b.spec.plugins[id], instance);
  }
}

int plugin_sensor_dim(Build& b, const Sensor& sensor, int plugin) {
  const PluginPlan& instance = b.plans.plugins[plugin];
  if (instance.slot != touch_grid_slot) return 0;
  double width = 0, height = 0;
  std::istringstream(instance.values[1]) >> width >> height;
  const double channels = std::max(1.0, number_in(instance.values[0]));
  if (!(width > 0 && height > 0 && width * height * channels < 1e8)) {
    expect(b.error(sensor, "size", "invalid resolution of a touch grid"), "two positive numbers",
           instance.values[1]);
    return -1;
  }
  return static_cast<int>(channels) * static_cast<int>(width) * static_cast<int>(height);
}

void compile_plugins(Build& b) {
  for (const std::string& name : b.spec.active_plugins) {
    if (find_kind(name) < 0) report_unknown(b.diagnostics.error(b.spec.source, ""), name);
  }
  const std::vector<Plugin*> declared = b.spec.plugins;
  b.spec.plugins.clear();
  b.model.nplugin = 0;
  for (Plugin* plugin : declared) {
    const int slot = check_kind(b, *plugin, plugin->plugin_name);
    if (slot >= 0) add_instance(b, *plugin, plugin, slot, plugin->config);
  }
  warn_about_plugins(b);
  use_plugins(b, b.spec.meshes, nullptr, PluginCapabilityBit::sdf);
  use_plugins(b, b.bodies, &b.plans.body_plugins, PluginCapabilityBit::passive);
  use_plugins(b, b.geoms, &b.plans.geom_plugins, PluginCapabilityBit::sdf);
}

void pack_plugins(Build& b) {
  Model& m = b.model;
  int adr = 0;
  for (size_t id = 0; id < b.plans.plugins.size(); id++) {
    const PluginPlan& plan = b.plans.plugins[id];
    m.plugin[id] = plan.slot;
    m.plugin_attradr[id] = adr;
    for (const std::string& value : plan.values) {
      std::copy(value.begin(), value.end(), m.plugin_attr + adr);
      adr += static_cast<int>(value.size()) + 1;
    }
  }
  std::copy(b.plans.body_plugins.begin(), b.plans.body_plugins.end(), m.body_plugin);
  std::copy(b.plans.geom_plugins.begin(), b.plans.geom_plugins.end(), m.geom_plugin);
}

}  // namespace lockstep
