// portal.h: overlap of two convex shapes by a portal (Snethen's refinement), the search of models
// that disable nativeccd.
// a tetrahedron is spanned by a point inside the difference of the shapes and three points of its
// surface. the ray from inside to the origin leaves through the face of the three, the portal,
// which moves outwards as long as the surface is farther out; its nearest point to the origin is
// the depth. where the tolerance ends the search MuJoCo ends too.
#pragma once

#include "stage/collision/convex/search_shape.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double portal_zero = 2.220446049250313e-16;  // less is nothing
inline constexpr int most_portal_rounds = 1000;  // of steps that end by themselves but for rounding

template <class T>
struct PortalContact {
  T depth = T(0);
  Vec3<T> normal{T(0), T(0), T(0)};  // from the first shape to the second; zero: unknown
  Vec3<T> pos{T(0), T(0), T(0)};
  bool found = false;
};

// ---- outermost points: a direction that does not decide between two ends gives their middle ----

template <class T>
LOCKSTEP_FN T sign_or_zero(T x) {
  return x > T(0) ? T(1) : x < T(0) ? T(-1) : T(0);
}

// unlike normalize() however short: faces of portals are small
template <class T>
LOCKSTEP_FN Vec3<T> direction(const Vec3<T>& v) {
  const T length = norm(v);
  return length > T(0) ? v * (T(1) / length) : Vec3<T>{T(1), T(0), T(0)};
}

// of small hulls the first of all vertices, whatever was found last
template <class T>
LOCKSTEP_FN Vec3<T> balanced_hull(ConvexShape<T>& s, const Vec3<T>& n) {
  if (s.hull.count <= 0) return {T(0), T(0), T(0)};
  const bool few = s.hull.count < few_hull_vertices;
  return hull_vertex<T>(s.hull, few ? scan_hull(s.hull, n) : support_vertex(s, n));
}

template <class T>
LOCKSTEP_FN Vec3<T> balanced_local(SearchShape<T>& s, const Vec3<T>& n) {
  const Vec3<T>& size = s.shape.size;
  switch (s.shape.type) {
    case GeomType::sphere: return n * size.x;
    case GeomType::capsule:
      return {n.x * size.x, n.y * size.x, n.z * size.x + sign_or_zero(n.z) * size.y};
    case GeomType::ellipsoid: return mul_elements(normalize(mul_elements(n, size)), size);
    case GeomType::cylinder: {
      const T across = sqrt(n.x * n.x + n.y * n.y);
      const bool decides = across > T(min_val);
      return {decides ? n.x / across * size.x : T(0), decides ? n.y / across * size.x : T(0),
              sign_or_zero(n.z) * size.y};
    }
    case GeomType::box:
      return {sign_or_zero(n.x) * size.x, sign_or_zero(n.y) * size.y, sign_or_zero(n.z) * size.z};
    case GeomType::mesh: return balanced_hull(s.shape, n);
    default: return {T(0), T(0), T(0)};
  }
}

template <class T>
LOCKSTEP_FN Vec3<T> balanced(SearchShape<T>& s, const Vec3<T>& n) {
  if (s.is_column()) return outermost_column(s, n) + n * (T(0.5) * s.margin);
  const ConvexShape<T>& c = s.shape;
  const Vec3<T> local = mul_transposed(c.mat, n);
  return c.mat * (balanced_local(s, local) + local * (T(0.5) * s.margin)) + c.pos;
}

// ---- the portal ----

enum class PortalEnd { open, apart, touching, straight };

template <class T>
struct Portal {
  SearchPair<T>& pair;
  SearchVertex<T> inside, face[3];

  LOCKSTEP_FN SearchVertex<T> vertex(const Vec3<T>& n) {
    const Vec3<T> p = balanced(pair.a, n), q = balanced(pair.b, -n);
    return {p - q, p, q, {-1, -1}};
  }
  // across two corners of the face and the point inside
  LOCKSTEP_FN Vec3<T> across_sides() const {
    return direction(cross(face[0].w - inside.w, face[1].w - inside.w));
  }
  LOCKSTEP_FN Vec3<T> outward() const {
    return direction(cross(face[1].w - face[0].w, face[2].w - face[0].w));
  }
  // the face cannot move farther than the tolerance to a point found in its direction
  LOCKSTEP_FN bool is_outermost(const Vec3<T>& n, const SearchVertex<T>& v, T tolerance) const {
    const T there = dot(v.w, n);
    T least = there - dot(face[0].w, n);
    for (int i = 1; i < 3; i++) least = min(least, there - dot(face[i].w, n));
    return !(least >= tolerance + T(portal_zero));
  }
  // the new point takes the place of the corner that the ray does not need
  LOCKSTEP_FN void move_to(const SearchVertex<T>& v) {
    const Vec3<T> side = cross(v.w, inside.w);
    if (dot(face[0].w, side) > T(0)) {
      face[dot(face[1].w, side) > T(0) ? 0 : 2] = v;
    } else {
      face[dot(face[2].w, side) > T(0) ? 1 : 0] = v;
    }
  }
  LOCKSTEP_FN PortalEnd open_up();
  LOCKSTEP_FN bool reach_origin(T tolerance);
  LOCKSTEP_FN Vec3<T> place_of_origin() const;
};

// three points of the surface whose face meets the ray
template <class T>
LOCKSTEP_FN PortalEnd Portal<T>::open_up() {
  const T zero(portal_zero);
  inside.a = middle(pair.a);
  inside.b = middle(pair.b);
  inside.w = inside.a - inside.b;
  const auto is_origin = [&](const Vec3<T>& v) {
    return abs(v.x) < zero && abs(v.y) < zero && abs(v.z) < zero;
  };
  if (is_origin(inside.w)) inside.w.x += T(10) * zero;

  Vec3<T> n = direction(-inside.w);
  face[0] = vertex(n);
  if (!(dot(face[0].w, n) >= zero)) return PortalEnd::apart;
  n = cross(inside.w, face[0].w);
  if (dot(n, n) < zero) {
    return is_origin(face[0].w) ? PortalEnd::touching : PortalEnd::straight;
  }
  n = direction(n);
  face[1] = vertex(n);
  if (!(dot(face[1].w, n) >= zero)) return PortalEnd::apart;

  n = across_sides();
  if (dot(n, inside.w) > T(0)) {  // the face looks away from the point inside
    const SearchVertex<T> first = face[0];
    face[0] = face[1];
    face[1] = first;
    n = -n;
  }
  for (int round = 0; round < most_portal_rounds; round++) {
    face[2] = vertex(n);
    if (!(dot(face[2].w, n) >= zero)) return PortalEnd::apart;
    // the ray passes beside one of the two sides at the new corner
    if (dot(cross(face[0].w, face[2].w), inside.w) <= -zero) {
      face[1] = face[2];
    } else if (dot(cross(face[2].w, face[1].w), inside.w) <= -zero) {
      face[0] = face[2];
    } else {
      return PortalEnd::open;
    }
    n = across_sides();
  }
  return PortalEnd::apart;
}

// moves until the origin lies on the inner side; false if it never will
template <class T>
LOCKSTEP_FN bool Portal<T>::reach_origin(T tolerance) {
  for (int round = 0; round < most_portal_rounds; round++) {
    const Vec3<T> n = outward();
    if (dot(n, face[0].w) > T(-portal_zero)) return true;
    const SearchVertex<T> v = vertex(n);
    if (!(dot(v.w, n) > T(-portal_zero)) || is_outermost(n, v, tolerance)) return false;
    move_to(v);
  }
  return false;
}

// between the points of both shapes that make the origin, as a mean of the tetrahedron's corners or
// of the face's
template <class T>
LOCKSTEP_FN Vec3<T> Portal<T>::place_of_origin() const {
  const Vec3<T>&u = face[0].w, &v = face[1].w, &w = face[2].w, &o = inside.w;
  T part[4] = {dot(cross(u, v), w), dot(cross(w, v), o), dot(cross(o, u), w), dot(cross(v, u), o)};
  T whole = part[0] + part[1] + part[2] + part[3];
  if (!(whole >= T(portal_zero))) {
    const Vec3<T> n = outward();
    part[0] = T(0);
    part[1] = dot(cross(v, w), n);
    part[2] = dot(cross(w, u), n);
    part[3] = dot(cross(u, v), n);
    whole = part[1] + part[2] + part[3];
  }
  Vec3<T> sum = (inside.a + inside.b) * part[0];
  for (int i = 0; i < 3; i++) sum += (face[i].a + face[i].b) * part[1 + i];
  return sum * (T(0.5) / whole);
}

// ---- the nearest point to the origin ----

template <class T>
LOCKSTEP_FN Vec3<T> nearest_of_side(const Vec3<T>& a, const Vec3<T>& b) {
  const Vec3<T> along = b - a;
  const T square = dot(along, along);
  const T part = square > T(0) ? -dot(a, along) / square : T(0);
  return part < T(portal_zero) ? a : part > T(1) - T(portal_zero) ? b : a + along * part;
}

// of a triangle; one without area (in absolute numbers, as MuJoCo) is its three sides
template <class T>
LOCKSTEP_FN Vec3<T> nearest_of_triangle(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  const Vec3<T> side1 = b - a, side2 = c - a;
  const T v = dot(side1, side1), w = dot(side2, side2), r = dot(side1, side2);
  const T p = dot(a, side1), q = dot(a, side2), area = w * v - r * r, zero(portal_zero);
  if (!(abs(area) < zero)) {
    const T s = (q * r - w * p) / area, t = (-s * r - q) / w;
    if (s > -zero && t > -zero && s < T(1) + zero && t < T(1) + zero && s + t < T(1) + zero) {
      return a + side1 * s + side2 * t;
    }
  }
  Vec3<T> best = nearest_of_side(a, b);
  const Vec3<T> others[2] = {nearest_of_side(a, c), nearest_of_side(b, c)};
  for (const Vec3<T>& other : others) {
    if (dot(other, other) < dot(best, best)) best = other;
  }
  return best;
}

// where two shapes, each grown by half its margin, overlap
template <class T>
LOCKSTEP_FN PortalContact<T> portal_contact(SearchPair<T>& pair, T tolerance, int rounds) {
  PortalContact<T> c;
  Portal<T> portal{pair, {}, {}};
  const PortalEnd end = portal.open_up();
  if (end == PortalEnd::apart) return c;
  if (end == PortalEnd::open && !portal.reach_origin(tolerance)) return c;
  c.found = true;
  if (end != PortalEnd::open) {
    c.pos = (portal.face[0].a + portal.face[0].b) * T(0.5);
    if (end == PortalEnd::touching) return c;
    c.depth = norm(portal.face[0].w);
    c.normal = direction(portal.face[0].w);
    return c;
  }
  for (int round = 0;; round++) {
    const Vec3<T> n = portal.outward();
    const SearchVertex<T> v = portal.vertex(n);
    if (round > rounds || portal.is_outermost(n, v, tolerance)) break;
    portal.move_to(v);
  }
  const Vec3<T> foot = nearest_of_triangle(portal.face[0].w, portal.face[1].w, portal.face[2].w);
  c.depth = norm(foot);
  if (c.depth >= T(portal_zero)) c.normal = direction(foot);
  c.pos = portal.place_of_origin();
  return c;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
