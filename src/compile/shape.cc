#include "compile/shape.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// a thin sphere, cylinder or box is integrated by hand; an ellipsoid as the difference of two
// solids that differ by this much in each axis
constexpr double shell_thickness = 1e-6;
// exponent of Thomsen's formula for the area of an ellipsoid
constexpr double thomsen = 1.6075;

bool has_ends(GeomType type) {
  return type == GeomType::capsule || type == GeomType::cylinder || type == GeomType::ellipsoid ||
         type == GeomType::box;
}

Vec3d capsule_solid(double radius, double half, double mass) {
  double height = 2 * half;
  double ball = mass * 4 * radius / (4 * radius + 3 * height), tube = mass - ball;
  double ball_inertia = 2 * ball * radius * radius / 5;
  double side = tube * (3 * radius * radius + height * height) / 12 + ball_inertia +
                ball * height * (3 * radius + 2 * height) / 8;
  return {side, side, tube * radius * radius / 2 + ball_inertia};
}

Vec3d capsule_shell(double radius, double half, double mass) {
  double height = 2 * half;
  double ball_area = 4 * mjPI * radius * radius, tube_area = 2 * mjPI * radius * height;
  double ball = mass * ball_area / (ball_area + tube_area), tube = mass - ball;
  double ball_inertia = 2 * ball * radius * radius / 3;
  double center = radius / 2, offset = half + center;  // of a half sphere
  double side = tube * (6 * radius * radius + height * height) / 12 + ball_inertia +
                ball * (offset * offset - center * center);
  return {side, side, tube * radius * radius + ball_inertia};
}

Vec3d cylinder_solid(double radius, double half, double mass) {
  double height = 2 * half;
  double side = mass * (3 * radius * radius + height * height) / 12;
  return {side, side, mass * radius * radius / 2};
}

Vec3d cylinder_shell(double radius, double half, double mass) {
  double height = 2 * half;
  double disk_area = mjPI * radius * radius, tube_area = 2 * mjPI * radius * height;
  double disk = mass * disk_area / (2 * disk_area + tube_area), tube = mass - 2 * disk;
  double side = tube * (6 * radius * radius + height * height) / 12 +
                2 * (disk * radius * radius / 4 + disk * half * half);
  return {side, side, tube * radius * radius + 2 * (disk * radius * radius / 2)};
}

Vec3d squares_sum(const std::array<double, 3>& s, double factor) {
  double x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
  return {factor * (y + z), factor * (x + z), factor * (x + y)};
}

// divided last: the shell is a small difference, in which rounding shows
Vec3d ellipsoid_solid(const std::array<double, 3>& size, double mass) {
  Vec3d sum = squares_sum(size, mass);
  return {sum.x / 5, sum.y / 5, sum.z / 5};
}

Vec3d ellipsoid_shell(const std::array<double, 3>& size, double mass) {
  std::array<double, 3> outer = size;
  for (double& axis : outer) axis += shell_thickness;
  double inner_volume = 4 * mjPI * size[0] * size[1] * size[2] / 3;
  double outer_volume = 4 * mjPI * outer[0] * outer[1] * outer[2] / 3;
  double density = mass / (outer_volume - inner_volume);
  return ellipsoid_solid(outer, outer_volume * density) -
         ellipsoid_solid(size, inner_volume * density);
}

// six plates
Vec3d box_shell(const std::array<double, 3>& s, double mass) {
  double x = 2 * s[0], y = 2 * s[1], z = 2 * s[2];
  double area = 2 * (x * y + y * z + z * x);
  double xy = mass * (x * y) / area, yz = mass * (y * z) / area, zx = mass * (z * x) / area;
  double xx = x * x, yy = y * y, zz = z * z;
  double hx = s[0] * s[0], hy = s[1] * s[1], hz = s[2] * s[2];
  return {2 * (xy * hz + zx * hy + xy * yy / 12 + yz * (yy + zz) / 12 + zx * zz / 12),
          2 * (xy * hz + yz * hx + xy * xx / 12 + yz * zz / 12 + zx * (xx + zz) / 12),
          2 * (yz * hx + zx * hy + xy * (xx + yy) / 12 + yz * yy / 12 + zx * xx / 12)};
}

double ellipsoid_area(const std::array<double, 3>& s) {
  double sum = std::pow(s[0] * s[1], thomsen) + std::pow(s[1] * s[2], thomsen) +
               std::pow(s[2] * s[0], thomsen);
  return 4 * mjPI * std::pow(sum / 3, 1 / thomsen);
}

}  // namespace

int size_count(GeomType type) {
  switch (type) {
    case GeomType::sphere: return 1;
    case GeomType::capsule:
    case GeomType::cylinder: return 2;
    case GeomType::plane:
    case GeomType::ellipsoid:
    case GeomType::box: return 3;
    default: return 0;
  }
}

bool check_sizes(Build& b, const Element& element, GeomType type,
                 const std::array<double, 3>& size) {
  int first = type == GeomType::plane ? 2 : 0;
  for (int i = 0; i < 3; i++) {
    // sites may have sizes that are no numbers, geoms not
    bool wrong = i >= first && i < size_count(type) && size[i] <= 0;
    wrong |= element.kind == ObjType::geom && std::isnan(size[i]);
    if (!wrong) continue;
    auto& error =
        b.error(element, "size",
                fmt::format("size {} must be positive in {}", i, keyword_of(element.kind)));
    error.found = fmt::format("{:g}", size[i]);
    return false;
  }
  return true;
}

bool settle_fromto(Build& b, const Element& element, GeomType type, std::array<double, 6>& fromto,
                   std::array<double, 3>& pos, std::array<double, 4>& quat,
                   std::array<double, 3>& size) {
  if (!has_ends(type)) {
    b.error(element, "fromto", "only capsules, cylinders, boxes and ellipsoids have end points");
    return false;
  }
  if (pos[0] || pos[1] || pos[2]) {
    b.error(element, "fromto", "pos and fromto cannot both be given");
    return false;
  }
  Vec3d from{fromto[0], fromto[1], fromto[2]}, to{fromto[3], fromto[4], fromto[5]};
  Vec3d direction = from - to;
  size[1] = normalize_length(direction) / 2;
  if (!(size[1] >= tiny_length)) {
    b.error(element, "fromto", "the end points are too close");
    return false;
  }
  if (type == GeomType::ellipsoid || type == GeomType::box) {
    size[2] = size[1];
    size[1] = size[0];
  }
  for (int i = 0; i < 3; i++) pos[i] = (from[i] + to[i]) / 2;
  quat = to_array(quat_from_z(direction));
  fromto[0] = undefined;
  return true;
}

double shape_volume(GeomType type, bool shell, const std::array<double, 3>& s) {
  double radius = s[0], height = 2 * s[1];
  switch (type) {
    case GeomType::sphere:
      return shell ? 4 * mjPI * radius * radius : 4 * mjPI * radius * radius * radius / 3;
    case GeomType::capsule:
      return shell ? 4 * mjPI * radius * radius + 2 * mjPI * radius * height
                   : mjPI * (radius * radius * height + 4 * radius * radius * radius / 3);
    case GeomType::cylinder:
      return shell ? 2 * mjPI * radius * radius + 2 * mjPI * radius * height
                   : mjPI * radius * radius * height;
    case GeomType::ellipsoid: return shell ? ellipsoid_area(s) : 4 * mjPI * s[0] * s[1] * s[2] / 3;
    case GeomType::hfield:
    case GeomType::box:
      return shell ? 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) : s[0] * s[1] * s[2] * 8;
    default: return 0;
  }
}

Vec3d shape_inertia(GeomType type, bool shell, const std::array<double, 3>& s, double mass) {
  switch (type) {
    case GeomType::sphere: {
      double moment = 2 * mass * s[0] * s[0] / (shell ? 3 : 5);
      return {moment, moment, moment};
    }
    case GeomType::capsule:
      return shell ? capsule_shell(s[0], s[1], mass) : capsule_solid(s[0], s[1], mass);
    case GeomType::cylinder:
      return shell ? cylinder_shell(s[0], s[1], mass) : cylinder_solid(s[0], s[1], mass);
    case GeomType::ellipsoid: return shell ? ellipsoid_shell(s, mass) : ellipsoid_solid(s, mass);
    case GeomType::hfield:
    case GeomType::box: return shell ? box_shell(s, mass) : squares_sum(s, mass / 3);
    default: return {0, 0, 0};
  }
}

void take_mesh_material(const Build& b, const std::string& meshname, std::string& material) {
  if (meshname.empty() || !material.empty()) return;
  for (const Mesh* mesh : b.spec.meshes) {
    if (!mesh->material.empty() && mesh->name == meshname) material = mesh->material;
  }
}

}  // namespace lockstep
