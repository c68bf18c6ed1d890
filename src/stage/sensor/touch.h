// touch.h: how hard the body of a site is pressed inside the site's shape: the sum of the normal
// forces of its contacts whose line of force meets the shape.
#pragma once

#include "stage/constraint/contact_force.h"
#include "stage/ray/ray_world.h"
#include "stage/sensor/site.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SensorView;

// whether a ray meets the shape of a site, in one lane
template <class Real>
LOCKSTEP_FN bool ray_meets_site(const SensorView<Real>& s, int k, const Ray<Scalar<Real>>& ray) {
  using T = Scalar<Real>;
  const int site = s.obj();
  const SitePose<Real> pose = site_pose(s.m, s.d, site);
  const Vec3<T> pos = lane_of(pose.pos, k);
  const Mat3<T> mat = lane_of(pose.mat, k);
  const GeomType type = GeomType(s.m.site_type[site]);
  if (type == GeomType::mesh) {
    return ray_mesh(s.m, s.m.site_dataid[site], k, into_frame(ray, pos, mat)).found();
  }
  return ray_shape(type, pos, mat, lane_of(s.m.site_size[site], k), ray).found();
}

template <class Real>
LOCKSTEP_FN void sensor_touch(const SensorView<Real>& s) {
  const ArenaView<Real>& arena = *s.d.arena;
  const int body = s.m.site_bodyid[s.obj()];
  Real sum(0);
  for (int contact = 0; contact < arena.ncon; contact++) {
    const int* bodies = arena.con_body + 2 * contact;
    if (arena.con_efc_address[contact] < 0 || (bodies[0] != body && bodies[1] != body)) continue;
    const Real force = contact_force(arena, contact).force.x;
    const Vec3<Real> normal = row(arena.con_frame[contact], 0);
    const Vec3<Real> along = bodies[1] == body ? -normal : normal;
    Mask<Real> counts = force > Real(0);
    for_each_lane<Real>(counts, [&](int k) {
      const Vec3<Real> pos = arena.con_pos[contact];
      set_lane(counts, k, ray_meets_site(s, k, {lane_of(pos, k), lane_of(along, k)}));
    });
    sum = select(counts, sum + force, sum);
  }
  s.out()[0] = sum;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
