// ray_world.h: the geom that a ray meets first, among those that can be seen.
// reads geom_xpos geom_xmat    writes nothing
#pragma once

#include "stage/ray/ray_mesh.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// which geoms a ray passes through
struct RayFilter {
  const unsigned char* group = nullptr;  // one flag per group, zero: passes; null: no such filter
  bool meets_static = true;
  int body = -1;  // whose geoms it passes
};

template <class Real>
LOCKSTEP_FN bool is_seen(const ModelView<Real>& m, const RayFilter& filter, int geom) {
  constexpr int groups = 6;
  const int body = m.geom_bodyid[geom], material = m.geom_matid[geom];
  if (body == filter.body) return false;
  const float alpha = material < 0 ? m.geom_rgba[4 * geom + 3] : m.mat_rgba[4 * material + 3];
  if (alpha == 0) return false;
  if (!filter.meets_static && m.body_weldid[body] == 0) return false;
  return !filter.group || filter.group[min(max(m.geom_group[geom], 0), groups - 1)];
}

template <class Real>
LOCKSTEP_INLINE Vec3<Scalar<Real>> lane_of(const Vec3<Real>& v, int k) {
  return {lane(v.x, k), lane(v.y, k), lane(v.z, k)};
}
template <class Real>
LOCKSTEP_INLINE Mat3<Scalar<Real>> lane_of(const Mat3<Real>& a, int k) {
  Mat3<Scalar<Real>> b;
  for (int i = 0; i < 9; i++) b[i] = lane(a[i], k);
  return b;
}

// whether a ray passes a ball of this radius, generously
template <class T>
LOCKSTEP_INLINE bool ray_passes_ball(const Ray<T>& ray, const Vec3<T>& center, T radius) {
  const Vec3<T> off = ray.from - center;
  const T a = dot(ray.along, ray.along), b = dot(ray.along, off), c = dot(off, off);
  const T wide = T(1.01) * radius * radius + T(1e-6) * c;
  return c <= wide || (b < T(0) && c * a - b * b <= wide * a);
}

// one geom in one lane
template <class Real>
LOCKSTEP_FN RayHit<Scalar<Real>> ray_geom(const ModelView<Real>& m, const DataView<Real>& d,
                                          int geom, int k, const Ray<Scalar<Real>>& ray) {
  using T = Scalar<Real>;
  const Vec3<T> pos = lane_of(d.geom_xpos[geom], k);
  const T bound = lane(m.geom_rbound[geom], k);
  if (bound > T(0) && !ray_passes_ball(ray, pos, bound)) return ray_missed<T>();
  const Mat3<T> mat = lane_of(d.geom_xmat[geom], k);
  const int data = m.geom_dataid[geom];
  switch (GeomType(m.geom_type[geom])) {
    case GeomType::mesh: return out_of_frame(ray_mesh(m, data, k, into_frame(ray, pos, mat)), mat);
    case GeomType::hfield:
      return out_of_frame(ray_hfield(height_field(m, data, k), into_frame(ray, pos, mat)), mat);
    default:
      return ray_shape(GeomType(m.geom_type[geom]), pos, mat, lane_of(m.geom_size[geom], k), ray);
  }
}

template <class T>
struct WorldHit {
  RayHit<T> hit;
  int geom;  // -1: none
};

// the first of all geoms in one lane
template <class Real>
LOCKSTEP_FN WorldHit<Scalar<Real>> ray_world(const ModelView<Real>& m, const DataView<Real>& d,
                                             const RayFilter& filter, int k,
                                             const Ray<Scalar<Real>>& ray) {
  using T = Scalar<Real>;
  WorldHit<T> best{ray_missed<T>(), -1};
  for (int geom = 0; geom < m.ngeom; geom++) {
    if (!is_seen(m, filter, geom)) continue;
    const RayHit<T> hit = ray_geom(m, d, geom, k, ray);
    if (hit.found() && (best.geom < 0 || hit.dist < best.hit.dist)) best = {hit, geom};
  }
  return best;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
