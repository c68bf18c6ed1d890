// capsule.h: a capsule against a capsule.
//   the nearest points of the two segments carry balls
#pragma once

#include "stage/collision/contact_point.h"
#include "stage/collision/segment.h"
#include "stage/collision/shape.h"
#include "stage/collision/sphere.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// sine squared of the angle below which two capsules count as parallel
inline constexpr double parallel_capsules = 1e-8;

// one contact; where the axes are parallel, two: at the ends of the part that the capsules have in
// common, in the direction of the first
template <class Real>
LOCKSTEP_FN void capsule_capsule(const Shape<Real>& a, const Shape<Real>& b, Real margin,
                                 ContactSet<Real>& out) {
  const Vec3<Real> half1 = z_axis(a) * a.size.y, half2 = z_axis(b) * b.size.y;
  const Vec3<Real> offset = b.pos - a.pos;
  const SegmentPair<Real> s = segment_pair(half1, half2, offset);
  const Vec3<Real> across = cross(z_axis(a), z_axis(b));
  const Mask<Real> parallel = dot(across, across) < Real(parallel_capsules);
  const auto balls = [&](Mask<Real> where, Real x1, Real x2) {
    add_balls(out, where, a, {a.pos + half1 * x1, a.size.x}, b, {b.pos + half2 * x2, b.size.x},
              margin);
  };

  const Vec3<Real> normal = cross(half1, half2);
  const Real det = select(parallel, Real(1), dot(normal, normal));
  // by products across the segments, which stay exact where the angle between them is small
  const SegmentPoints<Real> nearest = nearest_points(s, dot(cross(offset, half2), normal) / det,
                                                     dot(cross(offset, half1), normal) / det);
  // once more from each other: capsules of one limb share the end of their segments, and the normal
  // hangs on whether that point is found exactly
  const Real x2 = s.limit(s.second_at(nearest.x1));
  balls(!parallel, s.limit(s.first_at(x2)), x2);
  if (!any(parallel)) return;
  for (int end = -1; end <= 1; end += 2) {
    Real x2 = select(s.ab < Real(0), Real(-end), Real(end));
    const Real x1 = s.first_at(x2);
    x2 = select(x1 * Real(end) > Real(1), s.limit(s.second_at(Real(end))), x2);
    balls(parallel, s.limit(x1), x2);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
