// tendon_bias.h: a tendon with inertia resists the change of its length also when no joint
// accelerates. Not a stage.
//   qfrc_bias += J' a (dJ/dt qvel);   per straight piece of unit direction u:
//   dJ/dt qvel = u . (a1 - a0) + |dv - u (u . dv)|^2 / length
// reads ten_J cdof_dot qvel cvel site_xpos subtree_com
#pragma once

#include "stage/position/crb.h"
#include "stage/position/tendon.h"
#include "stage/velocity/newton_euler.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// second derivative of the length of a path, along the way. pieces around geoms count as if they
// touched at fixed points; MuJoCo refuses them.
template <class Real>
struct BiasPath {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  View<Vec6<Real>, Real> acc;  // of bodies, about centers
  Real rate;                   // result

  // velocity and acceleration of a point of a body
  struct Motion {
    Vec3<Real> velocity, acceleration;
  };
  LOCKSTEP_FN Motion motion(int body, const Vec3<Real>& point) const {
    const Vec3<Real> offset = from_center(m, d, body, point);
    const Vec6<Real> v = d.cvel[body];
    const Vec3<Real> velocity = point_velocity(v, offset);
    return {velocity, point_velocity(acc[body], offset) + cross(v.rot, velocity)};
  }

  LOCKSTEP_FN void point(Mask<Real>, int, const Vec3<Real>&) {}
  LOCKSTEP_FN void segment(Mask<Real> where, Real divisor, const Vec3<Real>& along, int body0,
                           const Vec3<Real>& p0, int body1, const Vec3<Real>& p1) {
    const Motion first = motion(body0, p0), last = motion(body1, p1);
    const Vec3<Real> dv = last.velocity - first.velocity;
    const Vec3<Real> sideways = dv - along * dot(along, dv);
    const Real length = distance(p0, p1);
    const Mask<Real> turns = length > Real(min_val);
    const Real turn = dot(sideways, sideways) / select(turns, length, Real(1));
    const Real sum =
        dot(along, last.acceleration - first.acceleration) + select(turns, turn, Real(0));
    rate = select(where, rate + sum / divisor, rate);
  }
};

// dJ/dt qvel of a tendon, given the accelerations of bodies; fixed tendons have none
template <class Real>
LOCKSTEP_FN Real tendon_bias_rate(const ModelView<Real>& m, const DataView<Real>& d,
                                  const View<Vec6<Real>, Real>& acc, int tendon) {
  if (m.tendon_type[tendon] == code(TendonType::fixed)) return Real(0);
  BiasPath<Real> path{m, d, acc, Real(0)};
  walk_tendon(m, d, tendon, path);
  return path.rate;
}

// qfrc += the bias of all tendons with inertia
template <class Real>
LOCKSTEP_FN void add_tendon_bias(const ModelView<Real>& m, const DataView<Real>& d, Real* qfrc) {
  bool ready = false;
  const View<Vec6<Real>, Real> acc{d.body_work6.start};
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const Real inertia = tendon_inertia(m, tendon);
    if (!any(inertia != Real(0))) continue;
    if (!ready) body_accelerations<Real>(m, d, nullptr, acc);
    ready = true;
    add_tendon_force(m, d, tendon, inertia * tendon_bias_rate(m, d, acc, tendon), qfrc);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
