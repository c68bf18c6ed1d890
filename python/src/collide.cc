// collide.cc: contacts of one pair of geoms, for tests until collision is a stage.
#include "step/collide.h"

#include <algorithm>

#include "array_args.h"
#include "bind.h"
#include "data_object.h"

namespace lockstep::python {
namespace {

using nb::arg;

nb::object zeros(int rows, int cols) {
  return nb::module_::import_("numpy").attr("zeros")(nb::make_tuple(rows, cols));
}

// distances, positions and frames, a row per contact
nb::tuple contacts_of_pair(ModelObject& m, DataObject& d, int geom1, int geom2, double margin) {
  const int ngeom = m.model().ngeom;
  if (std::min(geom1, geom2) < 0 || std::max(geom1, geom2) >= ngeom) {
    throw nb::index_error("there is no such geom");
  }
  ContactPoint<double> found[most_contacts];
  const int count = collide(m.model(), data_for(m, d), geom1, geom2, margin, found, most_contacts);
  if (count < 0) throw nb::value_error("these types of geoms have no collider in closed form");
  nb::object dist = zeros(count, 1), pos = zeros(count, 3), frame = zeros(count, 9);
  const auto dists = nb::cast<OutMat>(dist), places = nb::cast<OutMat>(pos),
             frames = nb::cast<OutMat>(frame);
  for (int i = 0; i < count; i++) {
    dists(i, 0) = found[i].dist;
    for (int k = 0; k < 3; k++) places(i, k) = found[i].pos[k];
    for (int k = 0; k < 9; k++) frames(i, k) = found[i].frame[k];
  }
  return nb::make_tuple(dist, pos, frame);
}

}  // namespace

void bind_collide(nb::module_& m) {
  m.def("_collide", contacts_of_pair, arg("m"), arg("d"), arg("geom1"), arg("geom2"),
        arg("margin"));
}

}  // namespace lockstep::python
