// fluid_derivative.h: how forces of the medium change with velocity, by dual numbers: the kernels
// of fluid.h run with Dual<Real>, one direction at a time. Not a stage.
//   d qfrc_fluid / d qvel = sum J' B J,  B = d force / d velocity of a body or geom in its frame
// reads cvel cdof xipos ximat geom_xpos geom_xmat subtree_com
#pragma once

#include "math/dual.h"
#include "stage/integrate/free_body.h"
#include "stage/velocity/fluid.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// how much of the derivative an integrator takes
enum class FluidPart {
  all,
  symmetric,  // all, with B made symmetric, but for free bodies that carry no joints
  drag,       // only what slows down, symmetric
};

template <class Real>
LOCKSTEP_INLINE Dual<Real> constant(Real x) {
  return {x, Real(0)};
}
template <class Real>
LOCKSTEP_INLINE Vec3<Dual<Real>> constant(const Vec3<Real>& v) {
  return {constant(v.x), constant(v.y), constant(v.z)};
}
template <class Real>
LOCKSTEP_INLINE FluidGeom<Dual<Real>> constant(const FluidGeom<Real>& g) {
  return {constant(g.on),           constant(g.blunt_drag),    constant(g.slender_drag),
          constant(g.angular_drag), constant(g.kutta),         constant(g.magnus),
          constant(g.added_mass),   constant(g.added_inertia), constant(g.axes)};
}

// columns of B for force(v), the force for a local velocity v
template <class Real, class F>
LOCKSTEP_FN void local_derivative(const Vec6<Real>& v, FluidPart part, Vec6<Real>* columns,
                                  F&& force) {
  for (int k = 0; k < 6; k++) {
    Vec6<Dual<Real>> x;
    for (int i = 0; i < 6; i++) x[i] = {v[i], i == k ? Real(1) : Real(0)};
    const Vec6<Dual<Real>> f = force(x);
    for (int i = 0; i < 6; i++) columns[k][i] = f[i].slope;
  }
  if (part == FluidPart::all) return;
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < i; k++) {
      const Real mean = Real(0.5) * (columns[k][i] + columns[i][k]);
      columns[k][i] = columns[i][k] = mean;
    }
  }
}

// calls put(row, column, J' B J) for all pairs of dofs that move a body
template <class Real, class F>
LOCKSTEP_FN void put_derivative(const ModelView<Real>& m, const DataView<Real>& d, int body,
                                const Vec3<Real>& point, const Mat3<Real>& frame,
                                const Vec6<Real>* columns, F&& put) {
  const Vec3<Real> offset = from_center(m, d, body, point);
  const auto local = [&](int dof) { return into_axes(frame, shift_motion(d.cdof[dof], offset)); };
  for (int j = last_dof(m, body); j >= 0; j = m.dof_parentid[j]) {
    const Vec6<Real> along = local(j);
    Vec6<Real> change = zero6<Real>();
    for (int k = 0; k < 6; k++) change += columns[k] * along[k];
    for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i]) {
      put(i, j, dot(local(i), change));
    }
  }
}

template <class Real, class F>
LOCKSTEP_FN void ellipsoid_derivative(const ModelView<Real>& m, const DataView<Real>& d, int body,
                                      FluidPart part, Mask<Real> where, F&& put) {
  const Dual<Real> density = constant<Real>(m.opt.density);
  const Dual<Real> viscosity = constant<Real>(m.opt.viscosity);
  const int first = m.body_geomadr[body];
  for (int geom = first; geom < first + m.body_geomnum[body]; geom++) {
    const FluidGeom<Dual<Real>> g = constant(fluid_geom(m, geom));
    const Mask<Real> acts = where && g.on.value != Real(0);
    if (!any(acts)) continue;
    const Vec3<Real> point = d.geom_xpos[geom];
    const Mat3<Real> frame = d.geom_xmat[geom];
    Vec6<Real> columns[6];
    local_derivative(
        velocity_in_fluid(m, d, body, point, frame), part, columns, [&](const Vec6<Dual<Real>>& v) {
          const Vec6<Dual<Real>> slowing = drag(g, density, viscosity, v);
          if (part == FluidPart::drag) return slowing * g.on;
          return (added_mass_force(g, density, v) + lift(g, density, v) + slowing) * g.on;
        });
    put_derivative(m, d, body, point, frame, columns,
                   [&](int i, int j, Real value) { put(i, j, value, acts); });
  }
}

// calls put(row, column, value, lanes) for pieces of d qfrc_fluid / d qvel, to be summed
template <class Real, class F>
LOCKSTEP_FN void fluid_derivative(const ModelView<Real>& m, const DataView<Real>& d, FluidPart part,
                                  F&& put) {
  const int off = code(DisableBit::spring) | code(DisableBit::damper);
  const Mask<Real> wet = Real(m.opt.viscosity) > Real(0) || Real(m.opt.density) > Real(0);
  if (!any(wet) || (m.opt.disableflags & off) == off) return;
  const Dual<Real> density = constant<Real>(m.opt.density);
  const Dual<Real> viscosity = constant<Real>(m.opt.viscosity);
  const FluidPart asked = part;
  for (int body = 1; body < m.nbody; body++) {
    const int root = m.body_jntadr[m.body_rootid[body]];
    const bool exact = asked == FluidPart::symmetric && root >= 0 && lone_free_body(m, root);
    part = exact ? FluidPart::all : asked;
    const Mask<Real> heavy = wet && !(m.body_mass[body] < Real(min_val));
    const Mask<Real> ellipsoids = uses_ellipsoids(m, body), boxed = heavy && !ellipsoids;
    if (any(boxed)) {
      const Vec3<Dual<Real>> box = constant(inertia_box(m, body));
      const Vec3<Real> point = d.xipos[body];
      const Mat3<Real> frame = d.ximat[body];
      Vec6<Real> columns[6];
      local_derivative(
          velocity_in_fluid(m, d, body, point, frame), part, columns,
          [&](const Vec6<Dual<Real>>& v) { return box_force(box, density, viscosity, v); });
      put_derivative(m, d, body, point, frame, columns,
                     [&](int i, int j, Real value) { put(i, j, value, boxed); });
    }
    if (any(heavy && ellipsoids)) ellipsoid_derivative(m, d, body, part, heavy && ellipsoids, put);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
