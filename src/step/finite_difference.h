// finite_difference.h: derivatives of a step by its arguments, as plain functions.
#pragma once

#include "model/data.h"
#include "model/model.h"

namespace lockstep {

// Transition matrices of a step from the state of d, row-major; null ones are not wanted.
//   d x' = A dx + B du;   d sensordata = C dx + D du;   x = (qpos in its tangent space, qvel, act)
// d itself is left alone. Controls are not moved beyond their ranges. False where a strict solver
// could not solve one of the steps.
struct TransitionMatrices {
  double* a = nullptr;  // nx x nx, nx = 2 nv + na
  double* b = nullptr;  // nx x nu
  double* c = nullptr;  // nsensordata x nx
  double* d = nullptr;  // nsensordata x nu
};
bool transition_fd(const Model& m, const Data& d, double eps, bool centered,
                   const TransitionMatrices& result);

// Derivatives of inverse dynamics at the state and acceleration of d; null ones are not wanted. A
// row per dof that is moved: of qpos, qvel, qacc. With `actuation`, forces of actuators are taken
// off. d itself is left alone.
struct InverseMatrices {
  double *force_by_pos = nullptr, *force_by_vel = nullptr, *force_by_acc = nullptr;  // nv x nv
  double *sensor_by_pos = nullptr, *sensor_by_vel = nullptr,
         *sensor_by_acc = nullptr;   // x nsensordata
  double* inertia_by_pos = nullptr;  // nv x nC
};
void inverse_fd(const Model& m, const Data& d, double eps, bool actuation,
                const InverseMatrices& result);

}  // namespace lockstep
