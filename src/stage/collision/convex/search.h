// search.h: the deepest or nearest points of two convex shapes, found as MuJoCo finds them.
// spheres and capsules are searched as points and segments while these are apart, and their radii
// are added afterwards; what overlaps deeper is searched with all of its surface.
#pragma once

#include "stage/collision/convex/expand.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct Found {
  T dist = T(0);
  Vec3<T> a{}, b{};             // points of both surfaces, each grown by half its margin
  bool touches = false;         // dist is negative
  bool failed = false;          // rounding allowed no answer
  bool lone = false;            // nothing is known of corners around the points
  SearchVertex<T> touching[3];  // points of the difference around the one found
};

template <class T>
LOCKSTEP_FN bool is_round(const SearchShape<T>& s) {
  return s.shape.type == GeomType::sphere || s.shape.type == GeomType::capsule;
}

// what a search with cores changes in a shape, which is too large to copy
template <class T>
struct SearchStart {
  T margin;
  bool core;
  int corner, hint;
};
template <class T>
LOCKSTEP_INLINE SearchStart<T> search_start(const SearchShape<T>& s) {
  return {s.margin, s.core, s.corner, s.shape.hint};
}

// the search with cores; true if that is the answer
template <class T>
LOCKSTEP_FN bool search_cores(SearchPair<T>& pair, const SearchLimits<T>& limits, Found<T>& found) {
  T grown[2] = {T(0), T(0)};
  SearchShape<T>* shape[2] = {&pair.a, &pair.b};
  const SearchStart<T> start[2] = {search_start(pair.a), search_start(pair.b)};
  for (int i = 0; i < 2; i++) {
    const bool round = is_round(*shape[i]);
    grown[i] = (round ? shape[i]->shape.size.x : T(0)) + T(0.5) * shape[i]->margin;
    shape[i]->margin = T(0);
    shape[i]->core = round;
  }
  const Descent<T> d = descend(pair, grown[0] + grown[1], limits);
  for (int i = 0; i < 2; i++) {  // whole again, as if nothing had been searched
    shape[i]->margin = start[i].margin;
    shape[i]->core = start[i].core;
    shape[i]->corner = start[i].corner;
    shape[i]->shape.hint = start[i].hint;
  }
  if (d.far) return true;
  if (!(d.dist > limits.tolerance) || limits.rounds < 1) return false;
  const Vec3<T> n = normalize(d.b - d.a);
  found.dist = d.dist - (grown[0] + grown[1]);
  found.a = d.a + n * grown[0];
  found.b = d.b - n * grown[1];
  found.touches = found.dist < T(0);
  // where the first corner is the nearest there is no simplex, but that corner stands in it
  const int last = max(d.simplex.count - 1, 0);
  for (int i = 0; i < 3; i++) found.touching[i] = d.simplex.point[min(i, last)];
  return true;
}

template <class T>
LOCKSTEP_FN Found<T> search(SearchPair<T>& pair, const SearchLimits<T>& limits,
                            SearchRoom<T>& room) {
  Found<T> found;
  const bool grown = is_round(pair.a) || is_round(pair.b) || pair.a.margin > T(0);
  if (grown && search_cores(pair, limits, found)) return found;
  const Descent<T> d = descend(pair, T(0), limits);
  if (d.apart || !(d.dist <= limits.tolerance)) return found;
  found.failed = d.simplex.count < 2;  // one point in the middle of the other shape, or a corner
  if (found.failed) return found;
  const bool started = d.simplex.count == 2   ? start_from_segment(pair, d.simplex, room)
                       : d.simplex.count == 3 ? start_from_triangle(pair, d.simplex, room)
                                              : start_from_tetrahedron(pair, d.simplex, room);
  const int last = started ? expand(pair, room, limits) : -1;
  found.failed = last < 0;
  if (found.failed) return found;
  const SearchFace<T>& face = room.face[last];
  Vec3<T> corner[3];
  for (int i = 0; i < 3; i++) corner[i] = room.vertex[face.vertex[i]].w;
  const TriangleAreas<T> areas = triangle_areas(corner, face.foot);
  found.a = found.b = Vec3<T>{T(0), T(0), T(0)};
  for (int i = 0; i < 3; i++) {
    const SearchVertex<T>& v = found.touching[i] = room.vertex[face.vertex[i]];
    found.a += v.a * (areas.part[i] / areas.whole);
    found.b += v.b * (areas.part[i] / areas.whole);
  }
  found.dist = -sqrt(face.square);
  found.touches = found.dist < T(0);
  return found;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
