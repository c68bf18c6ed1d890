// features.h: flat sides and straight edges of convex shapes, the outermost in a direction.
#pragma once

#include "stage/collision/convex/support.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_corners = 64;   // of a side; of larger ones, that many are taken
inline constexpr int round_corners = 16;  // of the polygon that stands for a disk

template <class T>
struct ConvexSide {
  Vec3<T> normal;  // outward, world
  Vec3<T> corner[most_corners];
  int count = 0;  // 0: no flat side
};
template <class T>
struct ConvexEdge {
  Vec3<T> end[2], along;  // unit
  T inflated = T(0);      // how far outside of the shape it is
  bool found = false;
};

// flat sides of a hull in one lane: vertices of each polygon, polygons at each vertex
template <class Real>
struct HullPolygons {
  const int *vertadr, *vertnum, *vert;  // of polygons
  const int *mapadr, *mapnum, *map;     // of vertices
  ConstView<Vec3<Real>, Real> normals;
  int first, lane_index;

  LOCKSTEP_INLINE Vec3<Scalar<Real>> normal(int polygon) const {
    const Vec3<Real> n = normals[first + polygon];
    return {lane(n.x, lane_index), lane(n.y, lane_index), lane(n.z, lane_index)};
  }
};

template <class T>
LOCKSTEP_INLINE Vec3<T> to_world(const ConvexShape<T>& s, const Vec3<T>& local) {
  return s.pos + s.mat * local;
}

// ---- sides ----

template <class T>
LOCKSTEP_FN void box_side(const ConvexShape<T>& s, int axis, bool upper, ConvexSide<T>& out) {
  out.normal = upper ? col(s.mat, axis) : -col(s.mat, axis);
  // corners as bits, upper in x 1, y 2, z 4; MuJoCo begins with the same ones
  constexpr int corners[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6},
                                 {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
  for (int k = 0; k < 4; k++) {
    const int bits = corners[2 * axis + !upper][k];
    Vec3<T> local = s.size;
    for (int i = 0; i < 3; i++) {
      if (!(bits >> i & 1)) local[i] = -local[i];
    }
    out.corner[k] = to_world(s, local);
  }
  out.count = 4;
}

// cosines of the corners of the polygon that stands for a disk, from the x axis on
template <class T>
LOCKSTEP_INLINE T round_cosine(int k) {
  constexpr double quarter[] = {1, 0.92387953251128675613, 0.70710678118654752440,
                                0.38268343236508977173, 0};
  k = ((k % round_corners) + round_corners) % round_corners;
  if (k > 8) k = 16 - k;
  return T(k <= 4 ? quarter[k] : -quarter[8 - k]);
}

template <class T>
LOCKSTEP_FN void cylinder_side(const ConvexShape<T>& s, bool upper, ConvexSide<T>& out) {
  const T side = upper ? T(1) : T(-1);
  out.normal = col(s.mat, 2) * side;
  for (int k = 0; k < round_corners; k++) {
    const T x = s.size.x * round_cosine<T>(k), y = s.size.x * round_cosine<T>(k - 4);
    out.corner[k] = to_world(s, Vec3<T>{x, -side * y, side * s.size.y});
  }
  out.count = round_corners;
}

template <class Real, class T = Scalar<Real>>
LOCKSTEP_FN void hull_side(const ConvexShape<T>& s, const HullPolygons<Real>& p, int polygon,
                           ConvexSide<T>& out) {
  out.normal = s.mat * p.normal(polygon);
  const int count = p.vertnum[polygon];
  out.count = min(count, most_corners);
  for (int k = 0; k < out.count; k++) {
    const int from = count <= most_corners ? k : int(int64_t(k) * count / most_corners);
    const int at = p.vert[p.vertadr[polygon] + count - 1 - from];
    out.corner[k] = to_world(s, hull_vertex<T>(s.hull, at));
  }
}

// calls f(side number, outward normal, distance below its plane of a point) for each flat side at
// the outermost corner along n until it says yes; all in the frame of the shape
template <class Real, class F, class T = Scalar<Real>>
LOCKSTEP_FN int find_side(ConvexShape<T>& s, const HullPolygons<Real>& p, const Vec3<T>& n,
                          const Vec3<T>& point, const F& f) {
  const T o(0);
  if (s.type == GeomType::box || s.type == GeomType::cylinder) {
    const bool box = s.type == GeomType::box;
    for (int axis = box ? 0 : 2; axis < 3; axis++) {
      const T sign = n[axis] < o ? T(-1) : T(1), size = box ? s.size[axis] : s.size.y;
      Vec3<T> normal{o, o, o};
      normal[axis] = sign;
      if (f(normal, size - sign * point[axis])) return 2 * axis + (sign < o);
    }
  } else if (s.type == GeomType::mesh && s.hull.count > 0) {
    const int vertex = support_vertex(s, n);
    const Vec3<T> corner = hull_vertex<T>(s.hull, vertex);
    for (int k = 0; k < p.mapnum[vertex]; k++) {
      const int polygon = p.map[p.mapadr[vertex] + k];
      const Vec3<T> normal = p.normal(polygon);
      if (f(normal, dot(normal, corner - point))) return polygon;
    }
  }
  return -1;
}

template <class Real, class T = Scalar<Real>>
LOCKSTEP_FN void get_side(const ConvexShape<T>& s, const HullPolygons<Real>& p, int number,
                          ConvexSide<T>& out) {
  out.count = 0;
  if (number < 0) return;
  if (s.type == GeomType::box) box_side(s, number / 2, number % 2 == 0, out);
  if (s.type == GeomType::cylinder) cylinder_side(s, number % 2 == 0, out);
  if (s.type == GeomType::mesh) hull_side(s, p, number, out);
}

// the flat side that looks most along a direction, corners clockwise from outside
template <class Real, class T = Scalar<Real>>
LOCKSTEP_FN void side_along(ConvexShape<T>& s, const HullPolygons<Real>& p, const Vec3<T>& n,
                            ConvexSide<T>& out) {
  const Vec3<T> local = mul_transposed(s.mat, n);
  T most(-2);
  find_side(s, p, local, local, [&](const Vec3<T>& normal, T) {
    most = max(dot(normal, local), most);
    return false;
  });
  const int best = find_side(s, p, local, local,
                             [&](const Vec3<T>& normal, T) { return dot(normal, local) >= most; });
  get_side(s, p, best, out);
}

// ---- edges ----

template <class T>
LOCKSTEP_FN ConvexEdge<T> edge_between(const Vec3<T>& a, const Vec3<T>& b) {
  return {{a, b}, normalize(b - a), T(0), true};
}

// the line of a capsule or of a cylinder's wall that is outermost along n. MuJoCo leaves the
// capsule's a little inside where n is not across the axis, and blows it up by half the reach first
template <class T>
LOCKSTEP_FN ConvexEdge<T> round_edge(const ConvexShape<T>& s, const Vec3<T>& n, T inflated) {
  const Vec3<T> axis = col(s.mat, 2), half = axis * s.size.y;
  const bool capsule = s.type == GeomType::capsule;
  const Vec3<T> across = n - axis * dot(axis, n);
  if (!capsule) {
    const Vec3<T> middle = s.pos + normalize(across) * s.size.x;
    return edge_between(middle + half, middle - half);
  }
  const Vec3<T> middle = s.pos + across * (s.size.x + inflated);
  ConvexEdge<T> edge = edge_between(middle - half, middle + half);
  edge.inflated = inflated;
  return edge;
}

// of the edges at the outermost corner, the one that is most across n
template <class T>
LOCKSTEP_FN ConvexEdge<T> box_edge(const ConvexShape<T>& s, const Vec3<T>& n) {
  Vec3<T> corner{copysign(s.size.x, n.x), copysign(s.size.y, n.y), copysign(s.size.z, n.z)};
  const Vec3<T> size = abs(n);
  const int axis = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
  Vec3<T> other = corner;
  other[axis] = -other[axis];
  return edge_between(to_world(s, corner), to_world(s, other));
}

template <class Real, class T = Scalar<Real>>
LOCKSTEP_FN ConvexEdge<T> hull_edge(ConvexShape<T>& s, const HullPolygons<Real>& p,
                                    const Vec3<T>& n) {
  ConvexEdge<T> edge;
  if (s.hull.count <= 0) return edge;
  const int vertex = support_vertex(s, n);
  const Vec3<T> here = hull_vertex<T>(s.hull, vertex);
  T least(2);
  int best = -1;
  for (int k = 0; k < p.mapnum[vertex]; k++) {
    const int polygon = p.map[p.mapadr[vertex] + k];
    const int *list = p.vert + p.vertadr[polygon], count = p.vertnum[polygon];
    for (int i = 0; i < count; i++) {
      if (list[i] != vertex) continue;
      const int next = list[(i + 1) % count];
      const T slope = abs(dot(normalize(hull_vertex<T>(s.hull, next) - here), n));
      if (!(slope < least)) continue;
      least = slope;
      best = next;
    }
  }
  if (best < 0) return edge;
  return edge_between(to_world(s, here), to_world(s, hull_vertex<T>(s.hull, best)));
}

template <class Real, class T = Scalar<Real>>
LOCKSTEP_FN ConvexEdge<T> edge_along(ConvexShape<T>& s, const HullPolygons<Real>& p,
                                     const Vec3<T>& n, T inflated) {
  const Vec3<T> local = mul_transposed(s.mat, n);
  switch (s.type) {
    case GeomType::capsule:
    case GeomType::cylinder: return round_edge(s, n, inflated);
    case GeomType::box: return box_edge(s, local);
    case GeomType::mesh: return hull_edge(s, p, local);
    default: return {};
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
