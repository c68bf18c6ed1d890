// convex.cc: plain functions of convex collision, in double.
#include "step/convex.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "stage/collision/field_distance.h"

namespace lockstep {
namespace {

// memory for one search; nothing is read before it is written
struct NearestRoom {
  explicit NearestRoom(int iterations)
      : vertex(std::make_unique_for_overwrite<ConvexVertex<double>[]>(convex_vertices(iterations))),
        face(std::make_unique_for_overwrite<ConvexFace<double>[]>(convex_faces(iterations))),
        integer(std::make_unique_for_overwrite<int[]>(convex_integers(iterations))),
        work{vertex.get(), face.get(), integer.get(), iterations} {}
  std::unique_ptr<ConvexVertex<double>[]> vertex;
  std::unique_ptr<ConvexFace<double>[]> face;
  std::unique_ptr<int[]> integer;
  ConvexWork<double> work;
};

// height field and convex shape, whichever comes first
double field_geom_distance(const Model& m, Data& d, int geom1, int geom2, double distmax,
                           double* fromto, double* normal) {
  const bool second = GeomType(m.geom_type[geom2]) == GeomType::hfield;
  const int field = second ? geom2 : geom1, other = second ? geom1 : geom2;
  if (!is_convex(GeomType(m.geom_type[other]))) return distmax;
  const auto room = std::make_unique_for_overwrite<SearchRoom<double>>();
  const auto c = field_distance(view(m), view(d), field, other, distmax, *room);
  if (normal && c.found) store3(normal, second ? -c.normal : c.normal);
  if (!fromto || !c.found) return c.dist;
  store3(fromto, second ? c.point2 : c.point1);
  store3(fromto + 3, second ? c.point1 : c.point2);
  return c.dist;
}

constexpr int most_iterations = 10'000;  // a larger cap changes nothing but memory

}  // namespace

bool has_geom_distance(const Model& m, int geom) {
  const GeomType type{m.geom_type[geom]};
  return has_distance(type) || type == GeomType::hfield;
}

double geom_distance(const Model& m, Data& d, int geom1, int geom2, double distmax, double* fromto,
                     double* normal) {
  if (fromto) std::fill_n(fromto, 6, 0.0);
  if (normal) std::fill_n(normal, 3, 0.0);
  for (int geom : {geom1, geom2}) {
    if (GeomType(m.geom_type[geom]) == GeomType::hfield) {
      return field_geom_distance(m, d, geom1, geom2, distmax, fromto, normal);
    }
  }
  const NearestRoom room(std::clamp(m.opt.ccd_iterations, 0, most_iterations));
  const auto c = nearest_points(view(m), view(d), geom1, geom2, 0, distmax, room.work);
  if (normal && c.found) store3(normal, c.normal);
  if (!fromto || !c.found) return c.dist;
  store3(fromto, c.point1);
  store3(fromto + 3, c.point2);
  return c.dist;
}

bool geom_box(const Model& m, Data& d, int geom, double low[3], double high[3]) {
  const GeomType type{m.geom_type[geom]};
  if (type == GeomType::plane) return false;
  if (is_convex(type)) {
    SearchShape<double> shape = search_shape(view(m), view(d), geom, 0);
    Vec3<double> least, most;
    search_box(shape, least, most);
    store3(low, least);
    store3(high, most);
    return true;
  }
  const Mat3<double> mat = view(d).geom_xmat[geom];
  const double* box = m.geom_aabb + 6 * geom;
  const Vec3<double> center = view(d).geom_xpos[geom] + mat * load3(box);
  for (int axis = 0; axis < 3; axis++) {
    double half = 0;
    for (int k = 0; k < 3; k++) half += abs(mat[3 * axis + k]) * box[3 + k];
    low[axis] = center[axis] - half;
    high[axis] = center[axis] + half;
  }
  return true;
}

}  // namespace lockstep
