// contact_force.h: what a contact does, once the solver has found the forces of its rows. Not a
// stage.
//   pyramidal: normal = sum of edges, tangent_j = friction_j (edge_2j - edge_2j+1)
// reads efc_force con_*
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// force and torque of geom 0 on geom 1, in the contact frame: normal first
template <class Real>
struct ContactForce {
  Vec3<Real> force, torque;
};

// zero in lanes that do not have the contact, or where it does not push. sticky contacts pull
// besides
template <class Real>
LOCKSTEP_FN ContactForce<Real> contact_force(const ArenaView<Real>& arena, int contact) {
  const Vec3<Real> none{Real(0), Real(0), Real(0)};
  ContactForce<Real> result{none, none};
  const int row = arena.con_efc_address[contact], dim = arena.con_dim[contact];
  if (row < 0) return result;
  const Real *f = arena.efc_force + row, *friction = arena.con_friction + 5 * contact;
  const auto at = [&result](int k) -> Real& {
    return k < 3 ? result.force[k] : result.torque[k - 3];
  };
  if (arena.efc_type[row] == code(Constraint::contact_pyramidal)) {
    for (int j = 1; j < dim; j++) {
      result.force.x = result.force.x + (f[2 * j - 2] + f[2 * j - 1]);
      at(j) = (f[2 * j - 2] - f[2 * j - 1]) * friction[j - 1];
    }
  } else {
    for (int k = 0; k < dim; k++) at(k) = f[k];
  }
  const Mask<Real> here = arena.efc_D[row] != Real(0);
  result.force.x = select(here, result.force.x - arena.con_adhesion[contact], result.force.x);
  return result;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
