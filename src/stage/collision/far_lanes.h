// far_lanes.h: lanes in which two convex shapes are soon seen to be too far apart for a contact.
// the first rounds of descend.h in all lanes at once, operation by operation as there: where they
// end with a plane between the shapes, the search of that lane would end so too. other lanes are
// searched one by one, from the beginning.
#pragma once

#include "stage/collision/convex/search.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_far_rounds = 3;  // the fourth has three corners

// a shape as search_shape.h has it, without margin; spheres and capsules without radius
template <class D>
struct LaneShape {
  GeomType type;
  Vec3<D> pos, size;
  Mat3<D> mat;
  ConvexHull hull;
  Vec3<D> vertex{};    // of a small hull: found last
  bool found = false;  // such a vertex
  int hint[lanes<D>];  // of a large one

  LOCKSTEP_INLINE bool is_round() const {
    return type == GeomType::sphere || type == GeomType::capsule;
  }
  LOCKSTEP_INLINE bool is_flat() const { return type == GeomType::box || type == GeomType::mesh; }
  LOCKSTEP_INLINE bool is_walked() const { return hull.graph && hull.count >= few_hull_vertices; }
};

template <class Real>
LOCKSTEP_FN void get_lane_shape(const ModelView<Real>& m, const DataView<Real>& d, int geom,
                                LaneShape<typename RealTraits<Real>::Double>& s) {
  s.type = GeomType(m.geom_type[geom]);
  for (int i = 0; i < 3; i++) s.pos[i] = to_double(d.geom_xpos.start[3 * geom + i]);
  for (int i = 0; i < 3; i++) s.size[i] = to_double(m.geom_size.start[3 * geom + i]);
  for (int i = 0; i < 9; i++) s.mat[i] = to_double(d.geom_xmat.start[9 * geom + i]);
  s.hull = s.type == GeomType::mesh ? convex_hull(m, m.geom_dataid[geom]) : ConvexHull{};
  for (int k = 0; k < lanes<Real>; k++) s.hint[k] = -1;
}

// as outermost_hull: of equal vertices the one found last wins, else the first
template <class D>
LOCKSTEP_FN Vec3<D> outermost_hull(LaneShape<D>& s, const Vec3<D>& n, unsigned where) {
  const auto corner = [&](int i) {
    const Vec3<double> v = hull_vertex<double>(s.hull, i);
    return Vec3<D>{D(v.x), D(v.y), D(v.z)};
  };
  if (s.hull.count <= 0) return {D(0), D(0), D(0)};
  if (s.is_walked()) {
    for (unsigned left = where; left; left &= left - 1) {
      const int k = __builtin_ctz(left);
      const Vec3<double> along{lane(n.x, k), lane(n.y, k), lane(n.z, k)};
      const Vec3<double> v = hull_vertex<double>(s.hull, walk_hull(s.hull, along, s.hint[k]));
      for (int i = 0; i < 3; i++) set_lane(s.vertex[i], k, v[i]);
    }
    return s.vertex;
  }
  if (!s.found) s.vertex = corner(0);
  s.found = true;
  D value = dot(n, s.vertex);
  for (int i = 0; i < s.hull.count; i++) {
    const Vec3<D> there = corner(i);
    const D v = dot(n, there);
    const Mask<D> more = v > value;
    value = select(more, v, value);
    s.vertex = select(more, there, s.vertex);
  }
  return s.vertex;
}

// as outermost_local
template <class D>
LOCKSTEP_FN Vec3<D> outermost_local(LaneShape<D>& s, const Vec3<D>& n, unsigned where) {
  const Vec3<D>& size = s.size;
  const D o(0), end = select(n.z >= o, size.y, -size.y);
  switch (s.type) {
    case GeomType::capsule: return {o, o, o + end};
    case GeomType::ellipsoid: {
      const Vec3<D> scaled = mul_elements(n, size);
      const D length = norm(scaled);
      const Vec3<D> there = mul_elements(scaled, size * (D(1) / length));
      return select(length < D(min_val), Vec3<D>{size.x, o, o}, there);
    }
    case GeomType::cylinder: {
      const D across = n.x * n.x + n.y * n.y;
      const D reach = select(across >= D(min_val * min_val), size.x / sqrt(across), o);
      return {reach * n.x, reach * n.y, end};
    }
    case GeomType::box:
      return {select(n.x >= o, size.x, -size.x), select(n.y >= o, size.y, -size.y),
              select(n.z >= o, size.z, -size.z)};
    case GeomType::mesh: return outermost_hull(s, n, where);
    default: return {o, o, o};
  }
}

template <class D>
LOCKSTEP_FN Vec3<D> outermost(LaneShape<D>& s, const Vec3<D>& n, unsigned where) {
  return s.mat * outermost_local(s, mul_transposed(s.mat, n), where) + s.pos;
}

// as nearest_on_segment, the point alone
template <class D>
LOCKSTEP_FN Vec3<D> nearest_of_two(const Vec3<D>& p, const Vec3<D>& q) {
  const Vec3<D> along = q - p, foot = q + along * -(dot(q, along) / dot(along, along));
  const Vec3<D> back = p - q;
  const auto pick = [&](const Vec3<D>& v, Mask<D> use_y, Mask<D> use_z) {
    return select(use_z, v.z, select(use_y, v.y, v.x));
  };
  const Mask<D> use_y = abs(back.y) >= abs(back.x);
  const Mask<D> use_z = abs(back.z) >= abs(select(use_y, back.y, back.x));
  const D whole = pick(back, use_y, use_z), at = pick(foot, use_y, use_z), o(0);
  const D first = at - pick(q, use_y, use_z), second = pick(p, use_y, use_z) - at;
  const Mask<D> inside =
      (whole > o && first > o && second > o) || (whole < o && first < o && second < o);
  return select(inside, foot, q);
}

// where a search stops, as search(), search_cores() and descend() have it
template <class D>
struct LaneLimits {
  D cutoff, gap, smallest;
};

template <class D>
LOCKSTEP_FN LaneLimits<D> lane_limits(const LaneShape<D>& a, const LaneShape<D>& b, const D& margin,
                                      const D& tolerance) {
  const D o(0), half = D(0.5) * margin;
  const Mask<D> grows = Mask<D>(a.is_round() || b.is_round()) || margin > o;
  const D grown1 = (a.is_round() ? a.size.x : o) + half;
  const D grown2 = (b.is_round() ? b.size.x : o) + half;
  const Mask<D> corners = Mask<D>(a.is_flat() && b.is_flat()) && (grows || margin == o);
  return {select(grows, grown1 + grown2, o), select(corners, o, D(0.5) * tolerance * tolerance),
          select(corners, D(min_val), tolerance)};
}

// bits of the lanes among some in which two geoms have no contact within a reach
template <class Real>
LOCKSTEP_FN unsigned far_lanes(const ModelView<Real>& m, const DataView<Real>& d, const int* geom,
                               const Real& reach, unsigned among) {
  using D = typename RealTraits<Real>::Double;
  LaneShape<D> a, b;
  get_lane_shape(m, d, geom[0], a);
  get_lane_shape(m, d, geom[1], b);
  const LaneLimits<D> limits =
      lane_limits(a, b, to_double(reach), to_double(m.opt.ccd_tolerance.value));
  const int rounds = max(1, min(m.opt.ccd_iterations, most_far_rounds));
  Vec3<D> x = a.pos - b.pos, last = x;
  D length = norm(x), before(0);
  unsigned active = among, far = 0;
  for (int round = 0; round < rounds; round++) {
    active &= ~lanes_in(length < limits.smallest || abs(before - length) < D(min_val));
    if (!active) break;
    const Vec3<D> n = -(x * (D(1) / length));
    const Vec3<D> w = outermost(a, n, active) - outermost(b, -n, active);
    active &= ~lanes_in(dot(x, x - w) < limits.gap);
    const D lower = dot(x, w);
    const unsigned beyond = active & lanes_in(lower > D(0) && lower >= limits.cutoff * length);
    far |= beyond;
    active &= ~beyond;
    if (!active) break;
    x = round ? nearest_of_two(last, w) : w;  // enough for three rounds
    last = w;
    before = length;
    length = norm(x);
  }
  return far;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
