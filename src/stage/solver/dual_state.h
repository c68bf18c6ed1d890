// dual_state.h: the states of rows that their forces tell. Not a stage.
// reads efc_force efc_frictionloss efc_id con_dim con_friction con_mu
#pragma once

#include "stage/solver/cost.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// |tangents| of an elliptic contact, each in units of its friction
template <class Real>
LOCKSTEP_FN Real scaled_friction(const ArenaView<Real>& rows, int row) {
  const int contact = rows.efc_id[row];
  Real square(0);
  for (int j = 1; j < rows.con_dim[contact]; j++) {
    const Real friction = rows.con_friction[5 * contact + j - 1];
    const Real part = rows.efc_force[row + j] / select(friction > Real(0), friction, Real(1));
    square = square + part * part;
  }
  return sqrt(square);
}

// the state that belongs to the forces of a block; the names are those of the primal problem, in
// which a force inside its cone is a contact that is apart
template <class Real>
LOCKSTEP_FN Real dual_state(const ArenaView<Real>& rows, int row) {
  const Real satisfied = zone<Real>(ConstraintState::satisfied);
  const Real quadratic = zone<Real>(ConstraintState::quadratic);
  const Real f = rows.efc_force[row];
  if (row < rows.ne) return quadratic;
  if (row < rows.ne + rows.nf) {
    const Real most = rows.efc_frictionloss[row];
    return select(f <= -most, zone<Real>(ConstraintState::linearpos),
                  select(f >= most, zone<Real>(ConstraintState::linearneg), quadratic));
  }
  if (!is_elliptic(rows, row)) return select(f <= Real(0), satisfied, quadratic);
  const Real mu = rows.con_mu[rows.efc_id[row]], tangent = scaled_friction(rows, row);
  const Real normal = f / select(mu > Real(0), mu, Real(1));
  return select(
      mu * normal >= tangent, satisfied,
      select(normal + mu * tangent <= Real(0), quadratic, zone<Real>(ConstraintState::cone)));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
