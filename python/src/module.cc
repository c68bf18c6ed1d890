// module.cc: the extension module lockstep._core.
#include "bind.h"

NB_MODULE(_core, m) {
  namespace py = lockstep::python;
  m.doc() = "compiled part of lockstep";
  m.attr("lockstep_version") = LOCKSTEP_VERSION;
  py::bind_tables(m);
  py::bind_structs(m);
  py::bind_model(m);
  py::bind_spec(m);
  py::bind_functions(m);
  py::bind_records(m);
  py::bind_data(m);
  py::bind_state(m);
  py::bind_queries(m);
  py::bind_step(m);
  py::bind_callbacks(m);
  py::bind_collide(m);
  py::bind_actuation(m);
  py::bind_geom_distance(m);
  py::bind_ray(m);
  py::bind_shape_queries(m);
  py::bind_batch(m);
  py::bind_environment(m);
  py::bind_episodes(m);
  py::bind_streams(m);
  py::bind_schema(m);
  py::bind_vectors(m);
  py::bind_rotations(m);
  py::bind_linear_algebra(m);
  py::bind_bands(m);
}
