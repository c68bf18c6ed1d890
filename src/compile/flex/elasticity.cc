#include "compile/flex/elasticity.h"

#include <cmath>
#include <span>

#include "compile/flex/topology.h"
#include "compile/mesh/geometry.h"
#include "math/mat.h"

namespace lockstep {
namespace {

using mesh::point;

constexpr int triangle_stride = 21, tetrahedron_stride = 24, bending_stride = 17;

// an element at rest: its size, and how its barycentric coordinates grow
struct Simplex {
  double volume = 0;  // area of triangles
  Vec3d gradient[4];
};

Simplex triangle(const std::vector<double>& pos, const int* v) {
  const Vec3d x[3] = {point(pos, v[0]), point(pos, v[1]), point(pos, v[2])};
  const Vec3d normal = cross(x[1] - x[0], x[2] - x[0]);
  const double area2 = norm(normal);
  Simplex out;
  out.volume = area2 / 2;
  for (int k = 0; k < 3; k++) {
    const Vec3d opposite = x[(k + 2) % 3] - x[(k + 1) % 3];
    out.gradient[k] = mesh::divide(cross(mesh::divide(normal, area2), opposite), area2);
  }
  return out;
}

Simplex tetrahedron(const std::vector<double>& pos, const int* v) {
  const Vec3d x[4] = {point(pos, v[0]), point(pos, v[1]), point(pos, v[2]), point(pos, v[3])};
  const double volume6 = dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]);
  constexpr int opposite[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  Simplex out;
  out.volume = volume6 / 6;
  for (int k = 0; k < 4; k++) {
    const int* o = opposite[k];
    out.gradient[k] = mesh::divide(cross(x[o[2]] - x[o[0]], x[o[1]] - x[o[0]]), volume6);
  }
  return out;
}

// Edge e changes the strain by B_e s_e / 2 up to sign, B_e = sym(g_a g_b'). Then
//   K_ef = mu tr(B_e B_f) + la tr(B_e) tr(B_f).
void metric(const Simplex& simplex, std::span<const Edge> edges, double mu, double la,
            double* out) {
  const auto trace = [&](const Edge& e) {
    return dot(simplex.gradient[e[0]], simplex.gradient[e[1]]);
  };
  const auto inner = [&](const Edge& e, const Edge& f) {
    const Vec3d &a = simplex.gradient[e[0]], &b = simplex.gradient[e[1]];
    const Vec3d &c = simplex.gradient[f[0]], &d = simplex.gradient[f[1]];
    return (dot(a, c) * dot(b, d) + dot(a, d) * dot(b, c)) / 2;
  };
  for (size_t e = 0; e < edges.size(); e++) {
    for (size_t f = e; f < edges.size(); f++) {
      *out++ = mu * inner(edges[e], edges[f]) + la * trace(edges[e]) * trace(edges[f]);
    }
  }
}

double cotangent(const Vec3d& at, const Vec3d& a, const Vec3d& b) {
  return dot(a - at, b - at) / norm(cross(a - at, b - at));
}

// The hinge at an edge (x0, x1) between triangles with apexes x2 and x3: the quadratic energy of
// Wardetzky et al., "Discrete quadratic curvature energies", for flat references, and the cubic
// term of Garg et al., "Cubic shells", for curved ones.
void hinge(const Vec3d* x, double rigidity, double* out) {
  const double a01 = cotangent(x[0], x[1], x[2]), a02 = cotangent(x[0], x[3], x[1]);
  const double a03 = cotangent(x[1], x[2], x[0]), a04 = cotangent(x[1], x[0], x[3]);
  const double c[4] = {a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)};
  const double area =
      norm(cross(x[1] - x[0], x[2] - x[0])) / 2 + norm(cross(x[0] - x[1], x[3] - x[1])) / 2;
  const double stiffness = rigidity / area;
  const Vec3d edge = x[1] - x[0];
  const Vec3d t0 = -(a03 * (x[2] - x[0]) + a01 * (x[2] - x[1]));
  const Vec3d t1 = -(a04 * (x[3] - x[0]) + a02 * (x[3] - x[1]));
  const double square = dot(edge, edge);
  const double cosine = -dot(t0, t1) / square;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) out[4 * i + j] = c[i] * c[j] * cosine * stiffness;
  }
  const double weight = c[2] * c[3] / square;
  out[16] = -dot(cross(edge, x[2] - x[0]), x[3] - x[0]) * weight * weight * stiffness;
}

// coefficients of the stable Neo-Hookean material
void set_neo_hookean(const FlexSpec& spec, const Simplex& simplex, double* out) {
  const double mu = spec.young / (2 * (1 + spec.poisson));
  const double la = spec.young * spec.poisson / ((1 + spec.poisson) * (1 - 2 * spec.poisson));
  const double volume = std::abs(simplex.volume);
  metric(simplex, element_edges(3), mu * volume, -mu * volume, out);
  out[21] = -mu / (72 * volume);
  out[22] = volume * (la + 2 * mu) / 2;
  out[23] = 1 / (6 * simplex.volume);
}

void set_solid(const FlexSpec& spec, FlexData& flex) {
  const double mu = spec.young / (2 * (1 + spec.poisson));
  const double la = spec.young * spec.poisson / ((1 + spec.poisson) * (1 - 2 * spec.poisson));
  flex.stiffness.assign(size_t(tetrahedron_stride) * flex.nelem, 0.0);
  for (int e = 0; e < flex.nelem; e++) {
    const Simplex simplex = tetrahedron(flex.vertpos, &flex.elem[4 * size_t(e)]);
    double* out = &flex.stiffness[size_t(tetrahedron_stride) * e];
    if (spec.elastic3d == 1) {
      set_neo_hookean(spec, simplex, out);
    } else {
      const double volume = std::abs(simplex.volume);
      metric(simplex, element_edges(3), mu * volume, la * volume / 2, out);
    }
  }
}

void set_shell(const FlexSpec& spec, FlexData& flex) {
  const bool bends = spec.elastic2d == 1 || spec.elastic2d == 3, stretches = spec.elastic2d >= 2;
  const double mu = spec.young / (2 * (1 + spec.poisson));
  const double la = spec.young * spec.poisson / (1 - spec.poisson * spec.poisson);  // plane stress
  flex.stiffness.assign(size_t(triangle_stride) * flex.nelem, 0.0);
  for (int e = 0; stretches && spec.thickness > 0 && e < flex.nelem; e++) {
    const Simplex simplex = triangle(flex.vertpos, &flex.elem[3 * size_t(e)]);
    const double volume = simplex.volume * spec.thickness;
    metric(simplex, element_edges(2), mu * volume, la * volume / 2,
           &flex.stiffness[size_t(triangle_stride) * e]);
  }
  if (!bends) return;
  const double t = spec.thickness;
  const double rigidity = spec.young * t * t * t / (12 * (1 - spec.poisson * spec.poisson));
  flex.bending.assign(bending_stride * flex.edge.size(), 0.0);
  for (size_t e = 0; e < flex.edge.size(); e++) {
    if (flex.flap[e][1] < 0) continue;
    const Vec3d x[4] = {point(flex.vertpos, flex.edge[e][0]), point(flex.vertpos, flex.edge[e][1]),
                        point(flex.vertpos, flex.flap[e][0]), point(flex.vertpos, flex.flap[e][1])};
    hinge(x, rigidity, &flex.bending[bending_stride * e]);
  }
}

}  // namespace

void set_elasticity(const FlexSpec& spec, FlexData& flex) {
  if (flex.dim == 3) set_solid(spec, flex);
  if (flex.dim == 2) set_shell(spec, flex);
}

}  // namespace lockstep
