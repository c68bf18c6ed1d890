// obj.cc: Wavefront OBJ; only the first shape of a file counts.
#include <fmt/core.h>

#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

#include "compile/mesh/load.h"

namespace lockstep::mesh {
namespace {

// lines become degenerate triangles, for flexes made of them
void add_lines(const tinyobj::lines_t& lines, Surface& out) {
  size_t start = 0;
  for (int n : lines.num_line_vertices) {
    for (int i = 0; i + 1 < n; i++) {
      int a = lines.indices[start + i].vertex_index, b = lines.indices[start + i + 1].vertex_index;
      out.face.insert(out.face.end(), {a, b, b});
    }
    start += n;
  }
}

void add_triangles(const tinyobj::mesh_t& mesh, Surface& out) {
  out.face.reserve(mesh.indices.size());
  for (const tinyobj::index_t& corner : mesh.indices) {
    out.face.push_back(corner.vertex_index);
    if (!out.normal.empty()) out.facenormal.push_back(corner.normal_index);
    if (!out.texcoord.empty()) out.facetexcoord.push_back(corner.texcoord_index);
  }
}

}  // namespace

bool load_obj(const std::string& file, const Bytes& bytes, Surface& out, std::string& error) {
  tinyobj::ObjReader reader;
  reader.ParseFromString(std::string(bytes.begin(), bytes.end()), std::string());
  if (!reader.Valid()) {
    error = fmt::format("could not parse OBJ file '{}': {}", file, reader.Error());
    return false;
  }
  const tinyobj::attrib_t& attributes = reader.GetAttrib();
  out.vert = attributes.vertices;
  out.normal = attributes.normals;
  out.texcoord = attributes.texcoords;
  // texture images have their origin at the top
  for (size_t i = 1; i < out.texcoord.size(); i += 2) out.texcoord[i] = 1 - out.texcoord[i];

  if (!reader.GetShapes().empty()) {
    const tinyobj::shape_t& shape = reader.GetShapes()[0];
    if (!shape.mesh.indices.empty()) {
      add_triangles(shape.mesh, out);
    } else {
      add_lines(shape.lines, out);
    }
  }
  return true;
}

}  // namespace lockstep::mesh
