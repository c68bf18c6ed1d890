// body_pairs.h: pairs of bodies that may touch, in the order of their numbers.
// each body that collides has a box around the bounding spheres of its geoms, where contacts ahead
// count also around those at the end of the step; in packs a pair
// counts if the boxes meet in any lane. few bodies are compared each with each, many by sweeping
// along the axis over which they are spread most. what is left out here could not touch, so the
// result of the step does not depend on how it was found.
#pragma once

#include "model/view.h"
#include "stage/collision/motion.h"
#include "stage/collision/settings.h"
#include "stage/island/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// both bodies in one number, which orders pairs; as in pair_signature and exclude_signature
LOCKSTEP_INLINE int pair_signature(int body1, int body2) {
  return (min(body1, body2) << 16) + max(body1, body2);
}

// whether the model allows contacts between geoms of two bodies
template <class Real>
LOCKSTEP_INLINE bool bodies_may_touch(const ModelView<Real>& m, int body1, int body2) {
  const bool wanted = (m.body_contype[body1] & m.body_conaffinity[body2]) ||
                      (m.body_contype[body2] & m.body_conaffinity[body1]);
  if (!wanted) return false;
  const int weld1 = m.body_weldid[body1], weld2 = m.body_weldid[body2];
  if (weld1 == weld2) return false;
  if (m.body_dofnum[weld1] == 0 && m.body_dofnum[weld2] == 0) return false;
  if (weld1 == 0 || weld2 == 0) return true;
  if (m.opt.disableflags & code(DisableBit::filterparent)) return true;
  return weld1 != m.body_weldid[m.body_parentid[weld2]] &&
         weld2 != m.body_weldid[m.body_parentid[weld1]];
}

template <class Real>
LOCKSTEP_FN bool is_excluded(const ModelView<Real>& m, int signature) {
  int low = 0, high = m.nexclude;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (m.exclude_signature[middle] < signature) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < m.nexclude && m.exclude_signature[low] == signature;
}

// ---- boxes: lower corner, upper corner ----

template <class Real>
LOCKSTEP_FN void set_body_box(const ModelView<Real>& m, const DataView<Real>& d, int body,
                              Real* box) {
  constexpr double far = 1e20;
  // rounding must not part what just touches, whoever is beside it in lanes; the geoms themselves
  // decide. Corners are rounded as the center is, which may be far from the origin
  constexpr bool single = sizeof(Scalar<Real>) == sizeof(float);
  constexpr double grown = single ? 1 + 1e-5 : 1 + 1e-9, blurred = single ? 0x1p-21 : 0x1p-50;
  const Real wide = overrides(m) ? Real(0.5) * m.opt.o_margin : Real(0);
  Vec3<Real> low{Real(far), Real(far), Real(far)}, high = -low;
  for (int i = 0; i < m.body_geomnum[body]; i++) {
    const int geom = m.body_geomadr[body] + i;
    const Vec3<Real> center = d.geom_xpos[geom];
    const Real margin = overrides(m) ? wide : m.geom_margin[geom];
    const Real bound = m.geom_rbound[geom];
    const Real near = (bound + margin + m.geom_gap[geom]) * Real(grown);
    const Real reach = select(bound > Real(0), near, Real(far));
    const auto include = [&](const Vec3<Real>& at) LOCKSTEP_LAMBDA {
      for (int k = 0; k < 3; k++) {
        const Real half = reach + abs(at[k]) * Real(blurred);
        low[k] = min(at[k] - half, low[k]);
        high[k] = max(at[k] + half, high[k]);
      }
    };
    include(center);
    if (looks_ahead(m)) include(center + motion_of(m, d, geom).shift);
  }
  store3(box, low);
  store3(box + 3, high);
}

// boxes: six numbers per body
template <class Real>
LOCKSTEP_INLINE bool boxes_meet(const Real* box, int body1, int body2) {
  const Real *a = box + 6 * body1, *b = box + 6 * body2;
  return any(a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] &&
             b[2] <= a[5]);
}

// smallest or largest over the lanes
template <class Real>
LOCKSTEP_FN Scalar<Real> least(const Real& x) {
  Scalar<Real> result = lane(x, 0);
  for (int k = 1; k < lanes<Real>; k++) result = min(lane(x, k), result);
  return result;
}
template <class Real>
LOCKSTEP_FN Scalar<Real> largest(const Real& x) {
  return -least(-x);
}

// ---- the search ----

inline constexpr int few_bodies = 32;  // compared each with each

// allowed <- for each of few bodies, a bit for every body whose masks let it touch that one
template <class Real>
LOCKSTEP_FN void find_allowed(const ModelView<Real>& m, const int* body, int count,
                              uint32_t* allowed) {
  uint32_t touched_by[32] = {}, touch[32] = {};  // bodies with a bit in conaffinity, in contype
  const auto each_bit = [](int mask, auto&& f) LOCKSTEP_LAMBDA {
    for (uint32_t left = uint32_t(mask); left; left &= left - 1) f(__builtin_ctz(left));
  };
  for (int i = 0; i < count; i++) {
    each_bit(m.body_conaffinity[body[i]], [&](int bit) { touched_by[bit] |= 1u << i; });
    each_bit(m.body_contype[body[i]], [&](int bit) { touch[bit] |= 1u << i; });
  }
  for (int i = 0; i < count; i++) {
    uint32_t all = 0;
    each_bit(m.body_contype[body[i]], [&](int bit) { all |= touched_by[bit]; });
    each_bit(m.body_conaffinity[body[i]], [&](int bit) { all |= touch[bit]; });
    allowed[i] = all;
  }
}

// sorts by merging; `buffer` has the same size. stable
template <class Less>
LOCKSTEP_FN void merge_sort(int* list, int* buffer, int count, const Less& less) {
  constexpr int run = 8;
  for (int start = 0; start < count; start += run) {  // short runs by insertion
    for (int i = start + 1; i < min(start + run, count); i++) {
      const int x = list[i];
      int at = i;
      for (; at > start && less(x, list[at - 1]); at--) list[at] = list[at - 1];
      list[at] = x;
    }
  }
  for (int width = run; width < count; width *= 2) {
    for (int start = 0; start < count; start += 2 * width) {
      const int middle = min(start + width, count), end = min(start + 2 * width, count);
      int a = start, b = middle;
      for (int i = start; i < end; i++) {
        const bool second = a == middle || (b < end && less(list[b], list[a]));
        buffer[i] = second ? list[b++] : list[a++];
      }
    }
    for (int i = 0; i < count; i++) list[i] = buffer[i];
  }
}

// pairs found so far; counts on where the arena has no room
template <class Real>
struct BodyPairs {
  const ModelView<Real>& m;
  const Sleepers<Real> asleep;
  int *list, *buffer;
  int room, count = 0;

  LOCKSTEP_INLINE void add(int body1, int body2) {
    if (asleep.both(body1, body2)) return;
    const int signature = pair_signature(body1, body2);
    if (m.nexclude && is_excluded(m, signature)) return;
    if (count < room) list[count] = signature;
    count++;
  }
};

// the axis along which the boxes differ most
template <class Real>
LOCKSTEP_FN int widest_axis(const Real* box, const int* body, int count) {
  using T = Scalar<Real>;
  int widest = 0;
  T most(-1);
  for (int k = 0; k < 3; k++) {
    T sum(0), squares(0);
    int finite = 0;
    for (int i = 0; i < count; i++) {
      const T low = lane(box[6 * body[i] + k], 0), high = lane(box[6 * body[i] + k + 3], 0);
      if (!(high - low < T(1e10))) continue;
      finite++;
      sum += low + high;
      squares += (low + high) * (low + high);
    }
    const T spread = finite ? squares - sum * sum / T(finite) : T(0);
    if (spread > most) {
      most = spread;
      widest = k;
    }
  }
  return widest;
}

template <class Real>
LOCKSTEP_FN void sweep(const ModelView<Real>& m, const Real* box, int* body, int* buffer, int count,
                       BodyPairs<Real>& out) {
  const int axis = widest_axis(box, body, count);
  const auto low = [&](int b) { return least(box[6 * b + axis]); };
  merge_sort(body, buffer, count, [&](int a, int b) { return low(a) < low(b); });
  for (int i = 0; i < count; i++) {
    const Scalar<Real> end = largest(box[6 * body[i] + axis + 3]);
    for (int j = i + 1; j < count && low(body[j]) <= end; j++) {
      if (out.asleep.both(body[i], body[j])) continue;
      if (!boxes_meet(box, body[i], body[j])) continue;
      if (bodies_may_touch(m, body[i], body[j])) out.add(body[i], body[j]);
    }
  }
}

// whether anything moves that could touch something
template <class Real>
LOCKSTEP_FN bool any_awake(const ModelView<Real>& m, const DataView<Real>& d) {
  for (int body = 1; body < m.nbody; body++) {
    if (m.body_geomnum[body] && body_state(d, body) == SleepState::awake) return true;
  }
  return false;
}

// signatures of all pairs, sorted, in the arena's candidates; -1 if that has too little room
template <class Real>
LOCKSTEP_FN int find_body_pairs(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  constexpr int most_pairs = few_bodies * (few_bodies - 1) / 2;
  if (!arena.has_room(&Room::npairs, max(2 * m.nbody, most_pairs))) return -1;
  Real* box = d.body_work6.start;
  int* half = arena.candidates + arena.room.npairs;
  BodyPairs<Real> pairs{m, {m, d}, arena.candidates, half, arena.room.npairs};
  int* body = half;  // those that collide
  int bodies = 0;
  if (pairs.asleep.any && !any_awake(m, d)) return 0;
  for (int b = 0; b < m.nbody; b++) {
    if (!m.body_geomnum[b] || !(m.body_contype[b] || m.body_conaffinity[b])) continue;
    set_body_box(m, d, b, box + 6 * b);
    body[bodies++] = b;
  }
  if (bodies <= few_bodies) {
    uint32_t allowed[few_bodies];
    find_allowed(m, body, bodies, allowed);
    for (int i = 0; i < bodies; i++) {
      for (uint32_t left = allowed[i] & ~uint32_t((2ull << i) - 1); left; left &= left - 1) {
        const int other = body[__builtin_ctz(left)];
        if (!boxes_meet(box, body[i], other)) continue;
        if (bodies_may_touch(m, body[i], other)) pairs.add(body[i], other);
      }
    }
    return pairs.count;
  }
  sweep(m, box, body, body + m.nbody, bodies, pairs);
  if (!arena.has_room(&Room::npairs, pairs.count)) return -1;
  merge_sort(pairs.list, pairs.buffer, pairs.count, [](int a, int b) { return a < b; });
  return pairs.count;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
