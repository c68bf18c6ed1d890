// columns.h: a height field against a convex shape: each column over a triangle of the grid
// under the box of the shape is a convex shape of its own.
//   row by row of the grid, zigzag: (r + 1, c), (r, c), (r + 1, c + 1), …; three points in turn
// all in the frame of the height field. scalar code.
#pragma once

#include "stage/collision/convex/search_shape.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct FieldGrid {
  Vec3<T> pos;  // of the height field, world
  Mat3<T> mat;
  T size[4];  // half widths, height, depth below
  int rows, columns;
  const float* data;

  LOCKSTEP_INLINE Vec3<T> point(int row, int column) const {
    const T dx = T(2) * size[0] / T(columns - 1), dy = T(2) * size[1] / T(rows - 1);
    return {dx * T(column) - size[0], dy * T(row) - size[1],
            T(data[row * columns + column]) * size[2]};
  }
};

template <class T>
LOCKSTEP_FN int floor_to_int(T x) {
  const T most(1 << 30);
  if (!(x > -most)) x = -most;  // no number either
  if (x > most) x = most;
  const int whole = int(x);
  return whole - (T(whole) > x);
}

// the box of a shape
template <class T>
LOCKSTEP_FN void search_box(SearchShape<T>& s, Vec3<T>& low, Vec3<T>& high) {
  for (int axis = 0; axis < 3; axis++) {
    Vec3<T> n{T(0), T(0), T(0)};
    n[axis] = T(1);
    high[axis] = outermost(s, n)[axis];
    n[axis] = T(-1);
    low[axis] = outermost(s, n)[axis];
  }
}

// calls f(column shape) for each column that a shape given in the frame of the field may touch,
// until it says no
template <class T, class F>
LOCKSTEP_FN void for_each_column(const FieldGrid<T>& g, SearchShape<T> shape, T margin,
                                 const F& f) {
  Vec3<T> low, high;
  shape.margin = T(0);
  search_box(shape, low, high);
  for (int i = 0; i < 3; i++) {
    low[i] -= margin;
    high[i] += margin;
  }
  if (low.x > g.size[0] || high.x < -g.size[0] || low.y > g.size[1] || high.y < -g.size[1] ||
      low.z > g.size[2] || high.z < -g.size[3]) {
    return;
  }
  const auto cell = [&](T x, int axis, int count) {
    return (x + g.size[axis]) / (T(2) * g.size[axis]) * T(count - 1);
  };
  const int left = max(0, floor_to_int(cell(low.x, 0, g.columns)));
  const int right = min(g.columns - 1, -floor_to_int(-cell(high.x, 0, g.columns)));
  const int front = max(0, floor_to_int(cell(low.y, 1, g.rows)));
  const int back = min(g.rows - 1, -floor_to_int(-cell(high.y, 1, g.rows)));
  SearchShape<T> column;
  column.shape = {};
  column.shape.type = GeomType::hfield;
  for (int row = front; row < back; row++) {
    for (int step = 0; step < 2 * (right - left + 1); step++) {
      for (int i = 0; i < 5; i++) column.column[i] = column.column[i + 1];
      const Vec3<T> top = g.point(row + 1 - step % 2, left + step / 2);
      column.column[2] = {top.x, top.y, -g.size[3]};
      column.column[5] = top;
      const Vec3<T>* tops = column.column + 3;
      if (step < 2 || (tops[0].z < low.z && tops[1].z < low.z && tops[2].z < low.z)) continue;
      column.corner = -1;
      if (!f(column)) return;
    }
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
