// inertia.cc: see inertia.h.
// Faces and a point inside make pyramids; their volumes (signed, except in legacy mode) are summed.
#include "compile/mesh/inertia.h"

#include <fmt/core.h>

#include <cmath>

#include "compile/mesh/geometry.h"
#include "compile/mesh/principal.h"

namespace lockstep::mesh {
namespace {

constexpr double axes_tolerance = 1e-7;  // vertices are float32: no finer axes are to be had

// centroid of the surface; returns the area
double surface_centroid(const std::vector<double>& vert, const int* face, int nface, Vec3d& out) {
  double total = 0;
  out = {0, 0, 0};
  for (int f = 0; f < nface; f++) {
    Triangle t(vert, face + 3 * size_t(f));
    out += t.area * t.center;
    total += t.area;
  }
  if (total >= min_val) out = divide(out, total);
  return total;
}

// sum of pyramids (or face areas) and their centers of mass, seen from the centroid
double center_of_mass(MeshInertia mode, const std::vector<double>& vert, const int* face, int nface,
                      const Vec3d& centroid, Vec3d& com) {
  double total = 0;
  com = {0, 0, 0};
  for (int f = 0; f < nface; f++) {
    Triangle t(vert, face + 3 * size_t(f));
    double volume = t.area;
    if (mode != MeshInertia::shell) {
      volume = dot(t.center - centroid, t.normal) * t.area / 3;
      if (mode == MeshInertia::legacy) volume = std::abs(volume);
    }
    total += volume;
    for (int i = 0; i < 3; i++) com[i] += volume * (t.center[i] * 3.0 / 4.0 + centroid[i] / 4.0);
  }
  if (total >= min_val) com = divide(com, total);
  return total;
}

struct Moments {
  double volume = 0;
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;  // inertia matrix
};

Moments moments_about(MeshInertia mode, const std::vector<double>& vert, const int* face, int nface,
                      const Vec3d& com) {
  constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const int divisor = mode == MeshInertia::shell ? 12 : 20;
  double product[6] = {};
  Moments out;
  for (int f = 0; f < nface; f++) {
    const int* v = face + 3 * size_t(f);
    Vec3d a = point(vert, v[0]) - com, b = point(vert, v[1]) - com, c = point(vert, v[2]) - com;
    Triangle t(a, b, c);
    double volume = mode == MeshInertia::shell ? t.area : dot(t.center, t.normal) * t.area / 3;
    if (mode == MeshInertia::legacy) volume = std::abs(volume);
    out.volume += volume;
    for (int k = 0; k < 6; k++) {
      int i = pair[k][0], j = pair[k][1];
      product[k] += volume / divisor *
                    (2 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j]) + a[i] * b[j] + a[j] * b[i] +
                     a[i] * c[j] + a[j] * c[i] + b[i] * c[j] + b[j] * c[i]);
    }
  }
  out.xx = product[1] + product[2];
  out.yy = product[0] + product[2];
  out.zz = product[0] + product[1];
  out.xy = -product[3];
  out.xz = -product[4];
  out.yz = -product[5];
  return out;
}

bool check_volume(MeshInertia mode, double volume, std::string& error) {
  if (!(volume < min_val)) return true;
  if (mode == MeshInertia::shell) {
    error = "the surface is too small";
  } else if (volume < 0) {
    error = "the volume is negative: faces look inward";
  } else {
    error = "the volume is too small; with inertia=\"shell\" the surface would have the mass";
  }
  return false;
}

bool check_eigenvalues(const Vec3d& e, std::string& error) {
  constexpr double rtol = 1e-6, atol = 1e-9;
  if (e[2] <= 0) {
    error = "the moments of inertia are not positive";
    return false;
  }
  for (int i = 0; i < 3; i++) {
    if (e[(i + 1) % 3] + e[(i + 2) % 3] < e[i] * (1.0 - rtol) - atol) {
      error = "a moment of inertia exceeds the sum of the other two";
      return false;
    }
  }
  return true;
}

}  // namespace

bool mass_properties(MeshInertia mode, const std::vector<double>& vert, const int* face, int nface,
                     const std::vector<int>& all, MassProperties& out, std::string& error) {
  Vec3d centroid;
  if (surface_centroid(vert, all.data(), static_cast<int>(all.size() / 3), centroid) < min_val) {
    error = "the surface is too small";
    return false;
  }
  Vec3d com;
  double volume = center_of_mass(mode, vert, face, nface, centroid, com);
  if (!check_volume(mode, volume, error)) return false;

  Moments m = moments_about(mode, vert, face, nface, com);
  Principal axes =
      principal_axes(Mat3d{{m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz}}, axes_tolerance);
  const Vec3d& e = axes.value;
  if (!check_eigenvalues(e, error)) return false;

  out.volume = m.volume;
  out.center = com;
  out.quat = axes.quat;
  for (int i = 0; i < 3; i++) {
    out.boxsize[i] = 0.5 * std::sqrt(6 * (e[(i + 1) % 3] + e[(i + 2) % 3] - e[i]) / m.volume);
  }
  return true;
}

Vec3d diagonal_inertia(const MeshData& mesh, double mass) {
  const Vec3d& s = mesh.boxsize;
  return {mass * (s.y * s.y + s.z * s.z) / 3, mass * (s.x * s.x + s.z * s.z) / 3,
          mass * (s.x * s.x + s.y * s.y) / 3};
}

}  // namespace lockstep::mesh
