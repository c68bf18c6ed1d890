// convex.h: distance or depth of any two convex shapes, with the normal and the nearest points.
//   dist = |v| - r_a - r_b   while the cores are apart (gjk.h),
//   dist = -depth - r_a - r_b   once they overlap (epa.h); the last digits of both by polish.h:
// a ball around a core adds its radius to the support in every direction, so both are exact.
// every loop is bounded by the iterations; shapes of no size and non-finite poses have an answer.
#pragma once

#include "stage/collision/convex/polish.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct ConvexContact {
  T dist;                  // negative: depth
  Vec3<T> normal;          // from the first shape to the second
  Vec3<T> point1, point2;  // nearest or deepest points of both; point2 - point1 = dist normal
  bool found;              // nearer than the cutoff
};

template <class T>
LOCKSTEP_FN bool is_finite_shape(const ConvexShape<T>& s) {
  T sum = s.pos.x + s.pos.y + s.pos.z + s.size.x + s.size.y + s.size.z;
  for (int i = 0; i < 9; i++) sum = sum + s.mat[i];
  return is_finite(sum);
}

// the answer for a pair that is nearer than `cutoff`; none for a pose that is not finite
template <class T>
LOCKSTEP_FN ConvexContact<T> convex_contact(const ConvexShape<T>& first,
                                            const ConvexShape<T>& second, T cutoff, T tolerance,
                                            const ConvexWork<T>& work) {
  ConvexContact<T> c{};
  c.dist = cutoff;
  c.normal = {T(1), T(0), T(0)};
  ConvexPair<T> pair{first, second};
  if (!is_finite_shape(first) || !is_finite_shape(second)) return c;
  // numbers are small near the first shape, wherever the pair is
  const Vec3<T> origin = first.pos;
  pair.a.pos = {T(0), T(0), T(0)};
  pair.b.pos = second.pos - origin;
  const T radii = first.radius + second.radius;
  const Gjk<T> g = gjk(pair, tolerance, cutoff + radii, max(work.iterations, 1));
  if (g.end == GjkEnd::beyond) return c;
  Depth<T> deep{};  // negative while the cores are apart
  if (g.end == GjkEnd::separated) {
    const T length = norm(g.v);
    deep = {-length, g.v * (T(-1) / length), g.on_a(), g.on_b(), g.rounds};
  } else {
    deep = epa(pair, g, tolerance, work);
  }
  polish(pair, deep, tolerance, g.scale);
  // both on one line along the normal, whatever the search left open
  const Vec3<T> middle = (deep.a + deep.b) * T(0.5), half = deep.normal * (T(0.5) * deep.depth);
  c.dist = -deep.depth - radii;
  c.normal = deep.normal;
  c.point1 = middle + half;
  c.point2 = middle - half;
  if (!(c.dist < cutoff)) {
    c = ConvexContact<T>{};
    c.dist = cutoff;
    c.normal = {T(1), T(0), T(0)};
    return c;
  }
  c.found = true;
  c.point1 += origin + c.normal * first.radius;
  c.point2 += origin - c.normal * second.radius;
  return c;
}

// the same for a plane (normal: third column of its matrix) and a convex shape
template <class T>
LOCKSTEP_FN ConvexContact<T> plane_contact(const ConvexShape<T>& plane,
                                           const ConvexShape<T>& second, T cutoff) {
  ConvexContact<T> c{};
  c.normal = col(plane.mat, 2);
  c.dist = cutoff;
  if (!is_finite_shape(plane) || !is_finite_shape(second)) return c;
  ConvexShape<T> shape = second;
  const Vec3<T> point = support(shape, -c.normal) - c.normal * shape.radius;
  const T dist = dot(c.normal, point - plane.pos);
  if (!(dist < cutoff)) return c;
  c.found = true;
  c.dist = dist;
  c.point2 = point;
  c.point1 = point - c.normal * dist;
  return c;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
