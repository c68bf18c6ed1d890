// keep_derived.cc: numbers that the compiler worked out itself, for the compiled spec: damping
// ratios have become dampings, widths of user data are known.
#include <algorithm>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {

void keep_derived(Build& b) {
  const Model& m = b.model;
  for (Actuator* actuator : b.spec.actuators) {
    std::copy_n(m.actuator_biasprm + mjNBIAS * actuator->id, mjNBIAS, actuator->biasprm.begin());
  }
  for (Joint* joint : b.joints) {
    joint->stiffness[0] = m.jnt_stiffness[joint->id];
    joint->damping[0] = m.dof_damping[m.jnt_dofadr[joint->id]];
  }
  auto width = [](int64_t size) { return static_cast<int>(size); };
  b.spec.nuser_body = width(m.nuser_body);
  b.spec.nuser_jnt = width(m.nuser_jnt);
  b.spec.nuser_geom = width(m.nuser_geom);
  b.spec.nuser_site = width(m.nuser_site);
  b.spec.nuser_cam = width(m.nuser_cam);
  b.spec.nuser_tendon = width(m.nuser_tendon);
  b.spec.nuser_actuator = width(m.nuser_actuator);
  b.spec.nuser_sensor = width(m.nuser_sensor);
}

}  // namespace lockstep
