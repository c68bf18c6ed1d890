// build.h: what compiler passes work on.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "compile/compile.h"
#include "compile/flex/flex_data.h"
#include "compile/mesh_store.h"
#include "compile/objects/plans.h"
#include "compile/scale_objects.h"
#include "compile/tree_data.h"
#include "model/model.h"
#include "spec/spec.h"

namespace lockstep {

struct Build {
  Build(Spec& spec, Model& model, Diagnostics& diagnostics)
      : spec(spec), model(model), diagnostics(diagnostics) {}

  Spec& spec;    // the working copy: passes resolve it in place
  Model& model;  // sizes first, then arrays
  Diagnostics& diagnostics;

  // elements in the order of their ids, filled by the numbering pass
  std::vector<Body*> bodies;
  std::vector<Joint*> joints;
  std::vector<Geom*> geoms;
  std::vector<Site*> sites;
  std::vector<Camera*> cameras;
  std::vector<Light*> lights;

  MeshStore meshes;              // processed mesh assets, by mesh id
  std::vector<FlexData> flexes;  // by id
  ObjectPlans plans;             // what is known about objects outside the tree, by id
  TreeData tree;                 // what the passes found out about the tree, by id
  ScalePlan scales;              // of what stands in scaled frames

  // reports an error about an element; returns it for `expected`, `found`, `suggestion`
  Diagnostic& error(const Element& element, std::string_view attribute, std::string message);
  Diagnostic& warning(const Element& element, std::string_view attribute, std::string message);

  // id of the object that `element` names in an attribute, by kind; reports an error and returns -1
  // if there is none
  int resolve(const Element& element, std::string_view attribute, ObjType kind,
              const std::string& name);

 private:
  std::unordered_map<int, std::unordered_map<std::string, int>>
      ids_;  // kind -> name -> id, filled on demand
};

}  // namespace lockstep
