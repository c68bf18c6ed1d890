// constants_bounds.cc: bounds of geoms and bodies, and the fluid that ellipsoids drag along.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "compile/constants_phases.h"
#include "compile/mesh/bvh.h"
#include "math/quat.h"

namespace lockstep {
namespace {

constexpr double infinite_size = 1e10;  // of planes

struct Box {
  Vec3d center, half;
};

void store_box(double* p, const Box& box) {
  store3(p, box.center);
  store3(p + 3, box.half);
}

Box box_between(const Vec3d& low, const Vec3d& high) {
  return {(high + low) * 0.5, (high - low) * 0.5};
}

// meshes and signed distance fields keep the box and the radius of their vertices
bool has_own_bounds(GeomType type) { return type == GeomType::mesh || type == GeomType::sdf; }

Box geom_box(const double* size, GeomType type) {
  const auto around = [](const Vec3d& half) { return box_between(-half, half); };
  switch (type) {
    case GeomType::plane:
      return {{0, 0, -infinite_size / 2}, {infinite_size, infinite_size, infinite_size / 2}};
    case GeomType::sphere: return around({size[0], size[0], size[0]});
    case GeomType::capsule: return around({size[0], size[0], size[0] + size[1]});
    case GeomType::cylinder: return around({size[0], size[0], size[1]});
    default: return around(load3(size));
  }
}

double geom_radius(const double* size, GeomType type) {
  switch (type) {
    case GeomType::sphere: return size[0];
    case GeomType::capsule: return size[0] + size[1];
    case GeomType::cylinder: return std::sqrt(size[0] * size[0] + size[1] * size[1]);
    case GeomType::ellipsoid: return std::max({size[0], size[1], size[2]});
    case GeomType::box: return norm(load3(size));
    default: return 0;
  }
}

// a height field: half extents, elevation range, thickness of its base
void set_hfield_bounds(Model& m, int geom) {
  const int hfield = m.geom_dataid[geom];
  if (hfield < 0 || hfield >= m.nhfield) return;
  const double* h = m.hfield_size + 4 * hfield;
  store3(m.geom_size + 3 * geom, {h[0], h[1], 0.25 * h[2] + 0.5 * h[3]});
  const double deepest = std::max(h[2] * h[2], h[3] * h[3]);
  m.geom_rbound[geom] = std::sqrt(h[0] * h[0] + h[1] * h[1] + deepest);
  store_box(m.geom_aabb + 6 * geom, {{0, 0, (h[2] - h[3]) / 2}, {h[0], h[1], (h[2] + h[3]) / 2}});
}

void set_geom_bounds(Model& m) {
  for (int geom = 0; geom < m.ngeom; geom++) {
    const GeomType type{m.geom_type[geom]};
    if (has_own_bounds(type)) continue;
    if (type == GeomType::hfield) {
      set_hfield_bounds(m, geom);
      continue;
    }
    const double* size = m.geom_size + 3 * geom;
    m.geom_rbound[geom] = geom_radius(size, type);
    store_box(m.geom_aabb + 6 * geom, geom_box(size, type));
  }
}

// the bounds of a geom in the inertial frame of its body
mesh::BvhLeaf leaf_of(const Model& m, int geom) {
  const ModelView<double> v = view(m);
  const int body = m.geom_bodyid[geom];
  std::array<double, 6> aabb;
  std::copy_n(m.geom_aabb + 6 * geom, 6, aabb.begin());
  return mesh::make_leaf(geom, v.geom_pos[geom], v.geom_quat[geom], aabb, v.body_ipos[body],
                         v.body_iquat[body]);
}

// The boxes in the hierarchy of a body; its shape stays. Children come after their parents. Bounds
// are joined as smallest and largest coordinates: going through centers would round those of
// planes.
void set_body_boxes(Model& m, int body) {
  constexpr double thin = 1e-14;  // thinner boxes are inflated by this
  const int first = m.body_bvhadr[body], count = m.body_bvhnum[body];
  if (first < 0 || count < 0 || first + count > m.nbvhstatic) return;
  const Vec3d far{INFINITY, INFINITY, INFINITY};
  std::vector<Vec3d> low(count, far), high(count, -far);
  for (int node = count - 1; node >= 0; node--) {
    const int geom = m.bvh_nodeid[first + node];
    if (geom >= 0 && geom < m.ngeom) {
      const auto aamm = leaf_of(m, geom).aamm;
      low[node] = {aamm[0], aamm[1], aamm[2]};
      high[node] = {aamm[3], aamm[4], aamm[5]};
    }
    for (int k = 0; k < 2; k++) {
      const int child = m.bvh_child[2 * (first + node) + k];
      if (geom >= 0 || child <= node || child >= count) continue;
      for (int i = 0; i < 3; i++) {
        low[node][i] = std::min(low[node][i], low[child][i]);
        high[node][i] = std::max(high[node][i], high[child][i]);
      }
    }
    Vec3d bottom = low[node], top = high[node];
    for (int i = 0; i < 3; i++) {
      if (!(std::abs(top[i] - bottom[i]) < thin)) continue;
      bottom[i] -= thin;
      top[i] += thin;
    }
    store_box(m.bvh_aabb + 6 * (first + node), box_between(bottom, top));
  }
}

void set_body_bounds(Model& m) {
  for (int body = 0; body < m.nbody; body++) {
    int contype = 0, conaffinity = 0;
    double margin = 0;
    for (int geom = m.body_geomadr[body]; geom < m.body_geomadr[body] + m.body_geomnum[body];
         geom++) {
      contype |= m.geom_contype[geom];
      conaffinity |= m.geom_conaffinity[geom];
      margin = std::max(margin, m.geom_margin[geom] + m.geom_gap[geom]);
    }
    m.body_contype[body] = contype;
    m.body_conaffinity[body] = conaffinity;
    m.body_margin[body] = margin;
    if (m.body_bvhnum[body] > 0) set_body_boxes(m, body);
  }
}

// half axes of the ellipsoid that stands for a geom in a fluid
Vec3d fluid_axes(const double* size, GeomType type) {
  switch (type) {
    case GeomType::sphere: return {size[0], size[0], size[0]};
    case GeomType::capsule: return {size[0], size[0], size[0] + size[1]};
    case GeomType::cylinder: return {size[0], size[0], size[1]};
    default: return load3(size);
  }
}

// Kronrod's rule with 15 points for the integral over l in [0, inf) of
//   dx dy dz / sqrt((dx^2 + l)^3 (dy^2 + l) (dz^2 + l)),   l = scale x^3 / (1 - x)^2, x in [0, 1].
// MuJoCo rounds points and weights to eight digits; the result depends on them.
double added_mass_factor(double dx, double dy, double dz) {
  struct Point {
    double x, weight;
  };
  static constexpr Point half_rule[8] = {{0.00427231, 0.01146766}, {0.02544604, 0.03154605},
                                         {0.06756779, 0.05239501}, {0.12923441, 0.07032663},
                                         {0.20695638, 0.08450236}, {0.29707742, 0.09517529},
                                         {0.39610752, 0.10221647}, {0.5, 0.10474107}};
  const double ix = 1 / (dx * dx), iy = 1 / (dy * dy), iz = 1 / (dz * dz);
  // makes the integrand decay at about x = 1/2
  const double scale = std::pow(dx * dx * dx * dy * dz, 0.4);
  double sum = 0;
  const auto add = [&](double x, double weight) {
    const double rest = 1 - x;
    const double l = scale * (x * x * x / (rest * rest));
    const double slope = x * x * (3 - x) / (rest * rest * rest);
    const double fx = 1 + l * ix, fy = 1 + l * iy, fz = 1 + l * iz;
    sum += scale * slope / (fx * std::sqrt(fx * fy * fz)) * weight;
  };
  for (int k = 0; k < 8; k++) add(half_rule[k].x, half_rule[k].weight);
  for (int k = 6; k >= 0; k--) add(1 - half_rule[k].x, half_rule[k].weight);
  return sum * ix;
}

// virtual mass and inertia of an ellipsoid in unit density: Lamb, Hydrodynamics, 114-115
void added_mass(const Vec3d& axes, double* mass, double* inertia) {
  const double volume = 4.0 / 3.0 * pi * axes.x * axes.y * axes.z;
  const std::array<double, 3> d{axes.x, axes.y, axes.z};
  std::array<double, 3> factor;
  for (int k = 0; k < 3; k++) {
    factor[k] = added_mass_factor(d[k], d[(k + 1) % 3], d[(k + 2) % 3]);
    mass[k] = volume * factor[k] / std::max(mjMINVAL, 2 - factor[k]);
  }
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double difference = d[i] * d[i] - d[j] * d[j], sum = d[i] * d[i] + d[j] * d[j];
    const double part = difference * difference * std::abs(factor[j] - factor[i]);
    inertia[k] = volume / 5 * part /
                 std::max(mjMINVAL, std::abs(2 * difference + sum * (factor[i] - factor[j])));
  }
}

}  // namespace

void set_bounds(Model& m) {
  set_geom_bounds(m);
  set_body_bounds(m);
}

void set_added_mass(Model& m) {
  for (int geom = 0; geom < m.ngeom; geom++) {
    double* fluid = m.geom_fluid + mjNFLUID * geom;  // flag, 5 coefficients, 3 masses, 3 inertias
    if (!(fluid[0] > 0)) continue;
    added_mass(fluid_axes(m.geom_size + 3 * geom, GeomType{m.geom_type[geom]}), fluid + 6,
               fluid + 9);
  }
}

}  // namespace lockstep
