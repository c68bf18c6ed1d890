// scale.h: what a scaled frame does to the numbers of what stands in it.
#pragma once

#include <array>
#include <cmath>

#include "math/quat.h"
#include "spec/spec.h"

namespace lockstep {

// Factors of an element, from all frames around it. A quantity of dimension L^a M^b T^c is
// multiplied by length^a mass^b; forces and what is made of them only by frames that scale them
// (`similar`).
struct Scale {
  Mat3d stretch =
      identity3<double>();  // of positions, in the coordinates the element is written in
  double length = 1, mass = 1;
  double unit_length = 1, unit_mass = 1;  // of frames with scaling="similar"

  bool identity() const;
  bool uniform() const;

  double force() const { return unit_mass * unit_length; }
  double torque() const { return unit_mass * unit_length * unit_length; }

  std::array<double, 3> moved(const std::array<double, 3>& pos) const;
  // seen from coordinates turned by `quat`
  Scale turned(const Quatd& quat) const;
  // inside a frame that is itself inside this scale
  Scale inside(const FrameSpec& frame) const;
  // factors along the own axes; false if they are not axes of the stretch
  bool along_axes(Vec3d& factors) const;
};

}  // namespace lockstep
