// near.h: the nearest points of two geoms, or of any geoms of two bodies: their distance, the
// direction from the first to the second, and the segment. Farther than the cutoff is the cutoff,
// with zeros for the direction and the segment.
#pragma once

#include "stage/collision/convex/nearest.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SensorView;

// one geom, or those of a body
struct GeomRange {
  int first, count;
};
template <class Real>
LOCKSTEP_INLINE GeomRange geoms_of(const ModelView<Real>& m, ObjType type, int id) {
  if (type == ObjType::body) return {m.body_geomadr[id], m.body_geomnum[id]};
  return {id, 1};
}

template <class T>
struct NearestSegment {
  T dist;
  Vec3<T> from, to;
};

template <class Real>
LOCKSTEP_FN NearestSegment<Scalar<Real>> nearest_segment(const SensorView<Real>& s, int k) {
  using T = Scalar<Real>;
  const ModelView<Real>& m = s.m;
  const T cutoff = lane(m.sensor_cutoff[s.id], k);
  const Vec3<T> none{T(0), T(0), T(0)};
  NearestSegment<T> best{cutoff, none, none};
  FewRounds<T> room;
  const ConvexWork<T> work = room.work(m.opt.ccd_iterations);
  const GeomRange first = geoms_of(m, s.obj_type(), s.obj());
  const GeomRange second = geoms_of(m, s.ref_type(), s.ref());
  for (int a = first.first; a < first.first + first.count; a++) {
    for (int b = second.first; b < second.first + second.count; b++) {
      if (!has_distance(GeomType(m.geom_type[a])) || !has_distance(GeomType(m.geom_type[b]))) {
        continue;
      }
      const ConvexContact<T> c = nearest_points(m, s.d, a, b, k, cutoff, work);
      if (c.found && c.dist < best.dist) best = {c.dist, c.point1, c.point2};
    }
  }
  return best;
}

template <class Real>
LOCKSTEP_FN void sensor_geomdist(const SensorView<Real>& s) {
  for_each_lane<Real>([&](int k) { set_lane(s.out()[0], k, nearest_segment(s, k).dist); });
}

template <class Real>
LOCKSTEP_FN void sensor_geomnormal(const SensorView<Real>& s) {
  using T = Scalar<Real>;
  for_each_lane<Real>([&](int k) {
    const NearestSegment<T> nearest = nearest_segment(s, k);
    const Vec3<T> along = nearest.to - nearest.from, zero{T(0), T(0), T(0)};
    const Vec3<T> unit = along == zero ? zero : normalize(along);
    for (int i = 0; i < 3; i++) set_lane(s.out()[i], k, unit[i]);
  });
}

template <class Real>
LOCKSTEP_FN void sensor_geomfromto(const SensorView<Real>& s) {
  for_each_lane<Real>([&](int k) {
    const auto nearest = nearest_segment(s, k);
    for (int i = 0; i < 3; i++) {
      set_lane(s.out()[i], k, nearest.from[i]);
      set_lane(s.out()[3 + i], k, nearest.to[i]);
    }
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
