// object.h: where things are that belong to bodies, and how they move. Not a stage.
#pragma once

#include "stage/position/body_force.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// where a thing is that belongs to a body
template <class Real>
struct Placed {
  int body;
  Vec3<Real> pos;
  Mat3<Real> axes;
};

// bodies count by their center of mass, xbodies by their frame; body -1 for what has no place
template <class Real>
LOCKSTEP_FN Placed<Real> place_of(const ModelView<Real>& m, const DataView<Real>& d, ObjType type,
                                  int id) {
  switch (type) {
    case ObjType::body: return {id, d.xipos[id], d.ximat[id]};
    case ObjType::xbody: return {id, d.xpos[id], d.xmat[id]};
    case ObjType::geom: return {m.geom_bodyid[id], d.geom_xpos[id], d.geom_xmat[id]};
    case ObjType::site: return {m.site_bodyid[id], d.site_xpos[id], d.site_xmat[id]};
    case ObjType::camera: return {m.cam_bodyid[id], d.cam_xpos[id], d.cam_xmat[id]};
    default: return {-1, {Real(0), Real(0), Real(0)}, identity3<Real>()};
  }
}

// angular and linear velocity of an object at its place, in the axes of the world or its own
template <class Real>
LOCKSTEP_FN Vec6<Real> object_velocity(const ModelView<Real>& m, const DataView<Real>& d,
                                       ObjType type, int id, bool local) {
  const Placed<Real> at = place_of(m, d, type, id);
  const Vec6<Real> v = shift_motion(d.cvel[at.body], from_center(m, d, at.body, at.pos));
  return local ? into_axes(at.axes, v) : v;
}

// its acceleration as an accelerometer reads it; needs cacc
template <class Real>
LOCKSTEP_FN Vec6<Real> object_acceleration(const ModelView<Real>& m, const DataView<Real>& d,
                                           ObjType type, int id, bool local) {
  const Placed<Real> at = place_of(m, d, type, id);
  const Vec3<Real> offset = from_center(m, d, at.body, at.pos);
  const Vec6<Real> v = shift_motion(d.cvel[at.body], offset);
  Vec6<Real> a = shift_motion(d.cacc[at.body], offset);
  a.lin += cross(v.rot, v.lin);
  return local ? into_axes(at.axes, a) : a;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
