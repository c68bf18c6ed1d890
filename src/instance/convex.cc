// convex.cc: plain functions of convex collision, in double.
#include "stage/collision/convex/convex.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "step/convex.h"

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
  const GeomType type{m.geom_type[geom]};
  return type == GeomType::plane || is_convex(type);
}

double geom_distance(const Model& m, Data& d, int geom1, int geom2, double distmax,
                     double* fromto) {
  if (fromto) std::fill_n(fromto, 6, 0.0);
  const bool flip = m.geom_type[geom1] > m.geom_type[geom2];
  if (flip) std::swap(geom1, geom2);
  const auto a = convex_shape(view(m), view(d), geom1, 0);
  const auto b = convex_shape(view(m), view(d), geom2, 0);
  ConvexContact<double> c{};
  c.dist = distmax;
  if (a.type != GeomType::plane) {
    const SearchRoom room(std::clamp(m.opt.ccd_iterations, 0, most_iterations));
    c = convex_contact(a, b, distmax, m.opt.ccd_tolerance, room.work);
  } else if (b.type != GeomType::plane) {
    c = plane_contact(a, b, distmax);
  }
  if (!fromto || !c.found) return c.dist;
  for (int i = 0; i < 3; i++) {
    fromto[i] = flip ? c.point2[i] : c.point1[i];
    fromto[3 + i] = flip ? c.point1[i] : c.point2[i];
  }
  return c.dist;
}

}  // namespace lockstep
