#include "compile/flexcomp/pins.h"

#include <algorithm>
#include <string>

namespace lockstep::flexcomp {
namespace {

bool fail(AssetProblem& problem, std::string attribute, std::string message) {
  problem = {std::move(attribute), std::move(message)};
  return false;
}

bool check_sizes(const Flexcomp& comp, const PinTarget& target, AssetProblem& problem) {
  const FlexcompPin& pin = comp.pin;
  const auto type = static_cast<FlexcompType>(comp.type);
  const auto dof = static_cast<FlexcompDof>(comp.dof);
  const bool by_grid = !pin.grid.empty() || !pin.gridrange.empty();
  const bool interpolated = dof == FlexcompDof::trilinear || dof == FlexcompDof::quadratic;
  const size_t dim = target.dim;
  if (pin.range.size() % 2) return fail(problem, "range", "incomplete pair of points");
  if (pin.grid.size() % dim) return fail(problem, "grid", "incomplete group of numbers");
  if (pin.gridrange.size() % (2 * dim)) {
    return fail(problem, "gridrange", "incomplete group of numbers");
  }
  if (by_grid && type != FlexcompType::grid && !interpolated) {
    return fail(problem, "grid", "only grids and interpolated flexes are pinned by grid points");
  }
  if (by_grid && dim == 1) return fail(problem, "grid", "needs dimension 2 or 3");
  return true;
}

// number of a point on the grid, z fastest; in two dimensions y
int grid_id(const PinTarget& target, const int* at) {
  const int id = at[0] * target.grid[1] + at[1];
  return target.dim == 2 ? id : id * target.grid[2] + at[2];
}

bool pin_box(const PinTarget& target, const int* low, const int* high, std::string attribute,
             std::vector<bool>& pinned, AssetProblem& problem) {
  for (int k = 0; k < target.dim; k++) {
    if (low[k] < 0 || high[k] < 0 || low[k] >= target.grid[k] || high[k] >= target.grid[k]) {
      return fail(problem, std::move(attribute), "no such point in the grid");
    }
  }
  const int low_z = target.dim == 3 ? low[2] : 0, high_z = target.dim == 3 ? high[2] : 0;
  for (int x = low[0]; x <= high[0]; x++) {
    for (int y = low[1]; y <= high[1]; y++) {
      for (int z = low_z; z <= high_z; z++) {
        const int at[3] = {x, y, z};
        pinned[grid_id(target, at)] = true;
      }
    }
  }
  return true;
}

}  // namespace

bool find_pins(const Flexcomp& comp, const PinTarget& target, std::vector<bool>& pinned,
               AssetProblem& problem) {
  const FlexcompPin& pin = comp.pin;
  pinned.assign(target.total, comp.rigid);
  if (!check_sizes(comp, target, problem)) return false;
  if (comp.rigid) return true;
  auto inside = [&](int id) { return id >= 0 && id < target.total; };
  for (int id : pin.id) {
    if (!inside(id)) return fail(problem, "id", "no such point");
    pinned[id] = true;
  }
  for (size_t i = 0; i < pin.range.size(); i += 2) {
    const int low = pin.range[i], high = pin.range[i + 1];
    if (!inside(low) || !inside(high)) return fail(problem, "range", "no such point");
    for (int id = low; id <= high; id++) pinned[id] = true;
  }
  for (size_t i = 0; i < pin.grid.size(); i += target.dim) {
    if (!pin_box(target, &pin.grid[i], &pin.grid[i], "grid", pinned, problem)) return false;
  }
  for (size_t i = 0; i < pin.gridrange.size(); i += 2 * target.dim) {
    const int* low = &pin.gridrange[i];
    if (!pin_box(target, low, low + target.dim, "gridrange", pinned, problem)) return false;
  }
  return true;
}

}  // namespace lockstep::flexcomp
