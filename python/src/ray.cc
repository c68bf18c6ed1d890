// ray.cc: mj_ray, mj_multiRay, mju_rayGeom, mj_rayMesh, mj_rayHfield, mju_raySkin.
#include "step/ray.h"

#include <nanobind/stl/optional.h>

#include <optional>
#include <string>

#include "array_args.h"
#include "bind.h"
#include "data_object.h"
#include "views.h"

namespace lockstep::python {
namespace {

using nb::arg;
using Groups = std::optional<Vector<const unsigned char, 6>>;
using Normal = std::optional<Out<3>>;
using GeomId = std::optional<Vector<int, 1>>;

void check_direction(const double* along) {
  if (!has_length(along)) throw FatalError(ray_without_length);
}

RayQuery query_of(const Groups& groups, int meets_static, int body) {
  return {groups ? groups->data : nullptr, meets_static != 0, body};
}

double* normal_of(const Normal& normal) { return normal ? normal->data : nullptr; }

double ray_of(ModelObject& m, DataObject& d, In<3> pnt, In<3> vec, const Groups& groups,
              int meets_static, int body, const GeomId& geomid, const Normal& normal) {
  const Data& data = data_for(m, d);
  check_direction(vec.data);
  int unwanted = -1;
  nb::gil_scoped_release released;
  return ray(m.model(), data, pnt.data, vec.data, query_of(groups, meets_static, body),
             geomid ? geomid->data[0] : unwanted, normal_of(normal));
}

void multi_ray_of(ModelObject& m, DataObject& d, In<3> pnt, In<> vec, const Groups& groups,
                  int meets_static, int body, OutInts geomid, Out<> dist,
                  const std::optional<Out<>>& normal, int nray, double cutoff) {
  const Data& data = data_for(m, d);
  if (dist.size != nray) throw nb::type_error("dist should be of size nray");
  if (geomid.size != nray) throw nb::type_error("geomid should be of size nray");
  if (vec.size != 3 * nray) throw nb::type_error("vec should be of size 3 * nray");
  if (normal && normal->size != 3 * nray) throw nb::type_error("normal should be of size 3 * nray");
  for (int i = 0; i < nray; i++) check_direction(vec.data + 3 * i);
  nb::gil_scoped_release released;
  multi_ray(m.model(), data, pnt.data, vec.data, nray, query_of(groups, meets_static, body), cutoff,
            geomid.data, dist.data, normal ? normal->data : nullptr);
}

double ray_shape_of(In<3> pos, In<9> mat, In<3> size, In<3> pnt, In<3> vec, int geomtype,
                    const Normal& normal) {
  if (!has_plain_ray(geomtype)) {
    throw FatalError("mju_rayGeom: geoms of type " + std::to_string(geomtype) +
                     " are more than a pose and sizes");
  }
  return ray_shape(pos.data, mat.data, size.data, pnt.data, vec.data, geomtype, normal_of(normal));
}

// one geom of a type that has data of its own
template <GeomType type>
double ray_data_of(ModelObject& m, DataObject& d, int geomid, In<3> pnt, In<3> vec,
                   const Normal& normal) {
  const Data& data = data_for(m, d);
  check_id(m.model(), ObjType::geom, geomid);
  if (m.model().geom_type[geomid] != code(type)) {
    throw FatalError(type == GeomType::mesh ? "mj_rayMesh: the geom is not a mesh"
                                            : "mj_rayHfield: the geom is not a height field");
  }
  check_direction(vec.data);
  return ray_geom(m.model(), data, geomid, pnt.data, vec.data, normal_of(normal));
}

double ray_skin_of(int nface, int nvert, const Vector<const int, -2>& face,
                   const Vector<const float, -2>& vert, In<3> pnt, In<3> vec,
                   const GeomId& vertid) {
  if (nface < 0 || nvert < 0) throw nb::value_error("counts should not be negative");
  if (face.size != 3 * nface) throw nb::type_error("face should be of size 3*nface");
  if (vert.size != 3 * nvert) throw nb::type_error("vert should be of size 3*nvert");
  for (int i = 0; i < 3 * nface; i++) {
    if (face.data[i] < 0 || face.data[i] >= nvert)
      throw nb::value_error("face names a vertex that is not there");
  }
  int unwanted;
  return ray_skin(nface, face.data, vert.data, pnt.data, vec.data,
                  vertid ? vertid->data[0] : unwanted);
}

}  // namespace

void bind_ray(nb::module_& m) {
  m.def("mj_ray", ray_of, arg("m"), arg("d"), arg("pnt"), arg("vec"), arg("geomgroup").none(),
        arg("flg_static"), arg("bodyexclude"), arg("geomid").none(), arg("normal") = nb::none(),
        "Distance along a ray to the nearest visible geom, or -1; the geom and its normal there.");
  m.def("mj_multiRay", multi_ray_of, arg("m"), arg("d"), arg("pnt"), arg("vec"),
        arg("geomgroup").none(), arg("flg_static"), arg("bodyexclude"), arg("geomid"), arg("dist"),
        arg("normal").none(), arg("nray"), arg("cutoff"),
        "mj_ray for many directions from one point; geoms beyond the cutoff are not met.");
  m.def("mju_rayGeom", ray_shape_of, arg("pos"), arg("mat"), arg("size"), arg("pnt"), arg("vec"),
        arg("geomtype"), arg("normal") = nb::none(),
        "Distance along a ray to a shape that is only a pose and sizes, or -1.");
  m.def("mj_rayMesh", ray_data_of<GeomType::mesh>, arg("m"), arg("d"), arg("geomid"), arg("pnt"),
        arg("vec"), arg("normal") = nb::none(), "Distance along a ray to a mesh, or -1.");
  m.def("mj_rayHfield", ray_data_of<GeomType::hfield>, arg("m"), arg("d"), arg("geomid"),
        arg("pnt"), arg("vec"), arg("normal") = nb::none(),
        "Distance along a ray to a height field, or -1.");
  m.def("mju_raySkin", ray_skin_of, arg("nface"), arg("nvert"), arg("face"), arg("vert"),
        arg("pnt"), arg("vec"), arg("vertid").none(),
        "Distance along a ray to the triangles of a skin, or -1, and the vertex nearest to it.");
}

}  // namespace lockstep::python
