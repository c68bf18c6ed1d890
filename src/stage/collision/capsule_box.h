// capsule_box.h: a capsule against a box.
//   a ball at the point of the segment that is nearest to the box, and a second one where the
//   segment goes on along the box. in the box's axes the segment is p + x h, |x| <= 1
#pragma once

#include "stage/collision/segment.h"
#include "stage/collision/sphere.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// the segment and the box, in the box's axes
template <class Real>
struct SegmentBox {
  Vec3<Real> center, axis, half, size;
  Real length;  // of half
};

// which part of the box is nearest, and where
template <class Real>
struct NearestPart {
  Mask<Real> any = false, face = false, corner = false, edge = false;
  Real dist2;                                   // squared distance
  Real x{0};                                    // on the segment
  Real on_edge{0};                              // on the edge, -1 to 1
  Mask<Real> axis[3] = {false, false, false};   // of the face or the edge
  Mask<Real> upper[3] = {false, false, false};  // side of the corner or the edge
};

// an end of the segment that faces one side of the box, or is inside
template <class Real>
LOCKSTEP_FN void try_end(NearestPart<Real>& best, const SegmentBox<Real>& s, int end) {
  const Vec3<Real> point = s.center + s.half * Real(end);
  Vec3<Real> away = point;
  Real outside(0);
  Mask<Real> beyond[3];
  for (int k = 0; k < 3; k++) {
    away[k] = clamp(point[k], -s.size[k], s.size[k]) - point[k];
    beyond[k] = abs(point[k]) > s.size[k];
    outside = outside + select(beyond[k], Real(1), Real(0));
  }
  const Real dist2 = dot(away, away);
  const Mask<Real> nearer = outside <= Real(1) && dist2 < best.dist2;
  best.any = best.any || nearer;
  best.face = best.face || nearer;
  best.dist2 = select(nearer, dist2, best.dist2);
  best.x = select(nearer, Real(end), best.x);
  for (int k = 0; k < 3; k++) best.axis[k] = select(nearer, beyond[k], best.axis[k]);
}

// an edge along one axis; bits of low say on which side of the others it is
template <class Real>
LOCKSTEP_FN void try_edge(NearestPart<Real>& best, const SegmentBox<Real>& s, int axis, int low) {
  Vec3<Real> middle = s.size;
  for (int k = 0; k < 3; k++) {
    if (k == axis)
      middle[k] = Real(0);
    else if (!(low >> k & 1))
      middle[k] = -middle[k];
  }
  const Vec3<Real> offset = middle - s.center;
  const Real length = s.size[axis];
  const SegmentPair<Real> pair{length * length, length * s.half[axis], s.length * s.length,
                               -length * offset[axis], dot(s.half, offset)};
  const Real det = pair.aa * pair.bb - pair.ab * pair.ab;
  const Mask<Real> parallel = abs(det) < Real(min_val);
  const SegmentPoints<Real> at = nearest_points(pair, Real(1) / select(parallel, Real(1), det));
  Vec3<Real> away = offset - s.half * at.x2;
  away[axis] = away[axis] + length * at.x1;
  const Real dist2 = dot(away, away);

  const Mask<Real> nearer = !parallel && dist2 < best.dist2 - Real(min_val);
  const Mask<Real> within = at.stop == Real(0);
  best.any = best.any || nearer;
  best.face = best.face && !nearer;
  best.corner = select(nearer, !within, best.corner);
  best.edge = select(nearer, within, best.edge);
  best.dist2 = select(nearer, dist2, best.dist2);
  best.x = select(nearer, at.x2, best.x);
  best.on_edge = select(nearer, at.x1, best.on_edge);
  for (int k = 0; k < 3; k++) {
    const Mask<Real> up = k == axis ? at.stop > Real(0) : Mask<Real>((low >> k & 1) != 0);
    best.axis[k] = select(nearer, Mask<Real>(k == axis), best.axis[k]);
    best.upper[k] = select(nearer, up, best.upper[k]);
  }
}

template <class Real>
LOCKSTEP_FN Real smaller(Real a, Real b) {  // b where a is NaN
  return select(a < b, a, b);
}

// a step along the segment to a second point; zero means that there is none
template <class Real>
struct SecondPoint {
  Mask<Real> exists;
  Real step;
};

// from a face: to the other end, or to where the segment passes the sides of the face
template <class Real>
LOCKSTEP_FN SecondPoint<Real> along_face(const SegmentBox<Real>& s, const NearestPart<Real>& at) {
  const Vec3<Real> end = s.center + s.half * at.x;
  Real step(2);
  for (int k = 0; k < 3; k++) {
    for (int side = 1; side >= -1; side -= 2) {
      const Real pass = (s.size[k] * Real(side) - end[k]) / s.half[k] * -at.x;
      const Mask<Real> shorter = !at.axis[k] && pass > Real(0) && pass < step;
      step = select(shorter, pass, step);
    }
  }
  const Mask<Real> outside = at.axis[0] || at.axis[1] || at.axis[2];
  return {at.face && outside, step * -at.x};
}

// towards[k]: along axis k the segment leads to the other side of the box
template <class Real>
struct Heading {
  Mask<Real> towards[3];
};
template <class Real>
LOCKSTEP_FN Heading<Real> heading(const SegmentBox<Real>& s, const NearestPart<Real>& at) {
  Heading<Real> h;
  for (int k = 0; k < 3; k++) {
    const Mask<Real> up = s.half[k] > Real(0);
    h.towards[k] = (up && !at.upper[k]) || (!up && at.upper[k]);
  }
  return h;
}

// from a corner: along the one axis whose heading differs from the other two, if the segment is
// nearer to it than 45 degrees, else along the face across it
template <class Real>
LOCKSTEP_FN SecondPoint<Real> along_corner(const SegmentBox<Real>& s, const NearestPart<Real>& at) {
  const Heading<Real> h = heading(s, at);
  SecondPoint<Real> second{false, Real(0)};
  for (int k = 0; k < 3; k++) {
    const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    const Mask<Real> only = h.towards[k] && !h.towards[k1] && !h.towards[k2];
    const Mask<Real> others = !h.towards[k] && h.towards[k1] && h.towards[k2];
    const Mask<Real> odd = only || others;
    const Real sense = select(only, Real(1), Real(-1));
    const auto cross_box = [&](int axis) { return Real(2) * s.size[axis] / abs(s.half[axis]); };
    const Real on_edge = smaller(cross_box(k), Real(1) - sense * at.x);
    const Real on_face = smaller(cross_box(k2), smaller(cross_box(k1), Real(1) + sense * at.x));
    const Mask<Real> steep = s.axis[k] * s.axis[k] > Real(0.5);
    second.step = select(odd, sense * select(steep, on_edge, -on_face), second.step);
    second.exists = second.exists || (at.corner && odd);
  }
  return second;
}

// from within an edge: over the face that is nearer to the segment, if the segment leads over one
// of the two
template <class Real>
LOCKSTEP_FN SecondPoint<Real> along_edge(const SegmentBox<Real>& s, const NearestPart<Real>& at) {
  const Heading<Real> h = heading(s, at);
  SecondPoint<Real> second{false, Real(0)};
  for (int k = 0; k < 3; k++) {
    const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    const Mask<Real> over = (h.towards[k1] && !h.towards[k2]) || (!h.towards[k1] && h.towards[k2]);
    const Mask<Real> first = abs(s.axis[k1]) > abs(s.axis[k2]);  // the axis to follow is k1
    const Mask<Real> towards = select(first, h.towards[k1], h.towards[k2]);
    const Real sense = select(towards, Real(1), Real(-1));
    const Real width = select(first, s.size[k1], s.size[k2]);
    const Real slope = abs(select(first, s.half[k1], s.half[k2]));
    Real step = smaller(Real(2) * width / slope, Real(1) - sense * at.x);

    const Mask<Real> up = s.half[k] > Real(0);
    const Mask<Real> agree = (up && towards) || (!up && !towards);
    const Real left = select(agree, Real(1) - at.on_edge, Real(1) + at.on_edge);
    step = smaller(s.size[k] * left / abs(s.half[k]), step);
    second.step = select(at.axis[k], sense * step, second.step);
    second.exists = second.exists || (at.edge && at.axis[k] && over);
  }
  return second;
}

// whether a side of the box parts the segment from it by more than a distance, with room for
// rounding: nothing touches then, and most pairs whose bounding spheres meet are apart so
template <class Real>
LOCKSTEP_FN Mask<Real> parted(const SegmentBox<Real>& s, Real distance) {
  const Real rounding(sizeof(Scalar<Real>) == sizeof(float) ? 1e-5 : 1e-12);
  Mask<Real> apart = false;
  for (int k = 0; k < 3; k++) {
    const Real gap = abs(s.center[k]) - (abs(s.half[k]) + s.size[k]);
    apart = apart || gap - rounding * abs(s.center[k]) > distance;
  }
  return apart;
}

template <class Real>
LOCKSTEP_FN void capsule_box(const Shape<Real>& capsule, const Shape<Real>& box, Real margin,
                             ContactSet<Real>& out) {
  SegmentBox<Real> s;
  s.center = mul_transposed(box.mat, capsule.pos - box.pos);
  s.axis = mul_transposed(box.mat, z_axis(capsule));
  s.half = s.axis * capsule.size.y;
  s.size = box.size;
  s.length = capsule.size.y;
  if (all(parted(s, abs(margin) + capsule.size.x))) return;

  NearestPart<Real> at;
  at.dist2 = margin + Real(2) * (capsule.size.x + capsule.size.y + s.size.x + s.size.y + s.size.z);
  try_end(at, s, -1);
  try_end(at, s, 1);
  for (int axis = 0; axis < 3; axis++) {
    for (int low = 0; low < 8; low++) {
      if (!(low >> axis & 1)) try_edge(at, s, axis, low);
    }
  }

  const SecondPoint<Real> face = along_face(s, at), corner = along_corner(s, at),
                          edge = along_edge(s, at);
  const Real step = select(face.exists, face.step, select(corner.exists, corner.step, edge.step));
  const auto ball = [&](Mask<Real> where, Real x) {
    add_ball_box(out, where, {box.pos + box.mat * (s.center + s.half * x), capsule.size.x}, box,
                 margin);
  };
  ball(at.any, at.x);
  ball(at.any && (face.exists || corner.exists || edge.exists), at.x + step);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
