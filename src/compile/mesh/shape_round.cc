// shape_round.cc: built-in meshes that are round. Vertices are float32, as if read from a file.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "compile/mesh/shape.h"

namespace lockstep::mesh {
namespace {

constexpr double pi = std::numbers::pi;

// powers that keep the sign, for superquadrics
double signed_cos(double angle, double power) {
  return std::copysign(std::pow(std::abs(std::cos(angle)), power), std::cos(angle));
}
double signed_sin(double angle, double power) {
  return std::copysign(std::pow(std::abs(std::sin(angle)), power), std::sin(angle));
}

void add(std::vector<float>& vert, double x, double y, double z) {
  vert.insert(vert.end(), {float(x), float(y), float(z)});
}
void add(std::vector<int>& face, int a, int b, int c) { face.insert(face.end(), {a, b, c}); }

// number of the vertex half way between two, made when first asked for
class Midpoints {
 public:
  explicit Midpoints(std::vector<float>& vert) : vert_(vert) {}

  int between(int a, int b) {
    auto [it, added] = known_.try_emplace(std::minmax(a, b), static_cast<int>(vert_.size() / 3));
    if (added) {
      float mid[3];
      for (int i = 0; i < 3; i++) mid[i] = (vert_[3 * a + i] + vert_[3 * b + i]) / 2.0f;
      float norm = std::sqrt(mid[0] * mid[0] + mid[1] * mid[1] + mid[2] * mid[2]);
      for (float x : mid) vert_.push_back(x / norm);
    }
    return it->second;
  }

 private:
  std::vector<float>& vert_;
  std::map<std::pair<int, int>, int> known_;
};

}  // namespace

void make_sphere(int subdivisions, Surface& out) {
  // icosahedron
  const float phi = static_cast<float>((1.0 + std::sqrt(5.0)) / 2.0);
  out.vert = {-1, phi, 0,    1, phi, 0,    -1,  -phi, 0,  1,   -phi, 0, 0,    -1, phi, 0,    1, phi,
              0,  -1,  -phi, 0, 1,   -phi, phi, 0,    -1, phi, 0,    1, -phi, 0,  -1,  -phi, 0, 1};
  const double norm = std::sqrt(1.0 + phi * phi);
  for (float& v : out.vert) v = float(v / norm);
  out.face = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
              4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
              6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};

  for (int level = 0; level < subdivisions; level++) {
    Midpoints mid(out.vert);
    std::vector<int> finer;
    finer.reserve(4 * out.face.size());
    for (size_t f = 0; f < out.face.size(); f += 3) {
      int a = out.face[f], b = out.face[f + 1], c = out.face[f + 2];
      int ab = mid.between(a, b), bc = mid.between(b, c), ca = mid.between(c, a);
      add(finer, a, ab, ca);
      add(finer, b, bc, ab);
      add(finer, c, ca, bc);
      add(finer, ab, bc, ca);
    }
    out.face = std::move(finer);
  }
}

namespace {

// rows of four sides each, from the pole to the equator
void add_hemisphere_points(int resolution, std::vector<float>& vert) {
  constexpr double side[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  add(vert, 0, 0, 1);
  for (int row = 1; row <= resolution + 1; row++) {
    double down = static_cast<double>(row) / (resolution + 1);
    for (int k = 0; k < 4; k++) {
      // straight from side to side of an octahedron, then out to the sphere
      double start[3] = {down * side[k][0], down * side[k][1], 1 + down * -1};
      double end[3] = {down * side[k + 1][0], down * side[k + 1][1], 1 + down * -1};
      for (int i = 0; i < row; i++) {
        double p[3];
        for (int j = 0; j < 3; j++) p[j] = start[j] + i * ((end[j] - start[j]) / row);
        double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        add(vert, p[0] / norm, p[1] / norm, p[2] / norm);
      }
    }
  }
}

}  // namespace

void make_hemisphere(int resolution, Surface& out) {
  add_hemisphere_points(resolution, out.vert);
  add(out.vert, 0, 0, 0);  // middle of the cap
  for (int k = 0; k < 4; k++) add(out.face, 0, k + 1, (k + 1) % 4 + 1);

  for (int row = 0; row < resolution; row++) {
    int start = 2 * row * (row + 1) + 1, count = 4 * (row + 1);
    int next = start + count, next_count = 4 * (row + 2);
    for (int side = 0; side < 4; side++) {
      for (int i = 0; i < row + 2; i++) {
        int here = i + (row + 1) * side, below = i + (row + 2) * side;
        add(out.face, start + here % count, next + below % next_count,
            next + (below + 1) % next_count);
        if (i == row + 1) break;
        add(out.face, start + here % count, next + (below + 1) % next_count,
            start + (here + 1) % count);
      }
    }
  }

  int equator = 2 * resolution * (resolution + 1) + 1, count = 4 * (resolution + 1);
  int middle = out.nvert() - 1;
  for (int i = 0; i < count; i++) add(out.face, equator + i, middle, equator + (i + 1) % count);
}

void make_cone(int nedge, double radius, Surface& out) {
  for (int i = 0; i < nedge; i++) {
    add(out.vert, std::cos(2 * i * pi / nedge), std::sin(2 * i * pi / nedge), -1);
  }
  if (radius > 0) {
    for (int i = nedge; i < 2 * nedge; i++) {
      add(out.vert, radius * std::cos(2 * i * pi / nedge), radius * std::sin(2 * i * pi / nedge),
          1);
    }
  } else {
    add(out.vert, 0, 0, 1);
  }
}

void make_supersphere(int n, double east, double north, Surface& out) {
  add(out.vert, 0, 0, -1);
  for (int i = 1; i < n; i++) {
    double v = -pi / 2 + i * pi / n;
    for (int j = 0; j < n; j++) {
      double u = -pi + j * 2 * pi / n;
      add(out.vert, signed_cos(v, north) * signed_cos(u, east),
          signed_cos(v, north) * signed_sin(u, east), signed_sin(v, north));
    }
  }
  add(out.vert, 0, 0, 1);

  for (int j = 0; j < n; j++) add(out.face, 0, 1 + (j + 1) % n, 1 + j);
  for (int i = 0; i < n - 2; i++) {
    int ring = 1 + i * n;
    for (int j = 0; j < n; j++) {
      int next = (j + 1) % n;
      add(out.face, ring + j, ring + next, ring + n + j);
      add(out.face, ring + next, ring + n + next, ring + n + j);
    }
  }
  int last = 1 + (n - 2) * n, pole = out.nvert() - 1;
  for (int j = 0; j < n; j++) add(out.face, last + j, last + (j + 1) % n, pole);
}

void make_supertorus(int n, double radius, double s, double t, Surface& out) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double u = 2 * pi * i / n, v = 2 * pi * j / n;
      double ring = 1 + radius * signed_cos(v, s);
      add(out.vert, ring * signed_cos(u, t), ring * signed_sin(u, t), radius * signed_sin(v, s));
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      int here = i * n, there = (i + 1) % n * n, next = (j + 1) % n;
      add(out.face, here + j, there + j, here + next);
      add(out.face, there + j, there + next, here + next);
    }
  }
}

}  // namespace lockstep::mesh
