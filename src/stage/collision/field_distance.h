// field_distance.h: distance of a height field and a convex shape: the smallest over the columns of
// the field that may be nearer than what is known already. scalar code.
#pragma once

#include "stage/collision/field_pair.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// points of a column and of the shape, as far as they are nearer than the cutoff
LOCKSTEP_FN ConvexContact<double> column_distance(const SearchShape<double>& column,
                                                  const SearchShape<double>& moving, double cutoff,
                                                  const SearchLimits<double>& limits,
                                                  SearchRoom<double>& room) {
  ConvexContact<double> c{};
  // overlap is searched without margins; what is apart with all of the distance as a margin
  for (int apart = 0; apart < 2 && !c.found; apart++) {
    SearchPair<double> pair{column, moving};
    const double margin = apart ? cutoff : 0;
    pair.a.margin = pair.b.margin = margin;
    if (apart && !(cutoff > 0)) break;
    const Found<double> found = search(pair, limits, room);
    if (!found.touches) continue;
    c.found = true;
    c.dist = margin + found.dist;
    c.normal = normalize(found.a - found.b);
    const Vec3<double> middle = (found.a + found.b) * 0.5, half = c.normal * (0.5 * c.dist);
    c.point1 = middle - half;
    c.point2 = middle + half;
  }
  return c;
}

// of a height field and a convex geom, at most the cutoff
LOCKSTEP_FN ConvexContact<double> field_distance(const ModelView<double>& m,
                                                 const DataView<double>& d, int field, int geom,
                                                 double cutoff, SearchRoom<double>& room) {
  ConvexContact<double> best{};
  best.dist = cutoff;
  SearchShape<double> moving = search_shape(m, d, geom, 0);
  if (m.geom_dataid[field] < 0) return best;
  const FieldGrid<double> grid = field_grid(m, d, field, 0);
  moving.shape.pos = mul_transposed(grid.mat, moving.shape.pos - grid.pos);
  moving.shape.mat = transpose(grid.mat) * moving.shape.mat;
  if (!is_finite_shape(moving.shape)) return best;
  const SearchLimits<double> limits = search_limits(m, 0);
  for_each_column(grid, moving, max(cutoff, 0.0), [&](const SearchShape<double>& column) {
    const ConvexContact<double> c = column_distance(column, moving, best.dist, limits, room);
    if (c.found && c.dist < best.dist) best = c;
    return true;
  });
  if (!best.found) return best;
  best.normal = grid.mat * best.normal;
  best.point1 = grid.mat * best.point1 + grid.pos;
  best.point2 = grid.mat * best.point2 + grid.pos;
  return best;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
