// distance.cc: see distance.h.
#include "compile/mesh/distance.h"

#include <algorithm>
#include <cmath>

#include "compile/mesh/geometry.h"

namespace lockstep::mesh {
namespace {

using Feature = DistanceQuery::Feature;

uint64_t edge_key(int a, int b) {
  return uint64_t(uint32_t(std::min(a, b))) << 32 | uint32_t(std::max(a, b));
}

double square(const Vec3d& v) { return dot(v, v); }

double box_distance(const Vec3d& p, const double* aabb) {
  double out = 0;
  for (int i = 0; i < 3; i++) {
    double low = aabb[i] - aabb[i + 3], high = aabb[i] + aabb[i + 3];
    if (p[i] < low) {
      out += (low - p[i]) * (low - p[i]);
    } else if (p[i] > high) {
      out += (p[i] - high) * (p[i] - high);
    }
  }
  return out;
}

// The point of a triangle nearest to p, by the region p lies over. Faces that share the nearest
// corner must come out at exactly the same distance, so corners and edges are not computed from
// weights.
struct Nearest {
  Feature feature;
  Vec3d at;
};

Nearest nearest(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {Feature::a, a};
  double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {Feature::b, b};
  double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    double u = d1 / (d1 - d3);
    return {Feature::ab, a + u * ab};
  }
  double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {Feature::c, c};
  double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    double v = d2 / (d2 - d6);
    return {Feature::ca, a + v * ac};
  }
  double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {Feature::bc, b + w * (c - b)};
  }
  double scale = 1.0 / (va + vb + vc);
  double u = vb * scale, v = vc * scale;
  return {Feature::face, a + u * ab + v * ac};
}

}  // namespace

DistanceQuery::DistanceQuery(const std::vector<double>& vert, const std::vector<int>& face,
                             const Bvh& bvh)
    : vert_(vert), face_(face), bvh_(bvh), vertex_normal_(vert.size() / 3, Vec3d{0, 0, 0}) {
  face_normal_.reserve(face.size() / 3);
  for (size_t f = 0; f < face.size(); f += 3) {
    Vec3d normal = Triangle(vert, &face[f]).normal;
    face_normal_.push_back(normal);
    for (int k = 0; k < 3; k++) {
      int a = face[f + k], b = face[f + (k + 1) % 3], c = face[f + (k + 2) % 3];
      Vec3d ab = normalize(point(vert, b) - point(vert, a));
      Vec3d ac = normalize(point(vert, c) - point(vert, a));
      double angle = std::acos(std::clamp(dot(ab, ac), -1.0, 1.0));
      vertex_normal_[a] += angle * normal;
      auto [it, added] = edge_normal_.try_emplace(edge_key(a, b), normal);
      if (!added) it->second += normal;
    }
  }
}

void DistanceQuery::search(int node, const Vec3d& p, Found& best) const {
  if (box_distance(p, &bvh_.aabb[6 * size_t(node)]) >= best.square) return;
  int f = bvh_.nodeid[node];
  if (f < 0) {
    for (int k = 0; k < 2; k++) {
      if (int child = bvh_.child[2 * size_t(node) + k]; child >= 0) search(child, p, best);
    }
    return;
  }
  const int* v = &face_[3 * size_t(f)];
  Nearest near = nearest(p, point(vert_, v[0]), point(vert_, v[1]), point(vert_, v[2]));
  double distance = square(p - near.at);
  if (distance < best.square) best = {distance, f, near.feature, near.at};
}

Vec3d DistanceQuery::normal_at(int face, Feature feature) const {
  const int* v = &face_[3 * size_t(face)];
  switch (feature) {
    case Feature::a: return vertex_normal_[v[0]];
    case Feature::b: return vertex_normal_[v[1]];
    case Feature::c: return vertex_normal_[v[2]];
    case Feature::ab: return edge_normal_.at(edge_key(v[0], v[1]));
    case Feature::bc: return edge_normal_.at(edge_key(v[1], v[2]));
    case Feature::ca: return edge_normal_.at(edge_key(v[2], v[0]));
    case Feature::face: break;
  }
  return face_normal_[face];
}

double DistanceQuery::signed_distance(const Vec3d& p) const {
  if (bvh_.num() == 0) return 0;
  Found best;
  search(0, p, best);
  double distance = std::sqrt(best.square);
  if (best.face < 0) return distance;
  return dot(p - best.at, normal_at(best.face, best.feature)) > 0 ? distance : -distance;
}

}  // namespace lockstep::mesh
