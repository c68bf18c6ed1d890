// enclosed.h: how far a shape reaches out of a site, negative where it is inside with some room.
//   reach = max over points p of the shape of s(p);   s: signed distance to the surface of the site
// s is convex, so that it is largest at an outermost point: a corner, or one of a rim or a round
// surface, which p <- argmax of grad s(p) . x climbs without ever descending, from several starts.
// a ball around a core adds its radius. scalar code: T is float or double.
#pragma once

#include "stage/collision/convex/nearest.h"
#include "stage/sensor/site.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SensorView;

// the shape of a site in one lane
template <class Real>
LOCKSTEP_FN ConvexShape<Scalar<Real>> site_shape(const ModelView<Real>& m, const DataView<Real>& d,
                                                 int site, int k) {
  using T = Scalar<Real>;
  ConvexShape<T> s{};
  s.type = GeomType(m.site_type[site]);
  const SitePose<Real> pose = site_pose(m, d, site);
  const Vec3<Real> size = m.site_size[site];
  for (int i = 0; i < 3; i++) s.pos[i] = lane(pose.pos[i], k);
  for (int i = 0; i < 3; i++) s.size[i] = lane(size[i], k);
  for (int i = 0; i < 9; i++) s.mat[i] = lane(pose.mat[i], k);
  if (s.type == GeomType::sphere || s.type == GeomType::capsule) s.radius = s.size.x;
  if (s.type == GeomType::mesh) s.hull = convex_hull(m, m.site_dataid[site]);
  return s;
}

// signed distance and its gradient
template <class T>
struct Depth1 {
  T dist;
  Vec3<T> grad;
};

// from distances to two or three pairs of faces, each with its outward normal
template <class T, int count>
LOCKSTEP_FN Depth1<T> from_faces(const T (&dist)[count], const Vec3<T> (&normal)[count]) {
  int nearest = 0;
  Vec3<T> out{T(0), T(0), T(0)};
  for (int i = 0; i < count; i++) {
    if (dist[i] > dist[nearest]) nearest = i;
    if (dist[i] > T(0)) out += normal[i] * dist[i];
  }
  if (!(dist[nearest] > T(0))) return {dist[nearest], normal[nearest]};
  return {norm(out), normalize(out)};
}

// of a point in the world; what has no formula is searched
template <class T>
LOCKSTEP_FN Depth1<T> signed_distance(const ConvexShape<T>& shape, const Vec3<T>& point,
                                      T tolerance, const ConvexWork<T>& work) {
  const Vec3<T> p = mul_transposed(shape.mat, point - shape.pos);
  const Vec3<T> x{copysign(T(1), p.x), T(0), T(0)}, y{T(0), copysign(T(1), p.y), T(0)};
  const Vec3<T> z{T(0), T(0), copysign(T(1), p.z)};
  Depth1<T> s;
  switch (shape.type) {
    case GeomType::sphere:
    case GeomType::capsule: {
      const T half = shape.type == GeomType::capsule ? shape.size.y : T(0);
      const auto away = normalize_with_norm(Vec3<T>{p.x, p.y, p.z - clamp(p.z, -half, half)});
      s = {away.norm - shape.radius, away.vec};
      break;
    }
    case GeomType::box: {
      const Vec3<T> a = abs(p) - shape.size;
      s = from_faces<T, 3>({a.x, a.y, a.z}, {x, y, z});
      break;
    }
    case GeomType::cylinder: {
      const auto side = normalize_with_norm(Vec3<T>{p.x, p.y, T(0)});
      s = from_faces<T, 2>({side.norm - shape.size.x, abs(p.z) - shape.size.y}, {side.vec, z});
      break;
    }
    default: {
      ConvexShape<T> dot{};
      dot.type = GeomType::sphere;
      dot.pos = point;
      dot.mat = identity3<T>();
      const ConvexContact<T> c = convex_contact(dot, shape, T(1e10), tolerance, work);
      return {c.dist, -c.normal};
    }
  }
  return {s.dist, shape.mat * s.grad};
}

template <class T>
struct Enclosure {
  const ConvexShape<T>& site;
  T tolerance;
  const ConvexWork<T>& work;

  LOCKSTEP_INLINE Depth1<T> at(const Vec3<T>& p) const {
    return signed_distance(site, p, tolerance, work);
  }

  // rims and round surfaces
  LOCKSTEP_FN T climb(ConvexShape<T>& shape) const {
    constexpr int starts = 14, most_moves = 200;
    T best(-1e10);
    for (int start = 0; start < starts; start++) {
      // six axes, eight diagonals
      Vec3<T> n{T(0), T(0), T(0)};
      if (start < 6) n[start / 2] = T(start % 2 ? 1 : -1);
      for (int i = 0; i < 3 && start >= 6; i++) n[i] = T((start - 6) >> i & 1 ? 1 : -1);
      n = shape.mat * n;
      T here(-1e10);
      for (int move = 0; move < most_moves; move++) {
        const Depth1<T> s = at(support(shape, n));
        if (!(s.dist > here)) break;
        here = s.dist;
        n = s.grad;
      }
      best = max(best, here);
    }
    return best;
  }

  LOCKSTEP_FN T corners(const ConvexShape<T>& shape) const {
    const ConvexHull& hull = shape.hull;
    const bool box = shape.type == GeomType::box;
    const int count = box ? 8 : hull.graph ? hull.graph[0] : hull.count;
    T best(-1e10);
    for (int i = 0; i < count; i++) {
      Vec3<T> p = shape.size;
      if (box) {
        for (int axis = 0; axis < 3; axis++) p[axis] = i >> axis & 1 ? p[axis] : -p[axis];
      } else {
        p = hull_vertex<T>(hull, hull.graph ? hull.graph[2 + count + i] : i);
      }
      best = max(best, at(shape.pos + shape.mat * p).dist);
    }
    return best;
  }

  LOCKSTEP_FN T reach(ConvexShape<T> shape) const {
    const Vec3<T> half = col(shape.mat, 2) * shape.size.y;
    switch (shape.type) {
      case GeomType::sphere: return at(shape.pos).dist + shape.radius;
      case GeomType::capsule:
        return max(at(shape.pos + half).dist, at(shape.pos - half).dist) + shape.radius;
      case GeomType::box:
      case GeomType::mesh: return corners(shape);
      default: return climb(shape);
    }
  }
};

// a geom, a site, the geoms of a body (body) or of its subtree (xbody): the one that reaches most
template <class Real>
LOCKSTEP_FN Scalar<Real> reach_out_of_site(const SensorView<Real>& s, int k) {
  using T = Scalar<Real>;
  const ModelView<Real>& m = s.m;
  FewRounds<T> room;
  const ConvexWork<T> work = room.work(m.opt.ccd_iterations);
  const ConvexShape<T> site = site_shape(m, s.d, s.ref(), k);
  const Enclosure<T> within{site, lane(Real(m.opt.ccd_tolerance), k), work};
  const ObjType type = s.obj_type();
  if (type == ObjType::site) return within.reach(site_shape(m, s.d, s.obj(), k));
  if (type == ObjType::geom) return within.reach(convex_shape(m, s.d, s.obj(), k));
  T best(-1e10);
  for (int geom = 0; geom < m.ngeom; geom++) {
    int body = m.geom_bodyid[geom];
    while (type == ObjType::xbody && body > s.obj()) body = m.body_parentid[body];
    if (body != s.obj() || !is_convex(GeomType(m.geom_type[geom]))) continue;
    best = max(best, within.reach(convex_shape(m, s.d, geom, k)));
  }
  return best;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
