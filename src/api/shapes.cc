#include "api/shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "compile/compile.h"
#include "step/collide.h"
#include "step/convex.h"
#include "step/ray.h"

namespace lockstep::shapes {

// shapes as geoms of a world in which nothing moves
struct World {
  Model model;
  Data data;
  std::mutex busy;

  World(Model m) : model(std::move(m)), data(make_data(model)) {}

  // the frame of a mesh geom is not that in which the mesh was given
  void place(int geom, const Pose& pose) {
    const Quatd turn = normalize(pose.quat);
    const double *pos = model.geom_pos + 3 * geom, *quat = model.geom_quat + 4 * geom;
    const Vec3d at = pose.pos + rotate(turn, Vec3d{pos[0], pos[1], pos[2]});
    const Quatd whole = turn * Quatd{quat[0], quat[1], quat[2], quat[3]};
    const Mat3d mat = to_mat(whole);
    for (int i = 0; i < 3; i++) data.geom_xpos[3 * geom + i] = at[i];
    for (int i = 0; i < 4; i++) data.geom_xquat[4 * geom + i] = whole[i];
    for (int i = 0; i < 9; i++) data.geom_xmat[9 * geom + i] = mat[i];
  }
};

namespace {

constexpr double sharp_tolerance = 1e-12;  // of distances
constexpr int sharp_iterations = 500;

void add_geom(ModelSpec& spec, const ShapeInput& input, const std::string& name) {
  GeomSpec geom{.type = input.type, .size = input.size};
  if (input.type == GeomType::plane && geom.size[2] <= 0) geom.size[2] = 1;  // of its grid
  if (input.type == GeomType::mesh) {
    spec.add<Mesh>({.uservert = input.vertex, .userface = input.face}, name);
    geom.meshname = name;
  }
  if (input.type == GeomType::hfield) {
    spec.add<HField>({.size = input.field,
                      .nrow = input.rows,
                      .ncol = input.columns,
                      .userdata = input.elevation},
                     name);
    geom.hfieldname = name;
  }
  spec.add_geom(spec.world(), std::move(geom), name);
}

Vec3d vec(const double* x) { return {x[0], x[1], x[2]}; }

}  // namespace

// its input, a world of it alone, and worlds of it and others that were asked about
struct Shape::Inside {
  struct Pair {
    std::weak_ptr<Inside> other;
    std::shared_ptr<World> world;
  };
  ShapeInput input;
  std::shared_ptr<World> alone;
  std::mutex busy;
  std::map<const Inside*, Pair> pairs;

  // this shape is geom 0, the other geom 1
  std::shared_ptr<World> with(const std::shared_ptr<Inside>& other) {
    const std::lock_guard<std::mutex> lock(busy);
    std::erase_if(pairs, [](const auto& entry) { return entry.second.other.expired(); });
    Pair& pair = pairs[other.get()];
    if (!pair.world) {
      ModelSpec spec;
      add_geom(spec, input, "a");
      add_geom(spec, other->input, "b");
      pair = {other, std::make_shared<World>(std::move(spec.compile().value()))};
    }
    return pair.world;
  }
};

Result<Shape> Shape::make(ShapeInput input) {
  ModelSpec spec;
  add_geom(spec, input, "shape");
  Result<Model> model = spec.compile();
  if (!model) return model.diagnostics();
  auto inside = std::make_shared<Inside>();
  inside->input = std::move(input);
  inside->alone = std::make_shared<World>(std::move(*model));
  return {Shape(std::move(inside)), model.diagnostics()};
}

GeomType Shape::type() const { return inside_->input.type; }

std::vector<ShapeContact> contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b, double margin) {
  const std::shared_ptr<World> world = a.inside()->with(b.inside());
  const std::lock_guard<std::mutex> lock(world->busy);
  world->place(0, pose_a);
  world->place(1, pose_b);
  const int count = collide_geoms(world->model, world->data, 0, 1, margin);
  const ArenaView<double>& arena = world->data.arena->view();
  // contacts look from the lower type to the higher
  const double sign = a.type() > b.type() ? -1 : 1;
  std::vector<ShapeContact> list;
  for (int i = 0; i < count; i++) {
    ShapeContact c{arena.con_dist[i], arena.con_pos[i], arena.con_frame[i]};
    for (int k = 0; k < 3; k++) c.frame[k] *= sign, c.frame[6 + k] *= sign;
    list.push_back(c);
  }
  return list;
}

ShapeDistance distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       double most) {
  const std::shared_ptr<World> world = a.inside()->with(b.inside());
  const std::lock_guard<std::mutex> lock(world->busy);
  world->place(0, pose_a);
  world->place(1, pose_b);
  // nothing is farther than the farthest corners of the boxes; a cutoff beyond costs digits
  double cutoff = most, low[2][3], high[2][3];
  Model& m = world->model;
  if (geom_box(m, world->data, 0, low[0], high[0]) &&
      geom_box(m, world->data, 1, low[1], high[1])) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      const double side = std::max(high[0][k], high[1][k]) - std::min(low[0][k], low[1][k]);
      square += side * side;
    }
    cutoff = std::min(most, 2 * std::sqrt(square));
  }
  const auto options = std::pair(m.opt.ccd_tolerance, m.opt.ccd_iterations);
  m.opt.ccd_tolerance = sharp_tolerance;
  m.opt.ccd_iterations = sharp_iterations;
  double segment[6] = {}, normal[3] = {};
  const double dist = geom_distance(m, world->data, 0, 1, cutoff, segment, normal);
  std::tie(m.opt.ccd_tolerance, m.opt.ccd_iterations) = options;
  if (!(dist < cutoff)) return {most, false, {}, {}, {}};
  return {dist, true, vec(normal), vec(segment), vec(segment + 3)};
}

ShapeHit ray(const Shape& shape, const Pose& pose, const Vec3d& from, const Vec3d& along) {
  World& world = *shape.inside()->alone;
  const std::lock_guard<std::mutex> lock(world.busy);
  world.place(0, pose);
  const double point[3] = {from.x, from.y, from.z}, way[3] = {along.x, along.y, along.z};
  double normal[3] = {};
  const double dist = ray_geom(world.model, world.data, 0, point, way, normal);
  return {dist, vec(normal)};
}

Box aabb(const Shape& shape, const Pose& pose) {
  World& world = *shape.inside()->alone;
  const std::lock_guard<std::mutex> lock(world.busy);
  world.place(0, pose);
  constexpr double inf = std::numeric_limits<double>::infinity();
  double low[3], high[3];
  if (!geom_box(world.model, world.data, 0, low, high)) {
    return {{-inf, -inf, -inf}, {inf, inf, inf}};
  }
  return {vec(low), vec(high)};
}

}  // namespace lockstep::shapes
