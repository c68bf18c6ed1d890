// model_check_parts.h: checks of model_check.cc that have files of their own. Each says what is
// wrong, "" if all is well; ids and ranges by table were checked before.
#pragma once

#include <string>

#include "model/model.h"

namespace lockstep {

std::string check_moments(const Model& m);      // actuators: targets exist, moments fit nJmom
std::string check_sensors(const Model& m);      // sensors: targets exist, readings fit
std::string check_flex_tables(const Model& m);  // flexes: vertices, edges, bodies
std::string check_hulls(const Model& m);        // meshes: hull graphs, polygons
std::string check_volumes(const Model& m);      // bounding volumes and octrees lead downwards

}  // namespace lockstep
