// support.h: a convex shape as its core swept by a ball, and the outermost point of the core.
//   shape = { x + r u : x in core, |u| <= 1 },   s(n) = argmax over the core of n . x
// a sphere is a point and a capsule a segment, so that their roundness costs no accuracy.
// scalar code: T is float or double; lanes call it one by one.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// where hull vertices of a mesh lie; floats as in the Model
struct ConvexHull {
  const float* vertex;
  int count;
  const int* graph;            // null: no graph, all vertices are compared
  const int* start = nullptr;  // outermost vertices of the graph in 27 directions
};

template <class T>
struct ConvexShape {
  GeomType type;
  Vec3<T> pos;
  Mat3<T> mat;
  Vec3<T> size;
  T radius;  // of the ball around the core; a margin may be added
  ConvexHull hull;
  int hint;  // hull vertex found last, where the next climb starts
};

LOCKSTEP_FN bool is_convex(GeomType type) {
  return type == GeomType::sphere || type == GeomType::capsule || type == GeomType::ellipsoid ||
         type == GeomType::cylinder || type == GeomType::box || type == GeomType::mesh;
}

template <class Real>
LOCKSTEP_INLINE ConvexHull convex_hull(const ModelView<Real>& m, int mesh) {
  if (mesh < 0) return {};
  const int graph = m.mesh_graphadr[mesh];
  return {m.mesh_vert + 3 * m.mesh_vertadr[mesh], m.mesh_vertnum[mesh],
          graph >= 0 ? m.mesh_graph + graph : nullptr, m.mesh_extrema + 27 * mesh};
}

// the shape of a geom in one lane
template <class Real>
LOCKSTEP_FN ConvexShape<Scalar<Real>> convex_shape(const ModelView<Real>& m,
                                                   const DataView<Real>& d, int geom, int k) {
  using T = Scalar<Real>;
  ConvexShape<T> s{};
  s.type = GeomType(m.geom_type[geom]);
  // from where they lie: a lane of a register takes a detour through memory
  for (int i = 0; i < 3; i++) s.pos[i] = lane(d.geom_xpos.start[3 * geom + i], k);
  for (int i = 0; i < 3; i++) s.size[i] = lane(m.geom_size.start[3 * geom + i], k);
  for (int i = 0; i < 9; i++) s.mat[i] = lane(d.geom_xmat.start[9 * geom + i], k);
  if (s.type == GeomType::sphere || s.type == GeomType::capsule) s.radius = s.size.x;
  if (s.type == GeomType::mesh) s.hull = convex_hull(m, m.geom_dataid[geom]);
  return s;
}

template <class T>
LOCKSTEP_INLINE Vec3<T> hull_vertex(const ConvexHull& hull, int i) {
  return {T(hull.vertex[3 * i]), T(hull.vertex[3 * i + 1]), T(hull.vertex[3 * i + 2])};
}

// the vertex of the graph that is outermost in about a direction
template <class T>
LOCKSTEP_FN int start_vertex(const ConvexHull& hull, const Vec3<T>& n) {
  if (!hull.start) return 0;
  constexpr double aslant = 0.4;  // a component that is smaller does not count
  const auto third = [](T x) { return x > T(aslant) ? 2 : x < T(-aslant) ? 0 : 1; };
  return hull.start[9 * third(n.x) + 3 * third(n.y) + third(n.z)];
}

// all vertices: the first of the outermost ones
template <class T>
LOCKSTEP_FN int scan_hull(const ConvexHull& hull, const Vec3<T>& n) {
  int best = 0;
  T value = dot(hull_vertex<T>(hull, 0), n);
  for (int i = 1; i < hull.count; i++) {
    const T v = dot(hull_vertex<T>(hull, i), n);
    if (v > value) {
      value = v;
      best = i;
    }
  }
  return best;
}

// from vertex to better neighbor; on a convex hull the last one is the outermost. each move gains,
// so that it ends; the count only guards against a broken graph.
template <class T>
LOCKSTEP_FN int climb_hull(const ConvexHull& hull, const Vec3<T>& n, int& hint) {
  const int count = hull.graph[0];
  const int* first_edge = hull.graph + 2;
  const int* vertex = first_edge + count;
  const int* neighbor = vertex + count;
  int here = hint >= 0 && hint < count ? hint : 0;
  T value = dot(hull_vertex<T>(hull, vertex[here]), n);
  for (int move = 0; move < count; move++) {
    int next = here;
    for (const int* edge = neighbor + first_edge[here]; *edge >= 0; edge++) {
      const T v = dot(hull_vertex<T>(hull, vertex[*edge]), n);
      if (v > value) {
        value = v;
        next = *edge;
      }
    }
    if (next == here) break;
    here = next;
  }
  hint = here;
  return vertex[here];
}

// number of the outermost vertex of a hull that has vertices
template <class T>
LOCKSTEP_FN int support_vertex(ConvexShape<T>& s, const Vec3<T>& n) {
  return s.hull.graph ? climb_hull(s.hull, n, s.hint) : scan_hull(s.hull, n);
}

template <class T>
LOCKSTEP_FN Vec3<T> support_ellipsoid(const Vec3<T>& size, const Vec3<T>& n) {
  const Vec3<T> scaled = mul_elements(size, n);
  const T length = norm(scaled);
  return length > T(0) ? mul_elements(size, scaled * (T(1) / length)) : Vec3<T>{T(0), T(0), T(0)};
}

template <class T>
LOCKSTEP_FN Vec3<T> support_cylinder(const Vec3<T>& size, const Vec3<T>& n) {
  const T across = sqrt(n.x * n.x + n.y * n.y);
  const T reach = across > T(0) ? size.x / across : T(0);
  return {n.x * reach, n.y * reach, copysign(size.y, n.z)};
}

// in the frame of the shape
template <class T>
LOCKSTEP_FN Vec3<T> support_local(ConvexShape<T>& s, const Vec3<T>& n) {
  const Vec3<T>& size = s.size;
  switch (s.type) {
    case GeomType::capsule: return {T(0), T(0), copysign(size.y, n.z)};
    case GeomType::ellipsoid: return support_ellipsoid(size, n);
    case GeomType::cylinder: return support_cylinder(size, n);
    case GeomType::box:
      return {copysign(size.x, n.x), copysign(size.y, n.y), copysign(size.z, n.z)};
    case GeomType::mesh:
      if (s.hull.count <= 0) break;
      return hull_vertex<T>(s.hull, support_vertex(s, n));
    default: break;
  }
  return {T(0), T(0), T(0)};
}

// outermost point of the core, world; n need not be a unit vector
template <class T>
LOCKSTEP_FN Vec3<T> support(ConvexShape<T>& s, const Vec3<T>& n) {
  return s.pos + s.mat * support_local(s, mul_transposed(s.mat, n));
}

// a point of the difference of two cores, w = a - b
template <class T>
struct ConvexVertex {
  Vec3<T> w, a, b;
};

template <class T>
struct ConvexPair {
  ConvexShape<T> a, b;
};

template <class T>
LOCKSTEP_FN ConvexVertex<T> support(ConvexPair<T>& pair, const Vec3<T>& n) {
  const Vec3<T> a = support(pair.a, n), b = support(pair.b, -n);
  return {a - b, a, b};
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
