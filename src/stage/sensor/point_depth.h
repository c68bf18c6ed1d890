// point_depth.h: how deep points lie inside a geom, zero outside: MuJoCo's measure for taxels.
//   sphere, capsule, cylinder, plane    distance to the surface
//   ellipsoid    k (1 - k) / |p / s^2|, k = |p / s|, which is the distance near the surface
//   box          min_i(a_i^2 / s_i) |s / a|, a: distances to the faces, s: half sizes
//   mesh         between the corners of a cell of its octree, if it has one
// Not a stage.
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// whether points have a depth in a geom; height fields and SDF geoms are not felt
template <class Real>
LOCKSTEP_FN bool has_point_depth(const ModelView<Real>& m, int geom) {
  switch (GeomType(m.geom_type[geom])) {
    case GeomType::plane:
    case GeomType::sphere:
    case GeomType::capsule:
    case GeomType::ellipsoid:
    case GeomType::cylinder:
    case GeomType::box: return true;
    case GeomType::mesh: return m.mesh_octnum[m.geom_dataid[geom]] > 0;
    default: return false;
  }
}

template <class Real>
LOCKSTEP_INLINE Vec3<Real> quotient(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}
template <class Real>
LOCKSTEP_INLINE Real smallest(const Vec3<Real>& a) {
  return min(a.x, min(a.y, a.z));
}

template <class Real>
LOCKSTEP_FN Real depth_in_ellipsoid(const Vec3<Real>& size, const Vec3<Real>& p) {
  const Vec3<Real> unit = quotient(p, size);
  const Real k = norm(unit), slope = norm(quotient(unit, size));
  return k * (Real(1) - k) / max(slope, Real(min_val));
}

template <class Real>
LOCKSTEP_FN Real depth_in_box(const Vec3<Real>& size, const Vec3<Real>& p) {
  const Vec3<Real> left = size - abs(p), part = quotient(left, size);
  const Real least = smallest(part);
  const Mask<Real> inside = least > Real(0);
  const Vec3<Real> one{Real(1), Real(1), Real(1)};
  const Vec3<Real> safe = select(inside, part, one);
  return select(inside, smallest(mul_elements(left, part)) * norm(quotient(one, safe)), Real(0));
}

// in one lane: down the octree to the leaf that holds the point
template <class Real>
LOCKSTEP_FN Scalar<Real> depth_in_octree(const ModelView<Real>& m, int mesh, int k,
                                         const Vec3<Scalar<Real>>& p) {
  using T = Scalar<Real>;
  const int root = m.mesh_octadr[mesh];
  const auto bound = [&](int cell, int i) { return lane(m.oct_aabb[6 * cell + i], k); };
  for (int i = 0; i < 3; i++) {
    if (abs(p[i] - bound(root, i)) > bound(root, 3 + i)) return T(0);
  }
  int cell = root;
  while (m.oct_child[8 * cell] >= 0) {
    int side = 0;
    for (int i = 0; i < 3; i++) side += (p[i] > bound(cell, i)) << i;
    cell = root + m.oct_child[8 * cell + side];
  }
  T dist(0);
  for (int corner = 0; corner < 8; corner++) {
    T weight = lane(m.oct_coeff[8 * cell + corner], k);
    for (int i = 0; i < 3; i++) {
      const T along = T(0.5) + T(0.5) * (p[i] - bound(cell, i)) / bound(cell, 3 + i);
      weight = weight * (corner >> i & 1 ? along : T(1) - along);
    }
    dist = dist + weight;
  }
  return max(-dist, T(0));
}

// of a point in the frame of the geom
template <class Real>
LOCKSTEP_FN Real point_depth(const ModelView<Real>& m, int geom, const Vec3<Real>& p) {
  const Vec3<Real> size = m.geom_size[geom];
  const Real across = sqrt(p.x * p.x + p.y * p.y);
  Real depth(0);
  switch (GeomType(m.geom_type[geom])) {
    case GeomType::plane: depth = -p.z; break;
    case GeomType::sphere: depth = size.x - norm(p); break;
    case GeomType::capsule: {
      const Real beyond = max(abs(p.z) - size.y, Real(0));
      depth = size.x - sqrt(across * across + beyond * beyond);
      break;
    }
    case GeomType::ellipsoid: depth = depth_in_ellipsoid(size, p); break;
    case GeomType::cylinder: depth = min(size.x - across, size.y - abs(p.z)); break;
    case GeomType::box: depth = depth_in_box(size, p); break;
    case GeomType::mesh:
      for_each_lane<Real>([&](int k) {
        const Vec3<Scalar<Real>> at{lane(p.x, k), lane(p.y, k), lane(p.z, k)};
        set_lane(depth, k, depth_in_octree(m, m.geom_dataid[geom], k, at));
      });
      break;
    default: break;
  }
  return max(depth, Real(0));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
