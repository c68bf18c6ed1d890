// polygon.cc: see polygon.h.
#include "compile/mesh/polygon.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include <utility>

#include "compile/mesh/geometry.h"
#include "compile/mesh/hash_order.h"
#include "compile/mesh/hull.h"

namespace lockstep::mesh {
namespace {

constexpr double angle_step = 0.01;   // rad
constexpr double min_normal = 1e-14;  // twice the area of a polygon that has a normal

using Direction = std::pair<double, double>;  // rounded azimuth, polar angle

struct DirectionHash {
  static uint64_t bits(double x) { return x == 0 ? 0 : std::bit_cast<uint64_t>(x); }
  uint64_t operator()(const Direction& d) const {
    uint64_t hash = bits(d.first);
    return hash ^ (bits(d.second) + 0x9e3779b9u + (hash << 6) + (hash >> 2));
  }
};

bool direction_of(const std::vector<double>& vert, const int* face, Direction& out) {
  Triangle triangle(vert, face);
  if (triangle.area == 0) return false;
  // adding zero: no negative zeros, which atan2 tells apart
  Vec3d normal = triangle.normal + Vec3d{0, 0, 0};
  if (std::abs(normal.z) > 1.0 - 1e-7) {
    out = {0.0, normal.z < 0 ? std::round(std::numbers::pi / angle_step) : 0.0};
  } else {
    out = {std::round(std::atan2(normal.y, normal.x) / angle_step),
           std::round(std::acos(normal.z) / angle_step)};
  }
  return true;
}

// directed border edges of the triangles of one direction, in islands that share no edge (yet)
class Patch {
 public:
  void insert(const int v[3]) {
    int island = -1;
    bool keep[3];
    for (int k = 0; k < 3; k++) keep[k] = !cancel(v[k], v[(k + 1) % 3], island);
    if (island < 0) island = nisland_++;
    for (int k = 0; k < 3; k++) {
      if (keep[k]) edges_.push_back({v[k], v[(k + 1) % 3], island});
    }
  }

  // appends the outlines
  void trace(std::vector<std::vector<int>>& out) const {
    for (int island = 0; island < nisland_; island++) trace_island(island, out);
  }

 private:
  struct Edge {
    int from, to, island;
  };

  // an inner edge: removes its twin from the border, joins the islands on its two sides
  bool cancel(int from, int to, int& island) {
    for (size_t i = 0; i < edges_.size(); i++) {
      if (edges_[i].from != to || edges_[i].to != from) continue;
      int other = edges_[i].island;
      if (island < 0) {
        island = other;
      } else if (other != island) {
        nisland_--;
        join(island, other);
      }
      edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  }

  void join(int& a, int b) {
    if (b < a) std::swap(a, b);
    for (Edge& edge : edges_) {
      if (edge.island == b) {
        edge.island = a;
      } else if (edge.island > b) {
        edge.island--;
      }
    }
  }

  void trace_island(int island, std::vector<std::vector<int>>& out) const {
    std::vector<int> path;
    for (const Edge& edge : edges_) {
      if (edge.island == island) {
        path = {edge.from, edge.to};
        break;
      }
    }
    if (path.empty()) return;
    // the first edge found that leaves a vertex goes on, never the very first of the patch
    std::unordered_map<int, int> leaving;
    for (size_t i = 1; i < edges_.size(); i++) {
      if (edges_[i].island == island) leaving.emplace(edges_[i].from, edges_[i].to);
    }
    for (size_t step = 0; step < edges_.size(); step++) {
      auto next = leaving.find(path.back());
      if (next == leaving.end()) return;
      if (next->second == path[0]) {
        out.push_back(std::move(path));
        return;
      }
      path.push_back(next->second);
    }
  }

  std::vector<Edge> edges_;
  int nisland_ = 0;
};

// where the polygons meet at each vertex
void index_by_vertex(int nvert, Polygons& polygons) {
  polygons.mapnum.assign(nvert, 0);
  polygons.mapadr.assign(nvert, 0);
  for (int v : polygons.vert) polygons.mapnum[v]++;
  for (int v = 1; v < nvert; v++) {
    polygons.mapadr[v] = polygons.mapadr[v - 1] + polygons.mapnum[v - 1];
  }
  polygons.map.resize(polygons.vert.size());
  std::vector<int> next = polygons.mapadr;
  for (int p = 0; p < polygons.num(); p++) {
    for (int i = 0; i < polygons.vertnum[p]; i++) {
      polygons.map[next[polygons.vert[polygons.vertadr[p] + i]]++] = p;
    }
  }
}

}  // namespace

Polygons make_polygons(const std::vector<double>& vert, const std::vector<int>& graph) {
  HullView hull(graph);
  HashOrder order;
  std::unordered_map<Direction, int, DirectionHash> index;
  std::vector<Patch> patches;
  for (int f = 0; f < hull.nface; f++) {
    const int* v = hull.face + 3 * f;
    Direction direction;
    if (!direction_of(vert, v, direction)) continue;
    auto [it, added] = index.try_emplace(direction, static_cast<int>(patches.size()));
    if (added) {
      patches.emplace_back();
      order.insert(DirectionHash()(direction));
    }
    patches[it->second].insert(v);
  }

  std::vector<std::vector<int>> outlines;
  for (int patch : order.sequence()) patches[patch].trace(outlines);

  Polygons out;
  for (const std::vector<int>& outline : outlines) {
    if (outline.size() < 3) continue;
    out.vertadr.push_back(static_cast<int>(out.vert.size()));
    out.vertnum.push_back(static_cast<int>(outline.size()));
    out.vert.insert(out.vert.end(), outline.begin(), outline.end());
  }
  index_by_vertex(static_cast<int>(vert.size() / 3), out);
  return out;
}

void mirror_polygons(Polygons& polygons) {
  for (int p = 0; p < polygons.num(); p++) {
    int* v = polygons.vert.data() + polygons.vertadr[p];
    std::reverse(v + 1, v + polygons.vertnum[p]);
  }
}

void make_polygon_normals(const std::vector<double>& vert, Polygons& polygons) {
  polygons.normal.assign(3 * size_t(polygons.num()), 0);
  for (int p = 0; p < polygons.num(); p++) {
    const int* v = polygons.vert.data() + polygons.vertadr[p];
    int n = polygons.vertnum[p];
    Vec3d normal{0, 0, 0};
    for (int i = 0; i < n; i++) {
      Vec3d a = point(vert, v[i]), b = point(vert, v[(i + 1) % n]);
      normal +=
          Vec3d{(a.y - b.y) * (a.z + b.z), (a.z - b.z) * (a.x + b.x), (a.x - b.x) * (a.y + b.y)};
    }
    double length = norm(normal);
    normal = length < min_normal ? Vec3d{1, 0, 0} : divide(normal, length);
    for (int i = 0; i < 3; i++) polygons.normal[3 * p + i] = normal[i];
  }
}

}  // namespace lockstep::mesh
