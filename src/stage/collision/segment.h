// segment.h: nearest points of two segments p1 + x1 a1, p2 + x2 a2, |x| <= 1.
#pragma once

#include "math/vec.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// normal equations of two segments:  [aa -ab; -ab bb] [x1 x2]' = [u v]'
template <class Real>
struct SegmentPair {
  Real aa, ab, bb, u, v;

  LOCKSTEP_FN static Real limit(Real x) { return clamp(x, Real(-1), Real(1)); }
  // nearest to a point of the other segment
  LOCKSTEP_FN Real first_at(Real x2) const { return (u + ab * x2) * (Real(1) / aa); }
  LOCKSTEP_FN Real second_at(Real x1) const { return (v + ab * x1) * (Real(1) / bb); }
};

// offset leads from the middle of the first to the middle of the second
template <class Real>
LOCKSTEP_FN SegmentPair<Real> segment_pair(const Vec3<Real>& half1, const Vec3<Real>& half2,
                                           const Vec3<Real>& offset) {
  return {dot(half1, half1), dot(half1, half2), dot(half2, half2), dot(half1, offset),
          -dot(half2, offset)};
}

template <class Real>
struct SegmentPoints {
  Real x1, x2;
  Real stop;  // end of the first segment that limited it last, -1 or 1; 0 if none did
};

// nearest points of segments that are not parallel, from those of their lines: the first is
// limited, then the second, then the first again
template <class Real>
LOCKSTEP_FN SegmentPoints<Real> nearest_points(const SegmentPair<Real>& s, Real x1, Real x2) {
  const Mask<Real> outside1 = abs(x1) > Real(1);
  Real stop = select(outside1, sign(x1), Real(0));
  x1 = s.limit(x1);
  x2 = select(outside1, s.second_at(x1), x2);
  const Mask<Real> outside2 = abs(x2) > Real(1);
  x2 = s.limit(x2);
  const Real again = s.first_at(x2);
  stop = select(outside2 && abs(again) > Real(1), sign(again), stop);
  x1 = select(outside2, s.limit(again), x1);
  return {x1, x2, stop};
}
template <class Real>
LOCKSTEP_FN SegmentPoints<Real> nearest_points(const SegmentPair<Real>& s, Real inverse_det) {
  return nearest_points(s, (s.bb * s.u + s.ab * s.v) * inverse_det,
                        (s.aa * s.v + s.ab * s.u) * inverse_det);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
