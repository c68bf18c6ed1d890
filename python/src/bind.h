// bind.h: the parts of the extension module; module.cc calls them in order.
#pragma once

#include <nanobind/nanobind.h>

namespace lockstep::python {

namespace nb = nanobind;

void bind_tables(nb::module_& m);     // enumerations and constants, as tables for lockstep/enums.py
void bind_structs(nb::module_& m);    // MjOption, MjVisual, MjStatistic
void bind_model(nb::module_& m);      // MjModel
void bind_records(nb::module_& m);    // MjContact, MjWarningStat, MjTimerStat, MjSolverStat
void bind_data(nb::module_& m);       // MjData
void bind_state(nb::module_& m);      // mj_getState, mj_resetData ...
void bind_queries(nb::module_& m);    // mj_jac, mj_mulM ...
void bind_step(nb::module_& m);       // mj_step, mj_forward and the stages
void bind_callbacks(nb::module_& m);  // set_mjcb_*, timers of stages
void bind_collide(nb::module_& m);    // contacts of one pair
void bind_actuation(nb::module_& m);  // controls, their history, keyframes, muscles
void bind_geom_distance(nb::module_& m);  // mj_geomDistance
void bind_ray(nb::module_& m);            // mj_ray ...
void bind_shape_queries(nb::module_& m);  // lockstep.shapes
void bind_batch(nb::module_& m);          // lockstep.batch
void bind_environment(nb::module_& m);    // lockstep.gym
void bind_episodes(nb::module_& m);       // lockstep.episodes
void bind_streams(nb::module_& m);        // lockstep.streams
void bind_spec(nb::module_& m);           // MjSpec and its elements
void bind_functions(nb::module_& m);      // mj_name2id ...
void bind_schema(nb::module_& m);         // the MJCF tables
void bind_vectors(nb::module_& m);        // mju_*
void bind_rotations(nb::module_& m);
void bind_linear_algebra(nb::module_& m);
void bind_bands(nb::module_& m);

}  // namespace lockstep::python
