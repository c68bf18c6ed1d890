// crb.h: joint-space inertia, by composite rigid bodies; lower triangle, rows by
// M_rownnz/rowadr/colind, diagonal last.
//   M_ij = cdof_j . (crb_body(i) cdof_i) for ancestors j of i;   M_ii += armature;   M += J_t' a_t
//   J_t for tendons
// reads cinert cdof ten_J    writes crb M
#pragma once

#include "math/pack.h"
#include "stage/island/awake.h"
#include "stage/position/factor_m.h"
#include "stage/position/reflected.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// reflected inertia of the actuators that drive one joint or tendon: sum of armature * gear^2
template <class Real>
LOCKSTEP_FN Real actuator_armature(const ModelView<Real>& m, int only, bool tendon, int id) {
  Real sum(0);
  each_reflected(m, only, tendon, id, [&](int actuator, Real gear2) {
    sum = sum + m.actuator_armature[actuator] * gear2;
  });
  return sum;
}

template <class Real>
LOCKSTEP_FN Real dof_armature(const ModelView<Real>& m, int dof) {
  const int joint = m.dof_jntid[dof];
  return m.dof_armature[dof] + actuator_armature(m, m.jnt_actuatorid[joint], false, joint);
}

// inertias of subtrees, as if their joints were locked
template <class Real>
LOCKSTEP_FN void composite_inertias(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int body = 0; body < m.nbody; body++) d.crb.set(body, d.cinert[body]);
  for (int body = m.nbody - 1; body > 0; body--) {
    if (m.body_parentid[body] > 0) d.crb.add(m.body_parentid[body], d.crb[body]);
  }
}

// inertia that each dof feels with all others locked, tendons aside: dof_M0 at qpos0
template <class Real>
LOCKSTEP_FN void dof_inertias(const ModelView<Real>& m, const DataView<Real>& d, Real* inertia) {
  composite_inertias(m, d);
  for (int dof = 0; dof < m.nv; dof++) {
    const Vec6<Real> cdof = d.cdof[dof];
    inertia[dof] = dof_armature(m, dof) + dot(cdof, d.crb[m.dof_bodyid[dof]] * cdof);
  }
}

// all inertia that moves with a tendon
template <class Real>
LOCKSTEP_FN Real tendon_inertia(const ModelView<Real>& m, int tendon) {
  return m.tendon_armature[tendon] +
         actuator_armature(m, m.tendon_actuatorid[tendon], true, tendon);
}

// M += a J'J inside the pattern of M: couplings between trees have no place there
template <class Real>
LOCKSTEP_FN void add_tendon_armature(const ModelView<Real>& m, const DataView<Real>& d,
                                     int tendon) {
  const Real armature = tendon_inertia(m, tendon);
  const int first = m.ten_J_rowadr[tendon], count = m.ten_J_rownnz[tendon];
  const Sleepers<Real> asleep(m, d);
  for (int i = first; i < first + count; i++) {
    const int row = m.ten_J_colind[i];
    if (asleep.dof(row)) continue;
    int k = m.M_rowadr[row];
    const int end = k + m.M_rownnz[row];
    for (int j = first; j <= i; j++) {
      while (k < end && m.M_colind[k] < m.ten_J_colind[j]) k++;
      if (k == end) break;
      if (m.M_colind[k] == m.ten_J_colind[j]) {
        d.M[k] = d.M[k] + armature * d.ten_J[j] * d.ten_J[i];
      }
    }
  }
}

// one number for each of N rows; those of one world fill a register
template <class Real, int N>
struct PerRow {
  Real number[N];

  LOCKSTEP_INLINE void put(int r, Real x) { number[r] = x; }
  LOCKSTEP_INLINE Real of(int r) const { return number[r]; }
  LOCKSTEP_INLINE void add(const PerRow& a, Real s) {
    for (int r = 0; r < N; r++) number[r] = number[r] + a.number[r] * s;
  }
  LOCKSTEP_INLINE void start(const PerRow& a, Real s) {
    for (int r = 0; r < N; r++) number[r] = a.number[r] * s;
  }
};
template <>
struct PerRow<double, 4> {
  Pack<double, 4> number;

  LOCKSTEP_INLINE void put(int r, double x) { set_lane(number, r, x); }
  LOCKSTEP_INLINE double of(int r) const { return lane(number, r); }
  LOCKSTEP_INLINE void add(const PerRow& a, double s) {
    number = number + a.number * Pack<double, 4>(s);
  }
  LOCKSTEP_INLINE void start(const PerRow& a, double s) { number = a.number * Pack<double, 4>(s); }
};

// N rows of M from a dof on that form a chain (math/sparse.h): their columns are those of the first
// and of each other, so that each motion axis is loaded once
template <int N, class Real>
LOCKSTEP_INLINE void fill_rows(const ModelView<Real>& m, const DataView<Real>& d, int dof) {
  PerRow<Real, N> momentum[6];
  Real* row[N];
  for (int r = 0; r < N; r++) {
    const Vec6<Real> p = d.crb[m.dof_bodyid[dof + r]] * d.cdof[dof + r];
    for (int c = 0; c < 6; c++) momentum[c].put(r, p[c]);
    row[r] = d.M + m.M_rowadr[dof + r];
  }
  const int* col = m.M_colind + m.M_rowadr[dof + N - 1];
  const int common = m.M_rownnz[dof];
  const auto products = [&](int at) {
    const Real* axis = d.cdof.start + 6 * col[at];
    PerRow<Real, N> sum;
    sum.start(momentum[0], axis[0]);
    for (int c = 1; c < 6; c++) sum.add(momentum[c], axis[c]);
    return sum;
  };
  for (int at = 0; at < common; at++) {
    const PerRow<Real, N> sum = products(at);
    for (int r = 0; r < N; r++) row[r][at] = sum.of(r);
  }
  // the columns of the rows themselves
  for (int s = 1; s < N; s++) {
    const PerRow<Real, N> sum = products(common - 1 + s);
    for (int r = s; r < N; r++) row[r][common - 1 + s] = sum.of(r);
  }
  for (int r = 0; r < N; r++) {
    Real& diagonal = row[r][common - 1 + r];
    diagonal = diagonal + dof_armature(m, dof + r);
  }
}

template <class Real>
LOCKSTEP_FN void crb(const ModelView<Real>& m, const DataView<Real>& d) {
  composite_inertias(m, d);
  const Sleepers<Real> asleep(m, d);
  for (int dof = 0; dof < m.nv;) {
    if (asleep.dof(dof)) {
      dof++;
      continue;
    }
    if (m.dof_simplenum[dof] > 0) {
      d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1] = m.dof_M0[dof];
      dof++;
      continue;
    }
    const int count = chain_down(pattern_m(m), dof, 4);
    switch (count) {
      case 4: fill_rows<4>(m, d, dof); break;
      case 3: fill_rows<3>(m, d, dof); break;
      case 2: fill_rows<2>(m, d, dof); break;
      default: fill_rows<1>(m, d, dof);
    }
    dof += count;
  }
  for (int tendon = 0; tendon < m.ntendon; tendon++) add_tendon_armature(m, d, tendon);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
