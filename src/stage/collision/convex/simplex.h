// simplex.h: the point of a segment, triangle or tetrahedron that is nearest to the origin, as
// weights of its corners, by signed volumes (Montanari, Petrinic, Barbieri 2017).
//   weight_i = volume with the foot of the origin in place of corner i / whole volume
// corners that do not carry the point have weight 0. where a volume changes sign the nearest of the
// sides behind it is taken.
#pragma once

#include "stage/collision/convex/search_shape.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct Simplex {
  SearchVertex<T> point[4];
  T weight[4] = {};
  int count = 0;

  LOCKSTEP_FN Vec3<T> combine(Vec3<T> SearchVertex<T>::* part) const {
    Vec3<T> sum = point[0].*part * weight[0];
    for (int i = 1; i < count; i++) sum += point[i].*part * weight[i];
    return sum;
  }
};

// both positive or both negative
template <class T>
LOCKSTEP_INLINE bool same_sign(T a, T b) {
  return (a > T(0) && b > T(0)) || (a < T(0) && b < T(0));
}

// foot of the perpendicular from the origin to the plane of three points. the corner at which the
// normal is built changes if it is too small there or the plane seems to hold the origin; false for
// three points on a line
template <class T>
LOCKSTEP_FN bool plane_foot(const Vec3<T>& p, const Vec3<T>& q, const Vec3<T>& r, Vec3<T>& foot) {
  const Vec3<T> pq = q - p, pr = r - p, qr = r - q;
  const Vec3<T> normal[3] = {cross(qr, pq), cross(pq, pr), cross(pr, qr)};
  const Vec3<T>* base[3] = {&q, &p, &r};
  for (int i = 0; i < 3; i++) {
    const T height = dot(normal[i], *base[i]), square = dot(normal[i], normal[i]);
    if (i < 2 && square == T(0)) return false;
    if (i < 2 && (height == T(0) || !(square > T(min_val)))) continue;
    foot = normal[i] * (height / square);
    break;
  }
  return true;
}

// weights of the corners, and the point itself
template <class T>
struct NearestOnSimplex {
  T weight[4] = {};
  Vec3<T> x;
};

template <class T>
LOCKSTEP_FN NearestOnSimplex<T> nearest_on_segment(const Vec3<T>& p, const Vec3<T>& q) {
  const Vec3<T> along = q - p, foot = q + along * -(dot(q, along) / dot(along, along));
  const Vec3<T> back = p - q;
  int axis = abs(back.y) >= abs(back.x) ? 1 : 0;
  if (abs(back.z) >= abs(back[axis])) axis = 2;
  const T whole = back[axis], first = foot[axis] - q[axis], second = p[axis] - foot[axis];
  if (!same_sign(whole, first) || !same_sign(whole, second)) return {{T(0), T(1)}, q};
  return {{first / whole, second / whole}, foot};
}

// areas of a triangle seen along an axis: its own, and with a point in place of each corner
template <class T>
struct TriangleAreas {
  T whole, part[3];
};
template <class T>
LOCKSTEP_FN TriangleAreas<T> triangle_areas(const Vec3<T>* corner, const Vec3<T>& x) {
  const Vec3<T>&p = corner[0], &q = corner[1], &r = corner[2];
  const auto area = [&](int u, int v) {
    return (q[u] - p[u]) * (r[v] - p[v]) - (q[v] - p[v]) * (r[u] - p[u]);
  };
  const T along[3] = {area(1, 2), area(0, 2), area(0, 1)};
  const T x0 = abs(along[0]), x1 = abs(along[1]), x2 = abs(along[2]);
  const int axis = x0 >= x1 && x0 >= x2 ? 0 : x1 >= x2 ? 1 : 2;
  const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  TriangleAreas<T> areas;
  areas.whole = along[axis];
  for (int i = 0; i < 3; i++) {
    const Vec3<T>&b = corner[(i + 1) % 3], &c = corner[(i + 2) % 3];
    areas.part[i] = (b[u] - x[u]) * (c[v] - x[v]) - (b[v] - x[v]) * (c[u] - x[u]);
  }
  return areas;
}

// takes the nearest point of a side without one of the corners if it is nearer
template <class T>
LOCKSTEP_FN void keep_nearer(NearestOnSimplex<T>& best, T& square, const NearestOnSimplex<T>& side,
                             int left_out) {
  const T there = dot(side.x, side.x);
  if (!(there < square)) return;
  square = there;
  for (int i = 0; i < 4; i++) {
    best.weight[i] = i == left_out ? T(0) : side.weight[i - (i > left_out)];
  }
  best.x = side.x;
}

template <class T>
LOCKSTEP_FN NearestOnSimplex<T> nearest_on_triangle(const Vec3<T>* corner) {
  NearestOnSimplex<T> found;
  if (!plane_foot(corner[0], corner[1], corner[2], found.x)) {
    return nearest_on_segment(corner[0], corner[1]);
  }
  const TriangleAreas<T> areas = triangle_areas(corner, found.x);
  bool inside[3];
  for (int i = 0; i < 3; i++) {
    inside[i] = same_sign(areas.whole, areas.part[i]);
    found.weight[i] = areas.part[i] / areas.whole;
  }
  if (inside[0] && inside[1] && inside[2]) return found;
  T square(1e300);
  for (int i = 0; i < 3; i++) {
    if (inside[i]) continue;
    keep_nearer(found, square, nearest_on_segment(corner[i == 0 ? 1 : 0], corner[i == 2 ? 1 : 2]),
                i);
  }
  return found;
}

template <class T>
LOCKSTEP_FN T determinant(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
         a.z * (b.x * c.y - b.y * c.x);
}

template <class T>
LOCKSTEP_FN NearestOnSimplex<T> nearest_on_tetrahedron(const Vec3<T>* p) {
  const T part[4] = {-determinant(p[1], p[2], p[3]), determinant(p[0], p[2], p[3]),
                     -determinant(p[0], p[1], p[3]), determinant(p[0], p[1], p[2])};
  const T whole = part[0] + part[1] + part[2] + part[3];
  NearestOnSimplex<T> found;
  found.x = {T(0), T(0), T(0)};
  bool inside[4], all = true;
  for (int i = 0; i < 4; i++) {
    inside[i] = same_sign(whole, part[i]);
    all = all && inside[i];
    found.weight[i] = part[i] / whole;
  }
  if (all) return found;
  T square(1e300);
  for (int i = 0; i < 4; i++) {
    if (inside[i]) continue;
    Vec3<T> side[3];
    for (int k = 0; k < 3; k++) side[k] = p[k + (k >= i)];
    keep_nearer(found, square, nearest_on_triangle(side), i);
  }
  return found;
}

// keeps the corners that carry the nearest point, and gives that point
template <class T>
LOCKSTEP_FN Vec3<T> reduce(Simplex<T>& s) {
  Vec3<T> corner[4];
  for (int i = 0; i < s.count; i++) corner[i] = s.point[i].w;
  NearestOnSimplex<T> found{{T(1)}, corner[0]};
  if (s.count == 2) found = nearest_on_segment(corner[0], corner[1]);
  if (s.count == 3) found = nearest_on_triangle(corner);
  if (s.count == 4) found = nearest_on_tetrahedron(corner);
  int kept = 0;
  for (int i = 0; i < s.count; i++) {
    if (found.weight[i] == T(0)) continue;
    if (kept != i) s.point[kept] = s.point[i];
    s.weight[kept++] = found.weight[i];
  }
  s.count = kept;
  return found.x;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
