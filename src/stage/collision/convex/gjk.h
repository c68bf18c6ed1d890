// gjk.h: distance of two convex cores: the point of their difference that is nearest to the origin
// (Gilbert, Johnson, Keerthi).
//   v = argmin |x| over the hull of the simplex,   w = s(-v),   |v| >= distance >= v.w / |v|
// each round adds w and keeps the smallest face of the simplex that holds the new v. of all faces
// with w the nearest valid one is taken, so that v is a convex combination whatever the rounding.
#pragma once

#include "stage/collision/convex/support.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// cores nearer than this part of their size count as touching; their contact comes from epa.h
template <class T>
inline constexpr T convex_touch = sizeof(T) == 8 ? T(1e-10) : T(1e-5);
template <class T>
inline constexpr T convex_eps = sizeof(T) == 8 ? T(2.2e-16) : T(1.2e-7);
template <class T>
inline constexpr T convex_far = sizeof(T) == 8 ? T(1e100) : T(1e30);

enum class GjkEnd { separated, beyond, overlap };

template <class T>
struct Gjk {
  ConvexVertex<T> point[4];
  T weight[4];
  int count;
  Vec3<T> v;  // nearest point of the difference
  T scale;    // largest size met
  int rounds;
  GjkEnd end;

  LOCKSTEP_FN Vec3<T> on_a() const { return combine(&ConvexVertex<T>::a); }
  LOCKSTEP_FN Vec3<T> on_b() const { return combine(&ConvexVertex<T>::b); }
  LOCKSTEP_FN Vec3<T> combine(Vec3<T> ConvexVertex<T>::* part) const {
    Vec3<T> sum{T(0), T(0), T(0)};
    for (int i = 0; i < count; i++) sum += point[i].*part * weight[i];
    return sum;
  }
};

// a face of the simplex, as candidate
template <class T>
struct GjkFace {
  int index[3];
  T weight[3];
  int count;
  T square;  // squared distance from the origin
};

template <class T>
LOCKSTEP_FN void keep_nearer(GjkFace<T>& best, const ConvexVertex<T>* p, GjkFace<T> face) {
  Vec3<T> v{T(0), T(0), T(0)};
  for (int i = 0; i < face.count; i++) v += p[face.index[i]].w * face.weight[i];
  face.square = dot(v, v);
  if (face.square < best.square) best = face;
}

template <class T>
LOCKSTEP_FN void try_edge(GjkFace<T>& best, const ConvexVertex<T>* p, int i, int j) {
  const Vec3<T> along = p[j].w - p[i].w;
  const T t = -dot(p[i].w, along), length = dot(along, along);
  if (t > T(0) && t < length) {
    const T part = t / length;
    keep_nearer(best, p, GjkFace<T>{{i, j, 0}, {T(1) - part, part, T(0)}, 2, T(0)});
  }
}

template <class T>
LOCKSTEP_FN void try_triangle(GjkFace<T>& best, const ConvexVertex<T>* p, int i, int j, int k) {
  // from the edges, which stay exact however small the triangle
  const Vec3<T>& a = p[i].w;
  const Vec3<T> e = p[j].w - a, f = p[k].w - a, n = cross(e, f);
  const T whole = dot(n, n), s = dot(n, cross(f, a)), t = dot(n, cross(a, e));
  if (s > T(0) && t > T(0) && s + t < whole) {
    const T v = s / whole, w = t / whole;
    keep_nearer(best, p, GjkFace<T>{{i, j, k}, {T(1) - v - w, v, w}, 3, T(0)});
  }
}

template <class T>
LOCKSTEP_FN T volume(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
  return dot(a - d, cross(b - d, c - d));
}

// the origin within a tetrahedron that is not flat
template <class T>
LOCKSTEP_FN bool encloses_origin(const ConvexVertex<T>* p, T scale) {
  const Vec3<T> o{T(0), T(0), T(0)};
  const Vec3<T>&a = p[0].w, &b = p[1].w, &c = p[2].w, &d = p[3].w;
  const T whole = volume(a, b, c, d), flat = T(16) * convex_eps<T> * scale * scale * scale;
  const T side = whole > T(0) ? T(1) : T(-1);
  return abs(whole) > flat && side * volume(o, b, c, d) > T(0) &&
         side * volume(a, o, c, d) > T(0) && side * volume(a, b, o, d) > T(0) &&
         side * volume(a, b, c, o) > T(0);
}

// the nearest face among those with the newest point, which comes last
template <class T>
LOCKSTEP_FN GjkFace<T> nearest_face(const ConvexVertex<T>* p, int count) {
  const int last = count - 1;
  GjkFace<T> best{{last, 0, 0}, {T(1), T(0), T(0)}, 1, dot(p[last].w, p[last].w)};
  for (int i = 0; i < last; i++) try_edge(best, p, i, last);
  for (int i = 0; i < last; i++) {
    for (int j = i + 1; j < last; j++) try_triangle(best, p, i, j, last);
  }
  return best;
}

template <class T>
LOCKSTEP_FN void keep_face(Gjk<T>& g, const GjkFace<T>& face) {
  ConvexVertex<T> kept[3];
  for (int i = 0; i < face.count; i++) kept[i] = g.point[face.index[i]];
  g.count = face.count;
  for (int i = 0; i < face.count; i++) {
    g.point[i] = kept[i];
    g.weight[i] = face.weight[i];
  }
  g.v = g.combine(&ConvexVertex<T>::w);
}

// distance of the cores of a pair, at most to `cutoff`, to within `tolerance`
template <class T>
LOCKSTEP_FN Gjk<T> gjk(ConvexPair<T>& pair, T tolerance, T cutoff, int iterations) {
  Gjk<T> g{};
  g.point[0] = support(pair, pair.b.pos - pair.a.pos);
  g.weight[0] = T(1);
  g.count = 1;
  g.v = g.point[0].w;
  g.end = GjkEnd::separated;
  T length = norm(g.v);
  for (g.rounds = 0; g.rounds < iterations; g.rounds++) {
    g.scale = max(g.scale, norm(g.point[g.count - 1].w));
    if (!(length > convex_touch<T> * g.scale)) {
      g.end = GjkEnd::overlap;
      return g;
    }
    const ConvexVertex<T> p = support(pair, -g.v);
    const T lower = dot(p.w, g.v) / length;
    if (lower > cutoff) {
      g.end = GjkEnd::beyond;
      return g;
    }
    // v is nearer to the nearest point than the root of this gap
    const T gap = length * (length - lower);
    if (gap <= max(T(0.5) * tolerance * tolerance, T(4) * convex_eps<T> * g.scale * length))
      return g;
    Gjk<T> next = g;
    next.point[next.count++] = p;
    if (next.count == 4 && encloses_origin(next.point, max(g.scale, norm(p.w)))) {
      next.end = GjkEnd::overlap;
      return next;
    }
    keep_face(next, nearest_face(next.point, next.count));
    const T shorter = norm(next.v);
    if (!(shorter < length)) {  // rounding allows no more; is there a plane between the cores?
      if (!(lower > T(0))) g.end = GjkEnd::overlap;
      return g;
    }
    g = next;
    length = shorter;
  }
  if (!(length > convex_touch<T> * g.scale)) g.end = GjkEnd::overlap;
  return g;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
