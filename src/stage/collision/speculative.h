// speculative.h: contacts that fast geoms would have before the step ends, so that they do not
// pass through each other.
// a geom is fast if it gets farther than the smallest half size of both. contacts lie where the
// points that will touch are now, weighed by how far each geom gets, and their distance is such
// that the solver takes 1 - t of the speed:
//   pos = (far1 x1 + far2 x2) / (far1 + far2),   dist = margin - (1 - t - b) / k speed
//   k = h^2 K, b = h B of a row at its hardest;   discrete steps: 1 - t - t (b + k)
// reads geom_xpos geom_xmat cdof qvel subtree_com
#pragma once

#include "stage/collision/convex_pair.h"
#include "stage/collision/impact.h"
#include "stage/collision/motion.h"
#include "stage/constraint/impedance.h"
#include "stage/ray/ray_world.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double springless_depth = 0.001;  // m, where a contact has no stiffness

template <class Real>
LOCKSTEP_INLINE bool has_impacts(const ModelView<Real>& m, const GeomPair& g) {
  const GeomType first{m.geom_type[g.geom[0]]}, second{m.geom_type[g.geom[1]]};
  return (is_convex(first) || first == GeomType::plane) && is_convex(second);
}

template <class Real>
LOCKSTEP_INLINE Real least_half_size(const ModelView<Real>& m, int geom) {
  const Real* half = m.geom_aabb + 6 * geom + 3;
  return min(min(half[0], half[1]), half[2]);
}

// how two geoms move
template <class Real>
struct PairMotion {
  Motion<Real> of[2];
  Mask<Real> fast[2];
};
template <class Real>
LOCKSTEP_FN PairMotion<Real> pair_motion(const ModelView<Real>& m, const DataView<Real>& d,
                                         const GeomPair& g) {
  PairMotion<Real> motion;
  Real least = least_half_size(m, g.geom[1]);
  if (m.geom_type[g.geom[0]] != code(GeomType::plane)) {
    least = min(least, least_half_size(m, g.geom[0]));
  }
  for (int i = 0; i < 2; i++) {
    motion.of[i] = motion_of(m, d, g.geom[i]);
    motion.fast[i] = motion.of[i].far > least;
  }
  return motion;
}

// where bounding spheres, or a sphere and a plane, come nearer than so much; slow geoms rest
template <class Real>
LOCKSTEP_FN Mask<Real> spheres_meet(const ModelView<Real>& m, const DataView<Real>& d,
                                    const GeomPair& g, const PairMotion<Real>& motion, Real reach) {
  const int a = g.geom[0], b = g.geom[1];
  const Vec3<Real> zero{Real(0), Real(0), Real(0)};
  const Vec3<Real> between = d.geom_xpos[b] - d.geom_xpos[a];
  const Vec3<Real> shift = select(motion.fast[1], motion.of[1].shift, zero) -
                           select(motion.fast[0], motion.of[0].shift, zero);
  const Real bound = m.geom_rbound[a] + m.geom_rbound[b] + reach;
  if (m.geom_type[a] == code(GeomType::plane)) {
    const Vec3<Real> normal = col(d.geom_xmat[a], 2);
    const Real above = dot(between, normal);
    return min(above, above + dot(shift, normal)) <= bound;
  }
  const Real square = dot(shift, shift);
  const Mask<Real> moves = square > Real(min_val * min_val);
  const Real time = -dot(between, shift) / select(moves, square, Real(1));
  const Real when = select(moves, clamp(time, Real(0), Real(1)), Real(0));
  const Vec3<Real> nearest = between + shift * when;
  return dot(nearest, nearest) <= bound * bound;
}

// ---- one lane ----

template <class Real>
LOCKSTEP_FN Vec3<double> double_lane(const Vec3<Real>& v, int k) {
  return {double(lane(v.x, k)), double(lane(v.y, k)), double(lane(v.z, k))};
}

template <class Real>
LOCKSTEP_FN MovingShape moving_shape(const ModelView<Real>& m, const DataView<Real>& d, int geom,
                                     const Motion<Real>& motion, int k) {
  MovingShape s{};
  s.now = search_shape(m, d, geom, k);
  s.pos = s.now.shape.pos;
  s.mat = s.now.shape.mat;
  s.shift = double_lane(motion.shift, k);
  s.turn = double_lane(motion.turn, k);
  s.bound = lane(m.geom_rbound[geom], k);
  s.far = norm(s.shift) + norm(s.turn) * s.bound;
  return s;
}

// whether geoms that meet one of two bodies could be in the way
template <class Real>
LOCKSTEP_FN bool may_hide(const ModelView<Real>& m, const GeomPair& g, int geom) {
  for (int i = 0; i < 2; i++) {
    const int other = g.geom[i];
    if (geom == other || !geoms_may_touch(m, geom, other)) return false;
    const int weld = m.body_weldid[m.geom_bodyid[other]];
    if (weld && weld == m.body_weldid[m.geom_bodyid[geom]]) return false;
  }
  return true;
}

// whether another geom stands between two points
template <class Real>
LOCKSTEP_FN bool is_hidden(const ModelView<Real>& m, const DataView<Real>& d, const GeomPair& g,
                           int k, const Vec3<double>& from, const Vec3<double>& to) {
  using T = Scalar<Real>;
  const Vec3<double> along = to - from;
  const Ray<T> ray{{T(from.x), T(from.y), T(from.z)}, {T(along.x), T(along.y), T(along.z)}};
  for (int geom = 0; geom < m.ngeom; geom++) {
    if (!may_hide(m, g, geom)) continue;
    const T dist = ray_geom(m, d, geom, k, ray).dist;
    if (dist > T(0) && dist < T(1)) return true;
  }
  return false;
}

// corners of the side of a shape that lands on a plane, up to a height over the lowest; ends of a
// capsule that lies; or one point
template <class T, class Real>
LOCKSTEP_FN void points_on_plane(ConvexShape<T>& s, const HullPolygons<Real>& polygons,
                                 const Vec3<T>& n, const Vec3<T>& lowest, T reach,
                                 Outline<T>& points) {
  points.point[0] = lowest;
  points.count = 1;
  const Vec3<T> down = mul_transposed(s.mat, -n);
  ConvexSide<T> side;
  if (s.type == GeomType::box) {
    int axis = 0;
    for (int i = 1; i < 3; i++) {
      if (abs(down[i]) > abs(down[axis])) axis = i;
    }
    get_side(s, polygons, 2 * axis + (down[axis] < T(0)), side);
  } else if (s.type == GeomType::cylinder) {
    get_side(s, polygons, down.z < T(0), side);
  } else if (s.type == GeomType::mesh) {
    hull_side_along(s, polygons, -n, side);
  } else if (s.type == GeomType::capsule && abs(down.z) < T(edge_lies)) {
    const Vec3<T> half = col(s.mat, 2) * s.size.y, under = s.pos - n * s.size.x;
    points.point[0] = under - half;
    points.point[1] = under + half;
    points.count = 2;
  }
  if (!side.count) return;
  points.count = 0;
  for (int i = 0; i < side.count; i++) {
    const Vec3<T>& p = side.corner[i];
    if (dot(n, p - lowest) <= reach) points.point[points.count++] = p;
  }
  points.count = max(points.count, 1);
  keep_four(points);
}

// where contacts of an impact lie on both surfaces; the first one alone if there are no more
struct ImpactPoints {
  Vec3<double> a[most_multi], b[most_multi];
  int count = 0;
};
template <class Real>
LOCKSTEP_FN ImpactPoints impact_points(const ModelView<Real>& m, const int* geom, int k,
                                       MovingShape& a, MovingShape& b, const Impact& impact,
                                       double tolerance) {
  const Nearest& near = impact.near;
  // corners that may still touch within the step
  const double reach = 2 * near.dist + (1 - impact.t) * impact.speed + tolerance;
  ImpactPoints out;
  if (a.now.shape.type == GeomType::plane) {
    Outline<double> points;
    points_on_plane(b.now.shape, hull_polygons(m, geom[1], k), near.n, near.b, reach - near.dist,
                    points);
    for (int i = 0; i < points.count; i++) {
      const Vec3<double> p = points.point[i];
      out.a[i] = p - near.n * dot(near.n, p - a.now.shape.pos);
      out.b[i] = p;
    }
    out.count = points.count;
    return out;
  }
  if (!(m.opt.disableflags & code(DisableBit::multiccd))) {
    Found<double> found;
    found.a = near.a + near.n * (0.5 * reach);
    found.b = near.b - near.n * (0.5 * reach);
    for (int i = 0; i < 3; i++) found.touching[i] = near.touching[i];
    const Manifold<double> several =
        manifold(a.now.shape, hull_polygons(m, geom[0], k), b.now.shape,
                 hull_polygons(m, geom[1], k), found, reach);
    for (int i = 0; i < several.count; i++) {
      const Vec3<double> half = several.normal * (0.5 * several.dist[i]);
      out.a[i] = several.pos[i] - half;
      out.b[i] = several.pos[i] + half;
    }
    out.count = several.count;
  }
  if (!out.count) {
    out.a[0] = near.a;
    out.b[0] = near.b;
    out.count = 1;
  }
  return out;
}

// spring and damper of the contact in units of the step, at its hardest
template <class Real>
struct StepSpring {
  Real k, b;
};
template <class Real>
LOCKSTEP_FN StepSpring<Real> step_spring(const ModelView<Real>& m,
                                         const ContactSettings<Real>& settings) {
  const Reference<Real> ref = load_reference(m, settings.solref);
  const Real high = load_curve(settings.solimp).high, h = m.opt.timestep;
  const Stiffness<Real> s = within_a_step(m, ref, stiffness_of(ref, high, true), high);
  return {h * h * s.K * high * high, h * s.B * high};
}

LOCKSTEP_FN double depth_ahead(double t, double speed, double k, double b, bool discrete) {
  if (!(k > min_val)) return springless_depth;
  return (discrete ? 1 - t - t * (b + k) : 1 - t - b) / k * speed;
}

template <class Real>
LOCKSTEP_FN bool collide_lane_ahead(ContactList<Real>& list, const ContactSource<Real>& source,
                                    const PairMotion<Real>& motion, const StepSpring<Real>& spring,
                                    int k) {
  const ModelView<Real>& m = list.m;
  const int* geom = source.pair.geom;
  MovingShape a = moving_shape(m, list.d, geom[0], motion.of[0], k);
  MovingShape b = moving_shape(m, list.d, geom[1], motion.of[1], k);
  if (!is_finite_shape(a.now.shape) || !is_finite_shape(b.now.shape)) return false;
  const double margin = lane(source.margin, k);
  Impact impact;
  if (!find_impact(a, b, margin, search_limits(m, k), impact)) return false;
  if (is_hidden(m, list.d, source.pair, k, a.begin(impact.near.a), b.begin(impact.near.b))) {
    return false;
  }
  const double depth = depth_ahead(impact.t, impact.speed, double(lane(spring.k, k)),
                                   double(lane(spring.b, k)), steps_discretely(m));
  const ImpactPoints points =
      impact_points(m, geom, k, a, b, impact, search_limits(m, k).tolerance);
  const double share = a.far / (a.far + b.far);
  for (int i = 0; i < points.count; i++) {
    const Vec3<double> pos = a.begin(points.a[i]) * share + b.begin(points.b[i]) * (1 - share);
    add_lane_contact(list, k, source, pos, impact.near.n, margin - depth, true);
  }
  return true;
}

// lanes in which contacts lie ahead
template <class Real>
LOCKSTEP_FN Mask<Real> collide_ahead(ContactList<Real>& list, const ContactSource<Real>& source,
                                     const PairMotion<Real>& motion, Mask<Real> where) {
  const StepSpring<Real> spring = step_spring(list.m, source.settings);
  Mask<Real> found = false;
  for_each_lane<Real>(where, [&](int k) {
    if (collide_lane_ahead(list, source, motion, spring, k)) set_lane(found, k, true);
  });
  return found;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
