// normal.cc: see normal.h. Sums are kept in float32: their rounding is part of the result.
#include "compile/mesh/normal.h"

#include <cmath>

#include "compile/mesh/geometry.h"

namespace lockstep::mesh {
namespace {

constexpr double sharp_cosine = 0.8;
constexpr double eps = 1e-14;

// as the reference normalises: not below a squared length of eps, nor when within eps of one
double make_unit(Vec3d& v) {
  double square = dot(v, v);
  if (square < eps) return 0;
  double length = std::sqrt(square);
  if (std::abs(length - 1) > eps) v = divide(v, length);
  return length;
}

struct WeightedNormal {
  Vec3d normal;
  double weight;
};

WeightedNormal face_normal(const std::vector<double>& vert, const int* face) {
  Vec3d a = point(vert, face[0]);
  Vec3d normal = cross(point(vert, face[1]) - a, point(vert, face[2]) - a);
  double weight = make_unit(normal);
  return {normal, weight};
}

void drop_sharp(const std::vector<WeightedNormal>& faces, Surface& surface) {
  std::vector<float>& normal = surface.normal;
  std::vector<float> removed(normal.size(), 0);
  for (size_t f = 0; f < faces.size(); f++) {
    for (int k = 0; k < 3; k++) {
      size_t v = 3 * size_t(surface.face[3 * f + k]);
      Vec3d mean{normal[v], normal[v + 1], normal[v + 2]};
      make_unit(mean);
      if (dot(faces[f].normal, mean) >= sharp_cosine) continue;
      for (int i = 0; i < 3; i++) {
        removed[v + i] = float(removed[v + i] + faces[f].normal[i] * faces[f].weight);
      }
    }
  }
  for (size_t i = 0; i < normal.size(); i++) normal[i] -= removed[i];
}

}  // namespace

void make_normals(const std::vector<double>& vert, bool smooth, Surface& surface) {
  const int nface = surface.nface();
  std::vector<float>& normal = surface.normal;
  normal.assign(vert.size(), 0);
  surface.facenormal = surface.face;

  std::vector<WeightedNormal> faces(nface);
  for (int f = 0; f < nface; f++) {
    faces[f] = face_normal(vert, &surface.face[3 * f]);
    for (int k = 0; k < 3; k++) {
      size_t v = 3 * size_t(surface.face[3 * f + k]);
      for (int i = 0; i < 3; i++) {
        normal[v + i] = float(normal[v + i] + faces[f].normal[i] * faces[f].weight);
      }
    }
  }
  if (!smooth) drop_sharp(faces, surface);

  for (size_t v = 0; v < normal.size(); v += 3) {
    float* n = &normal[v];
    float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length > min_val) {
      for (int i = 0; i < 3; i++) n[i] /= length;
    } else {
      n[0] = n[1] = 0;
      n[2] = 1;
    }
  }
}

}  // namespace lockstep::mesh
