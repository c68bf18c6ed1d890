// contact_list.h: contacts on their way into the arena.
// the contacts of two bodies stand together, in the order in which they are found. a place is
// common to all lanes: a lane's next contact takes the first place behind its last one that has the
// same dimension and the same first body, or opens a new one. so each lane reads its own contacts
// in the order in which it found them, as one world alone does.
#pragma once

#include "model/view.h"
#include "stage/collision/contact_point.h"
#include "stage/collision/settings.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// of two geoms: what all their contacts share
template <class Real>
struct ContactSource {
  GeomPair pair;
  int body[2];
  Real margin;
  ContactSettings<Real> settings;
};

template <class Real>
struct ContactList {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  int count = 0;                // places taken, also those beyond the arena's room
  int next[lanes<Real>] = {};   // where a lane's next contact may stand
  int found[lanes<Real>] = {};  // contacts of a lane
  bool tries = false;           // notes only which lanes have contacts that push
  Mask<Real> pushes = false;

  // contacts of another pair of bodies follow
  LOCKSTEP_FN void begin_bodies() {
    for (int k = 0; k < lanes<Real>; k++) next[k] = count;
  }
  LOCKSTEP_FN void add(Mask<Real> where, const ContactPoint<Real>& point,
                       const ContactSource<Real>& source);
  // one that counts at any distance
  LOCKSTEP_FN void add_ahead(Mask<Real> where, const ContactPoint<Real>& point,
                             const ContactSource<Real>& source) {
    add(where, point, source, source.settings.dim, Mask<Real>(false));
  }

 private:
  LOCKSTEP_FN int place(int lane, int dim, int body);
  LOCKSTEP_FN void add(Mask<Real> where, const ContactPoint<Real>& point,
                       const ContactSource<Real>& source, int dim, Mask<Real> excluded);
  LOCKSTEP_FN void store(int slot, bool fresh, Mask<Real> where, const ContactPoint<Real>& point,
                         const ContactSource<Real>& source, Mask<Real> excluded) const;
};

// velocity of the second surface against the first: along the tangents, about the normal
template <class Real>
LOCKSTEP_FN Vec3<Real> surface_velocity(const ModelView<Real>& m, const DataView<Real>& d,
                                        const GeomPair& pair, const ContactPoint<Real>& point) {
  Vec3<Real> linear{Real(0), Real(0), Real(0)}, angular = linear;
  for (int k = 0; k < 2; k++) {
    const int geom = pair.geom[k];
    const Real* local = m.geom_surfacevel + 6 * geom;
    const Mat3<Real> mat = d.geom_xmat[geom];
    const Vec3<Real> turn = mat * load3(local + 3);
    const Vec3<Real> here = mat * load3(local) + cross(turn, point.pos - d.geom_xpos[geom]);
    linear = k ? here - linear : here;
    angular = k ? turn - angular : turn;
  }
  return {dot(row(point.frame, 1), linear), dot(row(point.frame, 2), linear),
          dot(row(point.frame, 0), angular)};
}

template <class Real>
LOCKSTEP_FN int ContactList<Real>::place(int lane, int dim, int body) {
  if constexpr (lanes<Real> > 1) {
    const ArenaView<Real>& arena = *d.arena;
    for (int slot = next[lane]; slot < min(count, arena.room.ncon); slot++) {
      if (arena.con_dim[slot] == dim && arena.con_body[2 * slot] == body) return slot;
    }
  }
  return count;
}

template <class Real>
LOCKSTEP_FN void ContactList<Real>::add(Mask<Real> where, const ContactPoint<Real>& point,
                                        const ContactSource<Real>& source, int dim,
                                        Mask<Real> excluded) {
  Mask<Real> left = where;
  while (any(left)) {
    // lanes that go to the same place
    int slot = -1;
    Mask<Real> here = false;
    for_each_lane<Real>(left, [&](int k) {
      const int own = place(k, dim, source.body[0]);
      if (slot < 0) slot = own;
      if (own != slot) return;
      set_lane(here, k, true);
      next[k] = slot + 1;
      found[k]++;
    });
    left = left && !here;
    const bool fresh = slot == count;
    count += fresh;
    if (slot >= d.arena->room.ncon) continue;  // counted only
    if (fresh) {
      d.arena->con_dim[slot] = dim;
      for (int i = 0; i < 2; i++) d.arena->con_body[2 * slot + i] = source.body[i];
    }
    store(slot, fresh, here, point, source, excluded);
  }
}

// beyond the margin a contact does nothing, or pulls without friction if it is sticky
template <class Real>
LOCKSTEP_FN void ContactList<Real>::add(Mask<Real> where, const ContactPoint<Real>& point,
                                        const ContactSource<Real>& source) {
  const Mask<Real> in_gap = point.dist >= source.margin;
  if (tries) {
    pushes = pushes || (where && !in_gap);
    return;
  }
  const Mask<Real> pulls = where && in_gap && source.settings.adhesion > Real(0);
  add(where && !pulls, point, source, source.settings.dim, in_gap);
  if (any(pulls)) add(pulls, point, source, 1, Mask<Real>(false));
}

template <class Real>
LOCKSTEP_FN void ContactList<Real>::store(int slot, bool fresh, Mask<Real> where,
                                          const ContactPoint<Real>& point,
                                          const ContactSource<Real>& source,
                                          Mask<Real> excluded) const {
  ArenaView<Real>& arena = *d.arena;
  const ContactSettings<Real>& s = source.settings;
  const auto put = [&](Real& cell, const Real& x, double empty) {
    cell = select(where, x, fresh ? Real(empty) : cell);
  };
  put(arena.con_dist[slot], point.dist, 0);
  for (int k = 0; k < 3; k++) put(arena.con_pos.start[3 * slot + k], point.pos[k], 0);
  for (int k = 0; k < 9; k++) put(arena.con_frame.start[9 * slot + k], point.frame[k], k % 4 == 0);
  put(arena.con_includemargin[slot], source.margin, 0);
  for (int k = 0; k < 5; k++) put(arena.con_friction[5 * slot + k], s.friction[k], 1);
  for (int k = 0; k < mjNREF; k++) {
    put(arena.con_solref[mjNREF * slot + k], s.solref[k], 1);
    put(arena.con_solreffriction[mjNREF * slot + k], s.solreffriction[k], 0);
  }
  for (int k = 0; k < mjNIMP; k++) put(arena.con_solimp[mjNIMP * slot + k], s.solimp[k], 0.5);
  put(arena.con_adhesion[slot], s.adhesion, 0);
  Vec3<Real> moving{Real(0), Real(0), Real(0)};
  if (m.flg_surfacevel) moving = surface_velocity(m, d, source.pair, point);
  for (int k = 0; k < 3; k++) put(arena.con_surfacevel.start[3 * slot + k], moving[k], 0);
  for (int k = 0; k < lanes<Real>; k++) {
    const bool here = lane(where, k);
    if (!here && !fresh) continue;
    for (int i = 0; i < 2; i++) {
      arena.con_geom.set(2 * slot + i, k, here ? source.pair.geom[i] : -1);
    }
    arena.con_exclude.set(slot, k, !here || lane(excluded, k));
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
