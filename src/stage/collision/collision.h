// collision.h: contacts of all geoms, in MuJoCo's order: by the two bodies; of those, what pair
// elements ask for comes first, then geom by geom.
// reads geom_xpos geom_xmat; with speculative contacts cdof qvel subtree_com    writes contacts
// (con_*), ncon, maxuse_con
#pragma once

#include "stage/collision/candidates.h"
#include "stage/collision/narrow.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// pair elements of one pair of bodies
struct PairRange {
  int begin, end;
};

template <class Real>
LOCKSTEP_FN bool has_pair(const ModelView<Real>& m, const PairRange& range, int geom1, int geom2) {
  for (int k = range.begin; k < range.end; k++) {
    if (m.pair_geom1[k] == geom1 && m.pair_geom2[k] == geom2) return true;
    if (m.pair_geom1[k] == geom2 && m.pair_geom2[k] == geom1) return true;
  }
  return false;
}

// geoms of two bodies, each with each, but for those that pair elements ask for
template <class Real>
LOCKSTEP_FN void collide_bodies(ContactList<Real>& list, const PairRange& range, int body1,
                                int body2) {
  each_geom_pair(list.m, body1, body2, [&](int g1, int g2) {
    if (!has_pair(list.m, range, g1, g2)) collide_geoms(list, g1, g2, -1);
  });
}

// pair elements up to a signature
template <class Real>
LOCKSTEP_FN void collide_pairs(ContactList<Real>& list, int& pair, int signature) {
  const ModelView<Real>& m = list.m;
  const Sleepers<Real> asleep(m, list.d);
  for (; pair < m.npair && m.pair_signature[pair] <= signature; pair++) {
    const bool same = pair > 0 && m.pair_signature[pair] == m.pair_signature[pair - 1];
    if (!same) list.begin_bodies();
    const int body1 = m.geom_bodyid[m.pair_geom1[pair]];
    if (asleep.both(body1, m.geom_bodyid[m.pair_geom2[pair]])) continue;
    collide_geoms(list, m.pair_geom1[pair], m.pair_geom2[pair], pair);
  }
}

// pairs of geoms that were written down
template <class Real>
LOCKSTEP_FN void collide_candidates(ContactList<Real>& list) {
  const ModelView<Real>& m = list.m;
  const ArenaView<Real>& arena = *list.d.arena;
  Real* const reach = arena.geom_reach;
  set_reaches(m, reach);
  Real* const box = list.d.body_work6.start;
  const bool boxes = set_body_boxes(m, list.d, box);
  for (int i = 0; i < arena.ncandidate; i++) {
    const GeomCandidate g = candidate(arena, i);
    if (boxes && g.number > few_of_bodies &&
        !boxes_meet(box, m.geom_bodyid[g.geom[0]], m.geom_bodyid[g.geom[1]])) {
      i += g.number - 1;
      continue;
    }
    if (g.number) list.begin_bodies();
    if (may_be_near(list.d, reach, g.geom[0], g.geom[1])) {
      collide_geoms(list, g.geom[0], g.geom[1], -1);
    }
  }
}

// bodies whose boxes meet, and pair elements; false if the arena has too little room
template <class Real>
LOCKSTEP_FN bool collide_by_boxes(ContactList<Real>& list) {
  const ModelView<Real>& m = list.m;
  const ArenaView<Real>& arena = *list.d.arena;
  const int pairs = find_body_pairs(m, list.d);
  if (pairs < 0) return false;
  int pair = 0;
  for (int i = 0; i < pairs; i++) {
    const int signature = arena.candidates[i];
    const int first = pair;
    collide_pairs(list, pair, signature);
    const bool merged = pair > first && m.pair_signature[pair - 1] == signature;
    if (!merged) list.begin_bodies();
    collide_bodies(list, {merged ? first : pair, pair}, signature >> 16, signature & 0xffff);
  }
  collide_pairs(list, pair, 0x7fffffff);
  return true;
}

template <class Real>
LOCKSTEP_FN void collision(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  arena.ncon = 0;
  d.ncon.fill(0, 0);
  const int off = code(DisableBit::constraint) | code(DisableBit::contact);
  if ((m.opt.disableflags & off) || m.nbody < 2) return;
  ContactList<Real> list{m, d};
  if (has_candidates(m, d)) {
    collide_candidates(list);
  } else if (arena.lacking || !collide_by_boxes(list)) {
    return;
  }
  if (!arena.has_room(&Room::ncon, list.count)) return;
  arena.ncon = list.count;
  for (int k = 0; k < lanes<Real>; k++) {
    d.ncon.set(0, k, list.found[k]);
    d.maxuse_con.set(0, k, max(d.maxuse_con.get(0, k), list.found[k]));
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
