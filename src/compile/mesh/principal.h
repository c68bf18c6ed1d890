// principal.h: principal axes of a mesh's inertia, bit for bit as the reference finds them.
// (eig3 of math is the engine's: it goes on to full precision, where this one stops on purpose.)
#pragma once

#include "math/quat.h"

namespace lockstep::mesh {

struct Principal {
  Vec3d value;  // moments, decreasing
  Quatd quat;   // columns of its matrix are the axes
};

// tolerance, relative to the largest element: what counts as cleared, and as equal moments
Principal principal_axes(const Mat3d& inertia, double tolerance);

// Product and matrix of quaternions, summed from left to right; those of math pair their terms, as
// the engine does, and differ in the last bit.
Quatd product(const Quatd& a, const Quatd& b);
Mat3d matrix_of(const Quatd& q);

// q of unit length; left alone if it is so already, or is nearly zero
Quatd unit_quat(const Quatd& q);

}  // namespace lockstep::mesh
