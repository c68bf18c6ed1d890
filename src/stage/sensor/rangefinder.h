// rangefinder.h: what a ray from a site, or one from each pixel of a camera, meets first.
//   site: along its z axis;   camera: pixel (col, row) looks along ((col+.5-cx)/fx,
//   -(row+.5-cy)/fy, -1), or, orthographic, starts at its place in the image and looks along -z
#pragma once

#include "math/elementary.h"
#include "stage/ray/ray_world.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SensorView;

// from pixels to the image plane at distance 1
template <class T>
struct Lens {
  bool parallel;
  T scale[2], middle[2];  // of columns and rows

  LOCKSTEP_INLINE T x(int col) const { return (T(col) + T(0.5) - middle[0]) * scale[0]; }
  LOCKSTEP_INLINE T y(int row) const { return -(T(row) + T(0.5) - middle[1]) * scale[1]; }
};
template <class Real>
LOCKSTEP_FN Lens<Scalar<Real>> lens_of(const ModelView<Real>& m, int cam, int k) {
  using T = Scalar<Real>;
  Lens<T> lens{};
  lens.parallel = m.cam_projection[cam] == code(Projection::orthographic);
  const float *size = m.cam_sensorsize + 2 * cam, *intrinsic = m.cam_intrinsic + 4 * cam;
  const bool has_size = size[0] != 0 && size[1] != 0;
  const T fovy = lane(m.cam_fovy[cam], k), height(m.cam_resolution[2 * cam + 1]);
  for (int i = 0; i < 2; i++) {
    const T pixels(m.cam_resolution[2 * cam + i]);
    lens.middle[i] = pixels / T(2);
    if (lens.parallel) {
      lens.scale[i] = fovy / pixels;
    } else if (has_size) {
      const auto in_pixels = [&](float length) LOCKSTEP_LAMBDA {
        return T(length / size[i] * static_cast<float>(pixels));  // as MuJoCo rounds
      };
      lens.scale[i] = T(1) / in_pixels(intrinsic[i]);
      lens.middle[i] = in_pixels(intrinsic[2 + i]);
    } else {
      lens.scale[i] = tan(fovy * T(pi / 360)) * T(2) / height;
    }
  }
  return lens;
}

// puts down the fields of one ray in one lane; returns what follows them
template <class Real>
struct RayReadings {
  using T = Scalar<Real>;
  Real* to;
  int fields, lane_index;

  LOCKSTEP_INLINE void put(T x) { set_lane(*to++, lane_index, x); }
  LOCKSTEP_INLINE void put(const Vec3<T>& v) {
    for (int i = 0; i < 3; i++) put(v[i]);
  }
  LOCKSTEP_INLINE bool wants(RayDataField field) const { return fields & (1 << code(field)); }

  // depth is measured along `axis`, a unit vector into the scene
  LOCKSTEP_FN void put(const Ray<T>& ray, const RayHit<T>& hit, const Vec3<T>& eye,
                       const Vec3<T>& axis) {
    const Vec3<T> none{T(0), T(0), T(0)};
    const Vec3<T> point = hit.found() ? ray.at(hit.dist) : none;
    if (wants(RayDataField::dist)) put(hit.dist);
    if (wants(RayDataField::dir)) put(hit.found() ? ray.along : none);
    if (wants(RayDataField::origin)) put(ray.from);
    if (wants(RayDataField::point)) put(point);
    if (wants(RayDataField::normal)) put(hit.normal);
    if (wants(RayDataField::depth)) put(hit.found() ? dot(point - eye, axis) : T(-1));
  }
};

template <class Real>
LOCKSTEP_FN void range_from_site(const SensorView<Real>& s, RayReadings<Real> readings) {
  using T = Scalar<Real>;
  const int k = readings.lane_index, site = s.obj();
  const Ray<T> ray{lane_of(s.d.site_xpos[site], k), col(lane_of(s.d.site_xmat[site], k), 2)};
  const RayFilter filter{nullptr, true, s.m.site_bodyid[site]};
  readings.put(ray, ray_world(s.m, s.d, filter, k, ray).hit, ray.from, ray.along);
}

template <class Real>
LOCKSTEP_FN void ranges_from_camera(const SensorView<Real>& s, RayReadings<Real> readings) {
  using T = Scalar<Real>;
  const int k = readings.lane_index, cam = s.obj();
  const Lens<T> lens = lens_of(s.m, cam, k);
  const Vec3<T> eye = lane_of(s.d.cam_xpos[cam], k);
  const Mat3<T> axes = lane_of(s.d.cam_xmat[cam], k);
  const Vec3<T> ahead = -col(axes, 2);
  const RayFilter filter{nullptr, true, s.m.cam_bodyid[cam]};
  for (int row = 0; row < s.m.cam_resolution[2 * cam + 1]; row++) {
    for (int column = 0; column < s.m.cam_resolution[2 * cam]; column++) {
      const Vec3<T> side = col(axes, 0) * lens.x(column) + col(axes, 1) * lens.y(row);
      const Ray<T> ray =
          lens.parallel ? Ray<T>{eye + side, ahead} : Ray<T>{eye, normalize(ahead + side)};
      readings.put(ray, ray_world(s.m, s.d, filter, k, ray).hit, eye, ahead);
    }
  }
}

template <class Real>
LOCKSTEP_FN void sensor_rangefinder(const SensorView<Real>& s) {
  const int fields = s.m.sensor_intprm[mjNSENS * s.id];
  for_each_lane<Real>([&](int k) {
    const RayReadings<Real> readings{s.out(), fields, k};
    if (s.obj_type() == ObjType::site) return range_from_site(s, readings);
    ranges_from_camera(s, readings);
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
