// narrow.h: contacts of two geoms.
#pragma once

#include "stage/collision/analytic.h"
#include "stage/collision/far_lanes.h"
#include "stage/collision/field_pair.h"
#include "stage/collision/speculative.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_INLINE Shape<Real> shape_of(const ModelView<Real>& m, const DataView<Real>& d, int geom) {
  return {d.geom_xpos[geom], d.geom_xmat[geom], m.geom_size[geom]};
}

// where the bounding spheres are nearer than so much, or the sphere to the plane; a geom without a
// bounding sphere is always near
template <class Real>
LOCKSTEP_INLINE Mask<Real> spheres_near(const ModelView<Real>& m, const DataView<Real>& d,
                                        const GeomPair& g, Real reach) {
  const int a = g.geom[0], b = g.geom[1];
  const Real bound1 = m.geom_rbound[a], bound2 = m.geom_rbound[b];
  const Vec3<Real> between = d.geom_xpos[b] - d.geom_xpos[a];
  if (m.geom_type[a] == code(GeomType::plane)) {
    const Real* mat = d.geom_xmat.start + 9 * a;
    const Real above = dot(between, Vec3<Real>{mat[2], mat[5], mat[8]});
    return !(bound2 > Real(0) && above > reach + bound2);
  }
  const Real sum = bound1 + bound2 + reach;
  const Mask<Real> bounded = bound1 > Real(0) && bound2 > Real(0);
  return !(bounded && dot(between, between) > sum * sum);
}

template <class Real>
LOCKSTEP_FN ContactSource<Real> contact_source(const ModelView<Real>& m, const GeomPair& g,
                                               const Real& margin) {
  return {g, {m.geom_bodyid[g.geom[0]], m.geom_bodyid[g.geom[1]]}, margin, contact_settings(m, g)};
}

template <class Real>
LOCKSTEP_FN void collide_convex(ContactList<Real>& list, const GeomPair& g, const Real& margin,
                                const Real& reach, Mask<Real> near) {
  const ModelView<Real>& m = list.m;
  if (uses_portals(m)) return portal_pair(list, contact_source(m, g, margin), near, reach);
  if constexpr (lanes<Real> > 1) {
    const unsigned among = lanes_in(near);
    if (among & (among - 1)) {  // one lane alone is searched as fast
      unsigned far = far_lanes(m, list.d, g.geom, reach, among);
      for (; far; far &= far - 1) set_lane(near, __builtin_ctz(far), false);
      if (!any(near)) return;
    }
  }
  convex_pair(list, contact_source(m, g, margin), near, reach);
}

// contacts that two geoms have now
template <class Real>
LOCKSTEP_FN void collide_now(ContactList<Real>& list, const GeomPair& g, const Real& margin,
                             const Real& reach, Mask<Real> near) {
  const ModelView<Real>& m = list.m;
  const DataView<Real>& d = list.d;
  const int a = g.geom[0], b = g.geom[1];
  const Collider<Real>* collider = analytic_collider<Real>(m.geom_type[a], m.geom_type[b]);
  if (!collider) {
    const GeomType first{m.geom_type[a]}, second{m.geom_type[b]};
    if (is_convex(first) && is_convex(second)) {
      collide_convex(list, g, margin, reach, near);
    } else if (first == GeomType::plane && second == GeomType::mesh) {
      plane_mesh(list, contact_source(m, g, margin), near, reach);
    } else if (first == GeomType::hfield && is_convex(second)) {
      field_pair(list, contact_source(m, g, margin), near, reach);
    }
    return;
  }
  ContactSet<Real> found;
  collider->run(shape_of(m, d, a), shape_of(m, d, b), reach, found);
  if (!found.used) return;
  const ContactSource<Real> source = contact_source(m, g, margin);
  for (int k = 0; k < found.used; k++) list.add(near && found.has(k), found.item[k], source);
}

// contacts that fast geoms will have in lanes where none pushes now; true in lanes that have some
template <class Real>
LOCKSTEP_FN Mask<Real> collide_soon(ContactList<Real>& list, const GeomPair& g, const Real& margin,
                                    const Real& reach, Mask<Real> near) {
  const ModelView<Real>& m = list.m;
  const PairMotion<Real> motion = pair_motion(m, list.d, g);
  Mask<Real> where = motion.fast[0] || motion.fast[1];
  if (!any(where)) return false;
  where = where && spheres_meet(m, list.d, g, motion, reach);
  if (!any(where)) return false;
  ContactList<Real> trial{m, list.d};
  trial.tries = true;
  if (any(where && near)) collide_now(trial, g, margin, reach, where && near);
  where = where && !trial.pushes;
  if (!any(where)) return false;
  return collide_ahead(list, contact_source(m, g, margin), motion, where);
}

template <class Real>
LOCKSTEP_FN void collide_geoms(ContactList<Real>& list, int geom1, int geom2, int pair) {
  const ModelView<Real>& m = list.m;
  GeomPair g{{geom1, geom2}, pair};
  if (m.geom_type[geom1] > m.geom_type[geom2]) g = {{geom2, geom1}, pair};
  const Real margin = pair_margin(m, g), reach = margin + pair_gap(m, g);
  Mask<Real> near = spheres_near(m, list.d, g, reach);
  if (looks_ahead(m) && has_impacts(m, g)) {
    const Mask<Real> soon = collide_soon(list, g, margin, reach, near);  // also where not near
    near = near && !soon;
  }
  if (any(near)) collide_now(list, g, margin, reach, near);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
