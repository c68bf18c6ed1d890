// epa.h: how deep two convex cores overlap: the smallest support of their difference over all
// directions (expanding polytope).
//   depth = min over |n| = 1 of h(n),   h(n) = n . s(n),   min over faces of d_f <= depth <= h(n_f)
// the polytope grows by s(n) of its nearest face until both bounds meet. faces are oriented by how
// they were made, never by where the origin is: a polytope that does not hold the origin, because
// the cores barely touch or the first tetrahedron misses it, grows over it by the same rule.
#pragma once

#include "stage/collision/convex/polytope.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// what a search found
template <class T>
struct Depth {
  T depth;
  Vec3<T> normal, a, b;  // from the first shape to the second; deepest points of the cores
  int rounds;
};

// ---- the first tetrahedron ----

// the candidate that lies farthest from point, line or plane; false if all lie in it
template <class T, class Away>
LOCKSTEP_FN bool add_farthest(ConvexPair<T>& pair, Gjk<T>& g, const Vec3<T>* n, int count,
                              const Away& away) {
  T best = convex_touch<T> * g.scale;
  bool found = false;
  for (int i = 0; i < 2 * count; i++) {
    const ConvexVertex<T> p = support(pair, i % 2 ? -n[i / 2] : n[i / 2]);
    const T far = away(p.w);
    if (!(far > best)) continue;
    best = far;
    g.point[g.count] = p;
    found = true;
  }
  g.count += found;
  return found;
}

// two unit vectors across a direction
template <class T>
LOCKSTEP_FN void across(const Vec3<T>& n, Vec3<T> out[2]) {
  const Vec3<T> size = abs(n);
  const bool x = size.x <= size.y && size.x <= size.z, y = !x && size.y <= size.z;
  out[0] = normalize(cross(n, Vec3<T>{T(x), T(y), T(!x && !y)}));
  out[1] = normalize(cross(n, out[0]));
}

// grows a simplex to four points; fewer if the difference is flat, and then a normal of it
template <class T>
LOCKSTEP_FN Vec3<T> grow_simplex(ConvexPair<T>& pair, Gjk<T>& g) {
  const T o(0), l(1);
  const Vec3<T> axis[3] = {{l, o, o}, {o, l, o}, {o, o, l}};
  for (int i = 0; i < 3; i++) g.scale = max(g.scale, norm(support(pair, axis[i]).w));
  const Vec3<T> p = g.point[0].w;
  if (g.count == 1) {
    if (!add_farthest(pair, g, axis, 3, [&](const Vec3<T>& w) { return distance(w, p); })) {
      return axis[0];
    }
  }
  const Vec3<T> along = normalize(g.point[1].w - p);
  Vec3<T> side[2];
  across(along, side);
  if (g.count == 2) {
    const auto off_line = [&](const Vec3<T>& w) { return norm(cross(w - p, along)); };
    if (!add_farthest(pair, g, side, 2, off_line)) return side[0];
  }
  const Vec3<T> n = normalize(cross(along, g.point[2].w - p));
  if (g.count == 3) {
    add_farthest(pair, g, &n, 1, [&](const Vec3<T>& w) { return abs(dot(w - p, n)); });
  }
  return n;
}

// ---- the search ----

// deepest points: where the line along the normal meets the polytope. a flat side consists of
// several faces, of which one holds that point.
template <class T>
LOCKSTEP_FN void set_points(const Polytope<T>& p, const ConvexFace<T>& nearest, Depth<T>& found) {
  const T same = convex_touch<T>;
  const Vec3<T> x = nearest.normal * nearest.dist;
  Vec3<T> weight = face_weights(p, nearest, x);
  const ConvexFace<T>* holder = &nearest;
  T inside = min(weight.x, min(weight.y, weight.z));
  for (int f = 0; f < p.faces && inside < T(0); f++) {
    const ConvexFace<T>& face = p.face[f];
    if (!face.alive || face.dist > nearest.dist + same * p.scale) continue;
    if (!(dot(face.normal, nearest.normal) > T(1) - same)) continue;
    const Vec3<T> there = face_weights(p, face, x);
    const T least = min(there.x, min(there.y, there.z));
    if (!(least > inside)) continue;
    inside = least;
    weight = there;
    holder = &face;
  }
  for (int i = 0; i < 3; i++) weight[i] = max(weight[i], T(0));
  weight *= T(1) / (weight.x + weight.y + weight.z);
  found.a = found.b = Vec3<T>{T(0), T(0), T(0)};
  for (int i = 0; i < 3; i++) {
    found.a += p.vertex[holder->vertex[i]].a * weight[i];
    found.b += p.vertex[holder->vertex[i]].b * weight[i];
  }
}

// depth of two cores of which gjk says that they overlap or touch
template <class T>
LOCKSTEP_FN Depth<T> epa(ConvexPair<T>& pair, Gjk<T> g, T tolerance, const ConvexWork<T>& work) {
  Depth<T> found{};
  found.a = g.point[0].a;
  found.b = g.point[0].b;
  if (g.count < 4) {
    found.a = g.on_a();
    found.b = g.on_b();
    found.normal = grow_simplex(pair, g);
    if (g.count < 4) {  // flat: the slightest move across it separates
      const T side = dot(found.normal, pair.b.pos - pair.a.pos);
      if (side < T(0)) found.normal = -found.normal;
      return found;
    }
  }
  const int room = convex_vertices(work.iterations);
  Polytope<T> p{work.vertex,
                work.face,
                work.integer,
                work.integer + 3 * room,
                0,
                0,
                convex_faces(work.iterations),
                g.scale};
  first_tetrahedron(p, g);
  // the least support met bounds the depth from above: it stands, whatever rounding does to faces
  ConvexFace<T> best{};
  found.depth = convex_far<T>;
  for (found.rounds = 0;; found.rounds++) {
    const int f = nearest(p);
    if (f < 0) break;
    const ConvexFace<T>& face = p.face[f];
    const ConvexVertex<T> s = support(pair, face.normal);
    const T upper = dot(s.w, face.normal);
    if (upper < found.depth) {
      found.depth = upper;
      best = face;
    }
    if (!(found.depth - face.dist > max(tolerance, T(8) * convex_eps<T> * p.scale))) break;
    if (p.vertices == room) break;
    p.scale = max(p.scale, norm(s.w));
    p.vertex[p.vertices++] = s;
    if (!cover(p, f, p.vertices - 1)) break;
  }
  if (!best.alive) {  // not one face has a direction
    found.depth = T(0);
    found.normal = Vec3<T>{T(1), T(0), T(0)};
    return found;
  }
  found.normal = best.normal;
  set_points(p, best, found);
  return found;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
