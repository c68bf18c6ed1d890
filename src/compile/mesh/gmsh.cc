// gmsh.cc: see gmsh.h.
#include "compile/mesh/gmsh.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>
#include <string_view>

#include "compile/mesh/geometry.h"

namespace lockstep::mesh {
namespace {

constexpr int triangle = 2, tetrahedron = 4;  // GMSH's numbers of element types
constexpr uint64_t max_entries = 100'000'000;

bool fail(std::string& error, std::string message) {
  error = std::move(message);
  return false;
}

// values of a section, one after the other; false once they have run out
class Section {
 public:
  Section(std::string_view text, bool binary) : text_(text), binary_(binary) {}

  template <class T>
  bool read(T& value) {
    return binary_ ? raw(value) : word(value);
  }

  // the next word, also in binary files
  template <class T>
  bool word(T& value) {
    const size_t start = text_.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return false;
    text_.remove_prefix(start);
    const auto [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (code != std::errc()) return false;
    text_.remove_prefix(end - text_.data());
    return true;
  }

  void end_line() { text_.remove_prefix(std::min(text_.find('\n'), text_.size() - 1) + 1); }
  bool binary() const { return binary_; }
  size_t left() const { return text_.size(); }

 private:
  template <class T>
  bool raw(T& value) {
    if (text_.size() < sizeof(T)) return false;
    std::memcpy(&value, text_.data(), sizeof(T));
    text_.remove_prefix(sizeof(T));
    return true;
  }

  std::string_view text_;
  bool binary_;
};

bool find_section(std::string_view file, std::string_view name, std::string_view& out) {
  const std::string begin = fmt::format("${}", name), end = fmt::format("$End{}", name);
  size_t from = file.find(begin), to = file.find(end);
  if (from == std::string_view::npos || to == std::string_view::npos || to < from) return false;
  from = file.find('\n', from);
  if (from == std::string_view::npos || from + 1 > to) return false;
  out = file.substr(from + 1, to - from - 1);
  return true;
}

int corners_of(int type) { return type == triangle ? 3 : type == tetrahedron ? 4 : 0; }

// --- 4.1: nodes and elements in one block each

struct Block {
  uint64_t blocks = 0, total = 0, first = 0, last = 0, count = 0;
  int dim = 0, tag = 0, kind = 0;

  bool read(Section& s) {
    return s.read(blocks) && s.read(total) && s.read(first) && s.read(last) && s.read(dim) &&
           s.read(tag) && s.read(kind) && s.read(count);
  }
};

bool nodes_41(Section s, uint64_t& first, Simplices& out, std::string& error) {
  Block block;
  if (!block.read(s)) return fail(error, "the header of the nodes is incomplete");
  if (block.blocks != 1 || block.total != block.count) {
    return fail(error, "the nodes are not in a single block");
  }
  if (block.last != block.count || block.count > max_entries || block.count > s.left()) {
    return fail(error, "the number of nodes does not fit");
  }
  if (block.dim < 1 || block.dim > 3) return fail(error, "the dimension is not 1, 2 or 3");
  first = block.first;
  for (uint64_t i = 0; i < block.count; i++) {
    uint64_t tag = 0;
    if (!s.read(tag)) return fail(error, "the tags of nodes are incomplete");
    if (tag != i + block.first) return fail(error, "the tags of nodes are not consecutive");
  }
  out.dim = block.dim;
  out.point.resize(3 * block.count);
  for (double& x : out.point) {
    if (!s.read(x)) return fail(error, "the coordinates of nodes are incomplete");
  }
  return true;
}

bool elements_41(Section s, uint64_t first, Simplices& out, std::string& error) {
  Block block;
  if (!block.read(s)) return fail(error, "the header of the elements is incomplete");
  if (block.blocks != 1 || block.total != block.count) {
    return fail(error, "the elements are not in a single block");
  }
  if (block.count > max_entries || block.count > s.left()) {
    return fail(error, "the number of elements does not fit");
  }
  const int corners = corners_of(block.kind);
  if (block.dim != out.dim || corners != out.dim + 1) {
    return fail(error, "the elements are not triangles or tetrahedra of the nodes' dimension");
  }
  for (uint64_t i = 0; i < block.count; i++) {
    uint64_t tag = 0;
    if (!s.read(tag)) return fail(error, "the elements are incomplete");
    for (int k = 0; k < corners; k++) {
      uint64_t node = 0;
      if (!s.read(node)) return fail(error, "the elements are incomplete");
      if (node < first || node - first >= out.point.size() / 3) {
        return fail(error, "an element names a node that does not exist");
      }
      out.element.push_back(static_cast<int>(node - first));
    }
  }
  return true;
}

// --- 2.2: nodes and elements one by one; the counts are text in any case

bool nodes_22(Section s, Simplices& out, std::string& error) {
  uint64_t count = 0;
  if (!s.word(count)) return fail(error, "the number of nodes is missing");
  s.end_line();
  if (count > max_entries || count > s.left()) {
    return fail(error, "the number of nodes does not fit");
  }
  out.point.resize(3 * count);
  for (uint64_t i = 0; i < count; i++) {
    int tag = 0;
    double* p = &out.point[3 * i];
    if (!s.read(tag) || !s.read(p[0]) || !s.read(p[1]) || !s.read(p[2])) {
      return fail(error, "the nodes are incomplete");
    }
    if (tag != static_cast<int>(i) + 1) return fail(error, "the nodes are not consecutive");
  }
  return true;
}

bool element_22(Section& s, int type, int tags, Simplices& out, std::string& error) {
  const int corners = corners_of(type);
  if (corners == 0) return fail(error, fmt::format("elements of type {} are not read", type));
  if (out.dim == 0) out.dim = corners - 1;
  if (out.dim != corners - 1) return fail(error, "the elements differ in dimension");
  int ignored = 0;
  for (int k = 0; k < tags; k++) {
    if (!s.read(ignored)) return fail(error, "the elements are incomplete");
  }
  for (int k = 0; k < corners; k++) {
    int node = 0;
    if (!s.read(node)) return fail(error, "the elements are incomplete");
    if (node < 1 || node > out.npoint()) {
      return fail(error, "an element names a node that does not exist");
    }
    out.element.push_back(node - 1);
  }
  return true;
}

bool elements_22(Section s, Simplices& out, std::string& error) {
  uint64_t count = 0;
  if (!s.word(count)) return fail(error, "the number of elements is missing");
  s.end_line();
  if (count > s.left()) return fail(error, "the number of elements does not fit");
  out.dim = 0;
  for (uint64_t done = 0; done < count;) {
    // text: each element tells its type; binary: one header for several
    int tag = 0, type = 0, follow = 1, tags = 0;
    const bool header = s.binary() ? s.read(type) && s.read(follow) && s.read(tags)
                                   : s.read(tag) && s.read(type) && s.read(tags);
    if (!header || follow < 1) return fail(error, "the elements are incomplete");
    for (int i = 0; i < follow && done < count; i++, done++) {
      if (s.binary() && !s.read(tag)) return fail(error, "the elements are incomplete");
      if (!element_22(s, type, tags, out, error)) return false;
    }
  }
  return true;
}

// --- the surface of tetrahedra

// corners of the four sides, seen from outside
constexpr int sides[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

using Tet = std::array<int, 4>;

// corners in an order that makes the volume positive
Tet right_handed(const Simplices& mesh, size_t i) {
  const int* e = &mesh.element[4 * i];
  Tet tet{e[0], e[1], e[2], e[3]};
  Vec3d edge[3];
  for (int k = 0; k < 3; k++) edge[k] = point(mesh.point, tet[k + 1]) - point(mesh.point, tet[0]);
  if (dot(cross(edge[0], edge[1]), edge[2]) < 0) std::swap(tet[0], tet[1]);
  return tet;
}

std::array<int, 3> sorted_side(const Tet& tet, const int* side) {
  std::array<int, 3> key{tet[side[0]], tet[side[1]], tet[side[2]]};
  std::sort(key.begin(), key.end());
  return key;
}

// sides that belong to one tetrahedron only
std::vector<int> boundary(const Simplices& mesh) {
  const size_t ntet = mesh.element.size() / 4;
  std::map<std::array<int, 3>, int> uses;
  for (size_t i = 0; i < ntet; i++) {
    const Tet tet = right_handed(mesh, i);
    for (const auto& side : sides) uses[sorted_side(tet, side)]++;
  }
  std::vector<int> face;
  for (size_t i = 0; i < ntet; i++) {
    const Tet tet = right_handed(mesh, i);
    for (const auto& side : sides) {
      if (uses[sorted_side(tet, side)] != 1) continue;
      for (int corner : side) face.push_back(tet[corner]);
    }
  }
  return face;
}

}  // namespace

bool read_gmsh(const Bytes& bytes, Simplices& out, std::string& error) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string_view format, nodes, elements;
  if (!find_section(file, "MeshFormat", format)) return fail(error, "not a GMSH file");
  if (!find_section(file, "Nodes", nodes)) return fail(error, "the file has no nodes");
  if (!find_section(file, "Elements", elements)) return fail(error, "the file has no elements");
  Section header(format, false);
  double version = 0;
  int binary = 0, size = 0;
  if (!header.word(version) || !header.word(binary) || !header.word(size)) {
    return fail(error, "the format of the GMSH file is not told");
  }
  if (size != sizeof(double)) return fail(error, "numbers of other sizes are not supported");
  out.point.clear();
  out.element.clear();
  if (version == 4.1) {
    uint64_t first = 1;
    return nodes_41({nodes, binary == 1}, first, out, error) &&
           elements_41({elements, binary == 1}, first, out, error);
  }
  if (version == 2.2) {
    return nodes_22({nodes, binary == 1}, out, error) &&
           elements_22({elements, binary == 1}, out, error);
  }
  return fail(error, "only GMSH formats 4.1 and 2.2 are supported");
}

Surface surface_of(const Simplices& mesh) {
  Surface out;
  if (mesh.dim == 2) {
    out.vert.assign(mesh.point.begin(), mesh.point.end());
    out.face = mesh.element;
    return out;
  }
  out.face = boundary(mesh);
  // nodes inside are left out
  std::vector<int> number(mesh.npoint(), -1);
  for (int node : out.face) number[node] = 0;
  for (int node = 0; node < mesh.npoint(); node++) {
    if (number[node] < 0) continue;
    number[node] = out.nvert();
    for (int k = 0; k < 3; k++) {
      out.vert.push_back(static_cast<float>(mesh.point[3 * size_t(node) + k]));
    }
  }
  for (int& node : out.face) node = number[node];
  return out;
}

bool load_gmsh(const std::string& file, const Bytes& bytes, Surface& out, std::string& error) {
  Simplices read;
  if (!read_gmsh(bytes, read, error)) {
    return fail(error, fmt::format("GMSH file '{}': {}", file, error));
  }
  out = surface_of(read);
  return true;
}

}  // namespace lockstep::mesh
