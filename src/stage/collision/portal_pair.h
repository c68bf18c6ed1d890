// portal_pair.h: contacts of convex shapes and height fields in models that disable nativeccd, lane
// by lane. one search finds one contact; flat sides and edges show when both shapes are tilted a
// little about the contact and searched again: four tilts about the two tangents.
#pragma once

#include "stage/collision/convex/columns.h"
#include "stage/collision/convex/curved_normal.h"
#include "stage/collision/convex_pair.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double portal_tilt = 1e-3;      // radians
inline constexpr double portal_distinct = 1e-3;  // of the smaller bounding sphere

template <class Real>
LOCKSTEP_INLINE bool uses_portals(const ModelView<Real>& m) {
  return m.opt.disableflags & code(DisableBit::nativeccd);
}

// a contact with a margin around both shapes; false if there is none, or no normal
LOCKSTEP_FN bool find_portal_contact(SearchPair<double>& pair, const SearchLimits<double>& limits,
                                     PortalContact<double>& c) {
  c = portal_contact(pair, limits.tolerance, limits.rounds);
  return c.found && dot(c.normal, c.normal) > 0;
}

// turns a shape about a point
LOCKSTEP_FN void turn_about(ConvexShape<double>& s, const Vec3<double>& point,
                            const Mat3<double>& turn) {
  s.mat = turn * s.mat;
  const Vec3<double> arm = point - s.pos;
  s.pos = s.pos - (turn * arm - arm);
}

LOCKSTEP_FN bool may_touch_flat(const ConvexShape<double>& s) {
  return s.type != GeomType::sphere && s.type != GeomType::ellipsoid;
}

template <class Real>
LOCKSTEP_FN void portal_pair(ContactList<Real>& list, const ContactSource<Real>& source,
                             Mask<Real> near, const Real& reach) {
  const ModelView<Real>& m = list.m;
  const int* geom = source.pair.geom;
  for_each_lane<Real>(near, [&](int k) {
    SearchPair<double> pair{search_shape(m, list.d, geom[0], k),
                            search_shape(m, list.d, geom[1], k)};
    if (!is_finite_shape(pair.a.shape) || !is_finite_shape(pair.b.shape)) return;
    const SearchLimits<double> limits = search_limits(m, k);
    const double margin = lane(reach, k);
    pair.a.margin = pair.b.margin = margin;
    PortalContact<double> c;
    if (!find_portal_contact(pair, limits, c)) return;
    const double dist = margin - c.depth;
    const ConvexShape<double> a = pair.a.shape, b = pair.b.shape;
    const Vec3<double> first = sharpen_normal(a, b, c.pos, c.normal);
    add_lane_contact(list, k, source, c.pos, first, dist);
    if (m.opt.disableflags & code(DisableBit::multiccd)) return;
    if (!may_touch_flat(pair.a.shape) || !may_touch_flat(pair.b.shape)) return;

    const Mat3<double> frame = contact_frame(first);
    const double bound1 = lane(Real(m.geom_rbound[geom[0]]), k);
    const double bound2 = lane(Real(m.geom_rbound[geom[1]]), k);
    Vec3<double> found[5] = {c.pos};
    int count = 1;
    for (int tilt = 0; tilt < 4; tilt++) {
      const Mat3<double> turn =
          to_mat(from_axis_angle(row(frame, 1 + tilt / 2), tilt % 2 ? portal_tilt : -portal_tilt));
      turn_about(pair.a.shape, found[0], turn);
      turn_about(pair.b.shape, found[0], transpose(turn));
      bool fresh = find_portal_contact(pair, limits, c);
      for (int i = 0; i < count && fresh; i++) {
        fresh = distance(found[i], c.pos) > portal_distinct * min(bound1, bound2);
      }
      if (fresh) {
        // the surfaces are where they were
        add_lane_contact(list, k, source, c.pos, sharpen_normal(a, b, c.pos, c.normal), dist);
        found[count++] = c.pos;
      }
      // back, but the next search starts where this one ended
      pair.a.shape.pos = a.pos;
      pair.a.shape.mat = a.mat;
      pair.b.shape.pos = b.pos;
      pair.b.shape.mat = b.mat;
    }
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
