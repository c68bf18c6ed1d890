// description.h: meshes described in small text files, a line per attribute; files are looked up
// beside the description.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "compile/mesh/mesh.h"

namespace lockstep {

template <class T>
std::vector<T> rest_of(std::istream& in) {
  std::vector<T> out;
  double x;
  while (in >> x) out.push_back(static_cast<T>(x));
  return out;
}

struct Description {
  MeshInput input;
  Bytes bytes;
  MeshBuiltin shape = MeshBuiltin::none;
  std::vector<double> params;
};

inline void read_line(const std::string& directory, const std::string& key, std::istream& in,
                      Description& d) {
  MeshInput& m = d.input;
  if (key == "name") in >> m.name;
  if (key == "content_type") in >> m.content_type;
  if (key == "file") {
    in >> m.file;
    if (auto bytes = read_bytes(join_path(directory, m.file))) {
      d.bytes = std::move(*bytes);
      m.bytes = &d.bytes;
    }
  }
  if (key == "vert") m.user.vert = rest_of<float>(in);
  if (key == "normal") m.user.normal = rest_of<float>(in);
  if (key == "texcoord") m.user.texcoord = rest_of<float>(in);
  if (key == "face") m.user.face = rest_of<int>(in);
  if (key == "facenormal") m.user.facenormal = rest_of<int>(in);
  if (key == "facetexcoord") m.user.facetexcoord = rest_of<int>(in);
  if (key == "refpos") in >> m.refpos.x >> m.refpos.y >> m.refpos.z;
  if (key == "scale") in >> m.scale.x >> m.scale.y >> m.scale.z;
  if (key == "refquat") in >> m.refquat.w >> m.refquat.x >> m.refquat.y >> m.refquat.z;
  if (key == "smoothnormal") in >> m.smoothnormal;
  if (key == "needhull") in >> m.needhull;
  if (key == "needsdf") in >> m.needsdf;
  if (key == "maxhullvert") in >> m.maxhullvert;
  if (key == "octree_maxdepth") in >> m.octree_maxdepth;
  int number;
  if (key == "inertia" && in >> number) m.inertia = static_cast<MeshInertia>(number);
  if (key == "builtin" && in >> number) d.shape = static_cast<MeshBuiltin>(number);
  if (key == "params") d.params = rest_of<double>(in);
}

// attribute lines up to an empty line or the end
inline void read_description(const std::string& directory, std::istream& in, Description& d) {
  for (std::string line; std::getline(in, line) && !line.empty();) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    read_line(directory, key, words, d);
  }
}

inline bool process(Description& d, MeshData& out, std::string& error) {
  mesh::Volume volume;
  return (d.shape == MeshBuiltin::none ||
          mesh::make_shape(d.shape, d.params, d.input.user, volume, d.input.inertia, error)) &&
         process_mesh(d.input, out, error);
}

}  // namespace lockstep
