// constants.h: numbers of a Model that follow from its other numbers.
// `set_const` is mj_setConst; the functions below it run only in the compiler, in the order written
// here.
#pragma once

#include <span>
#include <string>

#include "model/model.h"
#include "spec/attributes.h"

namespace lockstep {

struct Data;

// Derives everything mj_setConst does, in its phases: fixed, kin0 and inert0 at qpos0, spring at
// qpos_spring. Needs all other fields of the Model packed. Returns what is wrong, "" if all is
// well. `d` lends its memory for the computation; without it a Data is made.
[[nodiscard]] std::string set_const(Model& m, Data* d = nullptr);

// the first tendon that wraps around geoms and has armature, of its own or reflected by an
// actuator: MuJoCo refuses those. -1 if there is none; needs set_const.
int wrapped_armature_tendon(const Model& m);

// a joint whose spring and damper are given as a critically damped pair
struct SpringDamper {
  int joint;
  double timeconst;
  double dampratio;
};

// jnt_stiffness and dof_damping from time constant and damping ratio; needs dof_M0, so set_const
// goes first
void set_springdamper(Model& m, std::span<const SpringDamper> joints);

// actuators with gainprm[0] = -biasprm[1] and biasprm[2] > 0 mean a damping ratio: biasprm[2]
// becomes -kv
void set_dampratio(Model& m);

// tendon_lengthspring (-1, -1) becomes the length at qpos_spring
void set_springlength(Model& m);

// m.stat from masses, sizes and the pose at qpos0; then the members of `given` that are not NaN
// replace it
void set_statistic(Model& m, const Statistic& given);

// actuator_lengthrange of one actuator (mj_setLengthRange); returns what is wrong, "" if all is
// well. `options.timestep` > 0 replaces the model's time step, as the compiler does.
[[nodiscard]] std::string set_lengthrange(Model& m, int actuator,
                                          const LengthRangeOptions& options);

}  // namespace lockstep
