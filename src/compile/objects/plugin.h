// plugin.h: engine plugins. Lockstep knows those that come with MuJoCo by name: they are read, kept
// and saved, and their sizes are in the Model, but they are not simulated yet.
#pragma once

#include <string_view>
#include <vector>

#include "compile/build.h"

namespace lockstep {

struct PluginKind {
  std::string_view name;
  int capabilities;  // PluginCapabilityBit
  std::vector<std::string_view> attributes;
  SensorStage stage;  // of sensors
};

// all plugins, by slot
const std::vector<PluginKind>& plugin_kinds();

// number of the instance that an element uses, made if it configures one of its own; -1: none, or
// an error was reported
int plan_plugin_use(Build& b, const Element& element, const PluginRef& use,
                    PluginCapabilityBit capability);

// an error if the states of an actuator are not those its plugin needs
void check_plugin_states(Build& b, const Actuator& actuator, const ActuatorPlan& plan);

// numbers that a sensor's plugin writes; -1 after an error
int plugin_sensor_dim(Build& b, const Sensor& sensor, int plugin);

}  // namespace lockstep
