// ray.h: where a ray meets a shape for the first time, and the normal there.
//   p + t v, t >= 0, in the frame of the shape; one quadratic or linear equation per surface
// a ray that starts inside meets the surface from within; normals always point out of the shape.
// scalar code: T is float or double; lanes call it one by one.
#pragma once

#include "math/mat.h"
#include "model/enums.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct Ray {
  Vec3<T> from, along;

  LOCKSTEP_INLINE Vec3<T> at(T t) const { return from + along * t; }
};

template <class T>
struct RayHit {
  T dist;          // in units of the direction; -1: missed
  Vec3<T> normal;  // zeros where missed

  LOCKSTEP_INLINE bool found() const { return dist >= T(0); }
};
template <class T>
LOCKSTEP_INLINE RayHit<T> ray_missed() {
  return {T(-1), {T(0), T(0), T(0)}};
}

// keeps the nearer one; of two equal ones the first
template <class T>
LOCKSTEP_INLINE void take_nearer(RayHit<T>& best, T dist, const Vec3<T>& normal) {
  if (dist >= T(0) && (!best.found() || dist < best.dist)) best = {dist, normal};
}

template <class T>
LOCKSTEP_INLINE Ray<T> into_frame(const Ray<T>& ray, const Vec3<T>& pos, const Mat3<T>& mat) {
  return {mul_transposed(mat, ray.from - pos), mul_transposed(mat, ray.along)};
}
template <class T>
LOCKSTEP_INLINE RayHit<T> out_of_frame(const RayHit<T>& hit, const Mat3<T>& mat) {
  return hit.found() ? RayHit<T>{hit.dist, mat * hit.normal} : ray_missed<T>();
}

// both roots of a t^2 + 2 b t + c, in order; -1 where there are none
template <class T>
struct RayRoots {
  T first = T(-1), second = T(-1);

  LOCKSTEP_INLINE T nearest() const {
    return first >= T(0) ? first : second >= T(0) ? second : T(-1);
  }
};
template <class T>
LOCKSTEP_FN RayRoots<T> ray_roots(T a, T b, T c) {
  const T disc = b * b - a * c;
  if (!(disc >= T(0)) || a < T(min_val)) return {};
  const T root = sqrt(disc);
  return {(-b - root) / a, (-b + root) / a};
}
template <class T>
LOCKSTEP_INLINE RayRoots<T> sphere_roots(const Ray<T>& ray, const Vec3<T>& center, T radius) {
  const Vec3<T> off = ray.from - center;
  return ray_roots(dot(ray.along, ray.along), dot(ray.along, off), dot(off, off) - radius * radius);
}
// the endless cylinder around z
template <class T>
LOCKSTEP_INLINE RayRoots<T> tube_roots(const Ray<T>& ray, T radius) {
  const Vec3<T>&p = ray.from, &v = ray.along;
  return ray_roots(v.x * v.x + v.y * v.y, v.x * p.x + v.y * p.y,
                   p.x * p.x + p.y * p.y - radius * radius);
}

// ---- shapes in their own frame ----

// seen from its front only; sizes of 0 are endless
template <class T>
LOCKSTEP_FN RayHit<T> ray_plane(const Ray<T>& ray, const Vec3<T>& size) {
  if (ray.along.z > T(-min_val)) return ray_missed<T>();
  const T t = -ray.from.z / ray.along.z;
  const Vec3<T> p = ray.at(t);
  const bool within =
      (size.x <= T(0) || abs(p.x) <= size.x) && (size.y <= T(0) || abs(p.y) <= size.y);
  return t >= T(0) && within ? RayHit<T>{t, {T(0), T(0), T(1)}} : ray_missed<T>();
}

template <class T>
LOCKSTEP_FN RayHit<T> ray_sphere(const Ray<T>& ray, T radius) {
  const T t = sphere_roots(ray, {T(0), T(0), T(0)}, radius).nearest();
  return t >= T(0) ? RayHit<T>{t, normalize(ray.at(t))} : ray_missed<T>();
}

template <class T>
LOCKSTEP_FN RayHit<T> ray_capsule(const Ray<T>& ray, const Vec3<T>& size) {
  RayHit<T> best = ray_missed<T>();
  const T radius = size.x, half = size.y;
  const T side = tube_roots(ray, radius).nearest();
  const Vec3<T> p = ray.at(side);
  if (side >= T(0) && abs(p.z) <= half) best = {side, normalize(Vec3<T>{p.x, p.y, T(0)})};
  for (int sign = 1; sign >= -1; sign -= 2) {
    const Vec3<T> center{T(0), T(0), T(sign) * half};
    const RayRoots<T> roots = sphere_roots(ray, center, radius);
    const T crossings[2] = {roots.first, roots.second};
    for (const T t : crossings) {
      // the outer half of the ball
      if (T(sign) * ray.at(t).z >= half) take_nearer(best, t, normalize(ray.at(t) - center));
    }
  }
  return best;
}

template <class T>
LOCKSTEP_FN RayHit<T> ray_ellipsoid(const Ray<T>& ray, const Vec3<T>& size) {
  const Vec3<T> w{T(1) / (size.x * size.x), T(1) / (size.y * size.y), T(1) / (size.z * size.z)};
  const Vec3<T> wv = mul_elements(w, ray.along), wp = mul_elements(w, ray.from);
  const T t = ray_roots(dot(wv, ray.along), dot(wv, ray.from), dot(wp, ray.from) - T(1)).nearest();
  return t >= T(0) ? RayHit<T>{t, normalize(mul_elements(w, ray.at(t)))} : ray_missed<T>();
}

template <class T>
LOCKSTEP_FN RayHit<T> ray_cylinder(const Ray<T>& ray, const Vec3<T>& size) {
  RayHit<T> best = ray_missed<T>();
  const T radius = size.x, half = size.y;
  for (int sign = -1; sign <= 1 && abs(ray.along.z) > T(min_val); sign += 2) {
    const T t = (T(sign) * half - ray.from.z) / ray.along.z;
    const Vec3<T> p = ray.at(t);
    if (p.x * p.x + p.y * p.y <= radius * radius) take_nearer(best, t, {T(0), T(0), T(sign)});
  }
  const T side = tube_roots(ray, radius).nearest();
  const Vec3<T> p = ray.at(side);
  if (abs(p.z) <= half) take_nearer(best, side, normalize(Vec3<T>{p.x, p.y, T(0)}));
  return best;
}

// faces in the order -x +x -y +y -z +z; those that are not met are -1
template <class T>
struct BoxCrossings {
  T face[6];
};
template <class T>
LOCKSTEP_FN BoxCrossings<T> box_crossings(const Ray<T>& ray, const Vec3<T>& size) {
  BoxCrossings<T> c{{T(-1), T(-1), T(-1), T(-1), T(-1), T(-1)}};
  for (int axis = 0; axis < 3; axis++) {
    if (!(abs(ray.along[axis]) > T(min_val))) continue;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int side = 0; side < 2; side++) {
      const T t = (T(2 * side - 1) * size[axis] - ray.from[axis]) / ray.along[axis];
      const Vec3<T> p = ray.at(t);
      if (t >= T(0) && abs(p[u]) <= size[u] && abs(p[v]) <= size[v]) c.face[2 * axis + side] = t;
    }
  }
  return c;
}
template <class T>
LOCKSTEP_INLINE Vec3<T> face_normal(int face) {
  Vec3<T> n{T(0), T(0), T(0)};
  n[face / 2] = T(face % 2 ? 1 : -1);
  return n;
}

template <class T>
LOCKSTEP_FN RayHit<T> ray_box(const Ray<T>& ray, const Vec3<T>& size) {
  RayHit<T> best = ray_missed<T>();
  const BoxCrossings<T> c = box_crossings(ray, size);
  for (int face = 0; face < 6; face++) take_nearer(best, c.face[face], face_normal<T>(face));
  return best;
}

LOCKSTEP_FN bool has_plain_ray(GeomType type) {
  return type == GeomType::plane || (type >= GeomType::sphere && type <= GeomType::box);
}

// any shape that needs nothing but its sizes, at a pose in the world
template <class T>
LOCKSTEP_FN RayHit<T> ray_shape(GeomType type, const Vec3<T>& pos, const Mat3<T>& mat,
                                const Vec3<T>& size, const Ray<T>& world) {
  const Ray<T> ray = into_frame(world, pos, mat);
  switch (type) {
    case GeomType::plane: return out_of_frame(ray_plane(ray, size), mat);
    case GeomType::sphere: return out_of_frame(ray_sphere(ray, size.x), mat);
    case GeomType::capsule: return out_of_frame(ray_capsule(ray, size), mat);
    case GeomType::ellipsoid: return out_of_frame(ray_ellipsoid(ray, size), mat);
    case GeomType::cylinder: return out_of_frame(ray_cylinder(ray, size), mat);
    case GeomType::box: return out_of_frame(ray_box(ray, size), mat);
    default: return ray_missed<T>();
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
