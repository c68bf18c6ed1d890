#include "compile/flexcomp/cells.h"

#include <algorithm>

namespace lockstep::flexcomp {
namespace {

// cells that the boxes around lines touch
std::vector<bool> touched_cells(const CellGrid& grid, const std::vector<double>& point,
                                const std::vector<int>& element) {
  constexpr int corners = 2;
  std::vector<bool> touched(grid.ncell(), false);
  auto cell_of = [&](double x, int axis) {
    const double size = grid.high[axis] - grid.low[axis];
    if (size <= 0) return 0;
    const int cell = static_cast<int>((x - grid.low[axis]) / size * grid.cells[axis]);
    return std::clamp(cell, 0, grid.cells[axis] - 1);
  };
  for (size_t e = 0; e + corners <= element.size(); e += corners) {
    int from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
      double low = 1e30, high = -1e30;
      for (int k = 0; k < corners; k++) {
        const double x = point[3 * size_t(element[e + k]) + axis];
        low = std::min(low, x);
        high = std::max(high, x);
      }
      from[axis] = cell_of(low, axis);
      to[axis] = cell_of(high, axis);
    }
    for (int i = from[0]; i <= to[0]; i++) {
      for (int j = from[1]; j <= to[1]; j++) {
        for (int k = from[2]; k <= to[2]; k++) touched[grid.cell_id(i, j, k)] = true;
      }
    }
  }
  return touched;
}

}  // namespace

std::vector<bool> empty_cells(const CellGrid& grid, const std::vector<double>& point,
                              const std::vector<int>& line) {
  std::vector<bool> touched = touched_cells(grid, point, line);
  touched.flip();
  return touched;
}

std::vector<bool> idle_nodes(const CellGrid& grid, const std::vector<bool>& empty) {
  const auto n = grid.nodes();
  std::vector<bool> idle(grid.nnode(), true);
  for (int i = 0; i < n[0]; i++) {
    for (int j = 0; j < n[1]; j++) {
      for (int k = 0; k < n[2]; k++) {
        const int node[3] = {i, j, k};
        int from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
          from[axis] = node[axis] == 0 ? 0 : (node[axis] - 1) / grid.order;
          to[axis] = std::min(grid.cells[axis] - 1, node[axis] / grid.order);
        }
        for (int a = from[0]; a <= to[0]; a++) {
          for (int b = from[1]; b <= to[1]; b++) {
            for (int c = from[2]; c <= to[2]; c++) {
              if (!empty[grid.cell_id(a, b, c)]) idle[grid.node_id(i, j, k)] = false;
            }
          }
        }
      }
    }
  }
  return idle;
}

}  // namespace lockstep::flexcomp
