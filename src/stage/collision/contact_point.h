// contact_point.h: what colliders find: a few points per pair of geoms, in a fixed order.
//   slot r holds each lane's r-th point; a lane with fewer points leaves the later slots alone.
#pragma once

#include "math/mat.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct ContactPoint {
  Real dist;         // between the surfaces, negative inside
  Vec3<Real> pos;    // halfway between the surfaces, world
  Mat3<Real> frame;  // rows: normal from the first geom to the second, two tangents
};

template <class Real>
LOCKSTEP_FN ContactPoint<Real> select(Mask<Real> m, const ContactPoint<Real>& a,
                                      const ContactPoint<Real>& b) {
  ContactPoint<Real> r{select(m, a.dist, b.dist), select(m, a.pos, b.pos), {}};
  for (int i = 0; i < 9; i++) r.frame[i] = select(m, a.frame[i], b.frame[i]);
  return r;
}

// a list that each lane fills at its own pace
template <class T, class Real, int most>
struct LaneList {
  T item[most];
  Real count{0};  // per lane
  int used = 0;   // slots that some lane has filled

  // appends where the mask holds and there is room
  LOCKSTEP_FN void add(Mask<Real> wanted, const T& x) {
    const Mask<Real> where = wanted && count < Real(most);
    if (!any(where)) return;
    bool opened = false;
    for (int slot = 0; slot <= used; slot++) {
      const Mask<Real> here = where && count == Real(slot);
      if (!any(here)) continue;
      opened = opened || slot == used;
      item[slot] = slot == used ? x : select(here, x, item[slot]);
    }
    used += opened;
    count = select(where, count + Real(1), count);
  }
  LOCKSTEP_FN Mask<Real> has(int slot) const { return Real(slot) < count; }
};

inline constexpr int most_contacts = 8;  // of one pair of primitive geoms
template <class Real>
using ContactSet = LaneList<ContactPoint<Real>, Real, most_contacts>;

// frame whose first axis is a normal and whose second is what a direction leaves across it. the
// normal is made unit to the last bit, or a direction near it would not be across
template <class Real>
LOCKSTEP_FN Mat3<Real> contact_frame(const Vec3<Real>& about, const Vec3<Real>& along) {
  const Vec3<Real> normal = normalize(about);
  const Vec3<Real> tangent = normalize(along - normal * dot(normal, along));
  return from_rows(normal, tangent, cross(normal, tangent));
}

// the same where nothing suggests a direction: y, or z if the normal is nearer to y than 60 degrees
template <class Real>
LOCKSTEP_FN Mat3<Real> contact_frame(const Vec3<Real>& normal) {
  const Mask<Real> use_y = abs(normal.y) < Real(0.5);
  const Real y = select(use_y, Real(1), Real(0)), z = select(use_y, Real(0), Real(1));
  return contact_frame(normal, {Real(0), y, z});
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
