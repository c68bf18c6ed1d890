// plans.h: what the passes over objects outside the tree have found out, kept from sizing to
// packing. The working copy keeps what was written; numbers of other objects and derived sizes are
// here.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/types.h"

namespace lockstep {

struct PairPlan {
  int geom1 = -1;
  int geom2 = -1;
  int signature = -1;  // of their bodies
};

struct EqualityPlan {
  int obj1 = -1;
  int obj2 = -1;
};

// one station of a path
struct WrapPlan {
  WrapType type = WrapType::none;
  int object = -1;
  double prm = 0;
  int body = -1;  // that it moves with
};

struct TendonPlan {
  std::vector<WrapPlan> path;
  std::vector<int> dofs;  // that can change its length, ascending
  int plasticadr = -1;
  bool spatial() const { return !path.empty() && path[0].type != WrapType::joint; }
};

struct ActuatorPlan {
  TrnType trntype = TrnType::undefined;
  std::array<int, 2> trnid{-1, -1};
  int ctrlspec = 0;
  int ctrladr = 0, ctrlnum = 1;
  int outadr = 0, outnum = 1;
  int actadr = -1, actnum = 0;
  int historyadr = -1;
  int plugin = -1;
};

struct SensorPlan {
  int object = -1;
  int reference = -1;
  DataType datatype = DataType::real;
  SensorStage stage = SensorStage::acc;
  int adr = 0, dim = 0;
  int historyadr = -1;
  int plugin = -1;
};

// an instance of a plugin: declared in an extension, or made for the one element that uses it
struct PluginPlan {
  int slot = -1;                    // which plugin
  std::vector<std::string> values;  // of the plugin's attributes, in its order
};

struct ObjectPlans {
  std::vector<PairPlan> pairs;
  std::vector<int> excludes;  // signatures
  std::vector<EqualityPlan> equalities;
  std::vector<TendonPlan> tendons;
  std::vector<ActuatorPlan> actuators;
  std::vector<SensorPlan> sensors;
  std::vector<PluginPlan> plugins;
  std::vector<int> body_plugins, geom_plugins;  // instances they use, or -1
};

}  // namespace lockstep
