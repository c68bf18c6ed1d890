// collision.h: contacts of all geoms, in MuJoCo's order: by the two bodies; of those, what pair
// elements ask for comes first, then geom by geom.
// reads geom_xpos geom_xmat; with speculative contacts cdof qvel subtree_com    writes contacts
// (con_*), ncon, maxuse_con
#pragma once

#include "stage/collision/body_pairs.h"
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

template <class Real>
LOCKSTEP_INLINE void collide_if_wanted(ContactList<Real>& list, const PairRange& range, int geom1,
                                       int geom2) {
  const ModelView<Real>& m = list.m;
  if (geoms_may_touch(m, geom1, geom2) && !has_pair(m, range, geom1, geom2)) {
    collide_geoms(list, geom1, geom2, -1);
  }
}

// geoms of two bodies, each with each. where MuJoCo descends trees it sorts afterwards: first those
// whose geom of the lower type belongs to the first body
template <class Real>
LOCKSTEP_FN void collide_bodies(ContactList<Real>& list, const PairRange& range, int body1,
                                int body2) {
  const ModelView<Real>& m = list.m;
  const int begin1 = m.body_geomadr[body1], end1 = begin1 + m.body_geomnum[body1];
  const int begin2 = m.body_geomadr[body2], end2 = begin2 + m.body_geomnum[body2];
  const bool trees = !(m.opt.disableflags & code(DisableBit::midphase)) &&
                     (end1 - begin1 > 1 || end2 - begin2 > 1) && m.body_bvhadr[body1] >= 0 &&
                     m.body_bvhadr[body2] >= 0;
  for (int g1 = begin1; g1 < end1; g1++) {
    for (int g2 = begin2; g2 < end2; g2++) {
      if (trees && m.geom_type[g1] > m.geom_type[g2]) continue;
      collide_if_wanted(list, range, g1, g2);
    }
  }
  if (!trees) return;
  for (int g2 = begin2; g2 < end2; g2++) {
    for (int g1 = begin1; g1 < end1; g1++) {
      if (m.geom_type[g1] > m.geom_type[g2]) collide_if_wanted(list, range, g1, g2);
    }
  }
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

template <class Real>
LOCKSTEP_FN void collision(const ModelView<Real>& m, const DataView<Real>& d) {
  ArenaView<Real>& arena = *d.arena;
  arena.ncon = 0;
  d.ncon.fill(0, 0);
  const int off = code(DisableBit::constraint) | code(DisableBit::contact);
  if ((m.opt.disableflags & off) || m.nbody < 2) return;
  const int pairs = find_body_pairs(m, d);
  if (pairs < 0) return;

  ContactList<Real> list{m, d};
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
  if (!arena.has_room(&Room::ncon, list.count)) return;
  arena.ncon = list.count;
  for (int k = 0; k < lanes<Real>; k++) {
    d.ncon.set(0, k, list.found[k]);
    d.maxuse_con.set(0, k, max(d.maxuse_con.get(0, k), list.found[k]));
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
