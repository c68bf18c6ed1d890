// cell_rule.h: integrals over the parts of cells that a body fills.
#pragma once

#include <vector>

#include "compile/flexcomp/cells.h"

namespace lockstep::flexcomp {

// what is left of a cell's stiffness and mass where nothing fills it
constexpr double void_share = 1e-6;
// least mass that a cell gives to a node, as a share of what a full cell gives
constexpr double least_mass = 0.02;

// Weights of rule_points() along x, y and z, as shares of the cell's volume: exact for products of
// two shape functions or their slopes.
struct CellRule {
  std::vector<double> weight;  // none: not computed
  double volume = 0;           // share that is filled

  bool empty() const { return volume <= 1e-12; }
  bool full() const { return weight.empty() || volume >= 1 - 1e-12; }
};

// on [0, 1]
std::vector<double> rule_points(int order);

// Shares of nodes along an axis in a mass at s: positive, and of a full cell 1/2 1/2 or
// 1/6 2/3 1/6. (Shape functions of second order are negative in places.)
std::vector<double> mass_shares(int order, double s);

// What tetrahedra (dim 3), or the inside of a closed surface of triangles (dim 2), fill of each
// cell. Nothing is returned for a surface that is open; fine bodies get volumes alone.
std::vector<CellRule> fill_cells(const CellGrid& grid, const std::vector<double>& point,
                                 const std::vector<int>& element, int dim);

// cells in which there is nothing; none if rules are missing
std::vector<bool> empty_cells(const CellGrid& grid, const std::vector<CellRule>& rules);

}  // namespace lockstep::flexcomp
