// candidates.h: pairs of geoms that the filters of a Model let touch. Not a stage.
// Where there are not too many, they are written down once and kept from step to step, in the order
// in which contacts are reported; they are found anew when someone changes a filter. Bodies of
// several geoms are first compared by their boxes. Larger models sweep boxes (body_pairs.h), and so
// does what needs more than geoms now: pair elements, contacts ahead, trees that sleep.
#pragma once

#include "stage/collision/body_pairs.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr int most_candidates = 16384;  // of more, sweeping finds the near ones sooner
inline constexpr int few_candidates = 1024;    // are compared without boxes of bodies
inline constexpr int few_of_bodies = 3;        // likewise of two bodies
inline constexpr int most_bodies = 256;  // more are not even counted: that takes the square of them

struct GeomCandidate {
  int geom[2];
  int number;  // of candidates of its two bodies, of which it is the first; 0: it is another
};

// calls f(geom1, geom2) for geoms of two bodies that may touch. Where MuJoCo descends trees it
// sorts afterwards: first those whose geom of the lower type belongs to the first body
template <class Real, class F>
LOCKSTEP_INLINE void each_geom_pair(const ModelView<Real>& m, int body1, int body2, F&& f) {
  const int begin1 = m.body_geomadr[body1], end1 = begin1 + m.body_geomnum[body1];
  const int begin2 = m.body_geomadr[body2], end2 = begin2 + m.body_geomnum[body2];
  const bool trees = !(m.opt.disableflags & code(DisableBit::midphase)) &&
                     (end1 - begin1 > 1 || end2 - begin2 > 1) && m.body_bvhadr[body1] >= 0 &&
                     m.body_bvhadr[body2] >= 0;
  for (int g1 = begin1; g1 < end1; g1++) {
    for (int g2 = begin2; g2 < end2; g2++) {
      if (trees && m.geom_type[g1] > m.geom_type[g2]) continue;
      if (geoms_may_touch(m, g1, g2)) f(g1, g2);
    }
  }
  if (!trees) return;
  for (int g2 = begin2; g2 < end2; g2++) {
    for (int g1 = begin1; g1 < end1; g1++) {
      if (m.geom_type[g1] > m.geom_type[g2] && geoms_may_touch(m, g1, g2)) f(g1, g2);
    }
  }
}

// calls f(integers, count) for all that decides which pairs there are
template <class Real, class F>
LOCKSTEP_INLINE void each_filter(const ModelView<Real>& m, F&& f) {
  const int flags =
      m.opt.disableflags & (code(DisableBit::filterparent) | code(DisableBit::midphase));
  f(&flags, 1);
  f(m.geom_type, m.ngeom);
  f(m.geom_contype, m.ngeom);
  f(m.geom_conaffinity, m.ngeom);
  f(m.body_weldid, m.nbody);
  f(m.body_contype, m.nbody);
  f(m.body_conaffinity, m.nbody);
  f(m.exclude_signature, m.nexclude);
}

// whether filters are as they were when the candidates were written down
template <class Real>
LOCKSTEP_FN bool filters_are_known(const ModelView<Real>& m, const ArenaView<Real>& arena) {
  const int* known = arena.known_filters;
  bool same = true;
  each_filter(m, [&](const int* now, int count) {
    same = same && __builtin_memcmp(now, known, sizeof(int) * size_t(count)) == 0;
    known += count;
  });
  return same;
}

// calls f(geom1, geom2) for all candidates and next() ahead of those of two bodies
template <class Real, class F, class Next>
LOCKSTEP_FN void each_candidate(const ModelView<Real>& m, F&& f, Next&& next) {
  for (int body1 = 0; body1 < m.nbody; body1++) {
    for (int body2 = body1 + 1; body2 < m.nbody; body2++) {
      if (!m.body_geomnum[body1] || !m.body_geomnum[body2]) continue;
      if (!bodies_may_touch(m, body1, body2)) continue;
      if (m.nexclude && is_excluded(m, pair_signature(body1, body2))) continue;
      next();
      each_geom_pair(m, body1, body2, f);
    }
  }
}

// geom_pairs <- all candidates, the lower type first
template <class Real>
LOCKSTEP_FN void write_candidates(const ModelView<Real>& m, const ArenaView<Real>& arena) {
  int* next = arena.geom_pairs;
  int* first = nullptr;  // number of candidates of the two bodies that are written down
  each_candidate(
      m,
      [&](int g1, int g2) {
        const bool swaps = m.geom_type[g1] > m.geom_type[g2];
        next[0] = swaps ? g2 : g1;
        next[1] = swaps ? g1 : g2;
        next[2] = 0;
        if (!first) first = next + 2;
        ++*first;
        next += 3;
      },
      [&] { first = nullptr; });
}

// whether candidates serve this model; writes them down where that is not done yet. Where the arena
// has too little room, they are not known afterwards
template <class Real>
LOCKSTEP_FN bool has_candidates(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  if (m.nbody > most_bodies || m.npair > 0 || looks_ahead(m) || some_sleep(m, d)) return false;
  if (arena.candidates_known && filters_are_known(m, arena)) {
    return arena.ncandidate <= most_candidates;
  }
  int count = 0;
  each_candidate(m, [&](int, int) { count++; }, [] {});
  arena.ncandidate = count;
  if (count <= most_candidates) {
    if (!arena.has_room(&Room::ngeompair, count)) return false;
    write_candidates(m, arena);
  }
  int* known = arena.known_filters;
  each_filter(m, [&](const int* now, int number) {
    for (int i = 0; i < number; i++) *known++ = now[i];
  });
  arena.candidates_known = true;
  return count <= most_candidates;
}

template <class Real>
LOCKSTEP_INLINE GeomCandidate candidate(const ArenaView<Real>& arena, int i) {
  const int* at = arena.geom_pairs + 3 * i;
  return {{at[0], at[1]}, at[2]};
}

// reach <- for each geom, a little more than how far from its center it may touch something;
// negative where that is not bounded
template <class Real>
LOCKSTEP_FN void set_reaches(const ModelView<Real>& m, Real* reach) {
  const Real rounding(sizeof(Scalar<Real>) == sizeof(float) ? 1e-5 : 1e-12), zero(0);
  for (int geom = 0; geom < m.ngeom; geom++) {
    const Real margin = overrides(m) ? Real(0.5) * m.opt.o_margin : m.geom_margin[geom];
    const Real bound = m.geom_rbound[geom], gap = m.geom_gap[geom];
    const Real far = bound + margin + gap + rounding * (bound + abs(margin) + abs(gap));
    reach[geom] = select(bound > zero && far >= zero, far, Real(-1));
  }
}

// boxes of bodies that have several geoms, and thus perhaps many candidates with another one; false
// if there are so few candidates that boxes are not worth it
template <class Real>
LOCKSTEP_FN bool set_body_boxes(const ModelView<Real>& m, const DataView<Real>& d, Real* box) {
  if (d.arena->ncandidate <= few_candidates) return false;
  int most = 0;
  for (int body = 0; body < m.nbody; body++) most = max(most, m.body_geomnum[body]);
  for (int body = 0; body < m.nbody; body++) {
    if (m.body_geomnum[body] * most > few_of_bodies) set_body_box(m, d, body, box + 6 * body);
  }
  return true;
}

// whether two geoms may be near in some lane
template <class Real>
LOCKSTEP_INLINE bool may_be_near(const DataView<Real>& d, const Real* reach, int geom1, int geom2) {
  const Vec3<Real> between = d.geom_xpos[geom2] - d.geom_xpos[geom1];
  const Real a = reach[geom1], b = reach[geom2], sum = a + b;
  // not a number counts as near: what follows decides
  return any(!(dot(between, between) > sum * sum) || min(a, b) < Real(0));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
