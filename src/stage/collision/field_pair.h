// field_pair.h: contacts of height fields with convex shapes, lane by lane: the deepest point of
// each column that the shape touches, in the order of the columns.
#pragma once

#include "stage/collision/convex/columns.h"
#include "stage/collision/convex_pair.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_field_contacts = 50;  // of one pair of geoms, as in MuJoCo

template <class Real>
LOCKSTEP_FN FieldGrid<double> field_grid(const ModelView<Real>& m, const DataView<Real>& d,
                                         int geom, int k) {
  const int id = m.geom_dataid[geom];
  const ConvexShape<double> frame = search_shape(m, d, geom, k).shape;
  FieldGrid<double> g{};
  g.pos = frame.pos;
  g.mat = frame.mat;
  for (int i = 0; i < 4; i++) g.size[i] = lane(Real(m.hfield_size[4 * id + i]), k);
  g.rows = m.hfield_nrow[id];
  g.columns = m.hfield_ncol[id];
  g.data = m.hfield_data + m.hfield_adr[id];
  return g;
}

template <class Real>
LOCKSTEP_FN void field_pair(ContactList<Real>& list, const ContactSource<Real>& source,
                            Mask<Real> near, const Real& reach) {
  const ModelView<Real>& m = list.m;
  const int* geom = source.pair.geom;
  ConvexRoom room;
  for_each_lane<Real>(near, [&](int k) {
    if (m.geom_dataid[geom[0]] < 0) return;
    const FieldGrid<double> grid = field_grid(m, list.d, geom[0], k);
    SearchShape<double> moving = search_shape(m, list.d, geom[1], k);
    moving.shape.pos = mul_transposed(grid.mat, moving.shape.pos - grid.pos);
    moving.shape.mat = transpose(grid.mat) * moving.shape.mat;
    if (!is_finite_shape(moving.shape)) return;
    const double margin = lane(reach, k);
    const SearchLimits<double> limits = search_limits(m, k);
    int count = 0;
    for_each_column(grid, moving, margin, [&](const SearchShape<double>& column) {
      SearchPair<double> pair{column, moving};
      pair.a.margin = pair.b.margin = margin;
      const Found<double> found = search(pair, limits, room.search);
      // the next column is near: a hull starts where this one ended
      moving.corner = pair.b.corner;
      moving.shape.hint = pair.b.shape.hint;
      if (!found.touches) return true;
      const Vec3<double> middle = (found.a + found.b) * 0.5;
      add_lane_contact(list, k, source, grid.mat * middle + grid.pos,
                       grid.mat * normalize(found.a - found.b), margin + found.dist);
      return ++count < most_field_contacts;
    });
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
