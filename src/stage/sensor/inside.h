// inside.h: whether a point is inside a site (of a mesh: inside its hull), or how far a shape
// reaches out of it.
#pragma once

#include "stage/sensor/enclosed.h"
#include "stage/sensor/site.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SensorView;

// on the inner side of every polygon of the hull
template <class Real>
LOCKSTEP_FN Mask<Real> inside_hull(const ModelView<Real>& m, int mesh, const Vec3<Real>& p) {
  using T = Scalar<Real>;
  Mask<Real> inside = m.mesh_polynum[mesh] > 0;
  const int first = m.mesh_polyadr[mesh];
  for (int poly = first; poly < first + m.mesh_polynum[mesh] && any(inside); poly++) {
    const int corner = m.mesh_polyvert[m.mesh_polyvertadr[poly]];
    const float* v = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + corner);
    const Vec3<Real> at{Real(T(v[0])), Real(T(v[1])), Real(T(v[2]))};
    inside = inside && dot(m.mesh_polynormal[poly], p - at) <= Real(0);
  }
  return inside;
}

// in the frame of the shape
template <class Real>
LOCKSTEP_FN Mask<Real> inside_shape(GeomType type, const Vec3<Real>& size, const Vec3<Real>& p) {
  const Real across = p.x * p.x + p.y * p.y, radius = size.x * size.x;
  switch (type) {
    case GeomType::sphere: return dot(p, p) <= radius;
    case GeomType::capsule: {
      const Real beyond = max(abs(p.z) - size.y, Real(0));
      return across + beyond * beyond <= radius;
    }
    case GeomType::ellipsoid: {
      const Vec3<Real> unit{p.x / size.x, p.y / size.y, p.z / size.z};
      return dot(unit, unit) <= Real(1);
    }
    case GeomType::cylinder: return abs(p.z) <= size.y && across <= radius;
    case GeomType::box: return abs(p.x) <= size.x && abs(p.y) <= size.y && abs(p.z) <= size.z;
    default: return Mask<Real>(false);
  }
}

template <class Real>
LOCKSTEP_FN Mask<Real> inside_site(const ModelView<Real>& m, const DataView<Real>& d, int site,
                                   const Vec3<Real>& point) {
  const SitePose<Real> pose = site_pose(m, d, site);
  const Vec3<Real> p = mul_transposed(pose.mat, point - pose.pos);
  const GeomType type = GeomType(m.site_type[site]);
  if (type == GeomType::mesh) return inside_hull(m, m.site_dataid[site], p);
  return inside_shape(type, m.site_size[site], p);
}

template <class Real>
LOCKSTEP_FN void sensor_insidesite(const SensorView<Real>& s) {
  if (s.m.sensor_intprm[mjNSENS * s.id]) {
    for_each_lane<Real>([&](int k) { set_lane(s.out()[0], k, reach_out_of_site(s, k)); });
    return;
  }
  const Mask<Real> inside = inside_site(s.m, s.d, s.ref(), s.place().pos);
  s.out()[0] = select(inside, Real(1), Real(0));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
