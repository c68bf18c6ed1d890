// line_search.h: the lowest cost along a direction. Not a stage.
//   phi(t) = cost(qacc + t search);  phi' grows with t, so that its root is bracketed and Newton's
//   method, kept inside the bracket, finds it
// The slope at 0 is that of the gradient, which is small near the solution; rows add what changes
// from there, not their own slopes, which are large and cancel.
// reads row_jar row_jv row_zone efc_D efc_R efc_force efc_frictionloss    writes row_quad
#pragma once

#include "stage/solver/cost.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Slope {
  Real first, second;  // derivatives

  LOCKSTEP_INLINE void add(Real f, Real s) {
    first = first + f;
    second = second + s;
  }
};

// whether a row acted as a spring at the start of the line
template <class Real>
LOCKSTEP_INLINE Mask<Real> was_spring(const ArenaView<Real>& rows, int row) {
  return rows.row_zone[row] == zone<Real>(ConstraintState::quadratic);
}

// terms of an elliptic contact that do not change along the line: slope and curvature of its
// springs, start and speed along the axis and across it, its slope at the start
template <class Real>
LOCKSTEP_FN void prepare_cone(const ArenaView<Real>& rows, int row) {
  const int contact = rows.efc_id[row], dim = rows.con_dim[contact];
  const Real mu = rows.con_mu[contact];
  const Real *D = rows.efc_D + row, *jar = rows.row_jar + row, *jv = rows.row_jv + row;
  const Real* friction = rows.con_friction + 5 * contact;
  const Real* force = rows.efc_force + row;
  Real slope = D[0] * jar[0] * jv[0], curve = D[0] * jv[0] * jv[0], uu(0), uv(0), vv(0);
  Real start = force[0] * jv[0];
  for (int j = 1; j < dim; j++) {
    slope = slope + D[j] * jar[j] * jv[j];
    curve = curve + D[j] * jv[j] * jv[j];
    start = start + force[j] * jv[j];
    const Real u = jar[j] * friction[j - 1], v = jv[j] * friction[j - 1];
    uu = uu + u * u;
    uv = uv + u * v;
    vv = vv + v * v;
  }
  Real* quad = rows.row_quad + 3 * row;
  quad[0] = slope;
  quad[1] = curve;
  quad[2] = jar[0] * mu;
  quad[3] = jv[0] * mu;
  quad[4] = uu;
  quad[5] = uv;
  quad[6] = vv;
  quad[7] = D[0] / select(D[0] != Real(0), mu * mu * (Real(1) + mu * mu), Real(1));
  quad[8] = -start;
}

// by value: a sum whose address is known waits in memory for each row
template <class Real>
LOCKSTEP_FN Slope<Real> cone_slope(const ArenaView<Real>& rows, int row, Real t) {
  const Real mu = rows.con_mu[rows.efc_id[row]], zero(0);
  const Real* quad = rows.row_quad + 3 * row;
  const Real normal = quad[2] + t * quad[3];
  const Real square = quad[4] + t * (Real(2) * quad[5] + t * quad[6]);
  const Mask<Real> straight = square <= zero;
  const Real tangent = sqrt(max(square, zero));
  const Mask<Real> apart = select(straight, normal >= zero, normal >= mu * tangent);
  const Mask<Real> inside = !apart && (straight || mu * normal + tangent <= zero);
  const Real length = select(straight, Real(1), tangent);
  const Real rate = (quad[5] + t * quad[6]) / length;
  const Real bend = (quad[6] - rate * rate) / length;
  const Real depth = normal - mu * tangent, speed = quad[3] - mu * rate;
  const Real first = select(inside, quad[0] + t * quad[1], quad[7] * depth * speed);
  const Real second = select(inside, quad[1], quad[7] * (speed * speed - depth * mu * bend));
  const Real change = select(apart, zero, first) - quad[8];
  return {select(inside && was_spring(rows, row), t * quad[1], change),
          select(apart, zero, second)};
}

// The slope of the whole at 0 and the curvature of the inertia, to which that of rows is added that
// are quadratic along the whole line.
template <class Real>
LOCKSTEP_FN Slope<Real> prepare_line(const ArenaView<Real>& rows, Slope<Real> start) {
  int row = 0;
  for (; row < rows.ne; row++) {
    start.second = start.second + rows.efc_D[row] * rows.row_jv[row] * rows.row_jv[row];
  }
  while (row < rows.nefc) {
    for (const int end = next_elliptic(rows, row); row < end; row++) {
      rows.row_quad[3 * row] = rows.efc_D[row] * rows.row_jv[row];
    }
    if (row == rows.nefc) break;
    prepare_cone(rows, row);
    row += rows.con_dim[rows.efc_id[row]];
  }
  return start;
}

template <class Real>
LOCKSTEP_FN Slope<Real> line_slope(const ArenaView<Real>& rows, const Slope<Real>& fixed, Real t) {
  const Real zero(0);
  Slope<Real> sum{fixed.first + t * fixed.second, fixed.second};
  int row = rows.ne;
  for (; row < rows.ne + rows.nf; row++) {
    const Real jv = rows.row_jv[row], x = rows.row_jar[row] + t * jv;
    const Real most = rows.efc_frictionloss[row], bound = rows.efc_R[row] * most;
    const Mask<Real> low = x <= -bound, high = !low && x >= bound;
    const Real weight = rows.row_quad[3 * row];
    const Real now = select(low, -most * jv, select(high, most * jv, weight * x));
    sum.add(select(!(low || high) && was_spring(rows, row), weight * (t * jv),
                   now + rows.efc_force[row] * jv),
            select(low || high, zero, weight * jv));
  }
  while (row < rows.nefc) {
    Real first = sum.first, second = sum.second;
    for (const int end = next_elliptic(rows, row); row < end; row++) {
      const Real jv = rows.row_jv[row], x = rows.row_jar[row] + t * jv;
      const Real weight = rows.row_quad[3 * row];
      const Mask<Real> acts = x < zero, acted = was_spring(rows, row);
      const Real change =
          select(acts, select(acted, t * jv, x), select(acted, -rows.row_jar[row], zero));
      first = first + weight * change;
      second = second + select(acts, weight * jv, zero);
    }
    sum = {first, second};
    if (row == rows.nefc) break;
    const Slope<Real> cone = cone_slope(rows, row, t);
    sum.add(cone.first, cone.second);
    row += rows.con_dim[rows.efc_id[row]];
  }
  return sum;
}

// What one elliptic contact costs less at t than its slope at 0 tells. Where it stays in its zone
// the difference is found without the costs, which may be so large that it drowns in their
// rounding.
template <class Real>
LOCKSTEP_FN Real cone_saved(const ArenaView<Real>& rows, int row, Real t) {
  const Real mu = rows.con_mu[rows.efc_id[row]], zero(0), half(0.5);
  const Real* quad = rows.row_quad + 3 * row;
  const Real* jar = rows.row_jar + row;
  const Real change = t * (Real(2) * quad[5] + t * quad[6]);  // of the squared tangent
  Real normal[2] = {quad[2], quad[2] + t * quad[3]}, square[2] = {quad[4], quad[4] + change};
  Real tangent[2], depth[2];
  Mask<Real> apart[2], inside[2];
  for (int i = 0; i < 2; i++) {
    const Mask<Real> straight = square[i] <= zero;
    tangent[i] = sqrt(max(square[i], zero));
    depth[i] = normal[i] - mu * tangent[i];
    apart[i] = select(straight, normal[i] >= zero, depth[i] >= zero);
    inside[i] = !apart[i] && (straight || mu * normal[i] + tangent[i] <= zero);
  }
  Real springs(0);
  for (int j = 0; j < rows.con_dim[rows.efc_id[row]]; j++) {
    springs = springs + rows.efc_D[row + j] * jar[j] * jar[j];
  }
  const Real spring_change = t * (quad[0] + half * t * quad[1]);
  const Real cost[2] = {
      select(inside[0], half * springs, half * quad[7] * depth[0] * depth[0]),
      select(inside[1], half * springs + spring_change, half * quad[7] * depth[1] * depth[1])};
  const Real between = select(apart[0], zero, cost[0]) - select(apart[1], zero, cost[1]);
  const Real both = tangent[0] + tangent[1];
  const Real deeper = t * quad[3] - mu * (change / select(both > zero, both, Real(1)));
  const Mask<Real> slides = !apart[0] && !apart[1] && !inside[0] && !inside[1];
  const Real saved =
      select(inside[0] && inside[1], -spring_change,
             select(slides, -half * quad[7] * deeper * (depth[0] + depth[1]), between));
  return select(inside[0] && inside[1], -half * t * t * quad[1], saved + t * quad[8]);
}

// what the whole costs less at t than at 0, likewise
template <class Real>
LOCKSTEP_FN Real line_saved(const ArenaView<Real>& rows, const Slope<Real>& fixed, Real t) {
  const Real zero(0), half(0.5);
  Real sum = -t * (fixed.first + half * t * fixed.second);
  int row = rows.ne;
  for (; row < rows.ne + rows.nf; row++) {
    const Real jv = rows.row_jv[row], x = rows.row_jar[row], y = x + t * jv;
    const Real most = rows.efc_frictionloss[row], bound = rows.efc_R[row] * most;
    const Mask<Real> bent = abs(x) < bound && abs(y) < bound;
    const Mask<Real> straight = (x >= bound && y >= bound) || (x <= -bound && y <= -bound);
    const auto cost = [&](Real at) {
      return select(abs(at) < bound, half * rows.efc_D[row] * at * at,
                    most * (abs(at) - half * bound));
    };
    sum = sum + select(bent, -half * t * t * rows.row_quad[3 * row] * jv,
                       select(straight, zero, cost(x) - cost(y) - t * rows.efc_force[row] * jv));
  }
  while (row < rows.nefc) {
    for (const int end = next_elliptic(rows, row); row < end; row++) {
      const Real step = t * rows.row_jv[row], x = rows.row_jar[row], y = x + step;
      const Real before = select(x < zero, x, zero), after = select(y < zero, y, zero);
      const Real bent = (before - after) * (before + after) + Real(2) * step * before;
      sum = sum + half * rows.efc_D[row] * select(x < zero && y < zero, -step * step, bent);
    }
    if (row == rows.nefc) break;
    sum = sum + cone_saved(rows, row, t);
    row += rows.con_dim[rows.efc_id[row]];
  }
  return sum;
}

// In single precision the slope, a sum of large terms that cancel, does not get below what the
// options ask for, and 50 evaluations would find nothing more. So there a search also ends where
// this part of the slope at the start is left, or where t changes by less than this part of it.
template <class Real>
constexpr Scalar<Real> slope_noise = sizeof(Scalar<Real>) == sizeof(float) ? 0x1p-10 : 0;
template <class Real>
constexpr Scalar<Real> line_noise = sizeof(Scalar<Real>) == sizeof(float) ? 0x1p-12 : 0;

// t of the lowest cost, to a slope below `enough`, from a first guess; zero where not wanted.
// counts evaluations
template <class Real>
LOCKSTEP_FN Real line_search(const ModelView<Real>& m, const ArenaView<Real>& rows,
                             const Slope<Real>& fixed, Real guess, Real enough, Mask<Real> wanted,
                             int& evaluations, Real& slope) {
  const Real zero(0), half(0.5), inf(__builtin_inf());
  Real low(0), high = inf, t = guess;
  Mask<Real> active = wanted;
  if constexpr (slope_noise<Real> > 0) {
    enough = max(enough, Real(slope_noise<Real>) * abs(fixed.first));
  }
  for (int round = 0; round < m.opt.ls_iterations; round++) {
    const Slope<Real> at = line_slope(rows, fixed, t);
    evaluations++;
    slope = select(active, at.first, slope);
    active = active && !(abs(at.first) < enough);
    if (!any(active)) break;
    low = select(active && at.first < zero, t, low);
    high = select(active && at.first > zero, t, high);
    const Mask<Real> bracketed = high < inf;
    Real next = t - at.first / max(at.second, Real(min_val));
    const Real middle = half * (low + select(bracketed, high, low));
    // every third time the bracket is halved, whatever Newton's method says
    const Mask<Real> astray = !(next > low && next < high) || round % 3 == 2;
    next = select(bracketed && astray, middle, next);
    active = active && abs(next - t) > Real(line_noise<Real>) * abs(t);
    t = select(active, next, t);
    if (!any(active)) break;
  }
  return select(wanted, t, zero);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
