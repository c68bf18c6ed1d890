// mesh.h: a mesh asset: what the model says about it, and what the compiler makes of it.
// The results are those of MuJoCo 4.0.0: integers and float32 exact, real numbers to rounding.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/files.h"
#include "compile/mesh/bvh.h"
#include "compile/mesh/octree.h"
#include "math/quat.h"
#include "model/types.h"

namespace lockstep {
namespace mesh {

// triangles with what hangs on their corners, as read, given or generated
struct Surface {
  std::vector<float> vert;        // 3 each
  std::vector<float> normal;      // 3 each
  std::vector<float> texcoord;    // 2 each
  std::vector<int> face;          // 3 vertices each
  std::vector<int> facenormal;    // 3 normals each
  std::vector<int> facetexcoord;  // 3 texcoords each

  int nvert() const { return static_cast<int>(vert.size() / 3); }
  int nnormal() const { return static_cast<int>(normal.size() / 3); }
  int ntexcoord() const { return static_cast<int>(texcoord.size() / 2); }
  int nface() const { return static_cast<int>(face.size() / 3); }
};

// tetrahedra of a volumetric mesh; only flexes use them
struct Volume {
  std::vector<double> node;  // 3 each
  std::vector<int> tet;      // 4 nodes each
};

// the hull's triangles, merged where they are (nearly) coplanar
struct Polygons {
  std::vector<double> normal;         // 3 each
  std::vector<int> vertadr, vertnum;  // per polygon, into vert
  std::vector<int> vert;              // outlines
  std::vector<int> mapadr, mapnum;    // per mesh vertex, into map
  std::vector<int> map;               // polygons at a vertex
  int num() const { return static_cast<int>(vertnum.size()); }
};

}  // namespace mesh

struct MeshInput {
  std::string name;              // for messages
  std::string file;              // for messages, and to tell the format; empty: no file
  std::string content_type;      // tells msh files from others, over the extension of `file`
  const Bytes* bytes = nullptr;  // contents of `file`
  mesh::Surface user;            // given in the model; complements a file
  Vec3d refpos{0, 0, 0};
  Quatd refquat{1, 0, 0, 0};
  Vec3d scale{1, 1, 1};
  MeshInertia inertia = MeshInertia::legacy;
  bool smoothnormal = false;
  int maxhullvert = -1;     // -1: no limit
  bool needhull = false;    // a geom collides with this mesh
  bool reorient = true;     // false: keep the given frame (meshes generated from an sdf)
  bool needsdf = false;     // make the octree
  int octree_maxdepth = 6;  // its largest depth
};

struct MeshData {
  mesh::Surface surface;   // final frame; facenormal always given, facetexcoord if texcoord is
  std::vector<int> graph;  // convex hull as in mesh_graph; empty: none
  mesh::Polygons polygons;
  std::array<int, 27> extrema{};  // hull vertex farthest in each of 3x3x3 directions
  int degmax = 0;                 // most polygons at a vertex
  Vec3d pos{0, 0, 0};             // what was subtracted to center the mesh
  Quatd quat{1, 0, 0, 0};         // what was undone to align it
  Vec3d scale{1, 1, 1};
  std::array<double, 6> aamm{};  // smallest, largest coordinates in the final frame
  MeshInertia inertia = MeshInertia::legacy;
  double volume = 0;       // shell: area
  Vec3d boxsize{0, 0, 0};  // half sizes of the box of equal inertia
  mesh::Bvh bvh;           // over the faces
  mesh::Octree octree;     // empty unless asked for
};

// the whole way: load, check, hull, polygons, transform, inertia, bounding volumes
bool process_mesh(const MeshInput& input, MeshData& out, std::string& error);

namespace mesh {

// vertices and faces of a generated shape; may change legacy inertia to shell for open surfaces
bool make_shape(MeshBuiltin shape, const std::vector<double>& params, Surface& out, Volume& volume,
                MeshInertia& inertia, std::string& error);

}  // namespace mesh
}  // namespace lockstep
