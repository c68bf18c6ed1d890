// transform.cc: see transform.h.
#include "compile/mesh/transform.h"

#include <algorithm>
#include <cmath>

#include "compile/mesh/geometry.h"
#include "compile/mesh/polygon.h"
#include "compile/mesh/principal.h"

namespace lockstep::mesh {
namespace {

void store(const Vec3d& v, double* to) {
  for (int i = 0; i < 3; i++) to[i] = v[i];
}

void rotate_all(const Mat3d& mat, std::vector<double>& vert, std::vector<float>& normal) {
  for (size_t i = 0; i < vert.size(); i += 3) store(mat * point(&vert[i]), &vert[i]);
  for (size_t i = 0; i < normal.size(); i += 3) {
    Vec3d n = mat * Vec3d{normal[i], normal[i + 1], normal[i + 2]};
    for (int k = 0; k < 3; k++) normal[i + k] = float(n[k]);
  }
}

void normalize_all(std::vector<float>& normal) {
  for (size_t i = 0; i < normal.size(); i += 3) {
    float* n = &normal[i];
    float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (square > min_val) {
      float inverse = 1 / std::sqrt(square);
      for (int k = 0; k < 3; k++) n[k] *= inverse;
    } else {
      n[0] = n[1] = 0;
      n[2] = 1;
    }
  }
}

}  // namespace

void apply_reference(const MeshInput& input, std::vector<double>& vert, Surface& surface) {
  const Vec3d& scale = input.scale;
  if (!(input.refpos == Vec3d{0, 0, 0})) {
    for (size_t i = 0; i < vert.size(); i += 3) store(point(&vert[i]) - input.refpos, &vert[i]);
  }
  if (!(input.refquat == Quatd{1, 0, 0, 0})) {
    rotate_all(transpose(matrix_of(unit_quat(input.refquat))), vert, surface.normal);
  }
  if (!(scale == Vec3d{1, 1, 1})) {
    for (size_t i = 0; i < vert.size(); i++) vert[i] *= scale[int(i % 3)];
    // normals are covectors
    for (size_t i = 0; i < surface.normal.size(); i++) {
      surface.normal[i] = float(surface.normal[i] / scale[int(i % 3)]);
    }
  }
  normalize_all(surface.normal);
}

void apply_mirror(const Vec3d& scale, MeshData& mesh) {
  if (scale.x * scale.y * scale.z > 0) return;
  auto turn = [](int* index, size_t n) {
    for (size_t i = 0; i + 2 < n; i += 3) std::swap(index[i + 1], index[i + 2]);
  };
  Surface& s = mesh.surface;
  for (std::vector<int>* index : {&s.face, &s.facenormal, &s.facetexcoord}) {
    turn(index->data(), index->size());
  }
  if (mesh.graph.empty()) return;
  size_t nface = 3 * size_t(mesh.graph[1]);
  turn(mesh.graph.data() + mesh.graph.size() - nface, nface);
  mirror_polygons(mesh.polygons);
}

void apply_pose(const Vec3d& pos, const Quatd& quat, std::vector<double>& vert, Surface& surface) {
  for (size_t i = 0; i < vert.size(); i += 3) store(point(&vert[i]) - pos, &vert[i]);
  rotate_all(matrix_of(conj(quat)), vert, surface.normal);
}

std::array<double, 6> extent(const std::vector<double>& vert) {
  std::array<double, 6> out{1e10, 1e10, 1e10, -1e10, -1e10, -1e10};
  for (size_t i = 0; i < vert.size(); i++) {
    out[i % 3] = std::min(out[i % 3], vert[i]);
    out[i % 3 + 3] = std::max(out[i % 3 + 3], vert[i]);
  }
  return out;
}

}  // namespace lockstep::mesh
