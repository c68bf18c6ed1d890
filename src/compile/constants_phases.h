// constants_phases.h: the phases of set_const, in order. Each needs what the ones before it wrote.
#pragma once

#include <string>
#include <vector>

#include "model/data.h"
#include "model/model.h"

namespace lockstep {

// what does not depend on the pose; returns what is wrong, "" if all is well
[[nodiscard]] std::string set_fixed(Model& m);
void set_bounds(Model& m);  // sizes, boxes and radii of geoms; boxes, masks and margins of bodies
void set_added_mass(Model& m);  // fluid forces on ellipsoids
[[nodiscard]] std::string set_sleep_policy(Model& m);
// which dofs change the length of an edge; false if nJfe has no room for them
[[nodiscard]] bool set_flex_patterns(Model& m);

// at qpos0: poses first, then what needs the inertia. `d` is at qpos0 afterwards, M factored.
void set_kinematics0(Model& m, Data& d);
void set_inertia0(Model& m, Data& d);
void set_flex_lengths(Model& m, Data& d);
void set_flex_weights(Model& m, Data& d);
void set_flex_metric(Model& m, Data& d);  // efm0_*, efmC_perm

// bodies that only slide along the axes of the world
inline bool only_translates(const Model& m, int body) { return m.body_simple[body] == 2; }

// size of each body as seen from its joints: how far it swings
std::vector<double> body_sizes(const Model& m, const Data& d);

}  // namespace lockstep
