// descend.h: whether two convex shapes overlap, and how far apart they are (Gilbert, Johnson,
// Keerthi), round by round as MuJoCo: where its tolerance ends the search, both end at the same
// point.
//   x = argmin |x| over the simplex,   s = s(-x),   x . (x - s) bounds how far x is from the
//   nearest
#pragma once

#include "stage/collision/convex/simplex.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T>
struct SearchLimits {
  T tolerance;
  int rounds;
};

template <class T>
struct Descent {
  Simplex<T> simplex;
  Vec3<T> a, b;  // nearest points of the shapes
  T dist = T(0);
  bool apart = false;  // a plane lies between, or they are farther than asked for
  bool far = false;    // nothing else is known
  int rounds = 0;
};

// points of both shapes from which a search begins
template <class T>
struct DescentStart {
  Vec3<T> a, b;
};

// with a cutoff: distances up to that; without (0): only whether they overlap
template <class T>
LOCKSTEP_FN Descent<T> descend(SearchPair<T>& pair, T cutoff, const SearchLimits<T>& limits,
                               const DescentStart<T>& start) {
  Descent<T> d;
  Simplex<T>& s = d.simplex;
  d.a = start.a;
  d.b = start.b;
  const T tolerance = limits.tolerance;
  const bool corners = pair.has_corners_only();
  const T gap = corners ? T(0) : T(0.5) * tolerance * tolerance;
  const T smallest = corners ? T(min_val) : tolerance;
  Vec3<T> x = d.a - d.b;
  T length = norm(x), before(0);
  const auto give_up = [&] {
    d.apart = d.far = true;
    s.count = 0;
  };
  for (; d.rounds < limits.rounds; d.rounds++) {
    if (length < smallest || abs(before - length) < T(min_val)) break;
    s.point[s.count] = pair.vertex(-(x * (T(1) / length)));
    const Vec3<T> w = s.point[s.count].w;
    if (dot(x, x - w) < gap) break;
    const T lower = dot(x, w);
    if (lower > T(0) && lower >= cutoff * length) {
      give_up();
      return d;
    }
    s.count++;
    x = reduce(s);
    if (s.count < 1) {
      give_up();
      return d;
    }
    before = length;
    length = norm(x);
    if (s.count == 4) break;
  }
  if (s.count > 0) {
    d.a = s.combine(&SearchVertex<T>::a);
    d.b = s.combine(&SearchVertex<T>::b);
  }
  if (length > T(0)) d.apart = dot(x, pair.vertex(-(x * (T(1) / length))).w) > T(0);
  d.dist = s.count == 4 && !d.apart ? T(0) : length;
  return d;
}

template <class T>
LOCKSTEP_INLINE Descent<T> descend(SearchPair<T>& pair, T cutoff, const SearchLimits<T>& limits) {
  return descend(pair, cutoff, limits, {middle(pair.a), middle(pair.b)});
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
