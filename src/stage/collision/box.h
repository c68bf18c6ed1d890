// box.h: a box against a box.
//   of the 15 axes that may separate two boxes (faces of each, edge across edge) the one with the
//   largest separation counts; a face gives the other box's opposite face, clipped to it, a pair of
//   edges gives one point
#pragma once

#include "stage/collision/contact_point.h"
#include "stage/collision/segment.h"
#include "stage/collision/shape.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// a face of a box: unit axes with the normal first, half sizes along them, the box's center
template <class Real>
struct BoxFace {
  Vec3<Real> normal, u, v, size, center;
};
template <class Real>
LOCKSTEP_FN BoxFace<Real> select(Mask<Real> m, const BoxFace<Real>& a, const BoxFace<Real>& b) {
  return {select(m, a.normal, b.normal), select(m, a.u, b.u), select(m, a.v, b.v),
          select(m, a.size, b.size), select(m, a.center, b.center)};
}
// along one axis of the box, on the side to which a direction points (upper if to neither)
template <class Real>
LOCKSTEP_FN BoxFace<Real> box_face(const Shape<Real>& box, int axis, Real side) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const Vec3<Real> normal = col(box.mat, axis);
  return {select(side < Real(0), -normal, normal),
          col(box.mat, u),
          col(box.mat, v),
          {box.size[axis], box.size[u], box.size[v]},
          box.pos};
}

// the best axis among those of a kind
template <class Real>
struct FaceAxis {
  Real separation;
  BoxFace<Real> face;
  Mask<Real> second;  // a face of the second box
};
template <class Real>
struct EdgeAxis {
  Real separation;
  Vec3<Real> normal;            // from the first box to the second
  Vec3<Real> middle1, middle2;  // of the edges
  Vec3<Real> half1, half2;      // from there to an end
};

template <class Real>
LOCKSTEP_FN Real extent(const Shape<Real>& box, const Vec3<Real>& dir) {
  return dot(abs(mul_transposed(box.mat, dir)), box.size);
}

template <class Real>
LOCKSTEP_FN FaceAxis<Real> best_face(const Shape<Real>& a, const Shape<Real>& b) {
  FaceAxis<Real> best{Real(-1e30), {}, false};
  for (int k = 0; k < 6; k++) {
    const Shape<Real>&own = k < 3 ? a : b, &other = k < 3 ? b : a;
    const Vec3<Real> axis = col(own.mat, k % 3);
    const Real apart = dot(axis, other.pos - own.pos);
    const Real separation = abs(apart) - own.size[k % 3] - extent(other, axis);
    const Mask<Real> better = separation > best.separation;
    best.separation = select(better, separation, best.separation);
    best.face =
        k ? select(better, box_face(own, k % 3, apart), best.face) : box_face(own, k % 3, apart);
    best.second = select(better, Mask<Real>(k >= 3), best.second);
  }
  return best;
}

// middle of the edge along an axis that is outermost in a direction
template <class Real>
LOCKSTEP_FN Vec3<Real> edge_middle(const Shape<Real>& box, int axis, const Vec3<Real>& dir) {
  Vec3<Real> local = box.size;
  for (int k = 0; k < 3; k++) {
    const Mask<Real> upper = dot(col(box.mat, k), dir) > Real(0);
    local[k] = k == axis ? Real(0) : select(upper, local[k], -local[k]);
  }
  return box.pos + box.mat * local;
}

template <class Real>
LOCKSTEP_FN EdgeAxis<Real> best_edge(const Shape<Real>& a, const Shape<Real>& b) {
  constexpr double parallel = 1e-8;  // sine below which two edges give no axis
  const Vec3<Real> zero{Real(0), Real(0), Real(0)};
  EdgeAxis<Real> best{Real(-1e30), zero, zero, zero, zero, zero};
  for (int k = 0; k < 9; k++) {
    const Vec3<Real> dir1 = col(a.mat, k / 3), dir2 = col(b.mat, k % 3);
    const Normalized3<Real> across = normalize_with_norm(cross(dir1, dir2));
    const Real apart = dot(across.vec, b.pos - a.pos);
    const Real separation = abs(apart) - extent(a, across.vec) - extent(b, across.vec);
    const Mask<Real> better = across.norm >= Real(parallel) && separation > best.separation;
    if (!any(better)) continue;
    const Vec3<Real> normal = select(apart < Real(0), -across.vec, across.vec);
    best.separation = select(better, separation, best.separation);
    best.normal = select(better, normal, best.normal);
    best.middle1 = select(better, edge_middle(a, k / 3, normal), best.middle1);
    best.middle2 = select(better, edge_middle(b, k % 3, -normal), best.middle2);
    best.half1 = select(better, dir1 * a.size[k / 3], best.half1);
    best.half2 = select(better, dir2 * b.size[k % 3], best.half2);
  }
  return best;
}

// halfway between the nearest points of two edges
template <class Real>
LOCKSTEP_FN Vec3<Real> between_edges(const EdgeAxis<Real>& e) {
  const Vec3<Real> normal = cross(e.half1, e.half2);
  const Real det = dot(normal, normal);
  const Real inverse = Real(1) / select(det > Real(0), det, Real(1));
  const SegmentPoints<Real> at =
      nearest_points(segment_pair(e.half1, e.half2, e.middle2 - e.middle1), inverse);
  return (e.middle1 + e.half1 * at.x1 + e.middle2 + e.half2 * at.x2) * Real(0.5);
}

// the face of a box that looks most against a direction, in the axes of another face: x and y in
// it, z above it
template <class Real>
using Polygon = LaneList<Vec3<Real>, Real, most_contacts>;
template <class Real>
LOCKSTEP_FN Polygon<Real> opposite_face(const Shape<Real>& box, const BoxFace<Real>& onto) {
  const Vec3<Real> local = mul_transposed(box.mat, onto.normal);
  BoxFace<Real> face = box_face(box, 0, -local.x);
  Real steepest = abs(local.x);
  for (int k = 1; k < 3; k++) {
    const Mask<Real> better = abs(local[k]) > steepest;
    face = select(better, box_face(box, k, -local[k]), face);
    steepest = select(better, abs(local[k]), steepest);
  }
  const auto inside = [&](const Vec3<Real>& x) {
    return Vec3<Real>{dot(onto.u, x), dot(onto.v, x), dot(onto.normal, x)};
  };
  // in this order, as MuJoCo: boxes that just touch stay at zero
  Vec3<Real> middle = inside(face.center - onto.center) + inside(face.normal * face.size.x);
  middle.z = middle.z - onto.size.x;
  const Vec3<Real> u = inside(face.u * face.size.y), v = inside(face.v * face.size.z);
  Polygon<Real> corners;
  corners.add(true, middle + u + v);
  corners.add(true, middle - u + v);
  corners.add(true, middle - u - v);
  corners.add(true, middle + u - v);
  return corners;
}

// what is left of a polygon where side * x[axis] <= limit
template <class Real>
LOCKSTEP_FN Polygon<Real> clip(const Polygon<Real>& from, int axis, int side, Real limit) {
  Polygon<Real> left;
  for (int k = 0; k < from.used; k++) {
    const Mask<Real> last = Real(k + 1) == from.count;
    const Vec3<Real> here = from.item[k];
    const Vec3<Real> next =
        k + 1 < from.used ? select(last, from.item[0], from.item[k + 1]) : from.item[0];
    const Real out1 = here[axis] * Real(side) - limit, out2 = next[axis] * Real(side) - limit;
    const Mask<Real> in1 = out1 <= Real(0), in2 = out2 <= Real(0);
    const Mask<Real> crosses = from.has(k) && ((in1 && !in2) || (!in1 && in2));
    left.add(from.has(k) && in1, here);
    if (!any(crosses)) continue;
    const Real part = out1 / select(crosses, out1 - out2, Real(1));
    left.add(crosses, here + (next - here) * part);
  }
  return left;
}

// corners that are nearer to each other than this share of the face's diagonal are one
inline constexpr double same_corner = 1e-7;

// without corners that repeat an earlier one
template <class Real>
LOCKSTEP_FN Polygon<Real> distinct(const Polygon<Real>& from, Real nearest) {
  Polygon<Real> left;
  for (int k = 0; k < from.used; k++) {
    Mask<Real> fresh = from.has(k);
    for (int other = 0; other < left.used; other++) {
      const Vec3<Real> apart = from.item[k] - left.item[other];
      fresh = fresh && !(left.has(other) && dot(apart, apart) < nearest * nearest);
    }
    left.add(fresh, from.item[k]);
  }
  return left;
}

template <class Real>
LOCKSTEP_FN void add_face_contacts(ContactSet<Real>& out, Mask<Real> where, const Shape<Real>& a,
                                   const Shape<Real>& b, const FaceAxis<Real>& axis, Real margin) {
  const BoxFace<Real>& face = axis.face;
  Shape<Real> other{select(axis.second, a.pos, b.pos), {}, select(axis.second, a.size, b.size)};
  for (int i = 0; i < 9; i++) other.mat[i] = select(axis.second, a.mat[i], b.mat[i]);
  Polygon<Real> polygon = opposite_face(other, face);
  polygon = clip(polygon, 0, 1, face.size.y);
  polygon = clip(polygon, 0, -1, face.size.y);
  polygon = clip(polygon, 1, 1, face.size.z);
  polygon = clip(polygon, 1, -1, face.size.z);
  const Real diagonal = sqrt(face.size.y * face.size.y + face.size.z * face.size.z);
  polygon = distinct(polygon, diagonal * Real(same_corner));

  const Mat3<Real> frame = contact_frame(select(axis.second, -face.normal, face.normal));
  for (int k = 0; k < polygon.used; k++) {
    const Vec3<Real> p = polygon.item[k];
    const Vec3<Real> pos =
        face.center + face.u * p.x + face.v * p.y + face.normal * (face.size.x + p.z * Real(0.5));
    out.add(where && polygon.has(k) && p.z <= margin, {p.z, pos, frame});
  }
}

// a pair of edges counts where it separates more than any face, beyond rounding; where its axis is
// almost the face's, it must do so by a twentieth, as faces give steadier contacts
template <class Real>
LOCKSTEP_FN Mask<Real> prefer_edge(const FaceAxis<Real>& face, const EdgeAxis<Real>& edge) {
  constexpr double aligned = 0.99, clearly = 0.05, at_all = 1e-6, rounding = 1e-12;
  const Mask<Real> close = abs(dot(face.face.normal, edge.normal)) > Real(aligned);
  const Real advantage = abs(face.separation) * select(close, Real(clearly), Real(at_all));
  return edge.separation > face.separation + advantage + Real(rounding);
}

template <class Real>
LOCKSTEP_FN void box_box(const Shape<Real>& a, const Shape<Real>& b, Real margin,
                         ContactSet<Real>& out) {
  constexpr double rounding = 1e-12;  // of boxes that just touch; the points themselves decide
  const FaceAxis<Real> face = best_face(a, b);
  Mask<Real> near = face.separation <= margin + Real(rounding);
  if (!any(near)) return;
  const EdgeAxis<Real> edge = best_edge(a, b);
  near = near && edge.separation <= margin + Real(rounding);
  const Mask<Real> by_edge = near && prefer_edge(face, edge), by_face = near && !by_edge;
  if (any(by_edge)) {
    out.add(by_edge && edge.separation <= margin,
            {edge.separation, between_edges(edge), contact_frame(edge.normal)});
  }
  if (any(by_face)) add_face_contacts(out, by_face, a, b, face, margin);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
