// fluid.h: forces of the medium on bodies that move through it. Not a stage of its own: passive
// forces call it.
//   inertia box: each body as the box of its inertia;   ellipsoid: each geom that asks for it, with
//   added mass, lift (Kutta, Magnus), drag and viscous resistance
// reads cvel xipos ximat geom_xpos geom_xmat subtree_com cdof    writes qfrc_fluid
#pragma once

#include "stage/position/body_force.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int fluid_numbers = 12;  // of geom_fluid, per geom (MuJoCo's mjNFLUID)

// coefficients of the ellipsoid model
template <class Real>
struct FluidGeom {
  Real on, blunt_drag, slender_drag, angular_drag, kutta, magnus;
  Vec3<Real> added_mass, added_inertia;  // per density
  Vec3<Real> axes;                       // half axes of the ellipsoid
};

template <class Real>
LOCKSTEP_FN FluidGeom<Real> fluid_geom(const ModelView<Real>& m, int geom) {
  const Real* p = m.geom_fluid + fluid_numbers * geom;
  const Vec3<Real> size = m.geom_size[geom];
  Vec3<Real> axes = size;
  const int type = m.geom_type[geom];
  if (type == code(GeomType::sphere)) axes = {size.x, size.x, size.x};
  if (type == code(GeomType::capsule)) axes = {size.x, size.x, size.x + size.y};
  if (type == code(GeomType::cylinder)) axes = {size.x, size.x, size.y};
  return {p[0], p[1], p[2], p[3], p[4], p[5], load3(p + 6), load3(p + 9), axes};
}

// edges of the box with the inertia of a body
template <class Real>
LOCKSTEP_FN Vec3<Real> inertia_box(const ModelView<Real>& m, int body) {
  const Vec3<Real> i = m.body_inertia[body];
  const Real mass = m.body_mass[body];
  const auto edge = [mass](Real twice) { return sqrt(max(Real(min_val), twice) / mass * Real(6)); };
  return {edge(i.y + i.z - i.x), edge(i.x + i.z - i.y), edge(i.x + i.y - i.z)};
}

// velocity of a body relative to the medium, at a point and in the axes of a frame
template <class Real>
LOCKSTEP_FN Vec6<Real> velocity_in_fluid(const ModelView<Real>& m, const DataView<Real>& d,
                                         int body, const Vec3<Real>& point,
                                         const Mat3<Real>& frame) {
  Vec6<Real> v = shift_motion(d.cvel[body], from_center(m, d, body, point));
  v.lin = v.lin - load3(m.opt.wind.value);
  return into_axes(frame, v);
}

// torque and force on the inertia box, for a local velocity
template <class Real>
LOCKSTEP_FN Vec6<Real> box_force(const Vec3<Real>& box, Real density, Real viscosity,
                                 const Vec6<Real>& v) {
  const Real diameter = (box.x + box.y + box.z) / Real(3);
  const Real turning = Real(-pi) * diameter * diameter * diameter * viscosity;
  const Real sliding = Real(-3 * pi) * diameter * viscosity;
  const Mask<Real> viscous = viscosity > Real(0), dense = density > Real(0);
  Vec6<Real> force = select(viscous, Vec6<Real>{v.rot * turning, v.lin * sliding}, zero6<Real>());
  for (int i = 0; i < 3; i++) {
    const Real own = box[i], a = box[(i + 1) % 3], b = box[(i + 2) % 3];
    const Real drag = Real(0.5) * density * a * b * abs(v.lin[i]) * v.lin[i];
    const Real moment = own * (a * a * a * a + b * b * b * b);
    const Real torque = density * moment * abs(v.rot[i]) * v.rot[i] / Real(64);
    force.lin[i] = select(dense, force.lin[i] - drag, force.lin[i]);
    force.rot[i] = select(dense, force.rot[i] - torque, force.rot[i]);
  }
  return force;
}

// medium that moves with an ellipsoid: the part of its inertia that does not need accelerations
template <class Real>
LOCKSTEP_FN Vec6<Real> added_mass_force(const FluidGeom<Real>& g, Real density,
                                        const Vec6<Real>& v) {
  const Vec3<Real> momentum = mul_elements(g.added_mass, v.lin) * density;
  const Vec3<Real> angular = mul_elements(g.added_inertia, v.rot) * density;
  return {cross(momentum, v.lin) + cross(angular, v.rot), cross(momentum, v.rot)};
}

// the shadow of an ellipsoid along its motion; there is none without motion
template <class Real>
struct Shadow {
  Real area;
  Vec3<Real> lift;  // direction and share of the lift: (cosine n x u) x u, with the normal n and
                    // the motion u of unit length
};
template <class Real>
LOCKSTEP_FN Shadow<Real> shadow_of(const Vec3<Real>& axes, Real longest, const Vec3<Real>& lin,
                                   Real speed) {
  const Mask<Real> moves = speed >= Real(min_val);
  const Vec3<Real> along = lin * (Real(1) / select(moves, speed, Real(1)));
  // faces relative to the longest axis, so that no product of small axes vanishes
  const Vec3<Real> s = axes * (Real(1) / longest);
  const Vec3<Real> face{s.y * s.z, s.z * s.x, s.x * s.y};
  const Vec3<Real> normal = mul_elements(mul_elements(face, face), along);
  const Real projected = select(moves, dot(normal, along), Real(1));
  const Real square = select(moves, dot(normal, normal), Real(1));
  const Real area = Real(pi) * sqrt(square / projected) * (longest * longest);
  const Vec3<Real> lift = cross(cross(normal, along) * (projected / square), along);
  const Vec3<Real> zero{Real(0), Real(0), Real(0)};
  return {select(moves, area, Real(0)), select(moves, lift, zero)};
}

template <class Real>
LOCKSTEP_INLINE Real fourth_power(Real x) {
  return (x * x) * (x * x);
}

// what only depends on the shape of an ellipsoid
template <class Real>
struct EllipsoidShape {
  Real longest, middle, diameter;  // half axes; mean diameter

  LOCKSTEP_FN explicit EllipsoidShape(const Vec3<Real>& s) {
    longest = max(max(s.x, s.y), s.z);
    middle = s.x + s.y + s.z - longest - min(min(s.x, s.y), s.z);
    diameter = Real(2.0 / 3) * (s.x + s.y + s.z);
  }
};

// lift of an ellipsoid, across its motion: by spinning (Magnus) and by slanting (Kutta)
template <class Real>
LOCKSTEP_FN Vec6<Real> lift(const FluidGeom<Real>& g, Real density, const Vec6<Real>& v) {
  const Real volume = Real(4.0 / 3 * pi) * g.axes.x * g.axes.y * g.axes.z;
  const Real speed = norm(v.lin);
  const Shadow<Real> shadow = shadow_of(g.axes, EllipsoidShape<Real>(g.axes).longest, v.lin, speed);
  const Vec3<Real> magnus = cross(v.rot, v.lin) * (g.magnus * density * volume);
  const Vec3<Real> kutta = shadow.lift * (g.kutta * density * shadow.area * speed * speed);
  return {{Real(0), Real(0), Real(0)}, magnus + kutta};
}

// drag of an ellipsoid, against its motion
template <class Real>
LOCKSTEP_FN Vec6<Real> drag(const FluidGeom<Real>& g, Real density, Real viscosity,
                            const Vec6<Real>& v) {
  const EllipsoidShape<Real> shape(g.axes);
  const Real speed = norm(v.lin);
  const Shadow<Real> shadow = shadow_of(g.axes, shape.longest, v.lin, speed);
  const Real largest_area = Real(pi) * shape.longest * shape.middle;
  const Real slide =
      viscosity * (Real(3 * pi) * shape.diameter) +
      density * speed *
          (shadow.area * g.blunt_drag + g.slender_drag * (largest_area - shadow.area));

  const Real unit = Real(8.0 / 15 * pi);
  const Real largest_moment = unit * shape.middle * fourth_power(shape.longest);
  Vec3<Real> moments;
  for (int i = 0; i < 3; i++) {
    const Real across = max(g.axes[(i + 1) % 3], g.axes[(i + 2) % 3]);
    const Real own = unit * g.axes[i] * fourth_power(across);
    moments[i] = v.rot[i] * (g.angular_drag * own + g.slender_drag * (largest_moment - own));
  }
  const Real spin = viscosity * (Real(pi) * shape.diameter * shape.diameter * shape.diameter) +
                    density * norm(moments);
  return {-(v.rot * spin), -(v.lin * slide)};
}

// force on a body about its center: of its ellipsoids
template <class Real>
LOCKSTEP_FN Vec6<Real> ellipsoid_forces(const ModelView<Real>& m, const DataView<Real>& d,
                                        int body) {
  Vec6<Real> sum = zero6<Real>();
  const int first = m.body_geomadr[body];
  for (int geom = first; geom < first + m.body_geomnum[body]; geom++) {
    const FluidGeom<Real> g = fluid_geom(m, geom);
    const Mask<Real> acts = g.on != Real(0);
    if (!any(acts)) continue;
    const Mat3<Real> frame = d.geom_xmat[geom];
    const Vec3<Real> point = d.geom_xpos[geom];
    const Vec6<Real> v = velocity_in_fluid(m, d, body, point, frame);
    const Real density = m.opt.density, viscosity = m.opt.viscosity;
    const Vec6<Real> local =
        (added_mass_force(g, density, v) + lift(g, density, v) + drag(g, density, viscosity, v)) *
        g.on;
    const Vec6<Real> world = about_center(m, d, body, point, frame * local.lin, frame * local.rot);
    sum = select(acts, sum + world, sum);
  }
  return sum;
}

// force on a body about its center: of its inertia box
template <class Real>
LOCKSTEP_FN Vec6<Real> inertia_box_force(const ModelView<Real>& m, const DataView<Real>& d,
                                         int body) {
  const Mat3<Real> frame = d.ximat[body];
  const Vec3<Real> point = d.xipos[body];
  const Vec6<Real> v = velocity_in_fluid(m, d, body, point, frame);
  const Vec6<Real> local = box_force<Real>(inertia_box(m, body), m.opt.density, m.opt.viscosity, v);
  return about_center(m, d, body, point, frame * local.lin, frame * local.rot);
}

// true where some geom of the body asks for the ellipsoid model
template <class Real>
LOCKSTEP_INLINE Mask<Real> uses_ellipsoids(const ModelView<Real>& m, int body) {
  Mask<Real> uses = false;
  const int first = m.body_geomadr[body];
  for (int geom = first; geom < first + m.body_geomnum[body]; geom++) {
    uses = uses || m.geom_fluid[fluid_numbers * geom] > Real(0);
  }
  return uses;
}

// all forces of the medium; false where there is none
template <class Real>
LOCKSTEP_FN Mask<Real> fluid(const ModelView<Real>& m, const DataView<Real>& d) {
  const Mask<Real> wet = Real(m.opt.viscosity) > Real(0) || Real(m.opt.density) > Real(0);
  if (!any(wet)) return wet;
  for (int body = 1; body < m.nbody; body++) {
    const Mask<Real> heavy = !(m.body_mass[body] < Real(min_val));
    const Mask<Real> ellipsoids = uses_ellipsoids(m, body);
    Vec6<Real> force = zero6<Real>();
    if (any(heavy && !ellipsoids)) {
      force = select(heavy && !ellipsoids, inertia_box_force(m, d, body), force);
    }
    if (any(heavy && ellipsoids)) {
      force = select(heavy && ellipsoids, ellipsoid_forces(m, d, body), force);
    }
    d.body_work6.set(body, force);
  }
  add_body_forces(m, d, wet, d.qfrc_fluid);
  return wet;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
