// field_pair.h: contacts of height fields with convex shapes, lane by lane: the deepest point of
// each column that the shape touches, in the order of the columns.
#pragma once

#include "stage/collision/convex/columns.h"
#include "stage/collision/portal_pair.h"

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

// a contact of a column, in the frame of the field
struct ColumnContact {
  Vec3<double> pos, normal;
  double dist;
  bool touches;
};

LOCKSTEP_FN ColumnContact column_contact(SearchPair<double>& pair,
                                         const SearchLimits<double>& limits,
                                         SearchRoom<double>& room, bool portals) {
  const double margin = pair.a.margin;
  if (portals) {
    PortalContact<double> c;
    const bool touches = find_portal_contact(pair, limits, c);
    return {c.pos, sharpen_normal({}, pair.b.shape, c.pos, c.normal), margin - c.depth, touches};
  }
  const Found<double> c = search(pair, limits, room);
  return {(c.a + c.b) * 0.5, normalize(c.a - c.b), margin + c.dist, c.touches};
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
      const ColumnContact c = column_contact(pair, limits, room.search, uses_portals(m));
      // the next column is near: a hull starts where this one ended
      moving.corner = pair.b.corner;
      moving.shape.hint = pair.b.shape.hint;
      if (!c.touches) return true;
      add_lane_contact(list, k, source, grid.mat * c.pos + grid.pos, grid.mat * c.normal, c.dist);
      return ++count < most_field_contacts;
    });
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
