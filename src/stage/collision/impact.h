// impact.h: when two moving convex shapes come near each other within a step, by conservative
// advancement along the axis between their nearest points.
//   t += (dist - target) / bound,   target = margin + 2 % of the first gap
//   bound = n . (shift1 - shift2) + |turn1| r1 + |turn2| r2
// ends at 3 % of the first gap; after 16 moves the speed of the nearest points is trusted instead.
// scalar code in double; lanes call it one by one.
#pragma once

#include "math/quat.h"
#include "stage/collision/convex/search.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double aimed_gap = 0.02, near_gap = 0.03;  // of the gap at the beginning
inline constexpr int most_moves = 16;

// a shape on its way; a plane may be the first of two
struct MovingShape {
  SearchShape<double> now;
  Vec3<double> pos, shift, turn;  // at the beginning, and in the whole step
  Mat3<double> mat;
  double bound, far;   // radius of the bounding sphere; how far any point gets
  Vec3<double> touch;  // where it was nearest at last, in its frame; spheres and capsules: core

  LOCKSTEP_FN void move_to(double t) {
    ConvexShape<double>& s = now.shape;
    s.pos = pos + shift * t;
    const double angle = norm(turn);
    if (angle * t < min_val) {
      s.mat = mat;
    } else {
      s.mat = to_mat(from_axis_angle(turn * (1 / angle), angle * t)) * mat;
    }
  }
  LOCKSTEP_FN Vec3<double> local(const Vec3<double>& x) const {
    return mul_transposed(now.shape.mat, x - now.shape.pos);
  }
  LOCKSTEP_FN Vec3<double> world(const Vec3<double>& x) const {
    return now.shape.mat * x + now.shape.pos;
  }
  // a point of it, at the beginning of the step
  LOCKSTEP_FN Vec3<double> begin(const Vec3<double>& x) const { return mat * local(x) + pos; }
  LOCKSTEP_FN Vec3<double> speed(const Vec3<double>& x) const {
    return shift + cross(turn, x - now.shape.pos);
  }
};

struct Nearest {
  double dist;
  Vec3<double> n, a, b;  // from the first to the second; points of the surfaces
  SearchVertex<double> touching[3];
};

struct Impact {
  double t, speed;  // as a part of the step; how fast the gap closes, per step
  Nearest near;
};

// lowest point over a plane
LOCKSTEP_FN bool nearest_to_plane(const MovingShape& plane, MovingShape& other, double cutoff,
                                  Nearest& near) {
  near.n = col(plane.now.shape.mat, 2);
  near.b = outermost(other.now, -near.n);
  near.dist = dot(near.n, near.b - plane.now.shape.pos);
  near.a = near.b - near.n * near.dist;
  return near.dist < cutoff;
}

// false if they are farther than the cutoff, or overlap. `again`: starts from the points found last
LOCKSTEP_FN bool nearest_points(MovingShape& a, MovingShape& b, double cutoff,
                                const SearchLimits<double>& limits, bool again, Nearest& near) {
  if (a.now.shape.type == GeomType::plane) return nearest_to_plane(a, b, cutoff, near);
  SearchPair<double> pair{a.now, b.now};
  pair.a.core = is_round(pair.a);
  pair.b.core = is_round(pair.b);
  const double ball1 = pair.a.core ? pair.a.shape.size.x : 0;
  const double ball2 = pair.b.core ? pair.b.shape.size.x : 0;
  const DescentStart<double> start{again ? a.world(a.touch) : middle(pair.a),
                                   again ? b.world(b.touch) : middle(pair.b)};
  const Descent<double> found = descend(pair, cutoff + (ball1 + ball2), limits, start);
  if (found.far || !(found.dist > limits.tolerance)) return false;
  near.n = normalize(found.b - found.a);
  near.dist = found.dist - (ball1 + ball2);
  near.a = found.a + near.n * ball1;
  near.b = found.b - near.n * ball2;
  a.touch = a.local(found.a);
  b.touch = b.local(found.b);
  const int last = max(found.simplex.count - 1, 0);
  for (int i = 0; i < 3; i++) near.touching[i] = found.simplex.point[min(i, last)];
  return near.dist < cutoff;
}

// whether they come near within the step; both then stand where they do
LOCKSTEP_FN bool find_impact(MovingShape& a, MovingShape& b, double margin,
                             const SearchLimits<double>& limits, Impact& out) {
  const double turning = norm(a.turn) * a.bound + norm(b.turn) * b.bound;
  double t = 0, first = 0;
  for (int move = 0;; move++) {
    a.move_to(t);
    b.move_to(t);
    Nearest& near = out.near;
    const double cutoff = margin + (1 - t) * (a.far + b.far);
    if (!nearest_points(a, b, cutoff, limits, move > 0, near)) return false;
    if (!move) first = near.dist;
    const double gap = near.dist - margin, first_gap = first - margin;
    if (!(first_gap > 0)) return false;
    const double left = gap - aimed_gap * first_gap;
    const double speed = dot(near.n, a.speed(near.a) - b.speed(near.b));
    out.t = t;
    if (!(gap > near_gap * first_gap) || move == most_moves) {
      if (gap > near_gap * first_gap) {
        if (!(speed > 0) || gap / speed > 1 - t) return false;
        out.t = t + left / speed;
      }
      out.speed = max((first - near.dist) / t, speed);
      return true;
    }
    const double bound = dot(near.n, a.shift - b.shift) + turning;
    if (!(bound > 0)) return false;
    t += left / bound;
    if (!(t < 1)) return false;
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
