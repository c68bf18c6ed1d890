// orientation.h: the other ways to write an orientation, as quaternions.
#pragma once

#include <array>
#include <string>

#include "spec/attributes.h"

namespace lockstep {

// The quaternion that `alt` stands for, with the angle unit and axis sequence of `settings`; `quat`
// is normalized if `alt` is one itself. The answer is empty, or what is wrong.
std::string resolve_orientation(const Orientation& alt, const CompilerSpec& settings,
                                std::array<double, 4>& quat);

// scales a vector to unit length and returns the length before; 0 if it has no direction
double make_unit(double* v, int n);
double make_unit(std::array<double, 3>& v);

// smallest rotation that turns the z axis to a unit vector
std::array<double, 4> rotation_of_z(const std::array<double, 3>& z);

}  // namespace lockstep
