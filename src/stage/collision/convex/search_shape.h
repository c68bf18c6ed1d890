// search_shape.h: a convex shape as the search of contacts sees it: it names the corner that is
// outermost, may be grown by a margin, and may be a column of a height field.
//   s(n) = argmax over the shape of n . x,  + n margin / 2
#pragma once

#include "stage/collision/convex/support.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int few_hull_vertices = 10;  // below that all of them are compared

template <class T>
struct SearchShape {
  ConvexShape<T> shape;
  T margin = T(0);
  bool core = false;  // spheres and capsules without their radius
  // found last: vertex of a hull, bits of a box's corner, 1 for the lower end of a cylinder;
  // columns do not tell
  int corner = -1;
  Vec3<T> column[6] = {};  // of a height field: the lower triangle, then the upper one

  LOCKSTEP_INLINE bool is_column() const { return shape.type == GeomType::hfield; }
  LOCKSTEP_INLINE bool has_corners_only() const {
    return margin == T(0) &&
           (shape.type == GeomType::box || shape.type == GeomType::mesh || is_column());
  }
};

// where a search starts
template <class T>
LOCKSTEP_FN Vec3<T> middle(const SearchShape<T>& s) {
  if (!s.is_column()) return s.shape.pos;
  Vec3<T> sum{T(0), T(0), T(0)};
  for (int i = 0; i < 6; i++) sum += s.column[i];
  return sum * T(1.0 / 6.0);
}

// of equal vertices the one found last wins, else the first
template <class T>
LOCKSTEP_FN int scan_hull(const ConvexHull& hull, const Vec3<T>& n, int last) {
  int best = last < 0 ? 0 : last;
  T value = dot(n, hull_vertex<T>(hull, best));
  for (int i = 0; i < hull.count; i++) {
    const T v = dot(n, hull_vertex<T>(hull, i));
    if (v > value) {
      value = v;
      best = i;
    }
  }
  return best;
}

// from neighbor to neighbor as long as it gains, from the vertex found last or, if that is farther
// out, from the one in about this direction: as MuJoCo, so that flat sides end at the same vertex,
// and hulls whose graphs lack edges at the right one
template <class T>
LOCKSTEP_FN int walk_hull(const ConvexHull& hull, const Vec3<T>& n, int& hint) {
  const int count = hull.graph[0];
  const int *first_edge = hull.graph + 2, *vertex = first_edge + count, *neighbor = vertex + count;
  const auto reach = [&](int i) { return dot(n, hull_vertex<T>(hull, vertex[i])); };
  int here = start_vertex(hull, n);
  if (hint >= 0 && reach(hint) >= reach(here)) here = hint;
  T value = reach(here);
  for (int move = 0; move < 2 * count + 2; move++) {
    const int from = here;
    for (const int* edge = neighbor + first_edge[from]; *edge >= 0; edge++) {
      const T v = dot(n, hull_vertex<T>(hull, vertex[*edge]));
      if (!(v > value)) continue;
      value = v;
      here = *edge;
    }
    if (here == from) break;
  }
  hint = here;
  return vertex[here];
}

template <class T>
LOCKSTEP_FN Vec3<T> outermost_hull(SearchShape<T>& s, const Vec3<T>& n) {
  ConvexShape<T>& c = s.shape;
  if (c.hull.count <= 0) return {T(0), T(0), T(0)};
  const bool walk = c.hull.graph && c.hull.count >= few_hull_vertices;
  s.corner = walk ? walk_hull(c.hull, n, c.hint) : scan_hull(c.hull, n, s.corner);
  return hull_vertex<T>(c.hull, s.corner);
}

template <class T>
LOCKSTEP_FN Vec3<T> outermost_column(const SearchShape<T>& s, const Vec3<T>& n) {
  const int begin = n.z < T(0) ? 0 : 3;
  int best = begin;
  for (int i = begin + 1; i < begin + 3; i++) {
    if (dot(s.column[i], n) > dot(s.column[best], n)) best = i;
  }
  return s.column[best];
}

// in the frame of the shape
template <class T>
LOCKSTEP_FN Vec3<T> outermost_local(SearchShape<T>& s, const Vec3<T>& n) {
  const Vec3<T>& size = s.shape.size;
  const T o(0), end = n.z >= o ? size.y : -size.y;
  switch (s.shape.type) {
    case GeomType::sphere: return s.core ? Vec3<T>{o, o, o} : n * size.x;
    case GeomType::capsule: {
      const Vec3<T> ball = s.core ? Vec3<T>{o, o, o} : n * size.x;
      return {ball.x, ball.y, ball.z + end};
    }
    case GeomType::ellipsoid: {
      const Vec3<T> scaled = mul_elements(n, size);
      const T length = norm(scaled);
      if (length < T(min_val)) return {size.x, o, o};
      const T inverse = T(1) / length;
      return mul_elements(scaled, size * inverse);
    }
    case GeomType::cylinder: {
      const T across = n.x * n.x + n.y * n.y;
      const T reach = across >= T(min_val * min_val) ? size.x / sqrt(across) : o;
      s.corner = n.z >= o ? 0 : 1;
      return {reach * n.x, reach * n.y, end};
    }
    case GeomType::box:
      s.corner = (n.x >= o) + 2 * (n.y >= o) + 4 * (n.z >= o);
      return {n.x >= o ? size.x : -size.x, n.y >= o ? size.y : -size.y,
              n.z >= o ? size.z : -size.z};
    case GeomType::mesh: return outermost_hull(s, n);
    default: return {o, o, o};
  }
}

// n is a unit vector
template <class T>
LOCKSTEP_FN Vec3<T> outermost(SearchShape<T>& s, const Vec3<T>& n) {
  const ConvexShape<T>& c = s.shape;
  Vec3<T> point = s.is_column() ? outermost_column(s, n)
                                : c.mat * outermost_local(s, mul_transposed(c.mat, n)) + c.pos;
  if (s.margin > T(0)) point += n * (T(0.5) * s.margin);
  return point;
}

// a point of the difference of two shapes, w = a - b, with the corners it comes from
template <class T>
struct SearchVertex {
  Vec3<T> w, a, b;
  int corner[2];
};

template <class T>
struct SearchPair {
  SearchShape<T> a, b;

  LOCKSTEP_INLINE bool has_corners_only() const {
    return a.has_corners_only() && b.has_corners_only();
  }
  LOCKSTEP_FN SearchVertex<T> vertex(const Vec3<T>& n) {
    const Vec3<T> p = outermost(a, n), q = outermost(b, -n);
    return {p - q, p, q, {a.corner, b.corner}};
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
