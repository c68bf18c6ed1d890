// cell_rule.cc: see cell_rule.h. Tetrahedra are cut at the sides of cells, the pieces integrated by
// Gauss points.
#include "compile/flexcomp/cell_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

#include "compile/mesh/geometry.h"

namespace lockstep::flexcomp {
namespace {

using Tet = std::array<Vec3d, 4>;

constexpr int64_t max_work = 6'000;  // pairs of elements and cells; with more, partly filled cells
                                     // count as full ones

struct Gauss {
  std::vector<double> point, weight;  // on [0, 1]

  explicit Gauss(int count) {
    for (int i = 0; i < count; i++) {
      double x = std::cos(std::numbers::pi * (i + 0.75) / (count + 0.5)), slope = 1;
      for (int step = 0; step < 20; step++) {
        // Legendre's polynomials by their recurrence; Newton's method finds the zeros
        double before = 1, p = x;
        for (int k = 2; k <= count; k++) {
          const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
          before = p;
          p = next;
        }
        slope = count * (x * p - before) / (x * x - 1);
        x -= p / slope;
      }
      point.push_back(0.5 - 0.5 * x);
      weight.push_back(1 / ((1 - x * x) * slope * slope));
    }
  }
};

double volume_of(const Tet& t) { return dot(cross(t[1] - t[0], t[2] - t[0]), t[3] - t[0]) / 6; }

// adds the part of a tetrahedron where side * (coordinate - at) > 0
void cut(const Tet& tet, int axis, double at, double side, std::vector<Tet>& out) {
  double height[4];
  int order[4], above = 0, below = 4;  // those that stay come first
  for (int i = 0; i < 4; i++) {
    height[i] = side * (tet[i][axis] - at);
    order[height[i] > 0 ? above++ : --below] = i;
  }
  if (above == 4) out.push_back(tet);
  if (above == 0 || above == 4) return;
  auto corner = [&](int k) { return tet[order[k]]; };
  auto crossing = [&](int k, int l) {
    const double a = height[order[k]], b = height[order[l]];
    return corner(k) + (a / (a - b)) * (corner(l) - corner(k));
  };
  if (above == 1) {
    out.push_back({corner(0), crossing(0, 1), crossing(0, 2), crossing(0, 3)});
    return;
  }
  // a prism between two triangles
  std::array<Vec3d, 3> p, q;
  if (above == 3) {
    p = {corner(0), corner(1), corner(2)};
    q = {crossing(0, 3), crossing(1, 3), crossing(2, 3)};
  } else {
    p = {corner(0), crossing(0, 2), crossing(0, 3)};
    q = {corner(1), crossing(1, 2), crossing(1, 3)};
  }
  out.push_back({p[0], p[1], p[2], q[2]});
  out.push_back({p[0], p[1], q[1], q[2]});
  out.push_back({p[0], q[0], q[1], q[2]});
}

// pieces of a tetrahedron in the unit cube
std::vector<Tet> inside_unit(const Tet& tet) {
  std::vector<Tet> pieces{tet}, next;
  for (int axis = 0; axis < 3; axis++) {
    for (double at : {0., 1.}) {
      next.clear();
      for (const Tet& piece : pieces) cut(piece, axis, at, at == 0 ? 1 : -1, next);
      pieces.swap(next);
    }
  }
  return pieces;
}

class Integrator {
 public:
  // products of two functions have degrees up to 4 (first order) or 10 (second order)
  Integrator(int order, bool volume_alone)
      : volume_alone_(volume_alone),
        node_(rule_points(order)),
        gauss_(order == 1 ? 3 : 6),
        outer_(order == 1 ? 4 : 7) {
    for (size_t i = 0; i < node_.size(); i++) {
      double product = 1;
      for (size_t j = 0; j < node_.size(); j++) product *= j == i ? 1 : node_[i] - node_[j];
      scale_.push_back(1 / product);
    }
  }

  void add(const Tet& t, double sign, CellRule& rule) const {
    const double volume = sign * std::abs(volume_of(t));
    rule.volume += volume;
    if (volume_alone_) return;
    const size_t n = node_.size();
    rule.weight.resize(n * n * n);
    for (size_t i = 0; i < outer_.point.size(); i++) {
      for (size_t j = 0; j < gauss_.point.size(); j++) {
        for (size_t k = 0; k < gauss_.point.size(); k++) {
          // a cube folded into the tetrahedron
          const double a = outer_.point[i], b = gauss_.point[j], c = gauss_.point[k];
          const double share = 6 * outer_.weight[i] * gauss_.weight[j] * gauss_.weight[k] *
                               (1 - a) * (1 - a) * (1 - b);
          const Vec3d p = t[0] + a * (t[1] - t[0]) + b * (1 - a) * (t[2] - t[0]) +
                          c * (1 - a) * (1 - b) * (t[3] - t[0]);
          spread(p, share * volume, rule);
        }
      }
    }
  }

 private:
  // a weight at p as weights at the nodes
  void spread(const Vec3d& p, double weight, CellRule& rule) const {
    constexpr size_t most = 5;
    const size_t n = node_.size();
    double at[3][most];
    for (int axis = 0; axis < 3; axis++) {
      for (size_t i = 0; i < n; i++) {
        double value = scale_[i];
        for (size_t j = 0; j < n; j++) value *= j == i ? 1 : p[axis] - node_[j];
        at[axis][i] = value;
      }
    }
    size_t id = 0;
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n; k++) rule.weight[id++] += weight * at[0][i] * at[1][j] * at[2][k];
      }
    }
  }

  bool volume_alone_;
  std::vector<double> node_, scale_;
  Gauss gauss_, outer_;  // folding adds degrees along the first axis
};

// cells in the box around a tetrahedron
template <class F>
void for_each_cell(const CellGrid& grid, const Tet& tet, F&& f) {
  int from[3], to[3];
  for (int axis = 0; axis < 3; axis++) {
    const auto [low, high] = std::minmax({tet[0][axis], tet[1][axis], tet[2][axis], tet[3][axis]});
    from[axis] = static_cast<int>(std::clamp(low, 0., grid.cells[axis] - 1.));
    to[axis] = static_cast<int>(std::clamp(high, 0., grid.cells[axis] - 1.));
  }
  for (int i = from[0]; i <= to[0]; i++) {
    for (int j = from[1]; j <= to[1]; j++) {
      for (int k = from[2]; k <= to[2]; k++) f(std::array<int, 3>{i, j, k});
    }
  }
}

// elements where cells are unit cubes; triangles are seen from the middle of the grid
std::vector<Tet> in_cells(const CellGrid& grid, const std::vector<double>& point,
                          const std::vector<int>& element, size_t corners) {
  std::vector<Tet> out;
  for (size_t e = 0; e + corners <= element.size(); e += corners) {
    Tet tet;
    for (size_t k = 0; k < 4; k++) {
      for (int axis = 0; axis < 3; axis++) {
        const double size = grid.high[axis] - grid.low[axis];
        double share = 0.5;
        if (k < corners) share = (point[3 * size_t(element[e + k]) + axis] - grid.low[axis]) / size;
        tet[k][axis] = size > 0 ? share * grid.cells[axis] : 0;
      }
    }
    out.push_back(tet);
  }
  return out;
}

// every edge of the triangles is there once in each direction
bool is_closed(const std::vector<int>& triangle) {
  std::map<std::pair<int, int>, int> uses;
  for (size_t e = 0; e + 3 <= triangle.size(); e += 3) {
    for (size_t k = 0; k < 3; k++) {
      const int a = triangle[e + k], b = triangle[e + (k + 1) % 3];
      uses[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  }
  return std::all_of(uses.begin(), uses.end(), [](const auto& edge) { return edge.second == 0; });
}

// triangles may all be seen from the wrong side
void turn_outside_out(std::vector<CellRule>& rules) {
  double total = 0;
  for (const CellRule& rule : rules) total += rule.volume;
  if (total >= 0) return;
  for (CellRule& rule : rules) {
    rule.volume = -rule.volume;
    for (double& weight : rule.weight) weight = -weight;
  }
}

}  // namespace

std::vector<double> rule_points(int order) { return Gauss(2 * order + 1).point; }

std::vector<double> mass_shares(int order, double s) {
  if (order == 1) return {1 - s, s};
  return {(1 - s) * (1 - s) / 2, 0.5 + s * (1 - s), s * s / 2};
}

std::vector<CellRule> fill_cells(const CellGrid& grid, const std::vector<double>& point,
                                 const std::vector<int>& element, int dim) {
  if (dim == 2 && !is_closed(element)) return {};
  const std::vector<Tet> tets = in_cells(grid, point, element, dim + 1);
  int64_t work = 0;
  for (const Tet& tet : tets) for_each_cell(grid, tet, [&](const auto&) { work++; });
  std::vector<CellRule> rules(grid.ncell());
  const Integrator integrator(grid.order, work > (grid.order == 1 ? max_work : max_work / 20));
  for (const Tet& tet : tets) {
    // what lies behind a surface counts with the sign of the side that is seen
    const double sign = dim == 3 || volume_of(tet) > 0 ? 1 : -1;
    for_each_cell(grid, tet, [&](const std::array<int, 3>& at) {
      const Vec3d corner{double(at[0]), double(at[1]), double(at[2])};
      const Tet local{tet[0] - corner, tet[1] - corner, tet[2] - corner, tet[3] - corner};
      CellRule& rule = rules[grid.cell_id(at[0], at[1], at[2])];
      for (const Tet& piece : inside_unit(local)) integrator.add(piece, sign, rule);
    });
  }
  turn_outside_out(rules);
  return rules;
}

std::vector<bool> empty_cells(const CellGrid& grid, const std::vector<CellRule>& rules) {
  std::vector<bool> empty(grid.ncell(), false);
  for (size_t cell = 0; cell < rules.size(); cell++) empty[cell] = rules[cell].empty();
  return empty;
}

}  // namespace lockstep::flexcomp
