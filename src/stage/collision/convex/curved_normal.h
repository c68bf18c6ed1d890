// curved_normal.h: the normal of a contact from the curved surface it lies on, better than a search
// with a tolerance tells it.
//   sphere, capsule, cylinder: from the center or the axis;   ellipsoid x'Ex = 1: n ~ E x
// a cylinder's round side counts only well away from its flat ends.
#pragma once

#include "stage/collision/convex/portal.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_normal_rounds = 30;
inline constexpr double normal_tolerance = 1e-6;

// from a point inside an ellipsoid along the normal to the surface, where the next normal is
template <class T>
LOCKSTEP_FN bool normal_from_inside(const Vec3<T>& size, const Vec3<T>& pos, Vec3<T>& normal) {
  const Vec3<T> square = mul_elements(size, size);
  const Vec3<T> e{T(1) / square.x, T(1) / square.y, T(1) / square.z};
  const auto form = [&](const Vec3<T>& a, const Vec3<T>& b) {
    return a.x * b.x * e.x + a.y * b.y * e.y + a.z * b.z * e.z;
  };
  const T inside = form(pos, pos) - T(1);
  if (inside > T(0)) return false;
  normal = normalize(normal);
  for (int round = 0; round < most_normal_rounds; round++) {
    const T a = form(normal, normal), b = form(pos, normal), root = b * b - a * inside;
    if (root < T(min_val) || a < T(min_val)) return round > 0;
    const T way = (sqrt(root) - b) / a;
    if (way < T(0)) return round > 0;
    const Vec3<T> next = normalize(mul_elements(pos + normal * way, e));
    const T change = norm(normal - next);
    normal = next;
    if (change < T(normal_tolerance)) break;
  }
  return true;
}

// the nearest point of the surface is S^2 (S^2 + x)^-1 p for the x that puts it there
template <class T>
LOCKSTEP_FN Vec3<T> normal_from_outside(const Vec3<T>& size, const Vec3<T>& pos) {
  const Vec3<T> square = mul_elements(size, size);
  T x(0);
  for (int round = 0; round < most_normal_rounds; round++) {
    T value(-1), slope(0);
    for (int i = 0; i < 3; i++) {
      const T r = T(1) / (square[i] + x), term = pos[i] * pos[i] * square[i] * r * r;
      value += term;
      slope -= T(2) * term * r;
    }
    if (value < T(normal_tolerance) || slope > T(-min_val)) break;
    const T step = -value / slope;
    if (step < T(normal_tolerance)) break;
    x += step;
  }
  return {pos.x / (square.x + x), pos.y / (square.y + x), pos.z / (square.z + x)};
}

// at a point near the surface, both in the frame of the shape; false where the surface is not
// curved
template <class T>
LOCKSTEP_FN bool curved_normal_local(const ConvexShape<T>& s, const Vec3<T>& pos, Vec3<T>& normal) {
  const Vec3<T>& size = s.size;
  const T o(0);
  switch (s.type) {
    case GeomType::sphere: normal = pos; return true;
    case GeomType::capsule: {
      const T end = size.y, z = pos.z < -end ? pos.z + end : pos.z > end ? pos.z - end : o;
      normal = {pos.x, pos.y, z};
      return true;
    }
    case GeomType::ellipsoid: {
      if (min(size.x, min(size.y, size.z)) < T(min_val)) return false;
      const T level = pos.x * pos.x / (size.x * size.x) + pos.y * pos.y / (size.y * size.y) +
                      pos.z * pos.z / (size.z * size.z);
      if (level <= T(1)) return normal_from_inside(size, pos, normal);
      normal = normal_from_outside(size, pos);
      return true;
    }
    case GeomType::cylinder: {
      const T to_end = abs(size.y - abs(pos.z));
      const T to_side = abs(size.x - sqrt(pos.x * pos.x + pos.y * pos.y));
      if (abs(pos.z) > T(0.95) * size.y || to_end < T(0.25) * to_side) return false;
      normal = {pos.x, pos.y, o};
      return true;
    }
    default: return false;
  }
}

// of a shape whose normal there is roughly known, world
template <class T>
LOCKSTEP_FN bool curved_normal(const ConvexShape<T>& s, const Vec3<T>& pos, Vec3<T>& normal) {
  Vec3<T> local = mul_transposed(s.mat, normal);
  if (!curved_normal_local(s, mul_transposed(s.mat, pos - s.pos), local)) return false;
  normal = s.mat * normalize(local);
  return true;
}

// from the first to the second of two shapes, at a contact that a search found
template <class T>
LOCKSTEP_FN Vec3<T> sharpen_normal(const ConvexShape<T>& a, const ConvexShape<T>& b,
                                   const Vec3<T>& pos, const Vec3<T>& found) {
  Vec3<T> first = found, second = -found;
  const bool curved1 = curved_normal(a, pos, first), curved2 = curved_normal(b, pos, second);
  if (curved1 && curved2) return normalize(first - second);
  return curved1 ? first : curved2 ? -second : found;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
