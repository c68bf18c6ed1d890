// points.cc: see points.h.
#include "compile/flexcomp/points.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "compile/mesh/geometry.h"
#include "compile/mesh/gmsh.h"
#include "compile/mesh/load.h"
#include "compile/mesh/shape.h"
#include "compile/mesh/transform.h"
#include "compile/paths.h"
#include "math/quat.h"

namespace lockstep::flexcomp {
namespace {

constexpr int64_t max_points = 1'000'000;  // larger requests are refused, not attempted

bool fail(AssetProblem& problem, std::string attribute, std::string message) {
  problem = {std::move(attribute), std::move(message)};
  return false;
}

// consecutive points are joined
void make_chain(int first, int count, bool closed, Cloud& out) {
  for (int i = 0; i + !closed < count; i++) {
    out.element.insert(out.element.end(), {first + i, first + (i + 1) % count});
  }
}

// a regular polygon whose sides have the given length
void make_circle(int count, double side, Cloud& out) {
  const int corners = count - 1, first = out.npoint();
  if (corners < 3) return;
  const double angle = 2 * std::numbers::pi / corners;
  const double radius = side / std::sin(angle / 2) / 2;
  for (int i = 0; i < corners; i++) {
    out.point.insert(out.point.end(),
                     {radius * std::cos(angle * i), radius * std::sin(angle * i), 0});
  }
  make_chain(first, corners, true, out);
}

void make_line(int count, double spacing, Cloud& out) {
  const int first = out.npoint();
  for (int i = 0; i < count; i++) {
    out.point.insert(out.point.end(), {spacing * (i - 0.5 * (count - 1)), 0, 0});
  }
  make_chain(first, count, false, out);
}

// the others are those of built-in meshes
void append(const mesh::GridMesh& made, bool textured, Cloud& out) {
  out.point.insert(out.point.end(), made.point.begin(), made.point.end());
  out.element.insert(out.element.end(), made.element.begin(), made.element.end());
  if (textured) out.texcoord = made.texcoord;
}

bool generate(const Flexcomp& comp, Cloud& out, AssetProblem& problem) {
  const auto type = static_cast<FlexcompType>(comp.type);
  const bool flat = type == FlexcompType::square || type == FlexcompType::disc;
  const bool boxlike = type == FlexcompType::box || type == FlexcompType::cylinder ||
                       type == FlexcompType::ellipsoid;
  if (flat) out.dim = 2;
  const auto& n = comp.count;
  if (static_cast<int64_t>(n[0]) * n[1] > max_points ||
      static_cast<int64_t>(n[0]) * n[1] * n[2] > max_points) {
    return fail(problem, "count", "too many points");
  }
  mesh::GridShape shape{MeshBuiltin::grid, n, comp.spacing, out.dim};
  if (type == FlexcompType::disc) shape.kind = MeshBuiltin::disc;
  if (type == FlexcompType::cylinder) shape.kind = MeshBuiltin::cylinder;
  if (type == FlexcompType::ellipsoid) shape.kind = MeshBuiltin::ellipsoid;
  const bool textured = out.texcoord.empty() && !comp.material.empty();
  mesh::GridMesh made;
  if (boxlike) {
    if (n[0] < 2 || n[1] < 2 || n[2] < 2) return fail(problem, "count", "these make no elements");
    make_box(shape, made);
    append(made, textured, out);
    if (out.dim == 1) make_chain(0, out.npoint(), false, out);
  } else if (out.dim == 1) {
    if (type == FlexcompType::circle) make_circle(n[0], comp.spacing[0], out);
    if (type != FlexcompType::circle) make_line(n[0], comp.spacing[0], out);
  } else {
    if (out.dim == 2 && n[2] != 1) {
      return fail(problem, "count", "counts beyond the dimension must be 1");
    }
    make_grid(shape, made);
    append(made, textured, out);
  }
  return !out.element.empty() || fail(problem, "count", "these make no elements");
}

// Tetrahedra between the origin and the faces that see it from inside; the origin is point 0.
void make_solid(const std::array<double, 3>& origin, const std::vector<int>& face, Cloud& out) {
  out.point.insert(out.point.begin(), origin.begin(), origin.end());
  if (!out.texcoord.empty()) out.texcoord.insert(out.texcoord.begin(), 2, 0.0f);
  out.elemtexcoord.clear();
  const Vec3d center = to_vec(origin);
  for (size_t f = 0; f + 2 < face.size(); f += 3) {
    const int tet[3] = {face[f] + 1, face[f + 1] + 1, face[f + 2] + 1};
    Vec3d edge[3];
    for (int k = 0; k < 3; k++) edge[k] = mesh::point(out.point, tet[k]) - center;
    if (dot(cross(edge[0], edge[1]), edge[2]) < mjMINVAL) continue;
    out.element.insert(out.element.end(), {0, tet[0], tet[1], tet[2]});
  }
}

// the faces of a surface as elements: its triangles, their first sides, or tetrahedra
bool use_surface(const Flexcomp& comp, const mesh::Surface& surface, Cloud& out,
                 AssetProblem& problem) {
  if (out.point.empty() || surface.face.empty()) {
    return fail(problem, "mesh", "vertices and faces are needed");
  }
  out.texcoord = surface.texcoord;
  if (!out.texcoord.empty()) out.elemtexcoord = surface.facetexcoord;
  if (out.dim == 2) {
    out.element = surface.face;
  } else if (out.dim == 1) {
    out.elemtexcoord.clear();
    for (size_t f = 0; f + 2 < surface.face.size(); f += 3) {
      out.element.insert(out.element.end(), {surface.face[f], surface.face[f + 1]});
    }
  } else {
    if (!comp.origin_given) {
      return fail(problem, "origin", "tetrahedra made of a surface need an origin");
    }
    make_solid(comp.origin, surface.face, out);
  }
  return true;
}

// In the frame of the asset; what the compiler moves for geoms is moved back.
bool from_asset(const Spec& spec, const Flexcomp& comp, Cloud& out, AssetProblem& problem) {
  const Mesh* asset = spec.find<Mesh>(comp.mesh);
  if (!asset) return fail(problem, "mesh", fmt::format("mesh '{}' not found", comp.mesh));
  LoadedMesh loaded;
  if (!load_mesh(spec, *asset, loaded, problem)) return fail(problem, "mesh", problem.message);
  if (!loaded.volume.tet.empty()) {
    if (comp.dim_given && comp.dim != 3) {
      return fail(problem, "dim", "the mesh has tetrahedra, which have three dimensions");
    }
    out.dim = 3;
    out.point = loaded.volume.node;
    out.element = loaded.volume.tet;
    mesh::Surface none;
    mesh::apply_reference(loaded.input, out.point, none);
    return true;
  }
  MeshData data;
  if (!process_mesh(loaded.input, data, problem.message)) {
    return fail(problem, "mesh", problem.message);
  }
  const std::vector<float>& vert = data.surface.vert;
  for (size_t i = 0; i + 2 < vert.size(); i += 3) {
    const Vec3d p = data.pos + rotate(data.quat, Vec3d{vert[i], vert[i + 1], vert[i + 2]});
    out.point.insert(out.point.end(), {p.x, p.y, p.z});
  }
  return use_surface(comp, data.surface, out, problem);
}

// vertices at the same place become one
void merge_vertices(mesh::Surface& surface) {
  std::map<std::array<float, 3>, int> known;
  std::vector<int> number(surface.nvert());
  std::vector<float> kept;
  for (int v = 0; v < surface.nvert(); v++) {
    const float* p = &surface.vert[3 * size_t(v)];
    auto [at, is_new] = known.try_emplace({p[0], p[1], p[2]}, static_cast<int>(known.size()));
    if (is_new) kept.insert(kept.end(), p, p + 3);
    number[v] = at->second;
  }
  surface.vert = std::move(kept);
  for (int& v : surface.face) {
    if (v >= 0 && v < static_cast<int>(number.size())) v = number[v];
  }
}

// GMSH files tell their dimension; nodes and elements are taken as they are
bool from_gmsh(const Flexcomp& comp, const Bytes& bytes, Cloud& out, AssetProblem& problem) {
  mesh::Simplices read;
  std::string error;
  if (!mesh::read_gmsh(bytes, read, error)) return fail(problem, "file", error);
  if (comp.dim_given && comp.dim != read.dim) {
    return fail(problem, "dim", fmt::format("the file has dimension {}", read.dim));
  }
  out.dim = read.dim;
  out.point = std::move(read.point);
  out.element = std::move(read.element);
  return true;
}

bool from_file(const Spec& spec, const Flexcomp& comp, Cloud& out, AssetProblem& problem) {
  if (comp.file.empty()) return fail(problem, "file", "a file or a mesh is needed");
  const std::string path = asset_path(spec, *spec.compiler, comp.meshdir, comp.file);
  const std::optional<Bytes> bytes = read_bytes(path, spec.assets.get());
  if (!bytes) return fail(problem, "file", fmt::format("cannot open file '{}'", path));
  if (static_cast<FlexcompType>(comp.type) == FlexcompType::gmsh) {
    return from_gmsh(comp, *bytes, out, problem);
  }
  if (out.dim == 3 && !comp.origin_given) {
    return fail(problem, "origin", "tetrahedra made of a surface need an origin");
  }
  const mesh::Format format = mesh::format_of(path, "", *bytes);
  if (format == mesh::Format::msh) return fail(problem, "file", "MSH files are not for flexcomps");
  if (format == mesh::Format::gmsh) return from_gmsh(comp, *bytes, out, problem);
  mesh::Surface surface;
  std::string error;
  if (!mesh::load(format, path, *bytes, surface, error)) return fail(problem, "file", error);
  merge_vertices(surface);
  out.point.assign(surface.vert.begin(), surface.vert.end());
  return use_surface(comp, surface, out, problem);
}

bool check_cloud(const Cloud& cloud, AssetProblem& problem) {
  if (cloud.point.empty()) return fail(problem, "point", "there are no points");
  if (cloud.element.empty()) return fail(problem, "element", "there are no elements");
  if (cloud.point.size() % 3) return fail(problem, "point", "incomplete point");
  if (cloud.element.size() % size_t(cloud.dim + 1)) {
    return fail(problem, "element", "incomplete element");
  }
  for (int id : cloud.element) {
    if (id >= 0 && id < cloud.npoint()) continue;
    return fail(problem, "element", fmt::format("there is no point {}", id));
  }
  return true;
}

}  // namespace

bool make_cloud(const Spec& spec, const Flexcomp& comp, Cloud& out, AssetProblem& problem) {
  const auto type = static_cast<FlexcompType>(comp.type);
  out.dim = comp.dim;
  out.point = comp.point;
  out.element = comp.element;
  out.texcoord = comp.texcoord;
  const bool by_mesh = type == FlexcompType::mesh || type == FlexcompType::gmsh;
  if (!comp.mesh.empty()) {
    if (!comp.file.empty()) return fail(problem, "mesh", "both 'file' and 'mesh' are given");
    if (!by_mesh) return fail(problem, "mesh", "only types mesh and gmsh take a mesh");
  }
  bool ok = true;
  if (!comp.mesh.empty()) {
    out.point.clear();
    out.element.clear();
    ok = from_asset(spec, comp, out, problem);
  } else if (by_mesh) {
    out.point.clear();
    out.element.clear();
    ok = from_file(spec, comp, out, problem);
  } else if (type != FlexcompType::direct) {
    ok = generate(comp, out, problem);
  }
  return ok && check_cloud(out, problem);
}

}  // namespace lockstep::flexcomp
