// polytope.h: a closed surface of triangles that grows over one point after the other, in memory
// that is passed in. what a point sees is taken away, and the rim of the hole is joined to the
// point.
//   seen: n_f . (w - a_f) > 0, gathered from one face over its neighbors, so that the hole has one
//   rim
#pragma once

#include "stage/collision/convex/gjk.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct ConvexFace {
  int vertex[3];    // counterclockwise from outside
  int neighbor[3];  // across the edge from vertex[i] to vertex[i + 1]
  Vec3<T> normal;
  T dist;  // of its plane from the origin, along the normal
  bool alive, visible;
};

// room for a search with this many rounds: a polytope of v vertices has 2 v - 4 triangles, and up
// to v new ones are made before old ones are given up
LOCKSTEP_FN int convex_vertices(int iterations) { return 4 + (iterations > 0 ? iterations : 0); }
LOCKSTEP_FN int convex_faces(int iterations) { return 3 * convex_vertices(iterations); }
LOCKSTEP_FN int convex_integers(int iterations) { return 4 * convex_vertices(iterations); }

// work area of a search, as large as the functions above say
template <class T>
struct ConvexWork {
  ConvexVertex<T>* vertex;
  ConvexFace<T>* face;
  int* integer;
  int iterations;  // that the area was made for
};

template <class T>
struct Polytope {
  ConvexVertex<T>* vertex;
  ConvexFace<T>* face;
  int *stack, *first;  // visible faces; new face that starts at a vertex of the horizon
  int vertices, faces, face_room;
  T scale;
};

template <class T>
LOCKSTEP_FN void set_face(Polytope<T>& p, int f, int i, int j, int k) {
  const Vec3<T>&a = p.vertex[i].w, &b = p.vertex[j].w, &c = p.vertex[k].w;
  const Vec3<T> n = cross(b - a, c - a);
  const T area = norm(n);
  ConvexFace<T>& face = p.face[f];
  face.vertex[0] = i;
  face.vertex[1] = j;
  face.vertex[2] = k;
  face.alive = true;
  face.visible = false;
  // a sliver has no direction: it stays as a stopgap and is never the nearest
  const bool flat = !(area > convex_eps<T> * p.scale * p.scale);
  face.normal = flat ? Vec3<T>{T(0), T(0), T(0)} : n * (T(1) / area);
  face.dist = flat ? convex_far<T> : dot(face.normal, a);
}

template <class T>
LOCKSTEP_FN void first_tetrahedron(Polytope<T>& p, const Gjk<T>& g) {
  for (int i = 0; i < 4; i++) p.vertex[i] = g.point[i];
  if (volume(g.point[0].w, g.point[1].w, g.point[2].w, g.point[3].w) < T(0)) {
    p.vertex[0] = g.point[1];
    p.vertex[1] = g.point[0];
  }
  p.vertices = p.faces = 4;
  // the last vertex lies behind the first face
  constexpr int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  constexpr int neighbor[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int f = 0; f < 4; f++) {
    set_face(p, f, corner[f][0], corner[f][1], corner[f][2]);
    for (int i = 0; i < 3; i++) p.face[f].neighbor[i] = neighbor[f][i];
  }
}

template <class T>
LOCKSTEP_FN int nearest(const Polytope<T>& p) {
  int best = -1;
  T dist = convex_far<T>;
  for (int f = 0; f < p.faces; f++) {
    if (!p.face[f].alive || !(p.face[f].dist < dist)) continue;
    dist = p.face[f].dist;
    best = f;
  }
  return best;
}

// marks the faces that a point sees, from one on; their number
template <class T>
LOCKSTEP_FN int mark_visible(Polytope<T>& p, int seed, const Vec3<T>& w) {
  const T above = T(4) * convex_eps<T> * p.scale;
  int count = 1;
  p.stack[0] = seed;
  p.face[seed].visible = true;
  for (int at = 0; at < count; at++) {
    for (int i = 0; i < 3; i++) {
      const int f = p.face[p.stack[at]].neighbor[i];
      ConvexFace<T>& face = p.face[f];
      if (face.visible || !(dot(face.normal, w - p.vertex[face.vertex[0]].w) > above)) continue;
      face.visible = true;
      p.stack[count++] = f;
    }
  }
  return count;
}

// how many edges the horizon of the visible faces has; 0 if it is not one simple loop
template <class T>
LOCKSTEP_FN int check_horizon(Polytope<T>& p, int visible) {
  for (int i = 0; i < p.vertices; i++) p.first[i] = -1;
  int edges = 0, start = -1;
  for (int s = 0; s < visible; s++) {
    const ConvexFace<T>& face = p.face[p.stack[s]];
    for (int i = 0; i < 3; i++) {
      if (p.face[face.neighbor[i]].visible) continue;
      start = face.vertex[i];
      if (p.first[start] >= 0) return 0;
      p.first[start] = face.vertex[(i + 1) % 3];  // for now: where the edge leads
      edges++;
    }
  }
  int walked = 0;
  for (int v = start; v >= 0 && walked <= edges; walked++) {
    v = p.first[v];
    if (v == start) return walked + 1 == edges ? edges : 0;
  }
  return 0;
}

template <class T>
LOCKSTEP_FN int free_face(Polytope<T>& p, int& from) {
  while (from < p.faces && (p.face[from].alive || p.face[from].visible)) from++;
  if (from == p.faces) p.faces++;
  return from++;
}

// replaces what vertex `top` sees by triangles from the horizon to it; false if that cannot be done
template <class T>
LOCKSTEP_FN bool cover(Polytope<T>& p, int seed, int top) {
  const int visible = mark_visible(p, seed, p.vertex[top].w);
  const int edges = check_horizon(p, visible);
  int alive = 0;
  for (int f = 0; f < p.faces; f++) alive += p.face[f].alive;
  if (edges < 3 || alive + edges > p.face_room) return false;
  for (int s = 0; s < visible; s++) p.face[p.stack[s]].alive = false;
  int from = 0;
  for (int s = 0; s < visible; s++) {
    const ConvexFace<T> old = p.face[p.stack[s]];
    for (int i = 0; i < 3; i++) {
      const int outer = old.neighbor[i];
      if (p.face[outer].visible) continue;
      const int f = free_face(p, from), a = old.vertex[i], b = old.vertex[(i + 1) % 3];
      set_face(p, f, a, b, top);
      p.face[f].neighbor[0] = outer;
      for (int k = 0; k < 3; k++) {
        if (p.face[outer].vertex[k] == b) p.face[outer].neighbor[k] = f;
      }
      p.first[a] = f;
    }
  }
  for (int s = 0; s < visible; s++) p.face[p.stack[s]].visible = false;
  for (int f = 0; f < p.faces; f++) {  // new faces meet along edges to the top
    ConvexFace<T>& face = p.face[f];
    if (!face.alive || face.vertex[2] != top) continue;
    const int next = p.first[face.vertex[1]];
    face.neighbor[1] = next;
    p.face[next].neighbor[2] = f;
  }
  return true;
}

// where a point of a face's plane lies in it: weights of its corners, negative outside
template <class T>
LOCKSTEP_FN Vec3<T> face_weights(const Polytope<T>& p, const ConvexFace<T>& face,
                                 const Vec3<T>& x) {
  const Vec3<T> a = p.vertex[face.vertex[0]].w - x, b = p.vertex[face.vertex[1]].w - x,
                c = p.vertex[face.vertex[2]].w - x;
  const Vec3<T> part{dot(face.normal, cross(b, c)), dot(face.normal, cross(c, a)),
                     dot(face.normal, cross(a, b))};
  return part * (T(1) / (part.x + part.y + part.z));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
