// convex.cc: plain functions of convex collision, in double.
#include "step/convex.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "stage/collision/convex/nearest.h"

namespace lockstep {
namespace {

// memory for one search; nothing is read before it is written
struct SearchRoom {
  explicit SearchRoom(int iterations)
      : vertex(std::make_unique_for_overwrite<ConvexVertex<double>[]>(convex_vertices(iterations))),
        face(std::make_unique_for_overwrite<ConvexFace<double>[]>(convex_faces(iterations))),
        integer(std::make_unique_for_overwrite<int[]>(convex_integers(iterations))),
        work{vertex.get(), face.get(), integer.get(), iterations} {}
  std::unique_ptr<ConvexVertex<double>[]> vertex;
  std::unique_ptr<ConvexFace<double>[]> face;
  std::unique_ptr<int[]> integer;
  ConvexWork<double> work;
};

constexpr int most_iterations = 10'000;  // a larger cap changes nothing but memory

}  // namespace

bool has_geom_distance(const Model& m, int geom) {
  return has_distance(GeomType(m.geom_type[geom]));
}

double geom_distance(const Model& m, Data& d, int geom1, int geom2, double distmax,
                     double* fromto) {
  if (fromto) std::fill_n(fromto, 6, 0.0);
  const SearchRoom room(std::clamp(m.opt.ccd_iterations, 0, most_iterations));
  const auto c = nearest_points(view(m), view(d), geom1, geom2, 0, distmax, room.work);
  if (!fromto || !c.found) return c.dist;
  store3(fromto, c.point1);
  store3(fromto + 3, c.point2);
  return c.dist;
}

}  // namespace lockstep
