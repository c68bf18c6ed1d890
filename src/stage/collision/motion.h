// motion.h: how geoms move during the step that begins, as far as their velocities tell now.
//   shift = h v,   turn = h w,   far = |shift| + |turn| r bounds how far any point of it gets
// reads cdof qvel subtree_com geom_xpos
#pragma once

#include "model/view.h"
#include "stage/position/jacobian.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// whether contacts of the next step count now; they need the search of nativeccd
template <class Real>
LOCKSTEP_INLINE bool looks_ahead(const ModelView<Real>& m) {
  return (m.opt.enableflags & code(EnableBit::speculative)) &&
         !(m.opt.disableflags & code(DisableBit::nativeccd));
}

template <class Real>
struct Motion {
  Vec3<Real> shift, turn;
  Real far;
};

// balls do not turn
template <class Real>
LOCKSTEP_FN Motion<Real> motion_of(const ModelView<Real>& m, const DataView<Real>& d, int geom) {
  const int body = m.geom_bodyid[geom];
  Vec6<Real> vel = zero6<Real>();
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    vel += d.cdof[dof] * d.qvel[dof];
  }
  const Real h = m.opt.timestep;
  Motion<Real> motion;
  motion.shift = point_velocity(vel, from_center(m, d, body, d.geom_xpos[geom])) * h;
  motion.turn = vel.rot * h;
  if (m.geom_type[geom] == code(GeomType::sphere)) motion.turn = {Real(0), Real(0), Real(0)};
  motion.far = norm(motion.shift) + norm(motion.turn) * m.geom_rbound[geom];
  return motion;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
