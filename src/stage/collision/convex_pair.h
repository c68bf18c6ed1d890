// convex_pair.h: contacts of convex shapes that have no collider in closed form, lane by lane.
#pragma once

#include "stage/collision/contact_list.h"
#include "stage/collision/convex/manifold.h"
#include "stage/collision/convex/nearest.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// memory of one search, and of the one that stands in where it fails
struct ConvexRoom {
  SearchRoom<double> search;
  FewRounds<double> backup;
};

// the shape of a geom in one lane; in double whatever the lanes are, or a tolerance of 1e-6 could
// not be met
template <class Real>
LOCKSTEP_FN SearchShape<double> search_shape(const ModelView<Real>& m, const DataView<Real>& d,
                                             int geom, int k) {
  SearchShape<double> s;
  ConvexShape<double>& c = s.shape;
  c.type = GeomType(m.geom_type[geom]);
  // from where they lie: a lane of a register takes a detour through memory
  for (int i = 0; i < 3; i++) c.pos[i] = lane(d.geom_xpos.start[3 * geom + i], k);
  for (int i = 0; i < 3; i++) c.size[i] = lane(m.geom_size.start[3 * geom + i], k);
  for (int i = 0; i < 9; i++) c.mat[i] = lane(d.geom_xmat.start[9 * geom + i], k);
  const bool round = c.type == GeomType::sphere || c.type == GeomType::capsule;
  c.radius = round ? c.size.x : 0;
  c.hull = c.type == GeomType::mesh ? convex_hull(m, m.geom_dataid[geom]) : ConvexHull{};
  c.hint = -1;
  return s;
}

template <class Real>
LOCKSTEP_FN SearchLimits<double> search_limits(const ModelView<Real>& m, int k) {
  const int rounds = max(1, min(m.opt.ccd_iterations, most_search_rounds));
  return {double(lane(m.opt.ccd_tolerance.value, k)), rounds};
}

// nearest or deepest points where MuJoCo's way to them is lost in rounding
LOCKSTEP_FN void search_again(const SearchPair<double>& pair, const SearchLimits<double>& limits,
                              ConvexRoom& room, Found<double>& found) {
  ConvexShape<double> a = pair.a.shape, b = pair.b.shape;
  a.radius += 0.5 * pair.a.margin;
  b.radius += 0.5 * pair.b.margin;
  const ConvexContact<double> c =
      convex_contact(a, b, 0.0, limits.tolerance, room.backup.work(limits.rounds));
  found = {};
  if (!c.found) return;
  found.touches = true;
  found.lone = true;
  found.dist = c.dist;
  found.a = c.point1;
  found.b = c.point2;
}

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
                                  const Vec3<double>& pos, const Vec3<double>& normal, double dist,
                                  bool ahead = false) {
  using T = Scalar<Real>;
  const auto spread = [](const Vec3<double>& v) {
    return Vec3<Real>{Real(T(v.x)), Real(T(v.y)), Real(T(v.z))};
  };
  Mask<Real> here = false;
  set_lane(here, k, true);
  const ContactPoint<Real> point{Real(T(dist)), spread(pos), contact_frame(spread(normal))};
  if (ahead) {
    list.add_ahead(here, point, source);
  } else {
    list.add(here, point, source);
  }
}

// what of a pair is found with a margin around both; false if nothing
LOCKSTEP_FN bool find_contact(SearchPair<double>& pair, const SearchLimits<double>& limits,
                              ConvexRoom& room, Found<double>& found) {
  if (!is_finite_shape(pair.a.shape) || !is_finite_shape(pair.b.shape)) return false;
  found = search(pair, limits, room.search);
  if (found.failed) search_again(pair, limits, room, found);
  return found.touches;
}

template <class Real>
LOCKSTEP_FN void convex_pair(ContactList<Real>& list, const ContactSource<Real>& source,
                             Mask<Real> near, const Real& reach) {
  const ModelView<Real>& m = list.m;
  const int* geom = source.pair.geom;
  const bool several = !(m.opt.disableflags & code(DisableBit::multiccd));
  ConvexRoom room;
  for_each_lane<Real>(near, [&](int k) {
    SearchPair<double> pair{search_shape(m, list.d, geom[0], k),
                            search_shape(m, list.d, geom[1], k)};
    const double margin = lane(reach, k);
    pair.a.margin = pair.b.margin = margin;
    Found<double> single;
    if (!find_contact(pair, search_limits(m, k), room, single)) return;
    Manifold<double> found;
    if (several && !single.lone) {
      found = manifold(pair.a.shape, hull_polygons(m, geom[0], k), pair.b.shape,
                       hull_polygons(m, geom[1], k), single, margin);
    }
    if (!found.count) {
      const Vec3<double> middle = (single.a + single.b) * 0.5;
      add_lane_contact(list, k, source, middle, normalize(single.a - single.b),
                       margin + single.dist);
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
  const ModelView<Real>& m = list.m;
  const int* geom = source.pair.geom;
  for_each_lane<Real>(near, [&](int k) {
    const ConvexShape<double> plane = search_shape(m, list.d, geom[0], k).shape;
    SearchShape<double> whole = search_shape(m, list.d, geom[1], k);
    ConvexShape<double>& mesh = whole.shape;
    if (!is_finite_shape(plane) || !is_finite_shape(mesh) || mesh.hull.count <= 0) return;
    const Vec3<double> normal = col(plane.mat, 2), lowest = outermost(whole, -normal);
    ConvexSide<double> side;
    hull_side_along(mesh, hull_polygons(m, geom[1], k), -normal, side);
    int first = 0;
    for (int i = 1; i < side.count; i++) {
      if (distance(side.corner[i], lowest) < distance(side.corner[first], lowest)) first = i;
    }
    Outline<double> points;
    points.point[0] = lowest;
    points.count = max(side.count, 1);
    for (int i = 1; i < side.count; i++) {
      points.point[i] = side.corner[(first + side.count - i) % side.count];
    }
    keep_four(points);
    for (int i = 0; i < points.count; i++) {
      const double dist = dot(normal, points.point[i] - plane.pos);
      if (!(dist <= double(lane(reach, k)))) continue;
      add_lane_contact(list, k, source, points.point[i] - normal * (0.5 * dist), normal, dist);
    }
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
