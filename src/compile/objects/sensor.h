// sensor.h: the kinds of sensors and what each can be attached to.
#pragma once

#include "compile/build.h"

namespace lockstep {

constexpr int64_t max_sensordata = int64_t{1} << 30;  // addresses are int

enum class Attach {
  site,
  rays,        // of a site or of all pixels of a camera
  projection,  // a site seen by a camera
  scalar_joint,
  ball_joint,
  limited_joint,
  tendon,
  limited_tendon,
  actuator,
  frame,  // anything with a frame
  body,
  inside,     // anything with a frame, and a site
  two_geoms,  // or all geoms of bodies
  contacts,
  tactile,  // a mesh and a geom
  nothing,
  plugin,
  user
};

struct SensorRow {
  SensorType type;
  Attach attach;
  int dim;
  DataType datatype;
  SensorStage stage;
};

// checks the objects of a sensor and completes what depends on them; false after an error
bool plan_attachment(Build& b, const Sensor& sensor, const SensorRow& row, SensorPlan& plan);

// numbers that a sensor gives; 0 where it depends on the compiled model
int sensor_data_size(const Sensor& sensor);
// numbers per ray of a rangefinder and per contact of a contact sensor, for sets of data
// (intprm[0])
int ray_data_size(int fields);
int contact_data_size(int fields);

}  // namespace lockstep
