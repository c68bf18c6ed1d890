// mesh_asset.cc: mesh assets: files found and read, processed, packed.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compile/build.h"
#include "compile/mesh/gmsh.h"
#include "compile/mesh/load.h"
#include "compile/mesh/mesh.h"
#include "compile/mesh_input.h"
#include "compile/pack_row.h"
#include "compile/passes.h"
#include "compile/paths.h"

namespace lockstep {
namespace {

// how geoms and sites use meshes, by name
struct Uses {
  std::unordered_set<std::string> hull, sdf;
};

Uses find_uses(const Build& b) {
  Uses uses;
  std::unordered_set<std::string> paired;
  for (const Pair* pair : b.spec.pairs) {
    paired.insert(pair->geomname1);
    paired.insert(pair->geomname2);
  }
  for (const Geom* geom : b.geoms) {
    if (geom->type != GeomType::mesh && geom->type != GeomType::sdf) continue;
    bool collides =
        geom->contype || geom->conaffinity || (!geom->name.empty() && paired.contains(geom->name));
    if (collides) uses.hull.insert(geom->meshname);
    if (geom->type == GeomType::sdf) uses.sdf.insert(geom->meshname);
  }
  for (const Site* site : b.sites) {
    if (site->type == GeomType::mesh) uses.hull.insert(site->meshname);
  }
  return uses;
}

MeshInput input_of(const Mesh& mesh) {
  MeshInput input;
  input.name = mesh.name;
  input.content_type = mesh.content_type;
  input.user.vert = mesh.uservert;
  input.user.normal = mesh.usernormal;
  input.user.texcoord = mesh.usertexcoord;
  input.user.face = mesh.userface;
  input.user.facenormal = mesh.userfacenormal;
  input.user.facetexcoord = mesh.userfacetexcoord;
  input.refpos = to_vec(mesh.refpos);
  input.refquat = to_quat(mesh.refquat);
  input.scale = to_vec(mesh.scale);
  input.inertia = mesh.inertia;
  input.smoothnormal = mesh.smoothnormal;
  input.maxhullvert = mesh.maxhullvert;
  input.needhull = mesh.inertia == MeshInertia::convex;
  input.needsdf = mesh.needsdf;
  input.octree_maxdepth = mesh.octree_maxdepth;
  return input;
}

// flexes use the tetrahedra themselves, geoms their surface
bool take_volume(LoadedMesh& mesh, AssetProblem& problem) {
  const MeshInput& input = mesh.input;
  if (mesh::format_of(input.file, input.content_type, *mesh.bytes) != mesh::Format::gmsh)
    return true;
  mesh::Simplices read;
  if (!mesh::read_gmsh(*mesh.bytes, read, problem.message)) {
    problem = {"file", fmt::format("GMSH file '{}': {}", input.file, problem.message)};
    return false;
  }
  if (read.dim == 3) mesh.volume = {std::move(read.point), std::move(read.element)};
  return true;
}

bool settle(Build& b, const Mesh& mesh, const Uses& uses, MeshData& data) {
  LoadedMesh loaded;
  AssetProblem problem;
  bool ok = load_mesh(b.spec, mesh, loaded, problem);
  if (ok) {
    loaded.input.needhull |= uses.hull.contains(mesh.name);
    loaded.input.needsdf |= uses.sdf.contains(mesh.name);
    problem.attribute = mesh.file.empty() ? "" : "file";
    ok = process_mesh(loaded.input, data, problem.message);
  }
  if (!ok) b.error(mesh, problem.attribute, problem.message);
  return ok;
}

}  // namespace

bool load_mesh(const Spec& spec, const Mesh& mesh, LoadedMesh& out, AssetProblem& problem) {
  out.input = input_of(mesh);
  out.volume = {mesh.usernode, mesh.usertet};
  if (mesh.builtin != MeshBuiltin::none &&
      !mesh::make_shape(mesh.builtin, mesh.builtin_params, out.input.user, out.volume,
                        out.input.inertia, problem.message)) {
    problem.attribute = "builtin";
    return false;
  }
  if (mesh.file.empty()) return true;
  out.input.file = path_of(spec, mesh);
  out.bytes = read_bytes(out.input.file, spec.assets.get());
  if (!out.bytes) {
    problem = {"file", fmt::format("cannot open file '{}'", out.input.file)};
    return false;
  }
  out.input.bytes = &*out.bytes;
  return take_volume(out, problem);
}

void compile_meshes(Build& b) {
  Model& m = b.model;
  Uses uses = find_uses(b);
  for (const Mesh* mesh : b.spec.meshes) {
    auto data = std::make_shared<MeshData>();
    if (settle(b, *mesh, uses, *data)) {
      m.nmeshvert += data->surface.nvert();
      m.nmeshnormal += data->surface.nnormal();
      m.nmeshtexcoord += data->surface.ntexcoord();
      m.nmeshface += data->surface.nface();
      m.nmeshgraph += static_cast<int64_t>(data->graph.size());
      m.nmeshpoly += data->polygons.num();
      m.nmeshpolyvert += static_cast<int64_t>(data->polygons.vert.size());
      m.nmeshpolymap += static_cast<int64_t>(data->polygons.map.size());
      m.noct += data->octree.num();
    }
    b.meshes.meshes.push_back(std::move(data));
  }
}

namespace {

// where the parts of the next mesh start
struct Cursor {
  int vert = 0, normal = 0, texcoord = 0, face = 0, graph = 0, poly = 0, polyvert = 0, polymap = 0;
  int oct = 0;
};

template <class To, class From>
void append(To* array, int adr, int width, const std::vector<From>& values) {
  std::copy(values.begin(), values.end(), array + static_cast<int64_t>(adr) * width);
}

void pack_surface(Model& m, int i, const mesh::Surface& surface, Cursor& at) {
  m.mesh_vertadr[i] = at.vert;
  m.mesh_vertnum[i] = surface.nvert();
  m.mesh_normaladr[i] = at.normal;
  m.mesh_normalnum[i] = surface.nnormal();
  m.mesh_texcoordadr[i] = surface.ntexcoord() ? at.texcoord : -1;
  m.mesh_texcoordnum[i] = surface.ntexcoord();
  m.mesh_faceadr[i] = at.face;
  m.mesh_facenum[i] = surface.nface();
  append(m.mesh_vert, at.vert, 3, surface.vert);
  append(m.mesh_normal, at.normal, 3, surface.normal);
  append(m.mesh_texcoord, at.texcoord, 2, surface.texcoord);
  append(m.mesh_face, at.face, 3, surface.face);
  append(m.mesh_facenormal, at.face, 3, surface.facenormal);
  if (surface.ntexcoord()) append(m.mesh_facetexcoord, at.face, 3, surface.facetexcoord);
  at.normal += surface.nnormal();
  at.texcoord += surface.ntexcoord();
  at.face += surface.nface();
}

void pack_polygons(Model& m, int i, const mesh::Polygons& polygons, Cursor& at) {
  m.mesh_polyadr[i] = at.poly;
  m.mesh_polynum[i] = polygons.num();
  append(m.mesh_polynormal, at.poly, 3, polygons.normal);
  append(m.mesh_polyvertnum, at.poly, 1, polygons.vertnum);
  append(m.mesh_polyvert, at.polyvert, 1, polygons.vert);
  append(m.mesh_polymapnum, at.vert, 1, polygons.mapnum);
  append(m.mesh_polymap, at.polymap, 1, polygons.map);
  for (int k = 0; k < polygons.num(); k++) {
    m.mesh_polyvertadr[at.poly + k] = at.polyvert + polygons.vertadr[k];
  }
  for (size_t k = 0; k < polygons.mapadr.size(); k++) {
    m.mesh_polymapadr[at.vert + k] = at.polymap + polygons.mapadr[k];
  }
  at.poly += polygons.num();
  at.polyvert += static_cast<int>(polygons.vert.size());
  at.polymap += static_cast<int>(polygons.map.size());
}

void pack_octree(Model& m, int i, const mesh::Octree& octree, Cursor& at) {
  m.mesh_octadr[i] = octree.num() ? at.oct : -1;
  m.mesh_octnum[i] = octree.num();
  append(m.oct_depth, at.oct, 1, octree.depth);
  append(m.oct_child, at.oct, 8, octree.child);
  append(m.oct_aabb, at.oct, 6, octree.aabb);
  append(m.oct_coeff, at.oct, 8, octree.coeff);
  at.oct += octree.num();
}

}  // namespace

void pack_meshes(Build& b) {
  Model& m = b.model;
  Cursor at;
  for (int i = 0; i < m.nmesh; i++) {
    const MeshData& data = *b.meshes.meshes[i];
    pack_surface(m, i, data.surface, at);
    m.mesh_graphadr[i] = data.graph.empty() ? -1 : at.graph;
    append(m.mesh_graph, at.graph, 1, data.graph);
    at.graph += static_cast<int>(data.graph.size());
    pack_polygons(m, i, data.polygons, at);
    pack_octree(m, i, data.octree, at);
    pack_row(m.mesh_extrema, i, data.extrema);
    pack_row(m.mesh_scale, i, data.scale);
    pack_row(m.mesh_pos, i, data.pos);
    pack_row(m.mesh_quat, i, data.quat);
    m.nmeshdegmax = std::max<int64_t>(m.nmeshdegmax, data.degmax);
    at.vert += data.surface.nvert();
  }
}

}  // namespace lockstep
