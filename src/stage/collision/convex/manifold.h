// manifold.h: several contacts of two convex shapes that touch with flat sides, or with a side and
// an edge.
// two sides: the second is projected onto the first and clipped by its outline; an edge is clipped
// by the outline of the side it lies on. what is near the other side makes contacts along its
// normal:   dist_i = n . (p_i - q),   at most four, which span almost the largest area
#pragma once

#include "stage/collision/convex/convex.h"
#include "stage/collision/convex/features.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double sides_face = 0.996;  // cosine at which two sides count as parallel
inline constexpr double edge_lies = 0.0888;  // sine up to which an edge lies on a side
inline constexpr int most_multi = 4;         // contacts

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
    if (keep1 != keep2) add(a + (b - a) * clamp(in1 / (in1 - in2), T(0), T(1)));
    if (keep2) add(b);
  }
}

// what of an outline lies over a side, looking along its normal
template <class T>
LOCKSTEP_FN void clip(Outline<T>& outline, const ConvexSide<T>& side) {
  Outline<T> other;
  for (int k = 0; k < side.count && outline.count; k++) {
    const Vec3<T> from = side.corner[k], to = side.corner[k + 1 < side.count ? k + 1 : 0];
    cut(outline, cross(to - from, side.normal), from, other);
    outline = other;
  }
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

// without points farther than the reach from the side, and without repeated ones
template <class T>
LOCKSTEP_FN void keep_near(Outline<T>& o, const ConvexSide<T>& side, T reach, T same) {
  int kept = 0;
  for (int i = 0; i < o.count; i++) {
    const Vec3<T> p = o.point[i];
    bool keep = dot(side.normal, p - side.corner[0]) <= reach;
    for (int k = 0; k < kept && keep; k++) keep = distance(p, o.point[k]) > same;
    if (keep) o.point[kept++] = p;
  }
  o.count = kept;
}

// contacts of a clipped feature of one shape with a side of the other
template <class T>
LOCKSTEP_FN void touch(Outline<T>& feature, const ConvexSide<T>& side, bool second, T reach,
                       Manifold<T>& out) {
  const T same = T(1e-6) * distance(side.corner[0], side.corner[side.count / 2]);
  keep_near(feature, side, reach, same);
  keep_four(feature);
  out.normal = second ? -side.normal : side.normal;
  out.count = feature.count;
  for (int i = 0; i < out.count; i++) {
    out.dist[i] = dot(side.normal, feature.point[i] - side.corner[0]);
    out.pos[i] = feature.point[i] - side.normal * (T(0.5) * out.dist[i]);
  }
}

template <class T>
LOCKSTEP_FN bool has_flat_parts(const ConvexShape<T>& s) {
  return s.type == GeomType::capsule || s.type == GeomType::cylinder || s.type == GeomType::box ||
         s.type == GeomType::mesh;
}

// the side at a point of the surface on which an edge lies, whichever way that looks
template <class Real, class T = Scalar<Real>>
LOCKSTEP_FN void side_under(ConvexShape<T>& s, const HullPolygons<Real>& p, const Vec3<T>& n,
                            const Vec3<T>& point, const Vec3<T>& along, ConvexSide<T>& out) {
  const Vec3<T> edge = mul_transposed(s.mat, along);
  const T near = T(1e-6) * (s.size.x + s.size.y);
  const int number = find_side(s, p, mul_transposed(s.mat, n), mul_transposed(s.mat, point - s.pos),
                               [&](const Vec3<T>& normal, T below) {
                                 return below < near && abs(dot(edge, normal)) < T(edge_lies);
                               });
  get_side(s, p, number, out);
}

// all contacts of a pair whose single contact is known; empty if that is all there is
template <class Real, class T = Scalar<Real>>
LOCKSTEP_FN Manifold<T> manifold(ConvexShape<T>& a, const HullPolygons<Real>& polygons_a,
                                 ConvexShape<T>& b, const HullPolygons<Real>& polygons_b,
                                 const ConvexContact<T>& single, T reach) {
  Manifold<T> out;
  if (!has_flat_parts(a) || !has_flat_parts(b)) return out;
  const Vec3<T> normal = single.normal;
  ConvexSide<T> side1, side2;
  side_along(a, polygons_a, normal, side1);
  side_along(b, polygons_b, -normal, side2);
  const bool flat1 = side1.count && dot(side1.normal, normal) > T(sides_face);
  const bool flat2 = side2.count && dot(side2.normal, normal) < T(-sides_face);
  Outline<T> feature;
  if (side1.count && side2.count && dot(side1.normal, side2.normal) < T(-sides_face) &&
      (flat1 || flat2)) {
    feature.count = side2.count;
    for (int i = 0; i < side2.count; i++) {
      const Vec3<T> p = side2.corner[i];
      feature.point[i] = p - side1.normal * dot(side1.normal, p - side1.corner[0]);
    }
    clip(feature, side1);
    touch(feature, side2, true, reach, out);
    return out;
  }
  const auto lay = [&](const ConvexEdge<T>& edge, const ConvexSide<T>& side, bool second) {
    if (!edge.found || !side.count) return;
    if (!(abs(dot(edge.along, side.normal)) < T(edge_lies))) return;
    feature.count = 2;
    for (int i = 0; i < 2; i++) feature.point[i] = edge.end[i] + side.normal * edge.inflated;
    clip(feature, side);
    touch(feature, side, second, reach, out);
  };
  const T inflated = T(0.5) * max(reach, T(0));
  const bool round = a.type == GeomType::capsule || a.type == GeomType::cylinder;
  if (round || flat2) {
    const ConvexEdge<T> edge = edge_along(a, polygons_a, normal, inflated);
    if (round) side_under(b, polygons_b, -normal, single.point2, edge.along, side2);
    lay(edge, side2, true);
  }
  if (flat1 && out.count < 2) lay(edge_along(b, polygons_b, -normal, inflated), side1, false);
  return out;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
