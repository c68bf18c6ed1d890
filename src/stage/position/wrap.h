// wrap.h: shortest path around (or through) a sphere or a cylinder.
//   outside: |w| - acos(r/|p0|) - acos(r/|p1|) is the angle of the arc, w the winding about the
//   center
//   inside: the path touches the circle in one point, where it is reflected; that point is searched
//   lane by lane
#pragma once

#include "math/elementary.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the part of a path that touches the surface; a negative length means that there is none
template <class T>
struct Wrapped {
  T length;
  Vec3<T> first, last;
};

namespace wrap_detail {

template <class T>
struct Arc {
  T length;
  Vec2<T> first, last;
};

template <class T>
LOCKSTEP_INLINE T cross2(const Vec2<T>& a, const Vec2<T>& b) {
  return a.x * b.y - a.y * b.x;
}
// from a to b, in (-pi, pi]
template <class T>
LOCKSTEP_INLINE T angle2(const Vec2<T>& a, const Vec2<T>& b) {
  return atan2(cross2(a, b), dot(a, b));
}
template <class T>
LOCKSTEP_INLINE T norm2(const Vec2<T>& a) {
  return sqrt(dot(a, a));
}

// point of the segment p0-p1 nearest to the origin
template <class T>
LOCKSTEP_FN Vec2<T> nearest_to_origin(const Vec2<T>& p0, const Vec2<T>& p1) {
  const Vec2<T> along = p1 - p0;
  const T square = dot(along, along);
  const Mask<T> point = square < T(min_val);
  const T part = clamp(-dot(along, p0) / select(point, T(1), square), T(0), T(1));
  return p0 + along * select(point, T(0), part);
}

// where the tangent through p touches the circle, on the side given by sign
template <class T>
LOCKSTEP_FN Vec2<T> tangent_point(const Vec2<T>& p, T radius, T sign) {
  const T square = dot(p, p);
  const T reach = sqrt(max(square - radius * radius, T(0)));
  const Vec2<T> turned{-p.y, p.x};
  return (p * (radius * radius) + turned * (sign * radius * reach)) * (T(1) / square);
}

// around the circle, with the winding of p0 -> side -> p1; without a side, the shorter way
template <class T>
LOCKSTEP_FN Arc<T> around(Mask<T> where, const Vec2<T>& p0, const Vec2<T>& p1, T radius,
                          const Vec2<T>* side) {
  const Arc<T> none{T(-1), {T(0), T(0)}, {T(0), T(0)}};
  const T square = radius * radius;
  where = where && !(dot(p0, p0) < square || dot(p1, p1) < square);
  if (!any(where)) return none;
  const T straight = angle2(p0, p1);
  const T winding = side ? angle2(p0, *side) + angle2(*side, p1) : straight;
  const Vec2<T> nearest = nearest_to_origin(p0, p1);
  const Mask<T> same_way = abs(winding - straight) < T(pi);
  where = where && !(same_way && dot(nearest, nearest) > square);
  if (!any(where)) return none;
  const T angle =
      abs(winding) - acos(min(radius / norm2(p0), T(1))) - acos(min(radius / norm2(p1), T(1)));
  where = where && !(angle < T(0));
  if (!any(where)) return none;
  const T sign = select(winding < T(0), T(-1), T(1));
  return {select(where, radius * angle, T(-1)), tangent_point(p0, radius, sign),
          tangent_point(p1, radius, -sign)};
}

// Newton's method for the angle of incidence x:  asin(a sin x) + asin(b sin x) - 2 x + gap = 0,
// from x = pi/2 down. MuJoCo stops at this tolerance too; the last digits of moments depend on it.
template <class T>
LOCKSTEP_FN bool solve_reflection(T a, T b, T gap, T& x) {
  constexpr int max_iterations = 20;
  constexpr double tolerance = 1e-6;  // radian
  const auto residual = [&](T s) { return asin(a * s) + asin(b * s) - T(2) * x + gap; };
  const auto slope = [](T k, const SinCos<T>& sc) {
    return k * sc.cos / max(sqrt(T(1) - k * k * sc.sin * sc.sin), T(min_val));
  };
  x = T(pi / 2);
  for (int i = 0; i < max_iterations; i++) {
    const SinCos<T> sc = sincos(x);
    const T f = residual(sc.sin);
    if (abs(f) <= T(tolerance)) return true;
    x = x - f / (slope(a, sc) + slope(b, sc) - T(2));
  }
  return false;
}

// through the inside of the circle: one point on it, or none if the segment already passes through
template <class T>
LOCKSTEP_FN Arc<T> through(const Vec2<T>& p0, const Vec2<T>& p1, T radius) {
  const Arc<T> none{T(-1), {T(0), T(0)}, {T(0), T(0)}};
  const T length0 = norm2(p0), length1 = norm2(p1);
  if (length0 <= radius || length1 <= radius) return none;
  if (norm2(nearest_to_origin(p0, p1)) <= radius) return none;
  // where no better point is found, the one between the two ends serves
  const Vec2<T> middle = (p0 + p1) * T(0.5);
  Vec2<T> touch = middle * (radius / max(norm2(middle), T(min_val)));
  T x;
  if (solve_reflection(radius / length0, radius / length1, abs(angle2(p0, p1)), x)) {
    const bool turns_left = cross2(p0, p1) > T(0);
    const Vec2<T> from = turns_left ? p0 * (T(1) / length0) : p1 * (T(1) / length1);
    const T turn = x - asin(radius / (turns_left ? length0 : length1) * sin(x));
    const T c = cos(turn), s = sin(turn);
    touch = {radius * (c * from.x - s * from.y), radius * (s * from.x + c * from.y)};
  }
  return {T(0), touch, touch};
}

// axes of the plane through the center of a sphere and both points; any such plane if they are in
// line with it
template <class T>
LOCKSTEP_FN void sphere_plane(const Vec3<T>& p0, const Vec3<T>& p1, Vec3<T>& x, Vec3<T>& y) {
  x = normalize(p0);
  Normalized3<T> normal = normalize_with_norm(cross(p0, p1));
  const Mask<T> in_line = normal.norm < T(min_val);
  if (any(in_line)) {
    // across the largest part of x
    const Vec3<T> size = abs(x);
    const Mask<T> by_z = size.z > size.x && size.z > size.y;
    const Mask<T> by_y = size.y > size.x && size.y > size.z && !by_z, by_x = !by_y && !by_z;
    const T zero(0), one(1);
    const Vec3<T> other{select(by_x, zero, one), select(by_y, zero, one), select(by_z, zero, one)};
    normal.vec = select(in_line, normalize(cross(x, other)), normal.vec);
  }
  y = normalize(cross(normal.vec, x));
}

// arcs of the lanes whose side site is inside
template <class Real>
LOCKSTEP_FN void through_lanes(Mask<Real> where, const Vec2<Real>& a, const Vec2<Real>& b,
                               const Real& radius, Arc<Real>& arc) {
  using T = Scalar<Real>;
  for_each_lane<Real>(where, [&](int i) {
    const Arc<T> one = through(Vec2<T>{lane(a.x, i), lane(a.y, i)},
                               Vec2<T>{lane(b.x, i), lane(b.y, i)}, lane(radius, i));
    set_lane(arc.length, i, one.length);
    set_lane(arc.first.x, i, one.first.x);
    set_lane(arc.first.y, i, one.first.y);
    set_lane(arc.last.x, i, one.last.x);
    set_lane(arc.last.y, i, one.last.y);
  });
}

}  // namespace wrap_detail

// path from x0 to x1 about an obstacle at (pos, mat); `side` may be null
template <class Real>
LOCKSTEP_FN Wrapped<Real> wrap(const Vec3<Real>& x0, const Vec3<Real>& x1, const Vec3<Real>& pos,
                               const Mat3<Real>& mat, Real radius, bool cylinder,
                               const Vec3<Real>* side) {
  using namespace wrap_detail;
  const Real zero(0), one(1), least(min_val);
  const Vec3<Real> origin{zero, zero, zero};
  const Vec3<Real> p0 = mul_transposed(mat, x0 - pos), p1 = mul_transposed(mat, x1 - pos);
  const Mask<Real> sound = !(radius < least || norm(p0) < least || norm(p1) < least);
  Vec3<Real> x{one, zero, zero}, y{zero, one, zero};
  if (!cylinder) sphere_plane(p0, p1, x, y);
  const Vec2<Real> a{dot(p0, x), dot(p0, y)}, b{dot(p1, x), dot(p1, y)};
  const Vec3<Real> local = side ? mul_transposed(mat, *side - pos) : origin;
  const Vec2<Real> s{dot(local, x), dot(local, y)};
  Mask<Real> inside = false;
  if (side) inside = norm(local) < radius;  // of cylinders too: a sphere of that radius
  Arc<Real> arc = around(sound && !inside, a, b, radius, side ? &s : nullptr);
  through_lanes(sound && inside, a, b, radius, arc);
  const Mask<Real> found = arc.length >= zero;
  if (!any(found)) return {Real(-1), origin, origin};
  Vec3<Real> first = x * arc.first.x + y * arc.first.y, last = x * arc.last.x + y * arc.last.y;
  Real length = arc.length;
  if (cylinder) {
    // a helix: height grows evenly along the unrolled path
    const Real before = norm2(a - arc.first), after = norm2(b - arc.last);
    const Real total = before + arc.length + after, climb = p1.z - p0.z;
    first.z = p0.z + climb * before / total;
    last.z = p0.z + climb * (before + arc.length) / total;
    const Real height = last.z - first.z;
    length = sqrt(length * length + height * height);
  }
  return {select(found, length, Real(-1)), select(found, mat * first + pos, origin),
          select(found, mat * last + pos, origin)};
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
