// features.h: flat sides of convex shapes by their number, and the edges and sides that meet at a
// corner. numbers: of a box 2 axis + (lower), of a cylinder 0 (upper) and 1, of a hull its
// polygons.
#pragma once

#include "stage/collision/convex/search_shape.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_corners = 256;     // of a side; of larger ones, that many are taken
inline constexpr int round_corners = 16;     // of the polygon that stands for a disk
inline constexpr double sides_face = 0.996;  // cosine at which two sides count as parallel
inline constexpr double edge_lies = 0.0888;  // sine up to which an edge lies on a side

template <class T>
struct ConvexSide {
  Vec3<T> normal;  // outward, world
  Vec3<T> corner[most_corners];
  int count = 0;  // 0: no flat side
};

// flat sides of a hull in one lane: vertices of each polygon, polygons at each vertex
template <class Real>
struct HullPolygons {
  const int *vertadr, *vertnum, *vert;  // of polygons
  const int *mapadr, *mapnum, *map;     // of vertices
  ConstView<Vec3<Real>, Real> normals;
  int first, lane_index;

  template <class T>
  LOCKSTEP_INLINE Vec3<T> normal(int polygon) const {
    const Vec3<Real> n = normals[first + polygon];
    return {T(lane(n.x, lane_index)), T(lane(n.y, lane_index)), T(lane(n.z, lane_index))};
  }
  LOCKSTEP_INLINE const int* at(int vertex) const { return map + mapadr[vertex]; }
  LOCKSTEP_INLINE const int* outline(int polygon) const { return vert + vertadr[polygon]; }
};

template <class T>
LOCKSTEP_INLINE Vec3<T> to_world(const ConvexShape<T>& s, const Vec3<T>& local) {
  return s.pos + s.mat * local;
}

// ---- sides: corners clockwise from outside ----

// corners of a box as bits, upper in x 1, y 2, z 4
template <class T>
LOCKSTEP_FN Vec3<T> box_corner(const ConvexShape<T>& s, int bits) {
  Vec3<T> local = s.size;
  for (int i = 0; i < 3; i++) {
    if (!(bits >> i & 1)) local[i] = -local[i];
  }
  return to_world(s, local);
}

template <class T>
LOCKSTEP_FN void box_side(const ConvexShape<T>& s, int number, ConvexSide<T>& out) {
  constexpr int corners[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6},
                                 {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};
  for (int k = 0; k < 4; k++) out.corner[k] = box_corner(s, corners[number][k]);
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
LOCKSTEP_FN void cylinder_side(const ConvexShape<T>& s, int number, ConvexSide<T>& out) {
  const T side = number ? T(-1) : T(1);
  for (int k = 0; k < round_corners; k++) {
    const T x = s.size.x * round_cosine<T>(k), y = s.size.x * round_cosine<T>(k - 4);
    out.corner[k] = to_world(s, Vec3<T>{x, -side * y, side * s.size.y});
  }
  out.count = round_corners;
}

template <class T, class Real>
LOCKSTEP_FN void hull_side(const ConvexShape<T>& s, const HullPolygons<Real>& p, int polygon,
                           ConvexSide<T>& out) {
  const int count = p.vertnum[polygon];
  out.count = min(count, most_corners);
  for (int k = 0; k < out.count; k++) {
    const int from = count <= most_corners ? k : int(int64_t(k) * count / most_corners);
    const int at = p.outline(polygon)[count - 1 - from];
    out.corner[k] = to_world(s, hull_vertex<T>(s.hull, at));
  }
}

template <class T, class Real>
LOCKSTEP_FN Vec3<T> side_normal(const ConvexShape<T>& s, const HullPolygons<Real>& p, int number) {
  if (s.type == GeomType::mesh) return s.mat * p.template normal<T>(number);
  const int axis = s.type == GeomType::box ? number / 2 : 2;
  const Vec3<T> along = col(s.mat, axis);
  return number % 2 ? -along : along;
}

template <class T, class Real>
LOCKSTEP_FN void get_side(const ConvexShape<T>& s, const HullPolygons<Real>& p, int number,
                          ConvexSide<T>& out) {
  out.normal = side_normal(s, p, number);
  if (s.type == GeomType::box) box_side(s, number, out);
  if (s.type == GeomType::cylinder) cylinder_side(s, number, out);
  if (s.type == GeomType::mesh) hull_side(s, p, number, out);
}

// the flat side of a hull that looks most along a direction, of those at its outermost vertex
template <class T, class Real>
LOCKSTEP_FN void hull_side_along(ConvexShape<T>& s, const HullPolygons<Real>& p, const Vec3<T>& n,
                                 ConvexSide<T>& out) {
  const Vec3<T> local = mul_transposed(s.mat, n);
  const int vertex = support_vertex(s, local);
  int best = -1;
  T most(-2);
  for (int k = 0; k < p.mapnum[vertex]; k++) {
    const int polygon = p.at(vertex)[k];
    const T value = dot(p.template normal<T>(polygon), local);
    if (!(value > most)) continue;
    most = value;
    best = polygon;
  }
  if (best >= 0) get_side(s, p, best, out);
}

// ---- what a shape touches with: up to three of its corners ----

template <class T>
struct TouchCorners {
  int index[3];
  Vec3<T> point[3];
  int count;  // that differ
};

// the corner itself, without the margin that a search adds
template <class T>
LOCKSTEP_FN Vec3<T> bare_corner(const ConvexShape<T>& s, int index, const Vec3<T>& grown) {
  if (s.type == GeomType::box) return box_corner(s, index);
  if (s.type == GeomType::mesh) return to_world(s, hull_vertex<T>(s.hull, index));
  if (s.type != GeomType::cylinder) return grown;
  const Vec3<T> local = mul_transposed(s.mat, grown - s.pos);
  const T across = sqrt(local.x * local.x + local.y * local.y);
  const T scale = across > T(min_val) ? s.size.x / across : T(0);
  return to_world(s, Vec3<T>{local.x * scale, local.y * scale, index ? -s.size.y : s.size.y});
}

template <class T>
LOCKSTEP_FN TouchCorners<T> touch_corners(const ConvexShape<T>& s, const SearchVertex<T>* v,
                                          int which, bool grown) {
  TouchCorners<T> c;
  for (int i = 0; i < 3; i++) {
    c.index[i] = v[i].corner[which];
    c.point[i] = which ? v[i].b : v[i].a;
    if (grown) c.point[i] = bare_corner(s, c.index[i], c.point[i]);
  }
  if (c.index[0] != c.index[1]) {
    c.count = c.index[2] == c.index[0] || c.index[2] == c.index[1] ? 2 : 3;
    return c;
  }
  c.count = c.index[0] == c.index[2] ? 1 : 2;
  c.index[1] = c.index[2];
  c.point[1] = c.point[2];
  return c;
}

// numbers of sides
struct SideNumbers {
  const int* list = nullptr;  // null: own
  int own[3] = {};
  int count = 0;

  LOCKSTEP_INLINE int operator[](int i) const { return list ? list[i] : own[i]; }
  LOCKSTEP_INLINE void add(int number) { own[count++] = number; }
};

// sides of a box at all of some corners; if that is no side, edge or corner, the one that looks
// along a direction
template <class T>
LOCKSTEP_FN SideNumbers box_sides(const ConvexShape<T>& s, const TouchCorners<T>& c,
                                  const Vec3<T>& outward) {
  SideNumbers sides;
  int all = 7, none = 7;
  for (int i = 0; i < c.count; i++) {
    all &= c.index[i];
    none &= ~c.index[i];
  }
  for (int axis = 0; axis < 3; axis++) {
    if (all >> axis & 1) sides.add(2 * axis);
    if (none >> axis & 1) sides.add(2 * axis + 1);
  }
  if (sides.count == 4 - c.count) return sides;
  sides.count = 0;
  const Vec3<T> n = normalize(mul_transposed(s.mat, outward));
  for (int number = 0; number < 6 && !sides.count; number++) {
    if ((number % 2 ? -n[number / 2] : n[number / 2]) > T(sides_face)) sides.add(number);
  }
  return sides;
}

// polygons of a hull at all of some vertices; of two vertices at most two
template <class Real, class T>
LOCKSTEP_FN SideNumbers hull_sides(const HullPolygons<Real>& p, const TouchCorners<T>& c) {
  SideNumbers sides;
  const int* list = p.at(c.index[0]);
  const int count = p.mapnum[c.index[0]];
  if (c.count == 1) return {list, {}, count};
  const auto touches = [&](int vertex, int polygon) {
    for (int k = 0; k < p.mapnum[vertex]; k++) {
      if (p.at(vertex)[k] == polygon) return true;
    }
    return false;
  };
  for (int i = 0; i < count && sides.count < 2; i++) {
    if (touches(c.index[1], list[i])) sides.add(list[i]);
  }
  if (c.count == 2) return sides;
  SideNumbers common;
  for (int i = 0; i < sides.count && !common.count; i++) {
    if (touches(c.index[2], sides[i])) common.add(sides[i]);
  }
  return common;
}

template <class T, class Real>
LOCKSTEP_FN SideNumbers touching_sides(const ConvexShape<T>& s, const HullPolygons<Real>& p,
                                       const TouchCorners<T>& c, const Vec3<T>& outward) {
  SideNumbers sides;
  if (s.type == GeomType::box) return box_sides(s, c, outward);
  if (s.type == GeomType::mesh) return hull_sides(p, c);
  if (s.type == GeomType::cylinder && c.count == 1) sides.add(c.index[0]);
  return sides;
}

template <class T>
struct ConvexEdge {
  Vec3<T> end[2], along;  // unit
};

// how many edges leave the first corner, or the two corners span
template <class T, class Real>
LOCKSTEP_FN int touching_edges(const ConvexShape<T>& s, const HullPolygons<Real>& p,
                               const TouchCorners<T>& c) {
  if (c.count > 2) return 0;
  if (s.type == GeomType::capsule || s.type == GeomType::cylinder || c.count == 2) return 1;
  return s.type == GeomType::box ? 3 : p.mapnum[c.index[0]];
}

// outward: a unit vector
template <class T, class Real>
LOCKSTEP_FN ConvexEdge<T> touching_edge(const ConvexShape<T>& s, const HullPolygons<Real>& p,
                                        const TouchCorners<T>& c, const Vec3<T>& outward, T grown,
                                        int number) {
  ConvexEdge<T> edge;
  edge.end[0] = c.point[0];
  const Vec3<T> axis = col(s.mat, 2);
  if (s.type == GeomType::capsule) {
    // a little inside the wall where the direction is not across the axis
    const Vec3<T> line = s.pos + (outward - axis * dot(axis, outward)) * (s.size.x + grown);
    return {{line - axis * s.size.y, line + axis * s.size.y}, axis};
  }
  if (s.type == GeomType::cylinder) {
    edge.along = c.index[0] ? axis : -axis;
    edge.end[1] = c.point[0] + edge.along * (T(2) * s.size.y);
    return edge;
  }
  if (c.count == 2) {
    edge.end[1] = c.point[1];
  } else if (s.type == GeomType::box) {
    edge.end[1] = box_corner(s, c.index[0] ^ (1 << number));
  } else {
    const int polygon = p.at(c.index[0])[number], count = p.vertnum[polygon];
    int before = p.outline(polygon)[count - 1];
    for (int i = 0; i < count && p.outline(polygon)[i] != c.index[0]; i++) {
      before = p.outline(polygon)[i];
    }
    edge.end[1] = to_world(s, hull_vertex<T>(s.hull, before));
  }
  edge.along = normalize(edge.end[1] - edge.end[0]);
  return edge;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
