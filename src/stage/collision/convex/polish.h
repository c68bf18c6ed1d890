// polish.h: the last digits of a depth, or of a distance as negative depth, where both cores are
// smooth or have a corner.
//   minimize h(n) = n . w(n) over |n| = 1:   grad = P w,   Hess = P (H_a + H_b) P - h P,   P = 1 -
//   n n'
// Newton on the sphere of directions from where gjk.h or epa.h ended; flat sides and edges have no
// Hessian to go by and need none, the polytope is exact there.
#pragma once

#include "stage/collision/convex/epa.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
LOCKSTEP_FN bool is_curved(const ConvexShape<T>& s) {
  return s.type == GeomType::ellipsoid || s.type == GeomType::cylinder;
}

// second derivative of the support function along a direction, times a direction; n in the frame of
// the shape
template <class T>
LOCKSTEP_FN Vec3<T> support_bend(const ConvexShape<T>& s, const Vec3<T>& n, const Vec3<T>& x) {
  if (s.type == GeomType::ellipsoid) {
    const Vec3<T> square = mul_elements(s.size, s.size), q = mul_elements(square, n);
    const T h = sqrt(dot(n, q));
    if (!(h > T(0))) return {T(0), T(0), T(0)};
    return (mul_elements(square, x) - q * (dot(q, x) / (h * h))) * (T(1) / h);
  }
  if (s.type == GeomType::cylinder) {
    const T length = sqrt(n.x * n.x + n.y * n.y);
    if (!(length > T(0))) return {T(0), T(0), T(0)};
    const T turn = s.size.x * (n.x * x.y - n.y * x.x) / (length * length * length);
    return {-n.y * turn, n.x * turn, T(0)};
  }
  return {T(0), T(0), T(0)};
}

template <class T>
LOCKSTEP_FN Vec3<T> bend(const ConvexPair<T>& pair, const Vec3<T>& n, const Vec3<T>& x) {
  const auto of = [&](const ConvexShape<T>& s) {
    return s.mat * support_bend(s, mul_transposed(s.mat, n), mul_transposed(s.mat, x));
  };
  return of(pair.a) + of(pair.b);  // the sign of n cancels: the second derivative is even
}

template <class T>
LOCKSTEP_FN void polish(ConvexPair<T>& pair, Depth<T>& found, T tolerance, T scale) {
  constexpr int rounds = 12;
  if (!is_curved(pair.a) && !is_curved(pair.b)) return;
  Vec3<T> n = found.normal;
  ConvexVertex<T> s = support(pair, n);
  T h = dot(s.w, n);
  for (int round = 0; round < rounds; round++) {
    Vec3<T> t[2];
    across(n, t);
    const T g0 = dot(t[0], s.w), g1 = dot(t[1], s.w);
    const Vec3<T> b0 = bend(pair, n, t[0]), b1 = bend(pair, n, t[1]);
    const T xx = dot(t[0], b0) - h, xy = dot(t[0], b1), yy = dot(t[1], b1) - h;
    const T det = xx * yy - xy * xy;
    if (!(xx > T(0)) || !(det > T(0))) return;
    if (abs(g0) + abs(g1) <= T(16) * convex_eps<T> * scale) break;
    const Vec3<T> step = (t[0] * (xy * g1 - yy * g0) + t[1] * (xy * g0 - xx * g1)) * (T(1) / det);
    const Vec3<T> to = normalize(n + step);
    const ConvexVertex<T> there = support(pair, to);
    if (!(dot(there.w, to) < h)) break;
    n = to;
    s = there;
    h = dot(s.w, n);
  }
  // only a true minimum replaces what the polytope says
  const Vec3<T> rest = s.w - n * h;
  if (!(norm(rest) <= tolerance) || !(h <= found.depth + T(2) * tolerance)) return;
  found.normal = n;
  found.depth = h;
  found.a = s.a;
  found.b = s.b;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
