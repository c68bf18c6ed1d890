// metric.h: the inertia that the discrete integrator steps with: dampers D and springs K act at the
// end of the step. Not a stage: fwd_acceleration uses it.
//   (M + h D + h^2 K) qacc = qfrc - h K qvel
// terms on the diagonal join the factor qH; tendons and actuators that couple dofs are rank-one
// terms s J'J beside it, for which conjugate gradients take one iteration each. Slopes of the wrong
// sign count as zero, so that the matrix stays positive.
#pragma once

#include "stage/actuation/slope.h"
#include "stage/integrate/fluid_derivative.h"
#include "stage/integrate/free_body.h"
#include "stage/position/factor_m.h"
#include "stage/position/springs.h"
#include "stage/velocity/damping.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// our own integrator: springs and dampers of joints and tendons alone
template <class Real>
LOCKSTEP_INLINE bool springs_only(const ModelView<Real>& m) {
  return m.opt.integrator == code(Integrator::implicitspringdamper);
}

template <class Real>
LOCKSTEP_INLINE bool steps_in_metric(const ModelView<Real>& m) {
  return m.opt.integrator == code(Integrator::discrete) || springs_only(m);
}

// resistance of one spring-damper
template <class Real>
struct Resistance {
  Real damping, stiffness;

  LOCKSTEP_INLINE Real inertia(Real h) const { return h * damping + h * h * stiffness; }
};

// resistance of the spring and damper of a dof
template <class Real>
LOCKSTEP_FN Resistance<Real> dof_resistance(const ModelView<Real>& m, const DataView<Real>& d,
                                            int dof) {
  const Real zero(0);
  Resistance<Real> r{zero, zero};
  if (!(m.opt.disableflags & code(DisableBit::damper))) {
    r.damping = max(dof_damper(m, dof).slope(d.qvel[dof]), zero);
  }
  if (m.opt.disableflags & code(DisableBit::spring)) return r;
  const int joint = m.dof_jntid[dof], type = m.jnt_type[joint];
  const Spring<Real> spring = joint_spring(m, joint);
  if (!any(spring.acts())) return r;
  const Real *q = d.qpos + m.jnt_qposadr[joint], *rest = spring_rest(m, d, joint);
  // three dofs that move together feel the slope along their displacement
  Real x;
  if (type == code(JointType::free)) {
    x = dof < m.jnt_dofadr[joint] + 3 ? norm(load3(q) - load3(rest))
                                      : norm(turn_from(rest + 3, q + 3));
  } else {
    x = type == code(JointType::ball) ? norm(turn_from(rest, q)) : q[0] - rest[0];
  }
  r.stiffness = select(spring.acts(), max(spring.slope(x), zero), zero);
  return r;
}

template <class Real>
LOCKSTEP_FN Resistance<Real> tendon_resistance(const ModelView<Real>& m, const DataView<Real>& d,
                                               int tendon) {
  const Real zero(0);
  Resistance<Real> r{zero, zero};
  if (!(m.opt.disableflags & code(DisableBit::damper))) {
    r.damping = max(tendon_damper(m, tendon).slope(d.ten_velocity[tendon]), zero);
  }
  if (!(m.opt.disableflags & code(DisableBit::spring))) {
    const Real stretch = tendon_stretch(m, d, tendon);
    const Real slope = max(tendon_spring(m, tendon).slope(stretch), zero);
    r.stiffness = select(stretch != zero, slope, zero);
  }
  return r;
}

// calls f(resistance, velocity along the row, row, entries, dof of an entry) for tendons and
// actuators. the dual solver cannot use them: there they act at the start of the step
template <class Real, class F>
LOCKSTEP_FN void each_coupling(const ModelView<Real>& m, const DataView<Real>& d, F&& f) {
  if (m.opt.solver == code(Solver::pgs) && !springs_only(m)) return;
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const int* columns = m.ten_J_colind + m.ten_J_rowadr[tendon];
    f(tendon_resistance(m, d, tendon), d.ten_velocity[tendon], d.ten_J + m.ten_J_rowadr[tendon],
      m.ten_J_rownnz[tendon], [columns](int k) { return columns[k]; });
  }
  if (springs_only(m)) return;
  for (int actuator = 0; actuator < m.nactuator; actuator++) {
    if (!has_slope(m, actuator)) continue;
    const ForceSlope<Real> slope = actuator_slope(m, d, actuator);
    const Resistance<Real> r{max(-slope.by_velocity, Real(0)), max(-slope.by_length, Real(0))};
    const int first = m.actuator_outadr[actuator];
    for (int out = first; out < first + m.actuator_outnum[actuator]; out++) {
      const int adr = d.moment_rowadr.get(out, 0);
      f(r, d.actuator_velocity[out], d.actuator_moment + adr, d.moment_rownnz.get(out, 0),
        [&d, adr](int k) { return d.moment_colind.get(adr + k, 0); });
    }
  }
}

// y += (couplings) x
template <class Real>
LOCKSTEP_FN void add_couplings(const ModelView<Real>& m, const DataView<Real>& d, const Real* x,
                               Real* y) {
  const Real h = m.opt.timestep;
  each_coupling(m, d, [&](const Resistance<Real>& r, Real, const Real* J, int count, auto column) {
    if (count < 2) return;
    Real along(0);
    for (int k = 0; k < count; k++) along = along + J[k] * x[column(k)];
    const Real strength = r.inertia(h) * along;
    for (int k = 0; k < count; k++) y[column(k)] = y[column(k)] + strength * J[k];
  });
}

// metric <- M and all that fits into its pattern: dofs, couplings of one dof, drag of the medium;
// rhs -= h K qvel
template <class Real>
struct MetricTerms {
  int couplings;   // that do not fit
  Mask<Real> any;  // whether there is anything beside M
};
template <class Real>
LOCKSTEP_FN MetricTerms<Real> fill_metric(const ModelView<Real>& m, const DataView<Real>& d,
                                          Real* rhs) {
  const Real h = m.opt.timestep;
  for (int i = 0; i < m.nC; i++) d.metric[i] = d.M[i];
  MetricTerms<Real> terms{0, false};
  const auto add = [&](int dof, Real inertia) {
    terms.any = terms.any || inertia != Real(0);
    Real& entry = d.metric[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
    entry = entry + inertia;
  };
  for (int dof = 0; dof < m.nv; dof++) {
    const Resistance<Real> r = dof_resistance(m, d, dof);
    add(dof, r.inertia(h));
    rhs[dof] = rhs[dof] - h * r.stiffness * d.qvel[dof];
  }
  each_coupling(m, d,
                [&](const Resistance<Real>& r, Real rate, const Real* J, int count, auto column) {
                  const Real pull = h * r.stiffness * rate;
                  for (int k = 0; k < count; k++) rhs[column(k)] = rhs[column(k)] - pull * J[k];
                  if (count == 1) add(column(0), r.inertia(h) * J[0] * J[0]);
                  if (count < 2) return;
                  terms.couplings++;
                  terms.any = terms.any || r.inertia(h) != Real(0);
                });
  if (springs_only(m)) return terms;
  fluid_derivative(m, d, FluidPart::drag, [&](int row, int column, Real value, Mask<Real> where) {
    const int at = column > row ? -1 : m.mapM2D[entry_d(m, row, column)];
    if (at >= 0) d.metric[at] = select(where, d.metric[at] - h * value, d.metric[at]);
    terms.any = terms.any || where;
  });
  return terms;
}

template <class Real>
LOCKSTEP_INLINE Real dot_dofs(int n, const Real* a, const Real* b) {
  Real sum(0);
  for (int i = 0; i < n; i++) sum = sum + a[i] * b[i];
  return sum;
}

// x <- (metric + couplings)^-1 rhs by conjugate gradients, preconditioned with qH
template <class Real>
LOCKSTEP_FN void solve_couplings(const ModelView<Real>& m, const DataView<Real>& d, int couplings,
                                 const Real* rhs, Real* x) {
  // squared relative error in the norm of the matrix
  constexpr double enough = sizeof(Scalar<Real>) == 8 ? 1e-31 : 1e-14;
  Real *residual = d.solve_work, *z = residual + m.nv, *p = z + m.nv;
  const auto precondition = [&](const Real* from, Real* to) {
    for (int i = 0; i < m.nv; i++) to[i] = from[i];
    solve_ltdl<Real>(pattern_m(m), d.qH, d.qHDiagInv, to);
  };
  precondition(rhs, x);
  const Real scale = Real(enough) * abs(dot_dofs(m.nv, x, rhs));
  for (int i = 0; i < m.nv; i++) residual[i] = Real(0);
  add_couplings(m, d, x, residual);
  for (int i = 0; i < m.nv; i++) residual[i] = -residual[i];
  precondition(residual, p);
  Real size = dot_dofs(m.nv, residual, p);
  Mask<Real> active = size > scale;
  for (int round = 0; round < 2 * couplings + 10 && any(active); round++) {
    Real* ap = z;  // z is free until the direction has been used
    mul_symmetric<Real>(pattern_m(m), d.metric, p, ap);
    add_couplings(m, d, p, ap);
    const Real curve = dot_dofs(m.nv, p, ap);
    const Real alpha = select(active, size / select(active, curve, Real(1)), Real(0));
    for (int i = 0; i < m.nv; i++) {
      x[i] = select(active, x[i] + alpha * p[i], x[i]);
      residual[i] = select(active, residual[i] - alpha * ap[i], residual[i]);
    }
    precondition(residual, z);
    const Real next = dot_dofs(m.nv, residual, z);
    const Real beta = next / select(active, size, Real(1));
    for (int i = 0; i < m.nv; i++) p[i] = select(active, z[i] + beta * p[i], p[i]);
    size = select(active, next, size);
    active = active && size > scale;
  }
}

// x <- (M + h D + h^2 K)^-1 (rhs - h K qvel); changes rhs
template <class Real>
LOCKSTEP_FN void solve_metric(const ModelView<Real>& m, const DataView<Real>& d, Real* rhs,
                              Real* x) {
  const MetricTerms<Real> terms = fill_metric(m, d, rhs);
  if (!any(terms.any)) {
    for (int dof = 0; dof < m.nv; dof++) x[dof] = rhs[dof];
    solve_m(m, d, x);
    return;
  }
  for (int i = 0; i < m.nC; i++) d.qH[i] = d.metric[i];
  d.warn(Warning::inertia, !factor_ltdl(pattern_m(m), d.qH, d.qHDiagInv));
  solve_couplings(m, d, terms.couplings, rhs, x);
}

// the six dofs of a free body that carries no joints; false where couplings tie it to something
template <class Real>
LOCKSTEP_FN Mask<Real> metric_block(const ModelView<Real>& m, const DataView<Real>& d, int first,
                                    Real* block) {
  for (int i = 0; i < 36; i++) {
    const int at = m.mapM2D[entry_d(m, first + i / 6, first + i % 6)];
    block[i] = at < 0 ? Real(0) : d.metric[at];
  }
  Mask<Real> alone = true;
  each_coupling(m, d, [&](const Resistance<Real>& r, Real, const Real*, int count, auto column) {
    for (int k = 0; k < count; k++) {
      if (column(k) < first || column(k) >= first + 6) continue;
      alone = alone && r.damping == Real(0) && r.stiffness == Real(0);
    }
  });
  return alone;
}

// free bodies spin stably: their blocks are solved again, with gyroscopic terms. rhs holds
// qfrc_smooth - h K qvel
template <class Real>
LOCKSTEP_FN void solve_metric_free_bodies(const ModelView<Real>& m, const DataView<Real>& d,
                                          const Real* rhs, Real* qacc) {
  solve_free_bodies(m, d, qacc, [&](int first, Real* block, Real* force) {
    for (int k = 0; k < 6; k++) force[k] = rhs[first + k] + d.qfrc_constraint[first + k];
    return metric_block(m, d, first, block);
  });
}

// qfrc <- (M + h D + h^2 K) qacc + h K qvel: the forces that made a step
template <class Real>
LOCKSTEP_FN void mul_metric(const ModelView<Real>& m, const DataView<Real>& d, const Real* qacc,
                            Real* qfrc) {
  Real* pull = d.solve_work;  // -h K qvel
  for (int dof = 0; dof < m.nv; dof++) pull[dof] = Real(0);
  fill_metric(m, d, pull);
  mul_symmetric<Real>(pattern_m(m), d.metric, qacc, qfrc);
  add_couplings(m, d, qacc, qfrc);
  if (!springs_only(m)) {
    mul_free_bodies(m, d, qacc, qfrc,
                    [&](int first, Real* block) { return metric_block(m, d, first, block); });
  }
  for (int dof = 0; dof < m.nv; dof++) qfrc[dof] = qfrc[dof] - pull[dof];
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
