// geom_distance.cc: mj_geomDistance.
#include <nanobind/stl/optional.h>

#include <string>

#include "array_args.h"
#include "bind.h"
#include "data_object.h"
#include "step/convex.h"

namespace lockstep::python {
namespace {

using nb::arg;

void check_geom(const Model& m, int geom) {
  if (geom < 0 || geom >= m.ngeom) {
    throw FatalError("mj_geomDistance: there is no geom " + std::to_string(geom));
  }
  if (!has_geom_distance(m, geom)) {
    throw FatalError(
        "mj_geomDistance: distances from signed distance fields are not supported yet (geom " +
        std::to_string(geom) + ")");
  }
}

double distance_of(ModelObject& m, DataObject& d, int geom1, int geom2, double distmax,
                   std::optional<Out<>> fromto) {
  Data& data = data_for(m, d);
  if (fromto && fromto->size != 6) throw nb::type_error("fromto should be of size 6");
  check_geom(m.model(), geom1);
  check_geom(m.model(), geom2);
  double* segment = fromto ? fromto->data : nullptr;
  nb::gil_scoped_release released;
  return geom_distance(m.model(), data, geom1, geom2, distmax, segment);
}

}  // namespace

void bind_geom_distance(nb::module_& m) {
  m.def("mj_geomDistance", distance_of, arg("m"), arg("d"), arg("geom1"), arg("geom2"),
        arg("distmax"), arg("fromto").none(),
        "Smallest signed distance of two geoms, and the segment from geom1 to geom2.");
}

}  // namespace lockstep::python
