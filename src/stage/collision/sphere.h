// sphere.h: a sphere against sphere, capsule, cylinder and box.
//   the nearest point q of the other geom gives the normal (q - c) / |q - c|
#pragma once

#include "stage/collision/contact_point.h"
#include "stage/collision/plane.h"
#include "stage/collision/shape.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Ball {
  Vec3<Real> center;
  Real radius;
};

// two balls that stand for parts of two shapes; where the centers coincide, the normal is across
// both z axes, or x if those are parallel
template <class Real>
LOCKSTEP_FN void add_balls(ContactSet<Real>& out, Mask<Real> where, const Shape<Real>& shape1,
                           const Ball<Real>& ball1, const Shape<Real>& shape2,
                           const Ball<Real>& ball2, Real margin) {
  const Vec3<Real> between = ball2.center - ball1.center;
  const Real reach = margin + ball1.radius + ball2.radius;
  const Mask<Real> near = where && dot(between, between) <= reach * reach;
  if (!any(near)) return;

  const Normalized3<Real> apart = normalize_with_norm(between);
  const Mask<Real> same = apart.norm < Real(min_val);
  Vec3<Real> normal = apart.vec;
  if (any(same)) normal = select(same, normalize(cross(z_axis(shape1), z_axis(shape2))), normal);
  const Real dist = apart.norm - ball1.radius - ball2.radius;
  const Vec3<Real> pos = ball1.center + normal * (ball1.radius + dist * Real(0.5));
  out.add(near, {dist, pos, contact_frame(normal)});
}

template <class Real>
LOCKSTEP_FN void sphere_sphere(const Shape<Real>& a, const Shape<Real>& b, Real margin,
                               ContactSet<Real>& out) {
  add_balls(out, true, a, {a.pos, a.size.x}, b, {b.pos, b.size.x}, margin);
}

// the nearest point of the segment carries a ball
template <class Real>
LOCKSTEP_FN void sphere_capsule(const Shape<Real>& sphere, const Shape<Real>& capsule, Real margin,
                                ContactSet<Real>& out) {
  const Vec3<Real> axis = z_axis(capsule);
  const Real half = capsule.size.y;
  const Real along = clamp(dot(axis, sphere.pos - capsule.pos), -half, half);
  add_balls(out, true, sphere, {sphere.pos, sphere.size.x}, capsule,
            {capsule.pos + axis * along, capsule.size.x}, margin);
}

// the side stands for a ball on the axis, a cap for a plane, the rim for a point; a center inside
// leaves by the nearer of side and cap
template <class Real>
LOCKSTEP_FN void sphere_cylinder(const Shape<Real>& sphere, const Shape<Real>& cylinder,
                                 Real margin, ContactSet<Real>& out) {
  const Vec3<Real> axis = z_axis(cylinder), offset = sphere.pos - cylinder.pos;
  const Real radius = cylinder.size.x, half = cylinder.size.y;
  const Real along = dot(axis, offset);
  const Vec3<Real> across = offset - axis * along;
  const Real across2 = dot(across, across), away = sqrt(across2);
  const Mask<Real> beside = abs(along) < half, over = across2 < radius * radius;
  const Mask<Real> to_cap = half - abs(along) < radius - away;
  const Mask<Real> side = beside && !(over && to_cap), cap = over && !side;
  const Vec3<Real> outward = select(along > Real(0), axis, -axis);

  const Mask<Real> rim = !side && !cap;
  const Vec3<Real> edge = outward * half + across * (radius / select(rim, away, Real(1)));
  const Ball<Real> part{cylinder.pos + select(rim, edge, axis * along),
                        select(rim, Real(0), radius)};
  add_balls(out, !cap, sphere, {sphere.pos, sphere.size.x}, cylinder, part, margin);

  if (!any(cap)) return;
  const Vec3<Real> origin = cylinder.pos + outward * half;
  const Mask<Real> near = cap && dot(sphere.pos - origin, outward) <= margin + sphere.size.x;
  ContactPoint<Real> point = plane_ball(origin, contact_frame(outward), sphere.pos, sphere.size.x);
  point.frame = contact_frame(-outward);
  out.add(near, point);
}

// normal in the box's axes where the center of a ball is inside: to the nearest face, the first of
// -x +x -y +y -z +z on ties
template <class Real>
struct BoxExit {
  Vec3<Real> normal;
  Real depth;
};
template <class Real>
LOCKSTEP_FN BoxExit<Real> leave_box(const Vec3<Real>& center, const Vec3<Real>& size) {
  BoxExit<Real> exit{{Real(0), Real(0), Real(0)}, (size.x + size.y + size.z) * Real(2)};
  for (int face = 0; face < 6; face++) {
    const Real side = face % 2 ? size[face / 2] : -size[face / 2];
    const Real depth = abs(side - center[face / 2]);
    const Mask<Real> nearer = depth < exit.depth;
    Vec3<Real> normal{Real(0), Real(0), Real(0)};
    normal[face / 2] = Real(face % 2 ? -1 : 1);
    exit.normal = select(nearer, normal, exit.normal);
    exit.depth = select(nearer, depth, exit.depth);
  }
  return exit;
}

// a ball against a box
template <class Real>
LOCKSTEP_FN void add_ball_box(ContactSet<Real>& out, Mask<Real> where, const Ball<Real>& ball,
                              const Shape<Real>& box, Real margin) {
  const Vec3<Real> center = mul_transposed(box.mat, ball.center - box.pos);
  Vec3<Real> nearest = center;
  for (int k = 0; k < 3; k++) nearest[k] = clamp(center[k], -box.size[k], box.size[k]);
  const Normalized3<Real> apart = normalize_with_norm(nearest - center);
  const Mask<Real> near = where && apart.norm - ball.radius <= margin;
  if (!any(near)) return;

  Vec3<Real> normal = apart.vec;
  Vec3<Real> local = (nearest + center + normal * ball.radius) * Real(0.5);
  Real dist = apart.norm;
  const Mask<Real> inside = apart.norm <= Real(min_val);
  if (any(inside)) {
    const BoxExit<Real> exit = leave_box(center, box.size);
    normal = select(inside, exit.normal, normal);
    local = select(inside, center + normal * ((ball.radius - exit.depth) * Real(0.5)), local);
    dist = select(inside, -exit.depth, dist);
  }
  out.add(near, {dist - ball.radius, box.pos + box.mat * local, contact_frame(box.mat * normal)});
}

template <class Real>
LOCKSTEP_FN void sphere_box(const Shape<Real>& sphere, const Shape<Real>& box, Real margin,
                            ContactSet<Real>& out) {
  add_ball_box(out, true, {sphere.pos, sphere.size.x}, box, margin);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
