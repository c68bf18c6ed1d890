// process.cc: the steps of a mesh from file to Model.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compile/mesh/extrema.h"
#include "compile/mesh/geometry.h"
#include "compile/mesh/hull.h"
#include "compile/mesh/inertia.h"
#include "compile/mesh/load.h"
#include "compile/mesh/mesh.h"
#include "compile/mesh/normal.h"
#include "compile/mesh/polygon.h"
#include "compile/mesh/transform.h"

namespace lockstep {
namespace mesh {
namespace {

bool fail(std::string& error, std::string message) {
  error = std::move(message);
  return false;
}

// a part may come from the file or from the model, not from both
template <class T>
bool take_user(const char* what, const std::vector<T>& user, std::vector<T>& into,
               std::string& error) {
  if (user.empty()) return true;
  if (!into.empty()) return fail(error, fmt::format("{} data are given twice", what));
  into = user;
  return true;
}

bool gather(const MeshInput& input, Surface& out, std::string& error) {
  if (input.file.empty()) {
    out = input.user;
    return true;
  }
  if (!input.bytes) return fail(error, fmt::format("cannot open file '{}'", input.file));
  Format format = format_of(input.file, input.content_type, *input.bytes);
  if (!load(format, input.file, *input.bytes, out, error)) return false;
  const Surface& user = input.user;
  return take_user("normal", user.normal, out.normal, error) &&
         take_user("texcoord", user.texcoord, out.texcoord, error) &&
         take_user("face", user.face, out.face, error) &&
         take_user("vertex", user.vert, out.vert, error) &&
         take_user("facenormal", user.facenormal, out.facenormal, error) &&
         take_user("facetexcoord", user.facetexcoord, out.facetexcoord, error);
}

bool check_indices(const Surface& s, std::string& error) {
  for (size_t i = 0; i < s.face.size(); i++) {
    if (s.face[i] < 0 || s.face[i] >= s.nvert()) {
      return fail(error,
                  fmt::format("face {} names vertex {}, which does not exist", i / 3, s.face[i]));
    }
  }
  return true;
}

bool check(const MeshInput& input, const Surface& s, std::string& error) {
  if (s.vert.size() % 3) return fail(error, "vertices need three numbers each");
  if (s.face.size() % 3) return fail(error, "faces need three indices each");
  for (size_t i = 0; i < s.vert.size(); i++) {
    if (!std::isfinite(s.vert[i])) {
      return fail(error, fmt::format("vertex {} is not finite", i / 3));
    }
  }
  if (s.vert.size() < 12) return fail(error, "fewer than 4 vertices");
  if (s.normal.size() % 3) return fail(error, "normals need three numbers each");
  if (s.texcoord.size() % 2) return fail(error, "texture coordinates need two numbers each");
  bool is_obj =
      !input.file.empty() && format_of(input.file, input.content_type, *input.bytes) == Format::obj;
  if (!s.texcoord.empty() && s.ntexcoord() != s.nvert() && s.facetexcoord.empty() && !is_obj) {
    return fail(error, "without indices every vertex needs its texture coordinate");
  }
  return check_indices(s, error);
}

// an edge that two faces walk in the same direction; faces without area do not count
bool check_orientation(const MeshInput& input, const std::vector<double>& vert, const Surface& s,
                       std::string& error) {
  if (input.inertia != MeshInertia::exact) return true;
  const double min_area = std::sqrt(min_val);
  std::vector<std::pair<int, int>> edges;
  edges.reserve(s.face.size());
  for (int f = 0; f < s.nface(); f++) {
    const int* v = &s.face[3 * size_t(f)];
    if (Triangle(vert, v).area <= min_area) continue;
    for (int k = 0; k < 3; k++) edges.push_back({v[k], v[(k + 1) % 3]});
  }
  std::sort(edges.begin(), edges.end());
  auto twice = std::adjacent_find(edges.begin(), edges.end());
  if (twice == edges.end()) return true;
  return fail(error,
              fmt::format("the faces at the edge from vertex {} to {} disagree in orientation",
                          twice->first + 1, twice->second + 1));
}

// fills what the mesh does not bring: faces, normals, indices
bool complete(const MeshInput& input, const std::vector<double>& vert, MeshData& out,
              std::string& error) {
  Surface& s = out.surface;
  if (input.needhull || s.face.empty() || input.inertia == MeshInertia::convex) {
    if (!make_hull(vert, input.maxhullvert, out.graph, error)) return false;
  }
  if (s.face.empty()) {
    HullView hull(out.graph);
    s.face.assign(hull.face, hull.face + 3 * size_t(hull.nface));
  }
  if (s.normal.empty()) make_normals(vert, input.smoothnormal, s);
  if (!s.facenormal.empty() && s.facenormal.size() != s.face.size()) {
    return fail(error, "the faces and their normals differ in number");
  }
  if (s.facetexcoord.empty() && !s.texcoord.empty()) s.facetexcoord = s.face;
  if (!s.texcoord.empty() && s.facetexcoord.size() != s.face.size()) {
    return fail(error, "the faces and their texture coordinates differ in number");
  }
  for (int index : s.facetexcoord) {
    if (index < 0 || index >= s.ntexcoord()) {
      return fail(error, "a face names a texture coordinate that does not exist");
    }
  }
  for (int index : s.facenormal) {
    if (index < 0 || index >= s.nnormal()) {
      return fail(error, "a face names a normal that does not exist");
    }
  }
  if (s.facenormal.empty()) {
    int per_vertex = static_cast<int>(s.normal.size() / s.vert.size());
    s.facenormal = s.face;
    for (int& index : s.facenormal) index *= per_vertex;
  }
  return true;
}

// circumcenter; not a number for faces without area
Vec3d circumcenter(const Vec3d& p, const Vec3d& q, const Vec3d& r) {
  Vec3d a = p - r, b = q - r;
  Vec3d normal = cross(a, b);
  double area = norm(normal);
  Vec3d v = cross(dot(a, a) * b - dot(b, b) * a, normal);
  return divide(v, 2 * area * area) + r;
}

Bvh make_face_bvh(const std::vector<double>& vert, const std::vector<int>& face) {
  std::vector<BvhLeaf> leaves(face.size() / 3);
  for (size_t f = 0; f < leaves.size(); f++) {
    BvhLeaf& leaf = leaves[f];
    Vec3d v[3];
    for (int k = 0; k < 3; k++) v[k] = point(vert, face[3 * f + k]);
    leaf.id = static_cast<int>(f);
    leaf.pos = circumcenter(v[0], v[1], v[2]);
    for (int i = 0; i < 3; i++) {
      double low = std::min({v[0][i], v[1][i], v[2][i]});
      double high = std::max({v[0][i], v[1][i], v[2][i]});
      double center = .5 * (low + high), half = .5 * (high - low);
      leaf.aamm[i] = center - half;
      leaf.aamm[i + 3] = center + half;
    }
  }
  return make_bvh(std::move(leaves));
}

bool place(const MeshInput& input, std::vector<double>& vert, MeshData& out, std::string& error) {
  Surface& s = out.surface;
  const int* face = s.face.data();
  int nface = s.nface();
  if (input.inertia == MeshInertia::convex) {
    HullView hull(out.graph);
    face = hull.face;
    nface = hull.nface;
  }
  MassProperties mass;
  if (!mass_properties(input.inertia, vert, face, nface, s.face, mass, error)) {
    return false;
  }
  if (!input.reorient) {
    mass.center = {0, 0, 0};
    mass.quat = {1, 0, 0, 0};
  }
  apply_pose(mass.center, mass.quat, vert, s);
  out.pos = mass.center;
  out.quat = mass.quat;
  out.volume = mass.volume;
  out.boxsize = mass.boxsize;
  out.aamm = extent(vert);
  return true;
}

}  // namespace
}  // namespace mesh

bool process_mesh(const MeshInput& input, MeshData& out, std::string& error) {
  using namespace mesh;
  out = MeshData();
  out.scale = input.scale;
  out.inertia = input.inertia;
  Surface& s = out.surface;
  if (!gather(input, s, error) || !check(input, s, error)) return false;

  std::vector<double> vert(s.vert.begin(), s.vert.end());
  if (!check_orientation(input, vert, s, error)) return false;
  if (!complete(input, vert, out, error)) return false;
  if (out.graph.empty()) {
    out.polygons.mapadr.assign(s.nvert(), 0);
    out.polygons.mapnum.assign(s.nvert(), 0);
  } else {
    out.polygons = make_polygons(vert, out.graph);
  }

  apply_mirror(input.scale, out);
  apply_reference(input, vert, s);
  if (!place(input, vert, out, error)) return false;
  make_polygon_normals(vert, out.polygons);
  out.bvh = make_face_bvh(vert, s.face);
  if (input.needsdf) {
    out.octree = make_octree(vert, s.face, out.bvh, out.aamm, input.octree_maxdepth);
  }
  s.vert.assign(vert.begin(), vert.end());
  if (!out.graph.empty()) find_extrema(out);
  return true;
}

}  // namespace lockstep
