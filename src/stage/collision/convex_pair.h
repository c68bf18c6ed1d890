// convex_pair.h: contacts of convex shapes that have no collider in closed form, lane by lane.
#pragma once

#include "stage/collision/contact_list.h"
#include "stage/collision/convex/manifold.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_convex_rounds = 100;  // of the search; more iterations are not used

// memory of one search
template <class T>
struct ConvexRoom {
  static constexpr int vertices = 4 + most_convex_rounds;
  ConvexVertex<T> vertex[vertices];
  ConvexFace<T> face[3 * vertices];
  int integer[4 * vertices];
};

template <class Real>
LOCKSTEP_FN HullPolygons<Real> hull_polygons(const ModelView<Real>& m, int geom, int k) {
  const int mesh = m.geom_dataid[geom];
  if (m.geom_type[geom] != code(GeomType::mesh) || mesh < 0) return {};
  const int first = m.mesh_polyadr[mesh], vertex = m.mesh_vertadr[mesh];
  return {m.mesh_polyvertadr + first,
          m.mesh_polyvertnum + first,
          m.mesh_polyvert,
          m.mesh_polymapadr + vertex,
          m.mesh_polymapnum + vertex,
          m.mesh_polymap,
          m.mesh_polynormal,
          first,
          k};
}

// a contact of one lane
template <class Real>
LOCKSTEP_FN void add_lane_contact(ContactList<Real>& list, int k, const ContactSource<Real>& source,
                                  const Vec3<Scalar<Real>>& pos, const Vec3<Scalar<Real>>& normal,
                                  Scalar<Real> dist) {
  const auto spread = [](const Vec3<Scalar<Real>>& v) {
    return Vec3<Real>{Real(v.x), Real(v.y), Real(v.z)};
  };
  Mask<Real> here = false;
  set_lane(here, k, true);
  list.add(here, {Real(dist), spread(pos), contact_frame(spread(normal))}, source);
}

template <class Real>
LOCKSTEP_FN void convex_pair(ContactList<Real>& list, const ContactSource<Real>& source,
                             Mask<Real> near, const Real& reach) {
  using T = Scalar<Real>;
  const ModelView<Real>& m = list.m;
  const int *geom = source.pair.geom, rounds = m.opt.ccd_iterations;
  const bool several = !(m.opt.disableflags & code(DisableBit::multiccd));
  ConvexRoom<T> room;
  const ConvexWork<T> work{room.vertex, room.face, room.integer,
                           max(1, min(rounds, most_convex_rounds))};
  const Real tolerance = m.opt.ccd_tolerance;
  for_each_lane<Real>(near, [&](int k) {
    ConvexShape<T> a = convex_shape(m, list.d, geom[0], k), b = convex_shape(m, list.d, geom[1], k);
    const T limit = lane(reach, k);
    const ConvexContact<T> single = convex_contact(a, b, limit, lane(tolerance, k), work);
    if (!single.found) return;
    Manifold<T> found;
    if (several) {
      found =
          manifold(a, hull_polygons(m, geom[0], k), b, hull_polygons(m, geom[1], k), single, limit);
    }
    if (!found.count) {
      const Vec3<T> middle = (single.point1 + single.point2) * T(0.5);
      add_lane_contact(list, k, source, middle, single.normal, single.dist);
    }
    for (int i = 0; i < found.count; i++) {
      add_lane_contact(list, k, source, found.pos[i], found.normal, found.dist[i]);
    }
  });
}

// a plane and a mesh: the lowest vertex, and of the side there that looks most at the plane up to
// three more that span a large area, as far as they are near
template <class Real>
LOCKSTEP_FN void plane_mesh(ContactList<Real>& list, const ContactSource<Real>& source,
                            Mask<Real> near, const Real& reach) {
  using T = Scalar<Real>;
  const ModelView<Real>& m = list.m;
  const int* geom = source.pair.geom;
  for_each_lane<Real>(near, [&](int k) {
    const ConvexShape<T> plane = convex_shape(m, list.d, geom[0], k);
    ConvexShape<T> mesh = convex_shape(m, list.d, geom[1], k);
    if (!is_finite_shape(plane) || !is_finite_shape(mesh) || mesh.hull.count <= 0) return;
    const Vec3<T> normal = col(plane.mat, 2), lowest = support(mesh, -normal);
    ConvexSide<T> side;
    side_along(mesh, hull_polygons(m, geom[1], k), -normal, side);
    int first = 0;
    for (int i = 1; i < side.count; i++) {
      if (distance(side.corner[i], lowest) < distance(side.corner[first], lowest)) first = i;
    }
    Outline<T> points;
    points.point[0] = lowest;
    points.count = max(side.count, 1);
    for (int i = 1; i < side.count; i++) {
      points.point[i] = side.corner[(first + side.count - i) % side.count];
    }
    keep_four(points);
    for (int i = 0; i < points.count; i++) {
      const T dist = dot(normal, points.point[i] - plane.pos);
      if (!(dist <= lane(reach, k))) continue;
      add_lane_contact(list, k, source, points.point[i] - normal * (T(0.5) * dist), normal, dist);
    }
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
