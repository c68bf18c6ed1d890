// metric.cc: see metric.h.
#include "compile/flex/metric.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>

namespace lockstep {
namespace {

// index of the axis that a unit vector lies on, -1 if it lies on none
int axis_index(const Vec3d& axis) {
  int index = -1, others = 0;
  for (int k = 0; k < 3; k++) {
    if (std::abs(axis[k]) < min_val) {
      others++;
    } else {
      index = k;
    }
  }
  return others == 2 ? index : -1;
}

bool has_three_slides(const PointBody& body) {
  return body.parent_fixed && body.ndof == 3 && body.type.size() == 3 &&
         std::all_of(body.type.begin(), body.type.end(),
                     [](JointType type) { return type == JointType::slide; });
}

void sort_unique(std::vector<int>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// which points are neighbors, as rows of bits
class Graph {
 public:
  Graph(int npoint, const std::vector<Stencil>& stencils)
      : words_((npoint + 63) / 64), bits_(size_t(npoint) * words_) {
    for (const Stencil& stencil : stencils) {
      for (int a : stencil) {
        for (int b : stencil) {
          if (a >= 0 && b >= 0 && a != b) row(a)[b / 64] |= bit(b);
        }
      }
    }
  }

  int degree(int point) const {
    const uint64_t* r = &bits_[size_t(point) * words_];
    int count = 0;
    for (int w = 0; w < words_; w++) count += std::popcount(r[w]);
    return count;
  }

  std::vector<int> neighbors(int point) const {
    const uint64_t* r = &bits_[size_t(point) * words_];
    std::vector<int> out;
    for (int w = 0; w < words_; w++) {
      for (uint64_t left = r[w]; left; left &= left - 1) {
        out.push_back(64 * w + std::countr_zero(left));
      }
    }
    return out;
  }

  // neighbor `u` of the leaving `v` takes over its neighbors
  void inherit(int u, int v) {
    uint64_t *to = row(u), *from = row(v);
    for (int w = 0; w < words_; w++) to[w] |= from[w];
    to[u / 64] &= ~bit(u);
    to[v / 64] &= ~bit(v);
  }

 private:
  static uint64_t bit(int point) { return uint64_t{1} << (point % 64); }
  uint64_t* row(int point) { return &bits_[size_t(point) * words_]; }

  int words_;
  std::vector<uint64_t> bits_;
};

// points by their number of neighbors; the last one put in is taken first
class Buckets {
 public:
  explicit Buckets(int npoint) : head_(npoint, -1), next_(npoint, -1), last_(npoint, -1) {}

  void put(int point, int degree) {
    next_[point] = head_[degree];
    last_[point] = -1;
    if (head_[degree] >= 0) last_[head_[degree]] = point;
    head_[degree] = point;
    lowest_ = std::min(lowest_, degree);
  }

  void remove(int point, int degree) {
    if (last_[point] >= 0) next_[last_[point]] = next_[point];
    if (next_[point] >= 0) last_[next_[point]] = last_[point];
    if (head_[degree] == point) head_[degree] = next_[point];
  }

  int first() {
    while (head_[lowest_] < 0) lowest_++;
    return head_[lowest_];
  }

 private:
  std::vector<int> head_, next_, last_;
  int lowest_ = 0;
};

}  // namespace

bool is_point(const PointBody& body) {
  if (!has_three_slides(body)) return false;
  std::set<int> axes;
  for (const Vec3d& axis : body.axis) axes.insert(axis_index(axis));
  return axes.size() == 3 && !axes.contains(-1);
}

bool is_plain_point(const PointBody& body) {
  if (!has_three_slides(body)) return false;
  for (int k = 0; k < 3; k++) {
    if (axis_index(body.axis[k]) != k || body.axis[k][k] < 0) return false;
  }
  return true;
}

std::vector<std::vector<int>> factor_rows(int npoint, const std::vector<Stencil>& stencils) {
  std::vector<std::vector<int>> before(npoint);  // neighbors with lower numbers
  for (const Stencil& stencil : stencils) {
    for (int a : stencil) {
      for (int b : stencil) {
        if (b >= 0 && b < a) before[a].push_back(b);
      }
    }
  }
  std::vector<std::vector<int>> rows(3 * size_t(npoint));
  for (int point = 0; point < npoint; point++) {
    sort_unique(before[point]);
    for (int k = 0; k < 3; k++) {
      for (int other : before[point]) {
        for (int l = 0; l < 3; l++) rows[3 * point + k].push_back(3 * other + l);
      }
    }
  }
  // a row that leaves hands its columns to the row of the highest of them
  for (int row = 3 * npoint - 1; row >= 0; row--) {
    std::vector<int>& columns = rows[row];
    sort_unique(columns);
    if (!columns.empty()) {
      std::vector<int>& heir = rows[columns.back()];
      heir.insert(heir.end(), columns.begin(), columns.end() - 1);
    }
    columns.push_back(row);
  }
  return rows;
}

std::vector<int> elimination_order(int npoint, const std::vector<Stencil>& stencils) {
  Graph graph(npoint, stencils);
  Buckets buckets(npoint);
  std::vector<int> degree(npoint), order;
  for (int point = npoint - 1; point >= 0; point--) {
    degree[point] = graph.degree(point);
    buckets.put(point, degree[point]);
  }
  for (int step = 0; step < npoint; step++) {
    const int point = buckets.first();
    buckets.remove(point, degree[point]);
    order.push_back(point);
    for (int neighbor : graph.neighbors(point)) {
      graph.inherit(neighbor, point);
      buckets.remove(neighbor, degree[neighbor]);
      degree[neighbor] = graph.degree(neighbor);
      buckets.put(neighbor, degree[neighbor]);
    }
  }
  return order;
}

}  // namespace lockstep
