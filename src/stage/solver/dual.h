// dual.h: projected Gauss-Seidel on the forces of the rows, and the pass that removes slip. Not a
// stage.
//   min 1/2 f'(A + R) f + f'b  over the cones,   A = J M^-1 J' = Y Y',   b = J qacc_smooth - aref
// Y = J L^-1 D^-1/2 has the pattern of J closed under ancestors, so that a row costs two runs over
// its chain: u = Y'f is kept up to date, and the residual of row i is b_i + Y_i u + R_i f_i.
// reads efc_J efc_D efc_R efc_aref efc_frictionloss qLD qLDiagInv qacc_smooth qacc_warmstart
// writes efc_force row_zone qacc qfrc_constraint solver_niter solver_nnz
#pragma once

#include "stage/solver/ellipsoid.h"
#include "stage/solver/jacobian.h"
#include "stage/solver/primal.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the dofs of a row and their ancestors in ascending order: calls f(dof)
template <class Real, class F>
LOCKSTEP_FN void each_closed_dof(const ModelView<Real>& m, ArenaView<Real>& rows, int row, F&& f) {
  const int words = (m.nv + 31) / 32;
  int* bits = rows.newton_bits;
  for (int w = 0; w < words; w++) bits[w] = 0;
  const int* column = rows.efc_J_colind + rows.efc_J_rowadr[row];
  for (int k = 0; k < rows.efc_J_rownnz[row]; k++) {
    bits[column[k] / 32] |= int(1u << (column[k] % 32));
  }
  for (int dof = m.nv - 1; dof >= 0; dof--) {
    if (!(unsigned(bits[dof / 32]) >> (dof % 32) & 1u)) continue;
    const int* above = m.M_colind + m.M_rowadr[dof];
    for (int k = 0; k < m.M_rownnz[dof] - 1; k++) {
      bits[above[k] / 32] |= int(1u << (above[k] % 32));
    }
  }
  for (int w = 0; w < words; w++) {
    for (unsigned left = unsigned(bits[w]); left; left &= left - 1) {
      f(32 * w + __builtin_ctz(left));
    }
  }
}

// Y; false if there is no room for it
template <class Real>
LOCKSTEP_FN bool whiten(const ModelView<Real>& m, const DataView<Real>& d,
                        const StepInertia<Real>& inertia) {
  ArenaView<Real>& rows = *d.arena;
  group_rows(rows);
  if (!rows.has_room(&Room::nB, (m.nv + 31) / 32)) return false;
  int total = 0;
  for (int first = 0; first < rows.nefc; first += rows.row_group[first]) {
    int count = 0;
    each_closed_dof(m, rows, first, [&](int) { count++; });
    for (int row = first; row < first + rows.row_group[first]; row++) {
      rows.whitened_rownnz[row] = count;
      rows.whitened_rowadr[row] = total;
      total += count;
    }
  }
  if (!rows.has_room(&Room::nY, total)) return false;
  Real* x = d.solver_work;
  for (int first = 0; first < rows.nefc; first += rows.row_group[first]) {
    int at = rows.whitened_rowadr[first];
    each_closed_dof(m, rows, first, [&](int dof) { rows.whitened_colind[at++] = dof; });
    const int count = rows.whitened_rownnz[first];
    const int* dofs = rows.whitened_colind + rows.whitened_rowadr[first];
    for (int row = first; row < first + rows.row_group[first]; row++) {
      int* own = rows.whitened_colind + rows.whitened_rowadr[row];
      Real* Y = rows.whitened + rows.whitened_rowadr[row];
      for (int k = 0; k < count; k++) {
        own[k] = dofs[k];
        x[dofs[k]] = Real(0);
      }
      const int* column = rows.efc_J_colind + rows.efc_J_rowadr[row];
      const Real* J = rows.efc_J + rows.efc_J_rowadr[row];
      for (int k = 0; k < rows.efc_J_rownnz[row]; k++) x[column[k]] = J[k];
      for (int k = count - 1; k >= 0; k--) {
        const int dof = dofs[k], adr = m.M_rowadr[dof];
        for (int j = 0; j < m.M_rownnz[dof] - 1; j++) {
          const int above = m.M_colind[adr + j];
          x[above] = x[above] - inertia.factor[adr + j] * x[dof];
        }
        Y[k] = x[dof] * sqrt(inertia.diag_inv[dof]);
      }
    }
  }
  return true;
}

template <class Real>
LOCKSTEP_INLINE Real whitened_dot(const ArenaView<Real>& rows, int row, const Real* u) {
  const Real* Y = rows.whitened + rows.whitened_rowadr[row];
  const int* dof = rows.whitened_colind + rows.whitened_rowadr[row];
  Real sum(0);
  for (int k = 0; k < rows.whitened_rownnz[row]; k++) sum = sum + Y[k] * u[dof[k]];
  return sum;
}
template <class Real>
LOCKSTEP_INLINE void whitened_add(const ArenaView<Real>& rows, int row, Real force, Real* u) {
  const Real* Y = rows.whitened + rows.whitened_rowadr[row];
  const int* dof = rows.whitened_colind + rows.whitened_rowadr[row];
  for (int k = 0; k < rows.whitened_rownnz[row]; k++) u[dof[k]] = u[dof[k]] + force * Y[k];
}

// Y_a . Y_b for rows with the same dofs
template <class Real>
LOCKSTEP_FN Real whitened_product(const ArenaView<Real>& rows, int a, int b) {
  const Real *left = rows.whitened + rows.whitened_rowadr[a],
             *right = rows.whitened + rows.whitened_rowadr[b];
  Real sum(0);
  for (int k = 0; k < rows.whitened_rownnz[a]; k++) sum = sum + left[k] * right[k];
  return sum;
}

// blocks of forces that are improved together
template <class Real>
struct DualSweeps {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  ArenaView<Real>& rows;
  Real* u;

  // b + A f (+ R f) of a row
  LOCKSTEP_INLINE Real residual(int row, bool soft) const {
    const Real hard = rows.efc_b[row] + whitened_dot(rows, row, u);
    return soft ? hard + rows.efc_R[row] * rows.efc_force[row] : hard;
  }

  // how a change of forces changes the cost
  LOCKSTEP_FN Real cost_change(const Real* A, const Real* change, const Real* res, int dim) const {
    Real sum(0);
    for (int i = 0; i < dim; i++) {
      Real row(0);
      for (int j = 0; j < dim; j++) row = row + A[i * dim + j] * change[j];
      sum = sum + change[i] * (Real(0.5) * row + res[i]);
    }
    return sum;
  }

  // takes new forces where they do not cost more; what they save
  LOCKSTEP_FN Real accept(int first, int dim, const Real* A, const Real* next, const Real* res,
                          Mask<Real> exists) const {
    Real change[6];
    for (int i = 0; i < dim; i++) change[i] = next[i] - rows.efc_force[first + i];
    const Real cost = cost_change(A, change, res, dim);
    const Mask<Real> takes = exists && !(cost > Real(1e-10));
    for (int i = 0; i < dim; i++) {
      const Real step = select(takes, change[i], Real(0));
      rows.efc_force[first + i] = select(takes, next[i], rows.efc_force[first + i]);
      if (any(step != Real(0))) whitened_add(rows, first + i, step, u);
    }
    return select(takes, -cost, Real(0));
  }

  // one row on its own, between bounds
  LOCKSTEP_FN Real improve_row(int row, Real low, Real high, bool soft) const {
    const Mask<Real> exists = rows.efc_D[row] != Real(0);
    const Real stiff = whitened_product(rows, row, row);
    const Real A = soft ? stiff + rows.efc_R[row] : max(stiff, Real(min_val));
    const Real res = residual(row, soft);
    const Real next = clamp(rows.efc_force[row] - res / select(exists, A, Real(1)), low, high);
    return accept(row, 1, &A, &next, &res, exists);
  }

  LOCKSTEP_FN void block(int first, int dim, bool soft, Real* A) const {
    for (int i = 0; i < dim; i++) {
      for (int j = 0; j <= i; j++) {
        A[i * dim + j] = A[j * dim + i] = whitened_product(rows, first + i, first + j);
      }
      if (soft) {
        A[i * dim + i] = A[i * dim + i] + rows.efc_R[first + i];
      } else {
        A[i * dim + i] = max(A[i * dim + i], Real(1e-10));
      }
    }
  }

  // friction of an elliptic contact under its normal force, which stays; force holds all of it
  LOCKSTEP_FN void improve_friction(int contact, const Real* A, const Real* bias, Real normal,
                                    Real* friction) const {
    const int n = rows.con_dim[contact] - 1;
    const Mask<Real> pressed = normal >= Real(min_val);
    lowest_in_ellipsoid(A, bias, rows.con_friction + 5 * contact, select(pressed, normal, Real(0)),
                        n, friction);
    for (int i = 0; i < n; i++) friction[i] = select(pressed, friction[i], Real(0));
  }

  // an elliptic contact: along the ray of its force, then across it
  LOCKSTEP_FN Real improve_cone(int first) const {
    const int contact = rows.efc_id[first], dim = rows.con_dim[contact], n = dim - 1;
    const Mask<Real> exists = rows.efc_D[first] != Real(0);
    const Real zero(0), one(1);
    Real A[36], res[6], next[6]{};
    block(first, dim, true, A);
    for (int i = 0; i < dim; i++) {
      res[i] = residual(first + i, true);
      next[i] = rows.efc_force[first + i];
    }
    // without a normal force the ray is the one of the cone that falls most steeply
    const Mask<Real> pressed = next[0] >= Real(min_val);
    Real ray[6], slip[6], across(0);
    for (int i = 1; i < dim; i++) {
      slip[i] = res[i] * rows.con_friction[5 * contact + i - 1];
      across = across + slip[i] * slip[i];
    }
    const Mask<Real> slips = across > zero;
    const Real inverse = one / sqrt(select(slips, across, one));
    Real down(0), along(0);
    for (int i = 0; i < dim; i++) {
      Real edge = one;
      if (i > 0) edge = -slip[i] * inverse * rows.con_friction[5 * contact + i - 1];
      ray[i] = select(pressed, next[i], edge);
      down = down + ray[i] * res[i];
    }
    for (int i = 0; i < dim; i++) {
      Real image(0);
      for (int j = 0; j < dim; j++) image = image + A[i * dim + j] * ray[j];
      along = along + ray[i] * image;
    }
    const Mask<Real> curved = along >= Real(min_val);
    const Real least = select(pressed, -one, zero);
    const Real t = max(select(curved, -down / select(curved, along, one), zero), least);
    for (int i = 0; i < dim; i++) {
      next[i] = select(pressed, next[i], zero) + t * ray[i];
    }
    Real inner[25]{}, bias[5]{};  // the compiler cannot see that n > 0
    for (int i = 0; i < n; i++) {
      bias[i] = res[i + 1] + A[(i + 1) * dim] * (next[0] - rows.efc_force[first]);
      for (int j = 0; j < n; j++) {
        inner[i * n + j] = A[(i + 1) * dim + j + 1];
        bias[i] = bias[i] - inner[i * n + j] * rows.efc_force[first + j + 1];
      }
    }
    improve_friction(contact, inner, bias, next[0], next + 1);
    return accept(first, dim, A, next, res, exists);
  }

  // the pair of opposite edges of a pyramid: their sum stays
  LOCKSTEP_FN Real slide_edges(int first) const {
    const Mask<Real> exists = rows.efc_D[first] != Real(0);
    const Real zero(0), half(0.5);
    Real A[4], res[2], next[2];
    block(first, 2, false, A);
    for (int i = 0; i < 2; i++) res[i] = residual(first + i, false);
    const Real *f = rows.efc_force + first, middle = half * (f[0] + f[1]);
    const Real curve = A[0] + A[3] - A[1] - A[2];
    const Real slope = res[0] - res[1] - half * (f[0] - f[1]) * curve;
    const Mask<Real> curved = curve >= Real(min_val);
    const Real lean =
        clamp(select(curved, -slope / select(curved, curve, Real(1)), zero), -middle, middle);
    next[0] = middle + lean;
    next[1] = middle - lean;
    return accept(first, 2, A, next, res, exists);
  }

  LOCKSTEP_FN Real slide_cone(int first) const {
    const int contact = rows.efc_id[first], n = rows.con_dim[contact] - 1;
    const Mask<Real> exists = rows.efc_D[first] != Real(0);
    Real A[25]{}, res[5]{}, bias[5]{}, next[5]{};
    block(first + 1, n, false, A);
    for (int i = 0; i < n; i++) res[i] = residual(first + 1 + i, false);
    for (int i = 0; i < n; i++) {
      bias[i] = res[i];
      for (int j = 0; j < n; j++) bias[i] = bias[i] - A[i * n + j] * rows.efc_force[first + 1 + j];
    }
    improve_friction(contact, A, bias, rows.efc_force[first], next);
    return accept(first + 1, n, A, next, res, exists);
  }

  LOCKSTEP_FN Real sweep() const {
    const Real zero(0), inf(__builtin_inf());
    Real saved(0);
    int row = 0;
    for (; row < rows.ne; row++) saved = saved + improve_row(row, -inf, inf, true);
    for (; row < rows.ne + rows.nf; row++) {
      const Real most = rows.efc_frictionloss[row];
      saved = saved + improve_row(row, -most, most, true);
    }
    while (row < rows.nefc) {
      if (is_elliptic(rows, row)) {
        saved = saved + improve_cone(row);
        row += rows.con_dim[rows.efc_id[row]];
      } else {
        saved = saved + improve_row(row, zero, inf, true);
        row++;
      }
    }
    return saved;
  }

  // the directions of friction alone, as if they were hard
  LOCKSTEP_FN Real slide_sweep() const {
    Real saved(0);
    int row = rows.ne;
    for (; row < rows.ne + rows.nf; row++) {
      const Real most = rows.efc_frictionloss[row];
      saved = saved + improve_row(row, -most, most, false);
    }
    while (row < rows.nefc) {
      const int type = rows.efc_type[row];
      if (type == code(Constraint::contact_elliptic)) {
        saved = saved + slide_cone(row);
        row += rows.con_dim[rows.efc_id[row]];
      } else if (type == code(Constraint::contact_pyramidal)) {
        saved = saved + slide_edges(row);
        row += 2;
      } else {
        row++;
      }
    }
    return saved;
  }
};

// u <- Y'f
template <class Real>
LOCKSTEP_FN void gather_forces(const ModelView<Real>& m, const ArenaView<Real>& rows, Real* u) {
  for (int dof = 0; dof < m.nv; dof++) u[dof] = Real(0);
  for (int row = 0; row < rows.nefc; row++) {
    if (any(rows.efc_force[row] != Real(0))) whitened_add(rows, row, rows.efc_force[row], u);
  }
}

// states that belong to forces; the names are those of the primal problem
template <class Real>
LOCKSTEP_FN void dual_states(const ArenaView<Real>& rows) {
  const Real zero(0), satisfied = zone<Real>(ConstraintState::satisfied);
  const Real quadratic = zone<Real>(ConstraintState::quadratic);
  int row = 0;
  for (; row < rows.ne; row++) rows.row_zone[row] = quadratic;
  for (; row < rows.ne + rows.nf; row++) {
    const Real f = rows.efc_force[row], most = rows.efc_frictionloss[row];
    rows.row_zone[row] =
        select(f <= -most, zone<Real>(ConstraintState::linearpos),
               select(f >= most, zone<Real>(ConstraintState::linearneg), quadratic));
  }
  while (row < rows.nefc) {
    if (!is_elliptic(rows, row)) {
      rows.row_zone[row] = select(rows.efc_force[row] <= zero, satisfied, quadratic);
      row++;
      continue;
    }
    // without force the contact is open, at the surface of the cone it slides
    const int contact = rows.efc_id[row], dim = rows.con_dim[contact];
    Real square(0);
    for (int j = 1; j < dim; j++) {
      const Real friction = rows.con_friction[5 * contact + j - 1];
      const Real part = rows.efc_force[row + j] / select(friction > zero, friction, Real(1));
      square = square + part * part;
    }
    const Real normal = rows.efc_force[row];
    const Real state = select(normal <= zero, satisfied,
                              select(sqrt(square) < normal * Real(1 - 1e-9), quadratic,
                                     zone<Real>(ConstraintState::cone)));
    for (int j = 0; j < dim; j++) rows.row_zone[row + j] = state;
    row += dim;
  }
}

// accelerations that the forces give
template <class Real>
LOCKSTEP_FN void finish_dual(const ModelView<Real>& m, const DataView<Real>& d,
                             const StepInertia<Real>& inertia, Mask<Real> where) {
  ArenaView<Real>& rows = *d.arena;
  mul_jac_t(rows, m.nv, rows.efc_force, d.qfrc_constraint);
  Real* x = d.solver_work;
  for (int dof = 0; dof < m.nv; dof++) x[dof] = d.qfrc_constraint[dof];
  solve_ltdl<Real>(pattern_m(m), inertia.factor, inertia.diag_inv, x);
  for (int dof = 0; dof < m.nv; dof++) {
    d.qacc[dof] = select(where, d.qacc_smooth[dof] + x[dof], d.qacc_smooth[dof]);
  }
  dual_states(rows);
}

// cost of the forces whose Y'f is u
template <class Real>
LOCKSTEP_FN Real dual_cost(const ModelView<Real>& m, const ArenaView<Real>& rows, const Real* u) {
  Real cost(0);
  for (int dof = 0; dof < m.nv; dof++) cost = cost + u[dof] * u[dof];
  for (int row = 0; row < rows.nefc; row++) {
    const Real f = rows.efc_force[row];
    cost = cost + f * (rows.efc_R[row] * f + Real(2) * rows.efc_b[row]);
  }
  return Real(0.5) * cost;
}

// forces of the last acceleration if they cost less than none
template <class Real>
LOCKSTEP_FN void start_dual(const ModelView<Real>& m, const DataView<Real>& d, Real* u) {
  ArenaView<Real>& rows = *d.arena;
  const Real zero(0);
  mul_jac(rows, d.qacc_smooth, rows.efc_b);
  for (int row = 0; row < rows.nefc; row++) rows.efc_b[row] = rows.efc_b[row] - rows.efc_aref[row];
  Mask<Real> warm = false;
  if (!(m.opt.disableflags & code(DisableBit::warmstart))) {
    mul_jac(rows, d.qacc_warmstart, rows.row_jar);
    for (int row = 0; row < rows.nefc; row++) {
      rows.row_jar[row] = rows.row_jar[row] - rows.efc_aref[row];
    }
    push_rows(rows, rows.row_jar);
    gather_forces(m, rows, u);
    warm = dual_cost(m, rows, u) < zero;
  }
  for (int row = 0; row < rows.nefc; row++) {
    rows.efc_force[row] = select(warm, rows.efc_force[row], zero);
  }
  gather_forces(m, rows, u);
}

// forces back into their bounds and cones
template <class Real>
LOCKSTEP_FN void project_forces(const ArenaView<Real>& rows) {
  const Real zero(0), one(1);
  int row = rows.ne;
  for (; row < rows.ne + rows.nf; row++) {
    const Real most = rows.efc_frictionloss[row];
    rows.efc_force[row] = clamp(rows.efc_force[row], -most, most);
  }
  while (row < rows.nefc) {
    Real* f = rows.efc_force + row;
    f[0] = max(f[0], zero);
    row++;
    if (!is_elliptic(rows, row - 1)) continue;
    const int contact = rows.efc_id[row - 1], dim = rows.con_dim[contact];
    Real square(0);
    for (int j = 1; j < dim; j++) {
      const Real friction = rows.con_friction[5 * contact + j - 1];
      const Real part = f[j] / select(friction > zero, friction, one);
      square = square + part * part;
    }
    const Mask<Real> out = square > f[0] * f[0];
    const Real shrink = select(out, f[0] / sqrt(select(out, square, one)), one);
    for (int j = 1; j < dim; j++) f[j] = select(out, f[j] * shrink, f[j]);
    row += dim - 1;
  }
}

// What forces now cost less than the last ones; by differences of terms, so that a row whose force
// is enormous and stays does not drown the others
template <class Real>
LOCKSTEP_FN Real dual_saved(const ModelView<Real>& m, const ArenaView<Real>& rows, const Real* last,
                            const Real* last_u, const Real* u) {
  Real saved(0);
  for (int dof = 0; dof < m.nv; dof++) {
    saved = saved + (last_u[dof] - u[dof]) * (Real(0.5) * (last_u[dof] + u[dof]));
  }
  for (int row = 0; row < rows.nefc; row++) {
    const Real f = rows.efc_force[row], mean = Real(0.5) * (last[row] + f);
    saved = saved + (last[row] - f) * (rows.efc_R[row] * mean + rows.efc_b[row]);
  }
  return saved;
}

// Sweeps until a lane saves too little; lanes that are done keep their forces. The next sweep
// starts beyond the last step (Nesterov); where that led to a higher cost, it starts at the last
// forces.
template <class Real>
LOCKSTEP_FN Real sweep_with_momentum(const DualSweeps<Real>& dual, Mask<Real> active, Real scale) {
  const ModelView<Real>& m = dual.m;
  ArenaView<Real>& rows = dual.rows;
  Real *last = rows.row_jar, iterations(0), weight(1);
  Real* last_u = dual.u + m.nv;
  Mask<Real> was_little = false;
  for (int row = 0; row < rows.nefc; row++) last[row] = rows.efc_force[row];
  for (int dof = 0; dof < m.nv; dof++) last_u[dof] = dual.u[dof];
  for (int round = 0; round < m.opt.iterations && any(active); round++) {
    dual.sweep();
    const Real saved = scale * dual_saved(m, rows, last, last_u, dual.u);
    iterations = select(active, iterations + Real(1), iterations);
    if (rows.solver && round < mjNSOLVER) {
      rows.solver[round] = {double(lane(saved, 0)), 0, 0, 0, 0, 0, 0};
    }
    // a plain sweep never costs more, but for rounding
    const Mask<Real> worse = saved < Real(0) && weight > Real(1);
    const Mask<Real> better = active && !worse;
    // momentum makes savings uneven: one small one is not the end
    const Mask<Real> little = !worse && saved < m.opt.tolerance;
    const Mask<Real> goes_on = active && !(little && was_little);
    was_little = little;
    const Real old = select(worse, Real(1), weight);
    weight = select(worse, Real(1), Real(0.5) * (Real(1) + sqrt(Real(1) + Real(4) * old * old)));
    const Real beyond = select(worse, Real(0), (old - Real(1)) / weight);
    for (int dof = 0; dof < m.nv; dof++) last_u[dof] = select(better, dual.u[dof], last_u[dof]);
    for (int row = 0; row < rows.nefc; row++) {
      const Real force = select(better, rows.efc_force[row], last[row]);
      rows.efc_force[row] = select(goes_on, force + beyond * (force - last[row]), force);
      last[row] = force;
    }
    project_forces(rows);
    gather_forces(m, rows, dual.u);
    active = goes_on;
  }
  for (int row = 0; row < rows.nefc; row++) rows.efc_force[row] = last[row];
  return iterations;
}

// sweeps over friction alone; lanes that are done keep their forces
template <class Real>
LOCKSTEP_FN Real sweep_slip(const DualSweeps<Real>& dual, Mask<Real> active, Real scale) {
  const ModelView<Real>& m = dual.m;
  ArenaView<Real>& rows = dual.rows;
  Real *kept = rows.row_jar, iterations(0), softness(0);  // what is no longer paid for
  for (int row = 0; row < rows.nefc; row++) {
    const Real f = rows.efc_force[row];
    softness = softness + Real(0.5) * f * f * rows.efc_R[row];
  }
  const int before = dual.d.solver_niter.get(0, 0);
  for (int round = 0; round < m.opt.noslip_iterations && any(active); round++) {
    for (int row = 0; row < rows.nefc; row++) kept[row] = rows.efc_force[row];
    const Real saved = scale * (dual.slide_sweep() + (round == 0 ? softness : Real(0)));
    for (int row = 0; row < rows.nefc; row++) {
      rows.efc_force[row] = select(active, rows.efc_force[row], kept[row]);
    }
    iterations = select(active, iterations + Real(1), iterations);
    if (rows.solver && before + round < mjNSOLVER) {
      rows.solver[before + round] = {double(lane(saved, 0)), 0, 0, 0, 0, 0, 0};
    }
    active = active && !(saved < m.opt.noslip_tolerance);
  }
  return iterations;
}

template <class Real>
LOCKSTEP_FN void add_iterations(const DataView<Real>& d, Real iterations) {
  for (int i = 0; i < lanes<Real>; i++) {
    d.solver_niter.set(0, i, d.solver_niter.get(0, i) + static_cast<int>(lane(iterations, i)));
  }
}

template <class Real>
LOCKSTEP_FN void solve_pgs(const ModelView<Real>& m, const DataView<Real>& d,
                           const StepInertia<Real>& inertia, Mask<Real> constrained) {
  if (!whiten(m, d, inertia)) return;
  Real* u = d.solver_work + m.nv;
  start_dual(m, d, u);
  const DualSweeps<Real> dual{m, d, *d.arena, u};
  add_iterations(d, sweep_with_momentum(dual, constrained, inverse_trace(m, d)));
  finish_dual(m, d, inertia, constrained);
}

// after any solver: friction once more, as if it were hard
template <class Real>
LOCKSTEP_FN void solve_noslip(const ModelView<Real>& m, const DataView<Real>& d,
                              const StepInertia<Real>& inertia, Mask<Real> constrained) {
  if (!whiten(m, d, inertia)) return;
  Real* u = d.solver_work + m.nv;
  gather_forces(m, *d.arena, u);
  const DualSweeps<Real> dual{m, d, *d.arena, u};
  add_iterations(d, sweep_slip(dual, constrained, inverse_trace(m, d)));
  finish_dual(m, d, inertia, constrained);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
