// mesh_store.h: processed assets of one compilation, kept between the passes that load, use and
// pack them.
#pragma once

#include <memory>
#include <vector>

#include "compile/mesh/hfield.h"
#include "compile/mesh/texture.h"

namespace lockstep {

struct MeshData;  // compile/mesh/mesh.h

// by id
struct MeshStore {
  std::vector<std::shared_ptr<MeshData>> meshes;
  std::vector<mesh::HFieldData> hfields;
  std::vector<mesh::TextureData> textures;
};

}  // namespace lockstep
