// manifold.h: several contacts of two convex shapes that touch with flat sides, or with a side and
// an edge.
// two sides: the second is projected onto the first and clipped by its outline; an edge is clipped
// by the outline of the side it lies on. what is near the other side makes contacts along its
// normal:   dist_i = n . (p_i - q),   at most four, which span almost the largest area
#pragma once

#include "stage/collision/convex/features.h"
#include "stage/collision/convex/search.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_multi = 4;  // contacts

template <class T>
struct Manifold {
  Vec3<T> normal;  // from the first shape to the second
  Vec3<T> pos[most_multi];
  T dist[most_multi];
  int count = 0;
};

// points on their way through clipping; a convex outline may gain one corner per cut
template <class T>
struct Outline {
  Vec3<T> point[2 * most_corners];
  int count = 0;
};

// cuts a closed outline, which may be a segment there and back, at a plane: what stays has
// m . (x - q) >= 0. begins with the second point, as the end of the first edge
template <class T>
LOCKSTEP_FN void cut(const Outline<T>& from, const Vec3<T>& m, const Vec3<T>& q, Outline<T>& to) {
  to.count = 0;
  const auto add = [&](const Vec3<T>& p) {
    if (to.count < 2 * most_corners) to.point[to.count++] = p;
  };
  for (int i = 0; i < from.count; i++) {
    const Vec3<T>&a = from.point[i], &b = from.point[i + 1 < from.count ? i + 1 : 0];
    const T in1 = dot(m, a - q), in2 = dot(m, b - q);
    const bool keep1 = in1 > T(-min_val), keep2 = in2 > T(-min_val);
    if (keep1 != keep2) {
      const Vec3<T> along = b - a;
      add(a + along * clamp(in1 / (in1 - in2), T(0), T(1)));
    }
    if (keep2) add(b);
  }
}

// what of an outline lies over a side, looking along its normal
template <class T>
LOCKSTEP_FN void clip(Outline<T>& outline, const ConvexSide<T>& side) {
  Outline<T> other;
  Outline<T>*now = &outline, *then = &other;  // they take turns: outlines are too large to copy
  for (int k = 0; k < side.count && now->count; k++) {
    const Vec3<T> from = side.corner[k], to = side.corner[k + 1 < side.count ? k + 1 : 0];
    cut(*now, normalize(cross(to - from, side.normal)), from, *then);
    Outline<T>* const last = now;
    now = then;
    then = last;
  }
  if (now == &outline) return;
  outline.count = now->count;
  for (int i = 0; i < now->count; i++) outline.point[i] = now->point[i];
}

// four corners a, b, c, d in order that span a large area: d moves on as long as the area grows,
// after each move c and b follow; then a moves. MuJoCo chooses the same four
template <class T>
LOCKSTEP_FN void keep_four(Outline<T>& o) {
  const int n = o.count;
  if (n <= most_multi) return;
  const auto next = [n](int i) { return i + 1 < n ? i + 1 : 0; };
  const auto area = [&](const int* at) {
    return norm(cross(o.point[at[2]] - o.point[at[0]], o.point[at[3]] - o.point[at[1]]));
  };
  int now[most_multi] = {0, 1, 2, 3}, best[most_multi] = {0, 1, 2, 3};
  T most = area(now);
  const auto grow = [&](int which) {
    int tried[most_multi] = {now[0], now[1], now[2], now[3]};
    tried[which] = next(now[which]);
    const T there = area(tried);
    if (!(there > most)) return false;
    most = there;
    for (int m = 0; m < most_multi; m++) best[m] = now[m] = tried[m];
    return true;
  };
  for (; now[0] < n; now[0]++) {
    while (grow(3)) {
      while (grow(2)) {
      }
      while (grow(1)) {
      }
    }
    for (int m = 1; m < most_multi && now[m] == now[m - 1]; m++) now[m] = next(now[m]);
  }
  Vec3<T> kept[most_multi];
  for (int m = 0; m < most_multi; m++) kept[m] = o.point[best[m]];
  for (int m = 0; m < most_multi; m++) o.point[m] = kept[m];
  o.count = most_multi;
}

// the two points of a clipped edge that are farthest from each other
template <class T>
LOCKSTEP_FN void keep_ends(Outline<T>& o) {
  if (o.count <= 2) return;
  int first = 0, second = 1;
  T most(0);
  for (int i = 0; i < o.count; i++) {
    for (int j = i + 1; j < o.count; j++) {
      const Vec3<T> between = o.point[j] - o.point[i];
      if (!(dot(between, between) > most)) continue;
      most = dot(between, between);
      first = i;
      second = j;
    }
  }
  const Vec3<T> a = o.point[first], b = o.point[second];
  o.point[0] = a;
  o.point[1] = b;
  o.count = 2;
}

// contacts of a clipped feature of one shape with a side of the other, as far as they are near.
// where the feature is a side itself, its points are moved onto the first of both sides, and the
// distance is what they are moved by, along the normal of the second
template <class T>
LOCKSTEP_FN void touch(Outline<T>& feature, const ConvexSide<T>& on, const Vec3<T>& normal,
                       bool edge, T reach, Manifold<T>& out) {
  const auto moved = [&](const Vec3<T>& p) {
    return edge ? p : p - on.normal * dot(on.normal, p - on.corner[0]);
  };
  const auto dist = [&](const Vec3<T>& p) {
    return dot(normal, edge ? p - on.corner[0] : moved(p) - p);
  };
  int kept = 0;
  for (int i = 0; i < feature.count; i++) {
    if (dist(feature.point[i]) <= reach) feature.point[kept++] = feature.point[i];
  }
  feature.count = kept;
  keep_four(feature);
  if (edge) keep_ends(feature);
  out.count = feature.count;
  for (int i = 0; i < out.count; i++) {
    out.dist[i] = dist(feature.point[i]);
    out.pos[i] = moved(feature.point[i]) - normal * (T(0.5) * out.dist[i]);
  }
}

template <class T>
LOCKSTEP_FN bool has_flat_parts(const ConvexShape<T>& s) {
  return s.type == GeomType::capsule || s.type == GeomType::cylinder || s.type == GeomType::box ||
         s.type == GeomType::mesh;
}

// one of two shapes with what it touches
template <class T, class Real>
struct TouchShape {
  const ConvexShape<T>& shape;
  const HullPolygons<Real>& polygons;
  TouchCorners<T> corners;
  SideNumbers sides;

  LOCKSTEP_INLINE Vec3<T> normal(int i) const { return side_normal(shape, polygons, sides[i]); }
};

// an edge of one shape on a side of the other that looks along a direction
template <class T, class Real>
LOCKSTEP_FN bool lay_edge(const TouchShape<T, Real>& lies, const TouchShape<T, Real>& on,
                          const Vec3<T>& outward, bool second, T reach, Manifold<T>& out) {
  const int edges = touching_edges(lies.shape, lies.polygons, lies.corners);
  const T grown = lies.shape.type == GeomType::capsule ? T(0.5) * max(reach, T(0)) : T(0);
  for (int i = 0; i < on.sides.count; i++) {
    const Vec3<T> normal = on.normal(i);
    if (!(dot(normal, outward) > T(min_val))) continue;
    for (int k = 0; k < edges; k++) {
      const ConvexEdge<T> edge =
          touching_edge(lies.shape, lies.polygons, lies.corners, -outward, grown, k);
      if (!(abs(dot(edge.along, normal)) < T(edge_lies))) continue;
      ConvexSide<T> side;
      get_side(on.shape, on.polygons, on.sides[i], side);
      Outline<T> feature;
      feature.count = 2;
      for (int e = 0; e < 2; e++) feature.point[e] = edge.end[e];
      clip(feature, side);
      for (int e = 0; e < feature.count; e++) feature.point[e] += normal * grown;
      touch(feature, side, side.normal, true, reach, out);
      out.normal = second ? -side.normal : side.normal;
      return true;
    }
  }
  return false;
}

// all contacts of a pair whose single contact is known; empty if that is all there is
template <class T, class Real>
LOCKSTEP_FN Manifold<T> manifold(const ConvexShape<T>& a, const HullPolygons<Real>& polygons_a,
                                 const ConvexShape<T>& b, const HullPolygons<Real>& polygons_b,
                                 const Found<T>& found, T reach) {
  Manifold<T> out;
  if (!has_flat_parts(a) || !has_flat_parts(b)) return out;
  const Vec3<T> outward = normalize(found.a - found.b);
  const bool grown = reach > T(0);
  TouchShape<T, Real> first{a, polygons_a, touch_corners(a, found.touching, 0, grown), {}};
  TouchShape<T, Real> second{b, polygons_b, touch_corners(b, found.touching, 1, grown), {}};
  first.sides = touching_sides(a, polygons_a, first.corners, outward);
  second.sides = touching_sides(b, polygons_b, second.corners, -outward);
  // the two sides that are most parallel
  int best1 = -1, best2 = -1;
  T most(-sides_face);
  for (int i = 0; i < first.sides.count; i++) {
    for (int k = 0; k < second.sides.count; k++) {
      const T cosine = dot(first.normal(i), second.normal(k));
      if (!(cosine < most)) continue;
      most = cosine;
      best1 = first.sides[i];
      best2 = second.sides[k];
    }
  }
  if (best1 >= 0) {
    ConvexSide<T> side1, side2;
    get_side(a, polygons_a, best1, side1);
    get_side(b, polygons_b, best2, side2);
    Outline<T> feature;
    feature.count = side2.count;
    for (int j = 0; j < side2.count; j++) feature.point[j] = side2.corner[j];
    clip(feature, side1);
    touch(feature, side1, side2.normal, false, reach, out);
    out.normal = -side2.normal;
    return out;
  }
  if (first.corners.count < 3 && lay_edge(first, second, -outward, true, reach, out)) {
    return out;
  }
  if (second.corners.count < 3) lay_edge(second, first, outward, false, reach, out);
  return out;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
