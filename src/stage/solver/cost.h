// cost.h: what each constraint row costs and pushes at a given acceleration. Not a stage.
//   jar = J qacc - aref;   cost s(jar), force -ds/djar, curvature d2s/djar2
//   equality   s = D/2 jar^2
//   friction   the same up to |jar| = R f, linear with slope f beyond
//   limits, edges of pyramids: D/2 jar^2 where jar < 0, else nothing
//   elliptic contacts: squared distance from the dual cone, in the space where the cone is round
// reads efc_D efc_R efc_frictionloss efc_type efc_id con_mu con_friction con_dim
// writes efc_force row_zone row_quad con_H
#pragma once

#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// how a row acts, in each lane; the numbers of mjtConstraintState
template <class Real>
LOCKSTEP_INLINE Real zone(ConstraintState state) {
  return Real(static_cast<Scalar<Real>>(code(state)));
}

template <class Real>
LOCKSTEP_INLINE bool is_elliptic(const ArenaView<Real>& rows, int row) {
  return rows.cones && rows.efc_type[row] == code(Constraint::contact_elliptic);
}

// the first elliptic row from a row on. Loops over the rows before it stay short and keep their
// sums in registers
template <class Real>
LOCKSTEP_INLINE int next_elliptic(const ArenaView<Real>& rows, int row) {
  if (!rows.cones) return rows.nefc;
  while (row < rows.nefc && !is_elliptic(rows, row)) row++;
  return row;
}

// an elliptic contact in the space where its cone is round
template <class Real>
struct RoundCone {
  Real normal, tangent;      // along the axis, across it
  Real across[5];            // the parts of the tangent
  Real weight;               // of the squared distance
  Mask<Real> apart, inside;  // no force; all directions push as in an equality
};

template <class Real>
LOCKSTEP_FN RoundCone<Real> round_cone(const ArenaView<Real>& rows, int contact, Real D,
                                       const Real* jar) {
  const Real mu = rows.con_mu[contact], zero(0);
  const Real* friction = rows.con_friction + 5 * contact;
  RoundCone<Real> cone;
  cone.normal = jar[0] * mu;
  Real square(0);
  for (int j = 1; j < rows.con_dim[contact]; j++) {
    cone.across[j - 1] = jar[j] * friction[j - 1];
    square = square + cone.across[j - 1] * cone.across[j - 1];
  }
  cone.tangent = sqrt(square);
  const Mask<Real> straight = cone.tangent <= zero;
  cone.apart = cone.normal >= mu * cone.tangent || (straight && cone.normal >= zero);
  cone.inside =
      !cone.apart && (mu * cone.normal + cone.tangent <= zero || (straight && cone.normal < zero));
  const Mask<Real> exists = D != zero;
  cone.weight = D / select(exists, mu * mu * (Real(1) + mu * mu), Real(1));
  return cone;
}

// second derivatives of the cost in the middle zone, dim x dim
template <class Real>
LOCKSTEP_FN void cone_curvature(const ArenaView<Real>& rows, int contact,
                                const RoundCone<Real>& cone, Mask<Real> middle, Real* H) {
  const int dim = rows.con_dim[contact];
  const Real mu = rows.con_mu[contact];
  const Real* friction = rows.con_friction + 5 * contact;
  const Real length = select(middle, cone.tangent, Real(1)), inverse = Real(1) / length;
  const Real depth = cone.normal - mu * cone.tangent;
  const Real bend = mu * depth * inverse;
  H[0] = cone.weight * mu * mu;
  for (int j = 1; j < dim; j++) {
    const Real along = cone.across[j - 1] * inverse;
    const Real scale = cone.weight * friction[j - 1];
    H[j] = H[j * dim] = -mu * along * mu * scale;
    for (int k = 1; k <= j; k++) {
      const Real other = cone.across[k - 1] * inverse;
      Real curve = (mu * mu + bend) * along * other;
      if (k == j) curve = curve - bend;
      H[j * dim + k] = H[k * dim + j] = curve * scale * friction[k - 1];
    }
  }
}

// forces of an elliptic contact from `row` on; its cost
template <class Real>
LOCKSTEP_FN Real push_elliptic(const ArenaView<Real>& rows, int row, const Real* jar) {
  const int contact = rows.efc_id[row], dim = rows.con_dim[contact];
  const Real *D = rows.efc_D + row, zero(0);
  const RoundCone<Real> cone = round_cone(rows, contact, D[0], jar + row);
  const Mask<Real> middle = !cone.apart && !cone.inside;
  const Real mu = rows.con_mu[contact], depth = cone.normal - mu * cone.tangent;
  const Real normal = -cone.weight * depth * mu;
  const Real per_tangent = normal / select(middle, cone.tangent, Real(1));
  Real spring_cost(0);
  for (int j = 0; j < dim; j++) {
    const Real spring = D[j] * jar[row + j];
    spring_cost = spring_cost + spring * jar[row + j];
    Real push = normal;
    if (j > 0) {
      push = -per_tangent * cone.across[j - 1] * rows.con_friction[5 * contact + j - 1];
    }
    rows.efc_force[row + j] = select(cone.apart, zero, select(cone.inside, -spring, push));
    rows.row_zone[row + j] = select(cone.apart, zone<Real>(ConstraintState::satisfied),
                                    select(cone.inside, zone<Real>(ConstraintState::quadratic),
                                           zone<Real>(ConstraintState::cone)));
  }
  if (any(middle)) {
    cone_curvature(rows, contact, cone, middle, rows.con_H + 36 * contact);
  }
  return select(cone.apart, zero,
                Real(0.5) * select(cone.inside, spring_cost, cone.weight * depth * depth));
}

template <class Real>
LOCKSTEP_INLINE Real push_friction(const ArenaView<Real>& rows, int row, Real jar) {
  const Real most = rows.efc_frictionloss[row], bound = rows.efc_R[row] * most;
  const Mask<Real> low = jar <= -bound, high = !low && jar >= bound;
  const Real spring = rows.efc_D[row] * jar;
  rows.efc_force[row] = select(low, most, select(high, -most, -spring));
  rows.row_zone[row] = select(
      low, zone<Real>(ConstraintState::linearneg),
      select(high, zone<Real>(ConstraintState::linearpos), zone<Real>(ConstraintState::quadratic)));
  const Real half(0.5);
  return select(low || high, most * (abs(jar) - half * bound), half * spring * jar);
}

// cost of a row or elliptic contact when it was last computed, unless a line search came in between
template <class Real>
LOCKSTEP_INLINE Real& row_cost(const ArenaView<Real>& rows, int row) {
  return rows.row_quad[3 * row + (is_elliptic(rows, row) ? 8 : 2)];
}

// Forces of all rows; what they cost less than when this was last called, if no line search came in
// between. The sum of the
// differences is exact where the difference of the sums is not: one row may cost 1e18 and the
// others 1.
template <class Real>
LOCKSTEP_FN Real push_rows(const ArenaView<Real>& rows, const Real* jar) {
  const Real half(0.5), zero(0);
  Real saved(0);
  const auto note = [&](int row, Real cost) {
    Real& last = row_cost(rows, row);
    saved = saved + (last - cost);
    last = cost;
  };
  int row = 0;
  for (; row < rows.ne; row++) {
    const Real spring = rows.efc_D[row] * jar[row];
    rows.efc_force[row] = -spring;
    rows.row_zone[row] = zone<Real>(ConstraintState::quadratic);
    note(row, half * spring * jar[row]);
  }
  for (; row < rows.ne + rows.nf; row++) note(row, push_friction(rows, row, jar[row]));
  while (row < rows.nefc) {
    for (const int end = next_elliptic(rows, row); row < end; row++) {
      const Mask<Real> acts = jar[row] < zero;
      const Real spring = rows.efc_D[row] * jar[row];
      rows.efc_force[row] = select(acts, -spring, zero);
      rows.row_zone[row] = select(acts, zone<Real>(ConstraintState::quadratic),
                                  zone<Real>(ConstraintState::satisfied));
      note(row, select(acts, half * spring * jar[row], zero));
    }
    if (row == rows.nefc) break;
    note(row, push_elliptic(rows, row, jar));
    row += rows.con_dim[rows.efc_id[row]];
  }
  return saved;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
