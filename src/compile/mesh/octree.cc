// octree.cc: builds the octree of octree.h: subdivide where there is surface, balance, sample.
#include "compile/mesh/octree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>

#include "compile/mesh/distance.h"
#include "compile/mesh/geometry.h"

namespace lockstep::mesh {
namespace {

constexpr double margin = 1.1;  // the root is this much larger than the mesh
constexpr double on_plane = 1e-9;

using Corners = std::array<Vec3d, 3>;
using Box = std::array<double, 6>;

// separating planes: the sides of the box, the triangle's plane, its edges in each projection
bool overlap(const Corners& v, const Box& box) {
  for (int i = 0; i < 3; i++) {
    if (v[0][i] < box[i] && v[1][i] < box[i] && v[2][i] < box[i]) return false;
    if (v[0][i] > box[i + 3] && v[1][i] > box[i + 3] && v[2][i] > box[i + 3]) return false;
  }
  Vec3d low{box[0], box[1], box[2]};
  Vec3d size{box[3] - box[0], box[4] - box[1], box[5] - box[2]};
  Vec3d edge[3] = {v[1] - v[0], v[2] - v[1], v[0] - v[2]};
  Vec3d n = cross(edge[0], edge[1]);
  Vec3d far{n.x > 0 ? size.x : 0, n.y > 0 ? size.y : 0, n.z > 0 ? size.z : 0};
  double level = dot(n, low);
  if ((level + dot(n, far - v[0])) * (level + dot(n, size - far - v[0])) > 0) return false;

  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    double sign = n[a] >= 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) {
      double nb = -edge[i][c] * sign, nc = edge[i][b] * sign;
      double d = -(nb * v[i][b] + nc * v[i][c]) + std::max(0.0, size[b] * nb) +
                 std::max(0.0, size[c] * nc);
      if (nb * low[b] + nc * low[c] + d < 0) return false;
    }
  }
  return true;
}

struct Node {
  int depth = 0, parent = -1, slot = -1;
  std::array<int, 8> child{-1, -1, -1, -1, -1, -1, -1, -1};
  std::array<int, 8> corner{};
  Box box{};
  bool leaf() const { return child[0] < 0; }
  Vec3d center() const {
    return {(box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2};
  }
};

struct PointHash {
  size_t operator()(const std::array<double, 3>& p) const {
    uint64_t hash = 0;
    for (double x : p) {
      hash = (hash ^ (x == 0 ? 0 : std::bit_cast<uint64_t>(x))) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

class Builder {
 public:
  Builder(const std::vector<double>& vert, const std::vector<int>& face, int maxdepth)
      : maxdepth_(maxdepth) {
    for (size_t f = 0; f < face.size(); f += 3) {
      faces_.push_back({point(vert, face[f]), point(vert, face[f + 1]), point(vert, face[f + 2])});
    }
  }

  void build(const Box& aamm) {
    Node root;
    for (int i = 0; i < 3; i++) {
      double center = (aamm[i] + aamm[i + 3]) / 2, half = (aamm[i + 3] - aamm[i]) / 2;
      root.box[i] = center - margin * half;
      root.box[i + 3] = center + margin * half;
    }
    number_corners(root);
    nodes_.push_back(root);
    subdivide_at_surface();
    balance();
    find_hanging();
  }

  // values at the corners; hanging ones are means of others, parents before children
  std::vector<double> sample(const DistanceQuery& distance) const {
    std::vector<double> value(points_.size(), 0);
    std::vector<char> known(points_.size(), 0);
    std::deque<int> queue{0};
    while (!queue.empty()) {
      const Node& node = nodes_[queue.front()];
      queue.pop_front();
      for (int corner : node.corner) {
        if (known[corner]) continue;
        known[corner] = 1;
        const std::vector<int>& from = hanging_[corner];
        if (from.empty()) {
          value[corner] = distance.signed_distance(point(points_[corner].data()));
        } else {
          for (int other : from) value[corner] += value[other];
          value[corner] /= static_cast<double>(from.size());
        }
      }
      for (int child : node.child) {
        if (child >= 0) queue.push_back(child);
      }
    }
    return value;
  }

  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  using FaceList = std::shared_ptr<const std::vector<int>>;

  void number_corners(Node& node) {
    for (int i = 0; i < 8; i++) {
      std::array<double, 3> p;
      for (int k = 0; k < 3; k++) p[k] = i >> k & 1 ? node.box[k + 3] : node.box[k];
      auto [it, added] = index_.try_emplace(p, static_cast<int>(points_.size()));
      if (added) points_.push_back(p);
      node.corner[i] = it->second;
    }
  }

  void split(int parent) {
    for (int slot = 0; slot < 8; slot++) {
      Node node;
      node.depth = nodes_[parent].depth + 1;
      node.parent = parent;
      node.slot = slot;
      const Box& box = nodes_[parent].box;
      for (int k = 0; k < 3; k++) {
        double middle = (box[k + 3] + box[k]) / 2;
        node.box[k] = slot >> k & 1 ? middle : box[k];
        node.box[k + 3] = slot >> k & 1 ? box[k + 3] : middle;
      }
      number_corners(node);
      nodes_[parent].child[slot] = static_cast<int>(nodes_.size());
      nodes_.push_back(node);
    }
  }

  void subdivide_at_surface() {
    std::vector<int> all(faces_.size());
    for (size_t i = 0; i < all.size(); i++) all[i] = static_cast<int>(i);
    std::deque<std::pair<int, FaceList>> queue;
    queue.push_back({0, std::make_shared<const std::vector<int>>(std::move(all))});
    while (!queue.empty()) {
      auto [node, candidates] = std::move(queue.front());
      queue.pop_front();
      if (nodes_[node].depth >= maxdepth_) continue;
      std::vector<int> inside;
      for (int f : *candidates) {
        if (overlap(faces_[f], nodes_[node].box)) inside.push_back(f);
      }
      if (inside.empty()) continue;
      split(node);
      auto shared = std::make_shared<const std::vector<int>>(std::move(inside));
      for (int child : nodes_[node].child) queue.push_back({child, shared});
    }
  }

  // the node beside this one in direction dir (axis * 2 + side), of its depth or coarser
  int beside(int node, int dir) const {
    int bit = 1 << (dir / 2);
    bool up = dir % 2;
    for (; nodes_[node].parent >= 0; node = nodes_[node].parent) {
      int slot = nodes_[node].slot;
      if (up != ((slot & bit) != 0)) return nodes_[nodes_[node].parent].child[slot ^ bit];
    }
    return -1;
  }

  // the leaf beside it
  int neighbor(int node, int dir) const {
    int found = beside(node, dir);
    if (found < 0) return -1;
    Vec3d center = nodes_[node].center();
    int bit = 1 << (dir / 2);
    while (!nodes_[found].leaf()) {
      Vec3d middle = nodes_[found].center();
      int slot = 0;
      for (int k = 0; k < 3; k++) slot |= (center[k] > middle[k]) << k;
      slot = dir % 2 ? slot & ~bit : slot | bit;
      found = nodes_[found].child[slot];
    }
    return found;
  }

  // neighbours differ by one level at most
  void balance() {
    while (true) {
      std::vector<int> coarse;
      for (int i = 0; i < static_cast<int>(nodes_.size()); i++) {
        if (!nodes_[i].leaf()) continue;
        for (int dir = 0; dir < 6; dir++) {
          int other = neighbor(i, dir);
          if (other < 0) continue;
          if (nodes_[other].depth > nodes_[i].depth + 1) coarse.push_back(i);
          if (nodes_[i].depth > nodes_[other].depth + 1) coarse.push_back(other);
        }
      }
      if (coarse.empty()) return;
      for (int node : coarse) {
        if (nodes_[node].leaf()) split(node);
      }
    }
  }

  // corners in the middle of an edge or face of a coarser neighbour
  void find_hanging() {
    hanging_.assign(points_.size(), {});
    for (const Node& node : nodes_) {
      if (!node.leaf()) continue;
      for (int dir = 0; dir < 6; dir++) {
        int other = neighbor(static_cast<int>(&node - nodes_.data()), dir);
        if (other < 0 || nodes_[other].depth >= node.depth) continue;
        int axis = dir / 2;
        for (int i = 0; i < 4; i++) {
          int slot = (dir % 2) << axis | (i & 1) << (axis + 1) % 3 | (i >> 1) << (axis + 2) % 3;
          mark_hanging(node.corner[slot], nodes_[other]);
        }
      }
    }
  }

  void mark_hanging(int corner, const Node& coarse) {
    if (!hanging_[corner].empty()) return;
    bool low[3], high[3];
    int nplane = 0;
    for (int k = 0; k < 3; k++) {
      low[k] = std::abs(points_[corner][k] - coarse.box[k]) < on_plane;
      high[k] = std::abs(points_[corner][k] - coarse.box[k + 3]) < on_plane;
      nplane += low[k] || high[k];
    }
    if (nplane != 1 && nplane != 2) return;
    // all corners of the coarse node on the same planes
    int k0 = 0;  // of those on one plane the second axis after it varies slowest
    if (nplane == 1) {
      while (!low[k0] && !high[k0]) k0++;
    }
    int first = (k0 + 1) % 3, second = (k0 + 2) % 3;
    for (int i = 0; i < 8; i++) {
      int slot = (i & 1) << first | (i >> 1 & 1) << second | (i >> 2) << k0;
      bool match = true;
      for (int k = 0; k < 3; k++) {
        if (low[k] || high[k]) match &= (slot >> k & 1) == high[k];
      }
      if (match) hanging_[corner].push_back(coarse.corner[slot]);
    }
  }

  int maxdepth_;
  std::vector<Corners> faces_;
  std::vector<Node> nodes_;
  std::vector<std::array<double, 3>> points_;
  std::unordered_map<std::array<double, 3>, int, PointHash> index_;
  std::vector<std::vector<int>> hanging_;
};

}  // namespace

Octree make_octree(const std::vector<double>& vert, const std::vector<int>& face, const Bvh& bvh,
                   const std::array<double, 6>& aamm, int maxdepth) {
  Builder builder(vert, face, maxdepth);
  builder.build(aamm);
  std::vector<double> value = builder.sample(DistanceQuery(vert, face, bvh));

  Octree out;
  for (const Node& node : builder.nodes()) {
    out.depth.push_back(node.depth);
    out.child.insert(out.child.end(), node.child.begin(), node.child.end());
    for (int k = 0; k < 3; k++) out.aabb.push_back((node.box[k] + node.box[k + 3]) / 2);
    for (int k = 0; k < 3; k++) out.aabb.push_back((node.box[k + 3] - node.box[k]) / 2);
    for (int corner : node.corner) out.coeff.push_back(value[corner]);
  }
  return out;
}

}  // namespace lockstep::mesh
