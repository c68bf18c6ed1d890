// shape.h: what a collider knows of a geom: where it is and how large.
#pragma once

#include "math/mat.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Shape {
  Vec3<Real> pos;   // center, world
  Mat3<Real> mat;   // columns are the axes of the geom, world
  Vec3<Real> size;  // by type, as in geom_size
};

// the axis of planes (their normal), capsules and cylinders
template <class Real>
LOCKSTEP_FN Vec3<Real> z_axis(const Shape<Real>& shape) {
  return col(shape.mat, 2);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
