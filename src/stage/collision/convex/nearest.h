// nearest.h: the nearest points of two geoms of a world, in one lane.
#pragma once

#include "stage/collision/convex/convex.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// whether distances from a geom are known: planes and all convex shapes
LOCKSTEP_FN bool has_distance(GeomType type) { return type == GeomType::plane || is_convex(type); }

// of two geoms that have one, at most `cutoff`; two planes are never near
template <class Real>
LOCKSTEP_FN ConvexContact<Scalar<Real>> nearest_points(const ModelView<Real>& m,
                                                       const DataView<Real>& d, int geom1,
                                                       int geom2, int k, Scalar<Real> cutoff,
                                                       const ConvexWork<Scalar<Real>>& work) {
  using T = Scalar<Real>;
  const bool flip = m.geom_type[geom1] > m.geom_type[geom2];
  const ConvexShape<T> a = convex_shape(m, d, flip ? geom2 : geom1, k);
  const ConvexShape<T> b = convex_shape(m, d, flip ? geom1 : geom2, k);
  ConvexContact<T> c{};
  c.dist = cutoff;
  if (a.type != GeomType::plane) {
    c = convex_contact(a, b, cutoff, lane(Real(m.opt.ccd_tolerance), k), work);
  } else if (b.type != GeomType::plane) {
    c = plane_contact(a, b, cutoff);
  }
  if (!flip) return c;
  const Vec3<T> first = c.point2;
  c.point2 = c.point1;
  c.point1 = first;
  c.normal = -c.normal;
  return c;
}

// working memory where nobody can allocate; a search that needs more rounds ends with what it has
template <class T>
struct FewRounds {
  static constexpr int rounds = 64;
  ConvexVertex<T> vertex[4 + rounds];
  ConvexFace<T> face[3 * (4 + rounds)];
  int integer[4 * (4 + rounds)];

  LOCKSTEP_INLINE ConvexWork<T> work(int wanted) {
    return {vertex, face, integer, min(max(wanted, 0), rounds)};
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
