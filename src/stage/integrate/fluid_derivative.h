// fluid_derivative.h: how forces of the medium change with velocity. Not a stage; the implicit
// integrators call it.
//   qDeriv_ij += cdof_i . d f / d v (cdof_j), for dofs i and j that move the body; d f / d v along
//   a direction follows each formula of fluid.h
// reads cvel cdof xipos ximat geom_xpos geom_xmat subtree_com    writes qDeriv
#pragma once

#include "stage/velocity/fluid.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// change of box_force along dv
template <class Real>
LOCKSTEP_FN Vec6<Real> box_force_change(const ModelView<Real>& m, const Vec3<Real>& box,
                                        const Vec6<Real>& v, const Vec6<Real>& dv) {
  const Real density = m.opt.density, viscosity = m.opt.viscosity;
  const Real diameter = (box.x + box.y + box.z) / Real(3);
  const Real turning = Real(-pi) * diameter * diameter * diameter * viscosity;
  const Real sliding = Real(-3 * pi) * diameter * viscosity;
  const Mask<Real> viscous = viscosity > Real(0), dense = density > Real(0);
  Vec6<Real> df = select(viscous, Vec6<Real>{dv.rot * turning, dv.lin * sliding}, zero6<Real>());
  for (int i = 0; i < 3; i++) {
    const Real own = box[i], a = box[(i + 1) % 3], b = box[(i + 2) % 3];
    const Real drag = density * a * b * abs(v.lin[i]) * dv.lin[i];
    const Real moment = own * (a * a * a * a + b * b * b * b);
    const Real torque = density * moment * abs(v.rot[i]) * dv.rot[i] / Real(32);
    df.lin[i] = select(dense, df.lin[i] - drag, df.lin[i]);
    df.rot[i] = select(dense, df.rot[i] - torque, df.rot[i]);
  }
  return df;
}

template <class Real>
LOCKSTEP_FN Vec6<Real> added_mass_change(const FluidGeom<Real>& g, Real density,
                                         const Vec6<Real>& v, const Vec6<Real>& dv) {
  const Vec3<Real> momentum = mul_elements(g.added_mass, v.lin) * density;
  const Vec3<Real> angular = mul_elements(g.added_inertia, v.rot) * density;
  const Vec3<Real> dmomentum = mul_elements(g.added_mass, dv.lin) * density;
  const Vec3<Real> dangular = mul_elements(g.added_inertia, dv.rot) * density;
  return {cross(dmomentum, v.lin) + cross(momentum, dv.lin) + cross(dangular, v.rot) +
              cross(angular, dv.rot),
          cross(dmomentum, v.rot) + cross(momentum, dv.rot)};
}

// change of a Shadow, whose area is known, along dlin
template <class Real>
LOCKSTEP_FN Shadow<Real> shadow_change(const Vec3<Real>& axes, Real longest, const Vec3<Real>& lin,
                                       Real speed, Real area, const Vec3<Real>& dlin) {
  const Mask<Real> moves = speed >= Real(min_val);
  const Real per_speed = Real(1) / select(moves, speed, Real(1));
  const Vec3<Real> along = lin * per_speed;
  const Vec3<Real> dalong = (dlin - along * dot(along, dlin)) * per_speed;
  const Vec3<Real> s = axes * (Real(1) / longest);
  const Vec3<Real> face{s.y * s.z, s.z * s.x, s.x * s.y}, face2 = mul_elements(face, face);
  const Vec3<Real> normal = mul_elements(face2, along), dnormal = mul_elements(face2, dalong);
  const Real projected = select(moves, dot(normal, along), Real(1));
  const Real square = select(moves, dot(normal, normal), Real(1));
  const Real ratio = projected / square;
  // relative change of projected / square
  const Real relative = Real(2) * (dot(normal, dalong) / projected - dot(normal, dnormal) / square);
  const Vec3<Real> turn = cross(normal, along);
  const Vec3<Real> dturn = cross(dnormal, along) + cross(normal, dalong);
  const Vec3<Real> dlift =
      (cross(dturn, along) + cross(turn, dalong) + cross(turn, along) * relative) * ratio;
  const Vec3<Real> zero{Real(0), Real(0), Real(0)};
  return {select(moves, Real(-0.5) * area * relative, Real(0)), select(moves, dlift, zero)};
}

template <class Real>
LOCKSTEP_FN Vec6<Real> lift_and_drag_change(const FluidGeom<Real>& g, Real density, Real viscosity,
                                            const Vec6<Real>& v, const Vec6<Real>& dv) {
  const EllipsoidSizes<Real> sizes = ellipsoid_sizes(g);
  const Real speed = norm(v.lin);
  const Real dspeed = dot(v.lin, dv.lin) / max(speed, Real(min_val));
  const Shadow<Real> shadow = shadow_of(g.axes, sizes.longest, v.lin, speed);
  const Shadow<Real> dshadow =
      shadow_change(g.axes, sizes.longest, v.lin, speed, shadow.area, dv.lin);
  const Vec3<Real> dmagnus =
      (cross(dv.rot, v.lin) + cross(v.rot, dv.lin)) * (g.magnus * density * sizes.volume);
  const Vec3<Real> dkutta =
      (dshadow.lift * (shadow.area * speed) +
       shadow.lift * (dshadow.area * speed + Real(2) * shadow.area * dspeed)) *
      (g.kutta * density * speed);
  const Real area = drag_area(g, sizes, shadow.area);
  const Real slide = viscosity * sizes.slide + density * speed * area;
  const Real dslide =
      density * (dspeed * area + speed * dshadow.area * (g.blunt_drag - g.slender_drag));
  const Vec3<Real> resistance = mul_elements(sizes.moments, v.rot);
  const Real strength = norm(resistance);
  const Real spin = viscosity * sizes.spin + density * strength;
  const Real dspin =
      density * dot(resistance, mul_elements(sizes.moments, dv.rot)) / max(strength, Real(min_val));
  return {-(dv.rot * spin + v.rot * dspin), dmagnus + dkutta - dv.lin * slide - v.lin * dslide};
}

// qDeriv += derivative of one force at a point of a body; change(dv) gives it in the axes of a
// frame
template <class Real, class Change, class Entry>
LOCKSTEP_FN void add_force_derivative(const ModelView<Real>& m, const DataView<Real>& d, int body,
                                      const Vec3<Real>& point, const Mat3<Real>& frame,
                                      Mask<Real> where, Change&& change, Entry&& entry) {
  const Vec3<Real> offset = from_center(m, d, body, point);
  const int last = last_dof(m, body);
  for (int j = last; j >= 0; j = m.dof_parentid[j]) {
    const Vec6<Real> local = change(into_axes(frame, shift_motion(d.cdof[j], offset)));
    const Vec6<Real> df = about_center(m, d, body, point, frame * local.lin, frame * local.rot);
    for (int i = last; i >= 0; i = m.dof_parentid[i]) {
      Real& at = d.qDeriv[entry(i, j)];
      at = select(where, at + dot(d.cdof[i], df), at);
    }
  }
}

// `entry(row, column)` is a place in qDeriv
template <class Real, class Entry>
LOCKSTEP_FN void ellipsoid_derivative(const ModelView<Real>& m, const DataView<Real>& d, int body,
                                      Mask<Real> where, Entry&& entry) {
  const Real density = m.opt.density, viscosity = m.opt.viscosity;
  const int first = m.body_geomadr[body];
  for (int geom = first; geom < first + m.body_geomnum[body]; geom++) {
    const FluidGeom<Real> g = fluid_geom(m, geom);
    const Mask<Real> acts = where && g.on != Real(0);
    if (!any(acts)) continue;
    const Mat3<Real> frame = d.geom_xmat[geom];
    const Vec3<Real> point = d.geom_xpos[geom];
    const Vec6<Real> v = velocity_in_fluid(m, d, body, point, frame);
    const auto change = [&](const Vec6<Real>& dv) {
      return (added_mass_change(g, density, v, dv) +
              lift_and_drag_change(g, density, viscosity, v, dv)) *
             g.on;
    };
    add_force_derivative(m, d, body, point, frame, acts, change, entry);
  }
}

// false if there is no medium
template <class Real, class Entry>
LOCKSTEP_FN bool fluid_derivative(const ModelView<Real>& m, const DataView<Real>& d,
                                  Entry&& entry) {
  const int off = code(DisableBit::spring) | code(DisableBit::damper);
  const Mask<Real> wet = Real(m.opt.viscosity) > Real(0) || Real(m.opt.density) > Real(0);
  if (!any(wet) || (m.opt.disableflags & off) == off) return false;
  for (int body = 1; body < m.nbody; body++) {
    const Mask<Real> acts = wet && !(m.body_mass[body] < Real(min_val));
    const Mask<Real> ellipsoids = uses_ellipsoids(m, body);
    if (any(acts && ellipsoids)) ellipsoid_derivative(m, d, body, acts && ellipsoids, entry);
    if (!any(acts && !ellipsoids)) continue;
    const Mat3<Real> frame = d.ximat[body];
    const Vec3<Real> point = d.xipos[body], box = inertia_box(m, body);
    const Vec6<Real> v = velocity_in_fluid(m, d, body, point, frame);
    const auto change = [&](const Vec6<Real>& dv) { return box_force_change(m, box, v, dv); };
    add_force_derivative(m, d, body, point, frame, acts && !ellipsoids, change, entry);
  }
  return true;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
