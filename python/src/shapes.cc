// shapes.cc: shapes without a model, for lockstep/shapes.py, which gives results their names.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "api/box_tree.h"
#include "array_args.h"
#include "bind.h"

namespace lockstep::python {
namespace {

using nb::arg;
using shapes::BoxTree;
using shapes::Pose;

nb::object zeros(nb::tuple shape) { return nb::module_::import_("numpy").attr("zeros")(shape); }

Vec3d vec(const In<3>& x) { return {x[0], x[1], x[2]}; }
Pose pose_of(const In<7>& x) { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}}; }
nb::tuple numbers(const Vec3d& v) { return nb::make_tuple(v.x, v.y, v.z); }

shapes::Shape make_shape(int type, const In<3>& size, const Vector<const float, -2>& vertex,
                         const Vector<const int, -2>& face, const Matrix<const float>& elevation,
                         const In<4>& field) {
  shapes::ShapeInput input{.type = GeomType(type), .size = {size[0], size[1], size[2]}};
  input.vertex.assign(vertex.data, vertex.data + vertex.size);
  input.face.assign(face.data, face.data + face.size);
  input.rows = int(elevation.rows);
  input.columns = int(elevation.cols);
  input.elevation.assign(elevation.data, elevation.data + elevation.rows * elevation.cols);
  for (int i = 0; i < 4; i++) input.field[size_t(i)] = field[i];
  Result<shapes::Shape> made = shapes::Shape::make(std::move(input));
  if (!made) throw nb::value_error(made.error().c_str());
  return *made;
}

// distances, positions and frames, a row per contact
nb::tuple contacts_of(const shapes::Shape& a, const In<7>& pose_a, const shapes::Shape& b,
                      const In<7>& pose_b, double margin) {
  const auto list = shapes::contacts(a, pose_of(pose_a), b, pose_of(pose_b), margin);
  const size_t n = list.size();
  nb::object dist = zeros(nb::make_tuple(n, 1)), pos = zeros(nb::make_tuple(n, 3)),
             frame = zeros(nb::make_tuple(n, 9));
  const auto dists = nb::cast<OutMat>(dist), places = nb::cast<OutMat>(pos),
             frames = nb::cast<OutMat>(frame);
  for (size_t i = 0; i < n; i++) {
    dists(int64_t(i), 0) = list[i].dist;
    for (int k = 0; k < 3; k++) places(int64_t(i), k) = list[i].pos[k];
    for (int k = 0; k < 9; k++) frames(int64_t(i), k) = list[i].frame[k];
  }
  return nb::make_tuple(dist, pos, frame);
}

nb::tuple distance_of(const shapes::Shape& a, const In<7>& pose_a, const shapes::Shape& b,
                      const In<7>& pose_b, double most) {
  const auto d = shapes::distance(a, pose_of(pose_a), b, pose_of(pose_b), most);
  return nb::make_tuple(d.dist, numbers(d.normal), numbers(d.from), numbers(d.to));
}

// n rays: distances and normals
nb::tuple rays_of(const shapes::Shape& shape, const In<7>& pose, const InMat& from,
                  const InMat& along) {
  if (from.cols != 3 || along.cols != 3 || from.rows != along.rows) {
    throw nb::value_error("rays have points and directions of three numbers each");
  }
  nb::object dist = zeros(nb::make_tuple(from.rows, 1)),
             normal = zeros(nb::make_tuple(from.rows, 3));
  const auto dists = nb::cast<OutMat>(dist), normals = nb::cast<OutMat>(normal);
  const Pose at = pose_of(pose);
  for (int64_t i = 0; i < from.rows; i++) {
    const auto hit = shapes::ray(shape, at, {from(i, 0), from(i, 1), from(i, 2)},
                                 {along(i, 0), along(i, 1), along(i, 2)});
    dists(i, 0) = hit.dist;
    for (int k = 0; k < 3; k++) normals(i, k) = hit.normal[k];
  }
  return nb::make_tuple(dist, normal);
}

nb::tuple box_of(const shapes::Shape& shape, const In<7>& pose) {
  const shapes::Box box = shapes::aabb(shape, pose_of(pose));
  return nb::make_tuple(numbers(box.low), numbers(box.high));
}

BoxTree tree_of_boxes(const InMat& low, const InMat& high) {
  if (low.cols != 3 || high.cols != 3 || low.rows != high.rows) {
    throw nb::value_error("boxes have two corners of three numbers each");
  }
  std::vector<shapes::Box> boxes;
  for (int64_t i = 0; i < low.rows; i++) {
    boxes.push_back({{low(i, 0), low(i, 1), low(i, 2)}, {high(i, 0), high(i, 1), high(i, 2)}});
  }
  return BoxTree(std::move(boxes));
}

BoxTree tree_of_triangles(const InMat& vertices, const Matrix<const int>& faces) {
  if (vertices.cols != 3 || faces.cols != 3) {
    throw nb::value_error("vertices have three numbers and faces three vertices each");
  }
  std::vector<Vec3d> points;
  for (int64_t i = 0; i < vertices.rows; i++) {
    points.push_back({vertices(i, 0), vertices(i, 1), vertices(i, 2)});
  }
  return BoxTree::of_triangles(points, {faces.data, size_t(3 * faces.rows)});
}

void bind_tree(nb::module_& m) {
  nb::class_<BoxTree>(m, "_BoxTree")
      .def("__len__", &BoxTree::size)
      .def("overlap_box", [](const BoxTree& tree, const In<3>& low,
                             const In<3>& high) { return tree.overlap({vec(low), vec(high)}); })
      .def("overlap_tree",
           [](const BoxTree& tree, const BoxTree& other) { return tree.overlap(other); })
      .def("ray", [](const BoxTree& tree, const In<3>& from, const In<3>& along,
                     double most) { return tree.ray(vec(from), vec(along), most); })
      .def("first_triangle", [](const BoxTree& tree, const In<3>& from, const In<3>& along) {
        const BoxTree::TriangleHit hit = tree.first_triangle(vec(from), vec(along));
        return nb::make_tuple(hit.element, hit.hit.dist, numbers(hit.hit.normal));
      });
  m.def("_tree_of_boxes", tree_of_boxes);
  m.def("_tree_of_triangles", tree_of_triangles);
}

}  // namespace

void bind_shape_queries(nb::module_& m) {
  nb::class_<shapes::Shape>(m, "_Shape").def_prop_ro("type", [](const shapes::Shape& shape) {
    return std::string(keyword_of(shape.type()));
  });
  m.def("_make_shape", make_shape);
  m.def("_shape_contacts", contacts_of);
  m.def("_shape_distance", distance_of);
  m.def("_shape_rays", rays_of);
  m.def("_shape_box", box_of);
  bind_tree(m);
}

}  // namespace lockstep::python
