// mesh_input.h: what a mesh asset brings into its compilation.
#pragma once

#include <optional>
#include <string>

#include "compile/mesh/mesh.h"
#include "spec/spec.h"

namespace lockstep {

struct LoadedMesh {
  MeshInput input;  // points to `bytes`
  std::optional<Bytes> bytes;
  mesh::Volume volume;  // empty unless the mesh has tetrahedra
};

// what is wrong, and with which attribute
struct AssetProblem {
  std::string attribute, message;
};

// Settings, data, built-in shape and file of a mesh; what its users need (hull, octree) is left to
// the caller.
[[nodiscard]] bool load_mesh(const Spec& spec, const Mesh& mesh, LoadedMesh& out,
                             AssetProblem& problem);

}  // namespace lockstep
