// geometry.h: points and triangles out of the flat arrays of a mesh.
#pragma once

#include <vector>

#include "math/vec.h"

namespace lockstep::mesh {

inline Vec3d point(const double* p) { return {p[0], p[1], p[2]}; }
inline Vec3d point(const std::vector<double>& vert, int i) { return point(&vert[3 * size_t(i)]); }
inline Vec3d divide(const Vec3d& a, double s) { return {a.x / s, a.y / s, a.z / s}; }

// area, unit normal and center; tiny ones have area 0 and keep their unnormalised normal
struct Triangle {
  Triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c)
      : normal(cross(b - a, c - a)), center(divide(a + b + c, 3)) {
    double length = norm(normal);
    if (length < min_val) return;
    normal = divide(normal, length);
    area = 0.5 * length;
  }
  Triangle(const std::vector<double>& vert, const int* face)
      : Triangle(point(vert, face[0]), point(vert, face[1]), point(vert, face[2])) {}

  double area = 0;
  Vec3d normal, center;
};

}  // namespace lockstep::mesh
