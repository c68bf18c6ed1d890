#include "compile/flex/topology.h"

#include <algorithm>
#include <unordered_map>

#include "compile/mesh/geometry.h"

namespace lockstep {
namespace {

constexpr Edge line_edges[] = {{0, 1}};
constexpr Edge triangle_edges[] = {{1, 2}, {2, 0}, {0, 1}};
constexpr Edge tetrahedron_edges[] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};

// pieces of the surface of one element, by corner
using Piece = std::array<int, 3>;
constexpr Piece line_pieces[] = {{0}, {1}};
constexpr Piece triangle_pieces[] = {{0, 1}, {2, 0}, {1, 2}};
constexpr Piece tetrahedron_pieces[] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};

std::span<const Piece> element_pieces(int dim) {
  if (dim == 1) return line_pieces;
  if (dim == 2) return triangle_pieces;
  return tetrahedron_pieces;
}

struct Fragment {
  Piece key{-1, -1, -1};  // sorted vertices
  int element = 0;
  Piece vertices{-1, -1, -1};
  auto operator<=>(const Fragment&) const = default;
};

std::vector<Fragment> sorted_fragments(const FlexData& flex) {
  std::vector<Fragment> fragments;
  for (int e = 0; e < flex.nelem; e++) {
    for (const Piece& piece : element_pieces(flex.dim)) {
      Fragment fragment;
      fragment.element = e;
      for (int k = 0; k < flex.dim; k++) {
        fragment.vertices[k] = flex.elem[e * (flex.dim + 1) + piece[k]];
      }
      fragment.key = fragment.vertices;
      for (auto [i, j] : {Edge{0, 1}, Edge{1, 2}, Edge{0, 1}}) {
        if (j < flex.dim && fragment.key[i] > fragment.key[j]) {
          std::swap(fragment.key[i], fragment.key[j]);
        }
      }
      fragments.push_back(fragment);
    }
  }
  std::sort(fragments.begin(), fragments.end());
  return fragments;
}

}  // namespace

std::span<const Edge> element_edges(int dim) {
  if (dim == 1) return line_edges;
  if (dim == 2) return triangle_edges;
  return tetrahedron_edges;
}

void orient_tetrahedra(FlexData& flex) {
  if (flex.dim != 3) return;
  for (int e = 0; e < flex.nelem; e++) {
    int* v = &flex.elem[4 * size_t(e)];
    const Vec3d first = mesh::point(flex.vertpos, v[0]);
    Vec3d side[3];
    for (int k = 0; k < 3; k++) side[k] = mesh::point(flex.vertpos, v[k + 1]) - first;
    if (dot(cross(side[0], side[1]), side[2]) > 0) std::swap(v[1], v[2]);
  }
}

void find_edges(FlexData& flex) {
  std::unordered_map<uint64_t, int> known;
  const int corners = flex.dim + 1;
  for (int e = 0; e < flex.nelem; e++) {
    const int* v = &flex.elem[size_t(e) * corners];
    for (const Edge& ends : element_edges(flex.dim)) {
      const auto [low, high] = std::minmax(v[ends[0]], v[ends[1]]);
      const uint64_t key = static_cast<uint64_t>(low) << 32 | static_cast<uint32_t>(high);
      auto [at, is_new] = known.try_emplace(key, static_cast<int>(flex.edge.size()));
      if (is_new) {
        flex.edge.push_back({low, high});
        flex.flap.push_back({-1, -1});
      }
      flex.elemedge.push_back(at->second);
      if (flex.dim == 2) flex.flap[at->second][is_new ? 0 : 1] = v[3 - ends[0] - ends[1]];
    }
  }
}

void find_shell(FlexData& flex) {
  const std::vector<Fragment> fragments = sorted_fragments(flex);
  const int outer = 0, unknown = flex.nelem + 1;
  flex.elemlayer.assign(flex.nelem, flex.dim == 3 ? unknown : outer);
  std::vector<Edge> contacts;  // pairs of elements that share a piece
  for (size_t i = 0; i < fragments.size();) {
    size_t next = i + 1;
    for (; next < fragments.size() && fragments[next].key == fragments[i].key; next++) {
      contacts.push_back({fragments[next - 1].element, fragments[next].element});
    }
    if (next == i + 1) {
      const Piece& v = fragments[i].vertices;
      flex.shell.insert(flex.shell.end(), v.begin(), v.begin() + flex.dim);
      flex.elemlayer[fragments[i].element] = outer;
    }
    i = next;
  }
  // inwards until nothing changes
  for (bool changed = flex.dim == 3; changed;) {
    changed = false;
    for (const auto& [a, b] : contacts) {
      int& low = flex.elemlayer[a] < flex.elemlayer[b] ? flex.elemlayer[a] : flex.elemlayer[b];
      int& high = &low == &flex.elemlayer[a] ? flex.elemlayer[b] : flex.elemlayer[a];
      if (high <= low + 1) continue;
      high = low + 1;
      changed = true;
    }
  }
}

}  // namespace lockstep
