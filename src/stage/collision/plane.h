// plane.h: a plane against sphere, capsule, ellipsoid, cylinder and box.
//   a surface point p of the other geom is at n . (p - o); its contact lies halfway to the plane
#pragma once

#include "stage/collision/contact_point.h"
#include "stage/collision/shape.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a point of the other geom's surface that is so far from the plane
template <class Real>
LOCKSTEP_FN void add_above_plane(ContactSet<Real>& out, Mask<Real> where, const Mat3<Real>& frame,
                                 const Vec3<Real>& point, Real dist) {
  out.add(where, {dist, point - row(frame, 0) * (dist * Real(0.5)), frame});
}

// a ball; normal and origin of the plane may be those of a cylinder's cap
template <class Real>
LOCKSTEP_FN ContactPoint<Real> plane_ball(const Vec3<Real>& origin, const Mat3<Real>& frame,
                                          const Vec3<Real>& center, Real radius) {
  const Vec3<Real> normal = row(frame, 0);
  const Real dist = dot(center - origin, normal) - radius;
  return {dist, center - normal * (radius + dist * Real(0.5)), frame};
}
template <class Real>
LOCKSTEP_FN void add_plane_ball(ContactSet<Real>& out, const Shape<Real>& plane,
                                const Mat3<Real>& frame, const Vec3<Real>& center, Real radius,
                                Real margin) {
  const Mask<Real> near = dot(center - plane.pos, row(frame, 0)) <= margin + radius;
  out.add(near, plane_ball(plane.pos, frame, center, radius));
}

template <class Real>
LOCKSTEP_FN void plane_sphere(const Shape<Real>& plane, const Shape<Real>& sphere, Real margin,
                              ContactSet<Real>& out) {
  add_plane_ball(out, plane, contact_frame(z_axis(plane)), sphere.pos, sphere.size.x, margin);
}

// both ends, upper first; the tangent follows the capsule
template <class Real>
LOCKSTEP_FN void plane_capsule(const Shape<Real>& plane, const Shape<Real>& capsule, Real margin,
                               ContactSet<Real>& out) {
  const Vec3<Real> axis = z_axis(capsule), half = axis * capsule.size.y;
  const Mat3<Real> frame = contact_frame(z_axis(plane), axis);
  add_plane_ball(out, plane, frame, capsule.pos + half, capsule.size.x, margin);
  add_plane_ball(out, plane, frame, capsule.pos - half, capsule.size.x, margin);
}

// the lowest point: x_i = s_i^2 d_i / |s d|, d the direction into the plane in the geom's axes
template <class Real>
LOCKSTEP_FN void plane_ellipsoid(const Shape<Real>& plane, const Shape<Real>& ellipsoid,
                                 Real margin, ContactSet<Real>& out) {
  const Vec3<Real> normal = z_axis(plane);
  const Vec3<Real> down = mul_transposed(ellipsoid.mat, -normal);
  const Vec3<Real> onto = normalize(mul_elements(ellipsoid.size, down));
  const Vec3<Real> lowest = ellipsoid.pos + ellipsoid.mat * mul_elements(ellipsoid.size, onto);
  const Real dist = dot(normal, lowest - plane.pos);
  add_above_plane(out, dist <= margin, contact_frame(normal), lowest, dist);
}

// lowest point of the lower rim, the same of the upper rim, and two more of the lower rim that make
// an equilateral triangle with the first
template <class Real>
LOCKSTEP_FN void plane_cylinder(const Shape<Real>& plane, const Shape<Real>& cylinder, Real margin,
                                ContactSet<Real>& out) {
  const Vec3<Real> normal = z_axis(plane), axis = z_axis(cylinder);
  const Real radius = cylinder.size.x, tilt = dot(normal, axis);
  const Vec3<Real> down = select(tilt > Real(0), -axis, axis);
  const Real along = -abs(tilt);

  // from the axis to the lowest point of a rim; where the disk lies flat, the x axis will do
  const Vec3<Real> steepest = down * along - normal;
  const Real steep2 = dot(steepest, steepest);
  const Mask<Real> flat = steep2 < Real(min_val * min_val);
  const Real scale = radius / sqrt(select(flat, Real(1), steep2));
  const Vec3<Real> rim = select(flat, col(cylinder.mat, 0) * radius, steepest * scale);
  const Vec3<Real> half = down * cylinder.size.y;

  const Real center = dot(cylinder.pos - plane.pos, normal);
  const Real drop = along * cylinder.size.y, swing = dot(rim, normal);
  const Mat3<Real> frame = contact_frame(normal);
  const Real lowest = center + drop + swing, upper = center - drop + swing;
  const Mask<Real> touches = lowest <= margin;
  add_above_plane(out, touches, frame, cylinder.pos + rim + half, lowest);
  add_above_plane(out, touches && upper <= margin, frame, cylinder.pos + rim - half, upper);

  const Real beside = center + drop - swing * Real(0.5);
  const Mask<Real> triangle = touches && beside <= margin;
  if (!any(triangle)) return;
  constexpr double sin60 = 0.86602540378443864676;
  const Vec3<Real> side = normalize(cross(rim, half)) * (radius * Real(sin60));
  const Vec3<Real> back = cylinder.pos + half - rim * Real(0.5);
  add_above_plane(out, triangle, frame, back + side, beside);
  add_above_plane(out, triangle, frame, back - side, beside);
}

// the first four corners that are below the center and near the plane
template <class Real>
LOCKSTEP_FN void plane_box(const Shape<Real>& plane, const Shape<Real>& box, Real margin,
                           ContactSet<Real>& out) {
  const Vec3<Real> normal = z_axis(plane);
  const Mat3<Real> frame = contact_frame(normal);
  const Real center = dot(box.pos - plane.pos, normal);
  for (int corner = 0; corner < 8; corner++) {
    Vec3<Real> local = box.size;
    for (int k = 0; k < 3; k++) {
      if (!(corner >> k & 1)) local[k] = -local[k];
    }
    const Vec3<Real> offset = box.mat * local;
    const Real height = dot(normal, offset), dist = center + height;
    const Mask<Real> taken = dist <= margin && height <= Real(0) && out.count < Real(4);
    add_above_plane(out, taken, frame, box.pos + offset, dist);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
