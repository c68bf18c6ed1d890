// tactile.h: what the vertices of a mesh (taxels), placed in the frame of a geom, feel of the geoms
// that touch its body: how deep they lie inside the deepest, and how fast all of them together
// slide along two tangents of the mesh. Three blocks of numbers, one number per vertex each;
// tangents are known where the mesh has three normals per vertex.
#pragma once

#include "stage/sensor/object.h"
#include "stage/sensor/point_depth.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SensorView;

// lanes in which a geom touches bodies that are welded together, except for a geom itself
template <class Real>
LOCKSTEP_FN Mask<Real> touches_weld(const ModelView<Real>& m, const ArenaView<Real>& arena,
                                    int geom, int weld) {
  Mask<Real> touches(false);
  for (int contact = 0; contact < arena.ncon; contact++) {
    for (int side = 0; side < 2; side++) {
      const int own = 2 * contact + side, other = 2 * contact + 1 - side;
      if (arena.con_body[other] != m.geom_bodyid[geom]) continue;
      if (m.body_weldid[arena.con_body[own]] != weld) continue;
      for_each_lane<Real>([&](int k) {
        if (arena.con_geom.get(other, k) == geom) set_lane(touches, k, true);
      });
    }
  }
  return touches;
}

// velocity of the point of a body that is at some place of the world
template <class Real>
LOCKSTEP_FN Vec3<Real> point_velocity(const ModelView<Real>& m, const DataView<Real>& d, int body,
                                      const Vec3<Real>& point) {
  return shift_motion(d.cvel[body], from_center(m, d, body, point)).lin;
}

// a row of a table of assets
template <class Real>
LOCKSTEP_INLINE Vec3<Real> asset3(const float* table, int row) {
  using T = Scalar<Real>;
  const float* v = table + 3 * row;
  return {Real(T(v[0])), Real(T(v[1])), Real(T(v[2]))};
}

// adds what the taxels feel of one geom, in the lanes where it touches
template <class Real>
LOCKSTEP_FN void feel_geom(const SensorView<Real>& s, int other, Mask<Real> touches) {
  const ModelView<Real>& m = s.m;
  const int mesh = s.obj(), count = m.mesh_vertnum[mesh];
  const bool has_tangents = m.mesh_normalnum[mesh] == 3 * count;
  const Placed<Real> pad = place_of(m, s.d, ObjType::geom, s.ref());
  const Placed<Real> felt = place_of(m, s.d, ObjType::geom, other);
  for (int taxel = 0; taxel < count; taxel++) {
    const Vec3<Real> vertex = asset3<Real>(m.mesh_vert, m.mesh_vertadr[mesh] + taxel);
    const Vec3<Real> point = pad.pos + pad.axes * vertex;
    const Real depth = point_depth(m, other, mul_transposed(felt.axes, point - felt.pos));
    const Mask<Real> inside = touches && depth > Real(0);
    if (!any(inside)) continue;
    Real* out = s.out() + taxel;
    *out = select(inside, max(depth, *out), *out);
    if (!has_tangents) continue;
    const Vec3<Real> slip =
        point_velocity(m, s.d, pad.body, point) - point_velocity(m, s.d, felt.body, point);
    const Vec3<Real> seen = mul_transposed(pad.axes, slip);
    const int normal = m.mesh_normaladr[mesh] + 3 * taxel;  // two tangents follow it
    for (int i = 1; i < 3; i++) {
      Real& speed = out[i * count];
      const Real more = abs(dot(seen, asset3<Real>(m.mesh_normal, normal + i)));
      speed = select(inside, speed + more, speed);
    }
  }
}

template <class Real>
LOCKSTEP_FN void sensor_tactile(const SensorView<Real>& s) {
  const ModelView<Real>& m = s.m;
  for (int i = 0; i < m.sensor_dim[s.id]; i++) s.out()[i] = Real(0);
  const ArenaView<Real>& arena = *s.d.arena;
  if (arena.ncon == 0) return;
  const int weld = m.body_weldid[m.geom_bodyid[s.ref()]];
  // in the order of geoms, whatever the order of contacts in a lane
  for (int geom = 0; geom < m.ngeom; geom++) {
    if (geom == s.ref() || !has_point_depth(m, geom)) continue;
    const Mask<Real> touches = touches_weld(m, arena, geom, weld);
    if (any(touches)) feel_geom(s, geom, touches);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
