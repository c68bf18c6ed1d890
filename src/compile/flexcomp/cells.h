// cells.h: the grid of cells between whose nodes an interpolated flex is spanned.
#pragma once

#include <array>
#include <vector>

namespace lockstep::flexcomp {

struct CellGrid {
  std::array<int, 3> cells{1, 1, 1};
  int order = 1;                        // of interpolation
  std::array<double, 3> low{}, high{};  // box around the points

  std::array<int, 3> nodes() const {
    return {cells[0] * order + 1, cells[1] * order + 1, cells[2] * order + 1};
  }
  int ncell() const { return cells[0] * cells[1] * cells[2]; }
  int nnode() const {
    const auto n = nodes();
    return n[0] * n[1] * n[2];
  }
  int cell_id(int i, int j, int k) const { return (i * cells[1] + j) * cells[2] + k; }
  int node_id(int i, int j, int k) const {
    const auto n = nodes();
    return (i * n[1] + j) * n[2] + k;
  }
};

// cells that lines do not reach; for other bodies see cell_rule.h
std::vector<bool> empty_cells(const CellGrid& grid, const std::vector<double>& point,
                              const std::vector<int>& line);

// nodes that only empty cells have
std::vector<bool> idle_nodes(const CellGrid& grid, const std::vector<bool>& empty);

}  // namespace lockstep::flexcomp
