// mesh_store.h: processed assets of one compilation, kept between the passes that load, use and
// pack them.
#pragma once

#include <memory>
#include <vector>

namespace lockstep {

struct MeshData;  // compile/mesh/mesh.h

struct MeshStore {
  std::vector<std::shared_ptr<MeshData>> meshes;  // by mesh id
};

}  // namespace lockstep
