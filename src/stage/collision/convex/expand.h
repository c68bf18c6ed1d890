// expand.h: how deep two convex shapes overlap (expanding polytope), round by round as MuJoCo: the
// polytope inside their difference grows at its face nearest to the origin.
//   |v_f| <= depth <= v_f . s(v_f) / |v_f|,   v_f: foot of the origin on face f
#pragma once

#include "stage/collision/convex/descend.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_search_rounds = 100;  // more iterations are not used
inline constexpr int most_search_faces = 1020;

template <class T>
struct SearchFace {
  int vertex[3];
  int neighbor[3];  // across the edge from vertex[i] to vertex[i + 1]
  Vec3<T> foot;
  T square;   // of the distance from the origin
  int place;  // among the candidates; -1: none of them, -2: taken away
};

// the polytope and memory for it; nothing is read before it is written
template <class T>
struct SearchRoom {
  SearchVertex<T> vertex[most_search_rounds + 5];
  SearchFace<T> face[most_search_faces];
  int candidate[most_search_faces];
  int rim_face[most_search_faces], rim_edge[most_search_faces];
  int stack[2 * most_search_faces];
  int vertices, faces, candidates, rim;
  Vec3<T> center;  // a point inside
};

template <class T>
LOCKSTEP_INLINE int add_vertex(SearchRoom<T>& p, const SearchVertex<T>& v) {
  p.vertex[p.vertices] = v;
  return p.vertices++;
}

// squared distance of the new face; 0 if its corners lie on a line
template <class T>
LOCKSTEP_FN T add_face(SearchRoom<T>& p, const int* vertex, const int* neighbor) {
  SearchFace<T>& f = p.face[p.faces++];
  for (int i = 0; i < 3; i++) {
    f.vertex[i] = vertex[i];
    f.neighbor[i] = neighbor[i];
  }
  f.place = -1;
  const Vec3<T> first = p.vertex[vertex[0]].w;
  if (!plane_foot(p.vertex[vertex[2]].w, p.vertex[vertex[1]].w, first, f.foot)) return T(0);
  if (dot(f.foot, first - p.center) < T(0)) f.foot = -f.foot;
  return f.square = dot(f.foot, f.foot);
}

// ---- the first polytope ----

template <class T>
LOCKSTEP_FN void clear(SearchRoom<T>& p, const Simplex<T>& s) {
  p.vertices = p.faces = p.candidates = p.rim = 0;
  Vec3<T> sum = s.point[0].w;
  for (int i = 1; i < s.count; i++) sum += s.point[i].w;
  p.center = sum * (T(1) / T(s.count));
}

template <class T>
LOCKSTEP_FN void take_all(SearchRoom<T>& p) {
  for (int f = 0; f < p.faces; f++) p.candidate[f] = p.face[f].place = f;
  p.candidates = p.faces;
}

// faces until one holds the origin: that one, or -1
template <class T>
LOCKSTEP_FN int add_faces(SearchRoom<T>& p, const int (*vertex)[3], const int (*neighbor)[3],
                          int count) {
  for (int f = 0; f < count; f++) {
    if (add_face(p, vertex[f], neighbor[f]) < T(min_val * min_val)) return f;
  }
  take_all(p);
  return -1;
}

// two tips over a triangle
template <class T>
LOCKSTEP_FN int add_bipyramid(SearchRoom<T>& p, int up, int down, const int* ring) {
  constexpr int neighbor[6][3] = {{1, 3, 2}, {2, 4, 0}, {0, 5, 1}, {5, 0, 4}, {3, 1, 5}, {4, 2, 3}};
  const int a = ring[0], b = ring[1], c = ring[2];
  const int vertex[6][3] = {{up, a, b},   {up, c, a},   {up, b, c},
                            {down, b, a}, {down, a, c}, {down, c, b}};
  return add_faces(p, vertex, neighbor, 6);
}

template <class T>
LOCKSTEP_FN bool lies_on_triangle(const Vec3<T>* corner, const Vec3<T>& x) {
  const TriangleAreas<T> areas = triangle_areas(corner, x);
  Vec3<T> sum{T(0), T(0), T(0)};
  for (int i = 0; i < 3; i++) {
    const T weight = areas.part[i] / areas.whole;
    if (weight < T(0)) return false;
    sum += corner[i] * weight;
  }
  return distance(sum, x) < T(min_val);
}

template <class T>
LOCKSTEP_FN bool start_from_triangle(SearchPair<T>& pair, const Simplex<T>& s, SearchRoom<T>& p) {
  clear(p, s);
  const Vec3<T> corner[3] = {s.point[0].w, s.point[1].w, s.point[2].w};
  const Vec3<T> n = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const T length = norm(n);
  if (length < T(min_val)) return false;
  constexpr int ring[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++) add_vertex(p, s.point[i]);
  const auto unit = [&](T side) {
    return Vec3<T>{side * n.x / length, side * n.y / length, side * n.z / length};
  };
  const int down = add_vertex(p, pair.vertex(unit(T(-1))));
  const int up = add_vertex(p, pair.vertex(unit(T(1))));
  if (lies_on_triangle(corner, p.vertex[up].w) || lies_on_triangle(corner, p.vertex[down].w)) {
    return false;
  }
  return add_bipyramid(p, up, down, ring) < 0;
}

// a face that holds the origin is the better start
template <class T>
LOCKSTEP_FN bool start_from_face(SearchPair<T>& pair, SearchRoom<T>& p, int face) {
  Simplex<T> s;
  s.count = 3;
  for (int i = 0; i < 3; i++) s.point[i] = p.vertex[p.face[face].vertex[i]];
  return start_from_triangle(pair, s, p);
}

// three more points around the segment, a third of a turn apart
template <class T>
LOCKSTEP_FN bool start_from_segment(SearchPair<T>& pair, const Simplex<T>& s, SearchRoom<T>& p) {
  clear(p, s);
  const Vec3<T> along = s.point[1].w - s.point[0].w, size = abs(along);
  int least = size.y < size.x ? 1 : 0;
  if (size.z < size[least]) least = 2;
  Vec3<T> axis{T(0), T(0), T(0)};
  axis[least] = T(1);
  const Vec3<T> u = along * (T(1) / norm(along));
  constexpr double sine = 0.86602540378, cosine = -0.5;
  const auto turned = [&](const Vec3<T>& x) {
    return u * (dot(u, x) * T(1 - cosine)) + x * T(cosine) + cross(u, x) * T(sine);
  };
  for (int i = 0; i < 2; i++) add_vertex(p, s.point[i]);
  int ring[3];
  Vec3<T> way = cross(axis, along);
  for (int i = 0; i < 3; i++) {
    ring[i] = add_vertex(p, pair.vertex(normalize(way)));
    way = turned(way);
  }
  const int face = add_bipyramid(p, 0, 1, ring);
  if (face >= 0) return start_from_face(pair, p, face);
  // the segment must go through the triangle of the others
  const Vec3<T> from = s.point[0].w;
  T side[3];
  for (int i = 0; i < 3; i++) {
    side[i] = determinant(p.vertex[ring[i]].w - from, p.vertex[ring[(i + 1) % 3]].w - from, along);
  }
  return (side[0] >= T(0) && side[1] >= T(0) && side[2] >= T(0)) ||
         (side[0] <= T(0) && side[1] <= T(0) && side[2] <= T(0));
}

// the origin and a point are on the same side of a plane
template <class T>
LOCKSTEP_FN bool sees_origin(const Vec3<T>& p, const Vec3<T>& q, const Vec3<T>& r,
                             const Vec3<T>& x) {
  const Vec3<T> n = cross(q - p, r - p);
  return same_sign(dot(n, x - p), dot(n, -p));
}

template <class T>
LOCKSTEP_FN bool start_from_tetrahedron(SearchPair<T>& pair, const Simplex<T>& s,
                                        SearchRoom<T>& p) {
  clear(p, s);
  constexpr int vertex[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {3, 2, 1}};
  constexpr int neighbor[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {2, 0, 1}};
  Vec3<T> w[4];
  for (int i = 0; i < 4; i++) {
    add_vertex(p, s.point[i]);
    w[i] = s.point[i].w;
  }
  const int face = add_faces(p, vertex, neighbor, 4);
  if (face >= 0) return start_from_face(pair, p, face);
  for (int i = 0; i < 4; i++) {
    if (!sees_origin(w[i], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4])) return false;
  }
  return true;
}

// ---- growth ----

template <class T>
LOCKSTEP_FN void take_away(SearchRoom<T>& p, int f) {
  SearchFace<T>& face = p.face[f];
  if (face.place >= 0) {
    const int last = p.candidate[--p.candidates];
    p.candidate[face.place] = last;
    p.face[last].place = face.place;
  }
  face.place = -2;
}

// takes away what a point sees, from one face over its neighbors, and lists the rim of the hole in
// the order in which it is met
template <class T>
LOCKSTEP_FN void open(SearchRoom<T>& p, int seed, const Vec3<T>& w) {
  p.rim = 0;
  take_away(p, seed);
  // on the way: a face with the edge through which it was entered, and how many edges were looked
  // at
  int depth = 0;
  const auto enter = [&](int face, int edge) {
    p.stack[2 * depth] = face;
    p.stack[2 * depth + 1] = 4 * edge;
    depth++;
  };
  enter(seed, 2);
  while (depth) {
    const int f = p.stack[2 * depth - 2], state = p.stack[2 * depth - 1];
    const int entered = state / 4, seen = state % 4 + 1;
    if (seen > (depth == 1 ? 3 : 2)) {
      depth--;
      continue;
    }
    p.stack[2 * depth - 1] = 4 * entered + seen;
    const int edge = (entered + seen) % 3, other = p.face[f].neighbor[edge];
    SearchFace<T>& next = p.face[other];
    if (next.place == -2) continue;
    const int start = p.face[f].vertex[(edge + 1) % 3];
    const int there = next.vertex[0] == start ? 0 : next.vertex[1] == start ? 1 : 2;
    if (dot(next.foot, w) - next.square > T(min_val)) {
      take_away(p, other);
      enter(other, there);
    } else {
      p.rim_face[p.rim] = other;
      p.rim_edge[p.rim++] = there;
    }
  }
}

// joins the rim to a vertex. new faces between the bounds become candidates; false if one of them
// has no plane
template <class T>
LOCKSTEP_FN bool close(SearchRoom<T>& p, int top, T least, T most) {
  const int first = p.faces;
  for (int i = 0; i < p.rim; i++) {
    SearchFace<T>& outer = p.face[p.rim_face[i]];
    const int edge = p.rim_edge[i], now = first + i;
    const int vertex[3] = {top, outer.vertex[(edge + 1) % 3], outer.vertex[edge]};
    const int neighbor[3] = {i ? now - 1 : first + p.rim - 1, p.rim_face[i],
                             first + (i + 1) % p.rim};
    outer.neighbor[edge] = now;
    const T square = add_face(p, vertex, neighbor);
    if (square == T(0)) return false;
    if (!(square >= least && square <= most)) continue;
    p.face[now].place = p.candidates;
    p.candidate[p.candidates++] = now;
  }
  return true;
}

template <class T>
LOCKSTEP_FN bool is_repeated(const SearchRoom<T>& p, int v) {
  for (int i = 0; i < v; i++) {
    if (p.vertex[i].corner[0] == p.vertex[v].corner[0] &&
        p.vertex[i].corner[1] == p.vertex[v].corner[1]) {
      return true;
    }
  }
  return false;
}

template <class T>
LOCKSTEP_FN int nearest_candidate(const SearchRoom<T>& p, T& square) {
  int best = -1;
  square = T(1e300);
  for (int i = 0; i < p.candidates; i++) {
    const SearchFace<T>& f = p.face[p.candidate[i]];
    if (!(f.square < square)) continue;
    square = f.square;
    best = p.candidate[i];
  }
  return best;
}

// the face that stands for the depth; -1 where the search fails
template <class T>
LOCKSTEP_FN int expand(SearchPair<T>& pair, SearchRoom<T>& p, const SearchLimits<T>& limits) {
  const bool corners = pair.has_corners_only();
  const T tolerance = corners ? T(min_val) : limits.tolerance;
  T upper(1e150), upper2(1e300);
  int face = -1;
  for (int round = 0; round < limits.rounds; round++) {
    T lower2;
    const int near = nearest_candidate(p, lower2);
    if (near < 0 || lower2 > upper2) return face;
    face = near;
    if (!(lower2 > T(0))) return face;
    const T lower = sqrt(lower2);
    const Vec3<T> foot = p.face[face].foot;
    const Vec3<T> n{foot.x / lower, foot.y / lower, foot.z / lower};
    const int top = add_vertex(p, pair.vertex(n));
    const Vec3<T> w = p.vertex[top].w;
    const T above = dot(foot, w) / lower;
    if (above < upper) {
      upper = above;
      upper2 = upper * upper;
    }
    if (above - lower < tolerance) {
      return round == 0 && above < lower - T(1e-10) ? -1 : face;
    }
    if (corners && is_repeated(p, top)) return face;
    open(p, face, w);
    if (p.rim < 3) return -1;
    if (p.rim > most_search_faces - p.faces) return face;
    if (!close(p, top, lower2, upper2)) return -1;
    if (!p.candidates) return face;
  }
  return face;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
