// shapes.h: questions about shapes at given poses, without a Model: contacts, distances, rays and
// boxes, by the colliders of the step. Trees of boxes: box_tree.h.
//
//   Shape box = Shape::make({.type = GeomType::box, .size = {0.1, 0.2, 0.3}}).value();
//   Shape ball = Shape::make({.type = GeomType::sphere, .size = {0.1}}).value();
//   for (const ShapeContact& c : contacts(box, {}, ball, {{0, 0, 0.35}})) …
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "api/lockstep.h"
#include "math/mat.h"
#include "math/quat.h"

namespace lockstep::shapes {

struct Pose {
  Vec3d pos{0, 0, 0};
  Quatd quat{1, 0, 0, 0};
};

struct ShapeInput {
  GeomType type = GeomType::sphere;
  std::array<double, 3> size{};  // as in MJCF: radius, half length, half sizes; meshes have none
  // of a mesh. Its hull touches, its triangles meet rays; without triangles those of the hull
  std::vector<float> vertex{};  // 3 each
  std::vector<int> face{};      // 3 vertices each
  // of a height field: elevations row by row, scaled to 0 … 1; half sizes, height, depth below
  int rows = 0, columns = 0;
  std::vector<float> elevation{};
  std::array<double, 4> field{};
};

// A shape that does not change; copies are cheap and share it. Any thread may ask about it.
class Shape {
 public:
  static Result<Shape> make(ShapeInput input);
  GeomType type() const;

  struct Inside;
  const std::shared_ptr<Inside>& inside() const { return inside_; }

 private:
  explicit Shape(std::shared_ptr<Inside> inside) : inside_(std::move(inside)) {}
  std::shared_ptr<Inside> inside_;
};

struct ShapeContact {
  double dist;  // between the surfaces, negative inside
  Vec3d pos;    // halfway between them
  Mat3d frame;  // rows: normal from the first shape to the second, two tangents
};

// contacts nearer than the margin, as the collision stage finds them; pairs of planes and height
// fields have none
std::vector<ShapeContact> contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b, double margin = 0);

struct ShapeDistance {
  double dist;     // negative inside; `most` where the shapes are not nearer
  bool found;      // whether they are; if not, the rest is zero
  Vec3d normal;    // from a to b: moving b by -dist along it makes them touch
  Vec3d from, to;  // points of a and b
};
ShapeDistance distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       double most = 1e10);

// the first point of a shape along from + t along; t is -1 where there is none
struct ShapeHit {
  double dist;
  Vec3d normal;
};
ShapeHit ray(const Shape& shape, const Pose& pose, const Vec3d& from, const Vec3d& along);

// corners of the smallest box around a shape that is parallel to the axes (of a height field:
// around its own box); infinite for planes
struct Box {
  Vec3d low, high;
};
Box aabb(const Shape& shape, const Pose& pose);

}  // namespace lockstep::shapes
