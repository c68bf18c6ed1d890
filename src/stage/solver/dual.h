// dual.h: projected Gauss-Seidel on the forces of the rows. Not a stage.
//   min 1/2 f'(A + R) f + f'b  over the cones,   A = J M^-1 J',   b = J qacc_smooth - aref
// Each part is swept on its own: its blocks, in a new order every time, one after the other to the
// lowest cost. A sweep starts beyond where the last one ended (Nesterov); the reach grows until a
// sweep turns back against it. Lanes with the same rows are swept together, others after each
// other, so that a lane visits its rows in the order in which it would alone.
// reads efc_J efc_D efc_R efc_aref efc_frictionloss qLD qLDiagInv qacc_smooth qacc_warmstart
// writes efc_force row_zone qacc qfrc_constraint solver_niter solver_nnz
#pragma once

#include "stage/solver/jacobian.h"
#include "stage/solver/parts.h"
#include "stage/solver/shuffle.h"
#include "stage/solver/sweep.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// u <- Y'f of all rows
template <class Real>
LOCKSTEP_FN void gather_forces(const ModelView<Real>& m, const ArenaView<Real>& rows, Real* u) {
  for (int dof = 0; dof < m.nv; dof++) u[dof] = Real(0);
  for (int row = 0; row < rows.nefc; row++) {
    if (any(rows.efc_force[row] != Real(0))) whitened_add(rows, row, rows.efc_force[row], u);
  }
}

// u <- Y'f of a part, at the dofs that its rows move
template <class Real>
LOCKSTEP_FN void gather_part(const ArenaView<Real>& rows, const Part<Real>& part, Real* u) {
  for (int k = 0; k < part.count; k++) {
    const int row = rows.part_rows[k];
    const int* dof = rows.whitened_colind + rows.whitened_rowadr[row];
    for (int j = 0; j < rows.whitened_rownnz[row]; j++) u[dof[j]] = Real(0);
  }
  for (int k = 0; k < part.count; k++) {
    const int row = rows.part_rows[k];
    const Real force = select(part.holds(rows, row), rows.efc_force[row], Real(0));
    if (any(force != Real(0))) whitened_add(rows, row, force, u);
  }
}

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

// rows of one lane that push, and those that no longer do what they did
struct StateCounts {
  int active = 0, changed = 0;
};

// states of the rows of a part
template <class Real>
LOCKSTEP_FN StateCounts update_states(const ArenaView<Real>& rows, const Part<Real>& part) {
  StateCounts counts;
  for (int k = 0, size; k < part.count; k += size) {
    const int row = rows.part_rows[k];
    size = block_size(rows, row);
    const Real state = dual_state(rows, row);
    const bool acts =
        row < rows.ne + rows.nf || lane(state != zone<Real>(ConstraintState::satisfied), 0);
    counts.active += acts ? size : 0;
    counts.changed += lane(state != rows.row_zone[row], 0) ? size : 0;
    for (int j = 0; j < size; j++) rows.row_zone[row + j] = state;
  }
  return counts;
}

// statistics of one sweep, where someone reads them
template <class Real>
LOCKSTEP_FN void note_sweep(ArenaView<Real>& rows, const Part<Real>& part, int round, Real saved) {
  if (!rows.solver || part.number >= mjNISLAND || round >= mjNSOLVER) return;
  const StateCounts counts = update_states(rows, part);
  rows.solver[part.number * mjNSOLVER + round] = {double(lane(saved, 0)), 0, 0, counts.active,
                                                  counts.changed,         0, 0};
}

template <class Real>
LOCKSTEP_FN void add_iterations(const DataView<Real>& d, int part, Real iterations) {
  if (part >= mjNISLAND) return;
  for (int i = 0; i < lanes<Real>; i++) {
    const int before = d.solver_niter.get(part, i);
    d.solver_niter.set(part, i, before + static_cast<int>(lane(iterations, i)));
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
  for (int row = 0, size; row < rows.nefc; row += size) {
    size = block_size(rows, row);
    const Real state = dual_state(rows, row);
    for (int j = 0; j < size; j++) rows.row_zone[row + j] = state;
  }
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

// forces of the last acceleration unless they cost more than none
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
    warm = !(dual_cost(m, rows, u) > zero);
  }
  for (int row = 0; row < rows.nefc; row++) {
    rows.efc_force[row] = select(warm, rows.efc_force[row], zero);
  }
}

// the forces of a block back into their bounds or cone
template <class Real>
LOCKSTEP_FN void project_block(const ArenaView<Real>& rows, int row, Mask<Real> where) {
  const Real zero(0);
  Real* f = rows.efc_force + row;
  if (row < rows.ne) return;
  if (row < rows.ne + rows.nf) {
    const Real most = rows.efc_frictionloss[row];
    f[0] = select(where, clamp(f[0], -most, most), f[0]);
  } else if (!is_elliptic(rows, row)) {
    f[0] = select(where && f[0] < zero, zero, f[0]);
  } else {
    const Mask<Real> pulls = where && f[0] < zero;
    const Real tangent = scaled_friction(rows, row);
    const Mask<Real> out = where && tangent * tangent > f[0] * f[0];
    const Real shrink = select(out, abs(f[0]) / select(out, tangent, Real(1)), Real(1));
    f[0] = select(pulls, zero, f[0]);
    for (int j = 1; j < block_size(rows, row); j++) f[j] = select(pulls, zero, f[j] * shrink);
  }
}

// Moves the forces of a part beyond where they are, by some of what the last sweep changed. `last`
// holds where they were, `from` where they are now.
template <class Real>
LOCKSTEP_FN void extrapolate(const Sweep<Real>& sweep, const Part<Real>& part, Mask<Real> active,
                             Real reach, Real* last, Real* from) {
  const ArenaView<Real>& rows = sweep.rows;
  const Mask<Real> goes = active && reach > Real(0);
  for (int k = 0; k < part.count; k++) {
    const int row = rows.part_rows[k];
    const Real force = rows.efc_force[row];
    const Real next = force + reach * (force - last[row]);
    rows.efc_force[row] = select(goes && part.holds(rows, row), next, force);
    last[row] = force;
  }
  if (any(goes)) {
    for (int k = 0, size; k < part.count; k += size) {
      const int row = rows.part_rows[k];
      size = block_size(rows, row);
      project_block(rows, row, goes && part.holds(rows, row));
    }
  }
  gather_part(rows, part, sweep.u);  // also where nothing moved: lanes must not notice each other
  for (int k = 0; k < part.count; k++) {
    from[rows.part_rows[k]] = rows.efc_force[rows.part_rows[k]];
  }
}

// whether the last sweep went back where the extrapolation came from
template <class Real>
LOCKSTEP_FN Mask<Real> turned_back(const ArenaView<Real>& rows, const Part<Real>& part,
                                   const Real* last, const Real* from) {
  Real along(0);
  for (int k = 0; k < part.count; k++) {
    const int row = rows.part_rows[k];
    const Real product = (rows.efc_force[row] - from[row]) * (from[row] - last[row]);
    along = along + select(part.holds(rows, row), product, Real(0));
  }
  return along < Real(0);
}

// sweeps until a lane saves too little; lanes that are done keep their forces
template <class Real>
LOCKSTEP_FN void solve_pgs_part(const ModelView<Real>& m, const DataView<Real>& d,
                                const Sweep<Real>& sweep, const Part<Real>& part,
                                Mask<Real> active) {
  ArenaView<Real>& rows = sweep.rows;
  const Real scale = inverse_trace(m, d, part.number), one(1), zero(0);
  Real *last = rows.row_jar, *from = rows.row_jv, iterations(0), straight(0);
  Pcg32 random[lanes<Real>];
  if (rows.solver) update_states(rows, part);
  for (int k = 0; k < part.count; k++) {
    last[rows.part_rows[k]] = rows.efc_force[rows.part_rows[k]];
  }
  for (int round = 0; round < m.opt.iterations && any(active); round++) {
    // straight: sweeps since one turned back
    extrapolate(sweep, part, active, (straight - one) / (straight + Real(2)), last, from);
    Real saved(0);
    for (int i = 0; i < lanes<Real>; i++) {
      const Mask<Real> led = active && part.led_by(i);
      if (!any(led)) continue;
      shuffle(part.blocks[i], random[i], [&](int a, int b) {
        const Scalar<Real> moved = lane(rows.part_order[a], i);
        set_lane(rows.part_order[a], i, lane(rows.part_order[b], i));
        set_lane(rows.part_order[b], i, moved);
      });
      for (int k = 0; k < part.blocks[i]; k++) {
        saved = saved + sweep.improve(part_of(rows.part_order[k], i), led);
      }
    }
    saved = scale * saved;
    iterations = select(active, iterations + one, iterations);
    note_sweep(rows, part, round, saved);
    const Mask<Real> back = turned_back(rows, part, last, from);
    straight = select(back, zero, straight + one);
    active = active && !(saved < m.opt.tolerance);
  }
  add_iterations(d, part.number, iterations);
}

// the size of a part's A
template <class Real>
LOCKSTEP_FN void count_products(const DataView<Real>& d, const Part<Real>& part) {
  const ArenaView<Real>& rows = *d.arena;
  if (part.number >= mjNISLAND) return;
  for (int i = 0; i < lanes<Real>; i++) {
    int count = 0;
    for (int k = 0; k < part.count; k++) {
      count += lane(part.holds(rows, rows.part_rows[k]), i);
    }
    d.solver_nnz.set(part.number, i, count * count);
  }
}

template <class Real>
LOCKSTEP_FN void solve_pgs(const ModelView<Real>& m, const DataView<Real>& d,
                           const StepInertia<Real>& inertia, Mask<Real> constrained) {
  if (!whiten(m, d, inertia)) return;
  ArenaView<Real>& rows = *d.arena;
  const Sweep<Real> sweep{rows, d.solver_work + m.nv};
  start_dual(m, d, sweep.u);
  multiply_cones(rows);
  const int parts = find_parts(m, rows);
  for (int number = 0; number < parts; number++) {
    const Part<Real> part(rows, number);
    solve_pgs_part(m, d, sweep, part, constrained && part.exists());
    count_products(d, part);
  }
  finish_dual(m, d, inertia, constrained);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
