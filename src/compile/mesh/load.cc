// load.cc: see load.h. OBJ and GMSH have files of their own.
#include "compile/mesh/load.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lockstep::mesh {
namespace {

constexpr int max_stl_faces = 200000;
constexpr float max_stl_coordinate = 1 << 30;

template <class T>
T read(const uint8_t* from) {
  T out;
  std::memcpy(&out, from, sizeof(T));
  return out;
}

bool fail(std::string& error, std::string message) {
  error = std::move(message);
  return false;
}

// open-addressing table from the bits of a position to its number
class VertexTable {
 public:
  explicit VertexTable(size_t capacity)
      : slot_(std::bit_ceil(2 * capacity + 2), -1), mask_(slot_.size() - 1) {}

  // number of the vertex; appended to `vert` if it is new
  int find_or_add(const uint8_t* bytes, std::vector<float>& vert) {
    uint32_t key[3];
    std::memcpy(key, bytes, sizeof(key));
    uint64_t hash =
        key[0] * 0x9e3779b97f4a7c15u ^ key[1] * 0xc2b2ae3d27d4eb4fu ^ key[2] * 0x165667b19e3779f9u;
    hash ^= hash >> 29;
    for (size_t i = hash & mask_;; i = (i + 1) & mask_) {
      if (slot_[i] < 0) {
        slot_[i] = static_cast<int>(vert.size() / 3);
        vert.resize(vert.size() + 3);
        std::memcpy(&vert[vert.size() - 3], bytes, sizeof(key));
        return slot_[i];
      }
      if (!std::memcmp(&vert[3 * size_t(slot_[i])], bytes, sizeof(key))) return slot_[i];
    }
  }

 private:
  std::vector<int> slot_;
  size_t mask_;
};

}  // namespace

Format format_of(const std::string& file, const std::string& content_type, const Bytes& bytes) {
  // a content type needs a type and a subtype; parameters may follow
  const std::string type = content_type.substr(0, content_type.find(';'));
  size_t slash = type.find('/');
  bool given = slash != std::string::npos && slash + 1 < type.size();
  std::string extension = extension_of(file);
  if (given ? content_type == "model/vnd.mujoco.msh" : extension == "msh") return Format::msh;
  constexpr std::string_view start = "$MeshFormat";
  bool looks_gmsh =
      bytes.size() >= start.size() && !std::memcmp(bytes.data(), start.data(), start.size());
  if (type == "model/vnd.gmsh" && looks_gmsh) return Format::gmsh;
  if (extension == "obj") return Format::obj;
  if (extension == "stl") return Format::stl;
  if (extension == "msh" || extension == "gmsh") return Format::gmsh;
  return Format::unknown;
}

bool load(Format format, const std::string& file, const Bytes& bytes, Surface& out,
          std::string& error) {
  switch (format) {
    case Format::obj: return load_obj(file, bytes, out, error);
    case Format::stl: return load_stl(file, bytes, out, error);
    case Format::msh: return load_msh(file, bytes, out, error);
    case Format::gmsh: return load_gmsh(file, bytes, out, error);
    case Format::unknown: break;
  }
  return fail(error, fmt::format("unknown type of mesh file '{}'", file));
}

bool load_stl(const std::string& file, const Bytes& bytes, Surface& out, std::string& error) {
  constexpr size_t header = 84, record = 50;
  if (bytes.empty()) return fail(error, fmt::format("STL file '{}' is empty", file));
  if (bytes.size() < header) {
    return fail(error, fmt::format("stl_decoder: invalid header of file '{}'", file));
  }
  int nface = read<int32_t>(&bytes[80]);
  if (nface < 1 || nface > max_stl_faces) {
    return fail(error,
                fmt::format("STL file of 1 to {} faces expected: '{}' is something else, or text",
                            max_stl_faces, file));
  }
  if (size_t(nface) * record != bytes.size() - header) {
    return fail(error,
                fmt::format("the size of STL file '{}' does not fit its faces; is it text?", file));
  }

  // equal corners become one vertex
  out.face.reserve(3 * size_t(nface));
  out.vert.reserve(3 * size_t(nface));
  VertexTable table(3 * size_t(nface));
  for (int f = 0; f < nface; f++) {
    for (int k = 1; k <= 3; k++) {
      const uint8_t* corner = &bytes[header + record * f + 12 * k];
      for (int i = 0; i < 3; i++) {
        if (std::abs(read<float>(corner + 4 * i)) > max_stl_coordinate) {
          return fail(error, fmt::format("a vertex in STL file '{}' is too far away", file));
        }
      }
      out.face.push_back(table.find_or_add(corner, out.vert));
    }
  }
  return true;
}

bool load_msh(const std::string& file, const Bytes& bytes, Surface& out, std::string& error) {
  constexpr size_t header = 16;
  if (bytes.empty()) return fail(error, fmt::format("MSH file '{}' is empty", file));
  if (bytes.size() < header) {
    return fail(error, fmt::format("MSH file '{}' ends within its header", file));
  }
  int nvert = read<int32_t>(&bytes[0]), nnormal = read<int32_t>(&bytes[4]);
  int ntexcoord = read<int32_t>(&bytes[8]), nface = read<int32_t>(&bytes[12]);
  if (nvert < 4 || nface < 0 || nnormal < 0 || ntexcoord < 0 || (nnormal > 0 && nnormal != nvert) ||
      (ntexcoord > 0 && ntexcoord != nvert)) {
    return fail(error, fmt::format("bad counts in the header of MSH file '{}'", file));
  }
  uint64_t expected = header + 12 * uint64_t(nvert) + 12 * uint64_t(nnormal) +
                      8 * uint64_t(ntexcoord) + 12 * uint64_t(nface);
  if (bytes.size() != expected) {
    return fail(error, fmt::format("the size of MSH file '{}' does not fit its header", file));
  }

  const uint8_t* from = bytes.data() + header;
  auto take = [&from](auto& into, size_t n) {
    into.resize(n);
    if (n) std::memcpy(into.data(), from, 4 * n);
    from += 4 * n;
  };
  take(out.vert, 3 * size_t(nvert));
  take(out.normal, 3 * size_t(nnormal));
  take(out.texcoord, 2 * size_t(ntexcoord));
  take(out.face, 3 * size_t(nface));
  out.facenormal = out.face;
  if (ntexcoord) out.facetexcoord = out.face;
  return true;
}

}  // namespace lockstep::mesh
