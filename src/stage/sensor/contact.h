// contact.h: contacts between two things, or inside a site, in a fixed number of places: the first
// ones, the deepest, those of the largest force, or all summed to one.
//   seen from the other side the frame turns half around its third axis: normal and first tangent
//   change sign, and of forces and velocities only the third component does
#pragma once

#include "stage/constraint/contact_force.h"
#include "stage/position/body_force.h"
#include "stage/ray/ray_world.h"
#include "stage/sensor/inside.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

enum class Reduce { none, mindist, maxforce, netforce };

// one side of a contact and what it must be
struct ContactSide {
  int geom, body;
};
template <class Real>
LOCKSTEP_FN bool side_matches(const ModelView<Real>& m, const ContactSide& side, ObjType type,
                              int id) {
  switch (type) {
    case ObjType::unknown:
    case ObjType::site: return true;
    case ObjType::geom: return side.geom == id;
    case ObjType::body: return side.body == id;
    case ObjType::xbody: {
      int body = side.body;
      while (body > id) body = m.body_parentid[body];
      return body == id;
    }
    default: return false;
  }
}

// one lane of a contact sensor
template <class Real>
struct ContactReader {
  using T = Scalar<Real>;
  const SensorView<Real>& s;
  const ArenaView<Real>& arena;
  int k;

  LOCKSTEP_INLINE int param(int i) const { return s.m.sensor_intprm[mjNSENS * s.id + i]; }

  // 0: no, 1: as it stands, -1: seen from the other side
  LOCKSTEP_FN int match(int contact) const {
    const ModelView<Real>& m = s.m;
    const int geom[2] = {arena.con_geom.get(2 * contact, k),
                         arena.con_geom.get(2 * contact + 1, k)};
    if (geom[0] < 0) return 0;
    const ObjType first = s.obj_type(), second = s.ref_type();
    if (first == ObjType::site && !lane(inside_site(m, s.d, s.obj(), arena.con_pos[contact]), k)) {
      return 0;
    }
    bool is_first[2], is_second[2];
    for (int i = 0; i < 2; i++) {
      const ContactSide side{geom[i], m.geom_bodyid[geom[i]]};
      is_first[i] = side_matches(m, side, first, s.obj());
      is_second[i] = side_matches(m, side, second, s.ref());
    }
    const bool straight = is_first[0] && is_second[1], turned = is_first[1] && is_second[0];
    return straight ? 1 : turned ? -1 : 0;
  }

  LOCKSTEP_FN ContactForce<T> force(int contact) const {
    const ContactForce<Real> f = contact_force(arena, contact);
    return {lane_of(f.force, k), lane_of(f.torque, k)};
  }

  // the smaller, the earlier in line
  LOCKSTEP_FN T rank(int contact, Reduce reduce) const {
    if (reduce == Reduce::mindist) return lane(arena.con_dist[contact], k);
    if (reduce != Reduce::maxforce) return T(0);
    const Vec3<T> f = force(contact).force;
    return -dot(f, f);
  }

  // velocity of the second body against the first, in the contact frame
  LOCKSTEP_FN Vec6<Real> velocity(int contact) const {
    Vec6<Real> v[2];
    const Vec3<Real> pos = arena.con_pos[contact];
    for (int i = 0; i < 2; i++) {
      const int body = arena.con_body[2 * contact + i];
      v[i] = shift_motion(s.d.cvel[body], from_center(s.m, s.d, body, pos));
    }
    const Vec6<Real> relative = v[1] - v[0];
    const Mat3<Real> frame = arena.con_frame[contact];
    return {frame * relative.rot, frame * relative.lin};
  }
};

// writes the fields of one place in one lane
template <class Real>
struct ContactWriter {
  using T = Scalar<Real>;
  Real* to;
  int fields, k;

  LOCKSTEP_INLINE bool wants(ConDataField field) const { return fields & (1 << code(field)); }
  LOCKSTEP_INLINE void put(ConDataField field, T x) {
    if (wants(field)) set_lane(*to++, k, x);
  }
  LOCKSTEP_INLINE void put(ConDataField field, const Vec3<T>& v) {
    for (int i = 0; i < 3 && wants(field); i++) set_lane(*to++, k, v[i]);
  }
};

template <class Real>
LOCKSTEP_FN void put_contact(const ContactReader<Real>& r, ContactWriter<Real>& w, int contact,
                             int turn, int found) {
  using T = Scalar<Real>;
  const ArenaView<Real>& arena = r.arena;
  const auto turned = [&](Vec3<T> v) -> Vec3<T> { return {v.x, v.y, T(turn) * v.z}; };
  w.put(ConDataField::found, T(found));
  if (w.wants(ConDataField::force) || w.wants(ConDataField::torque)) {
    const ContactForce<T> f = r.force(contact);
    w.put(ConDataField::force, turned(f.force));
    w.put(ConDataField::torque, turned(f.torque));
  }
  w.put(ConDataField::dist, lane(arena.con_dist[contact], r.k));
  w.put(ConDataField::pos, lane_of(arena.con_pos[contact], r.k));
  const Mat3<T> frame = lane_of(arena.con_frame[contact], r.k);
  w.put(ConDataField::normal, row(frame, 0) * T(turn));
  w.put(ConDataField::tangent, row(frame, 1) * T(turn));
  if (w.wants(ConDataField::linvel) || w.wants(ConDataField::angvel)) {
    const Vec6<Real> v = r.velocity(contact);
    w.put(ConDataField::linvel, turned(lane_of(v.lin, r.k)));
    w.put(ConDataField::angvel, turned(lane_of(v.rot, r.k)));
  }
}

// one force and torque at the mean of all places, weighted by their forces, in the world frame
template <class Real>
LOCKSTEP_FN void put_net_contact(const ContactReader<Real>& r, ContactWriter<Real>& w, int found) {
  using T = Scalar<Real>;
  const ArenaView<Real>& arena = r.arena;
  const Vec3<T> none{T(0), T(0), T(0)};
  Vec3<T> point = none, force = none, torque = none;
  T weights(0);
  for (int contact = 0; contact < arena.ncon; contact++) {
    if (!r.match(contact)) continue;
    const T weight = norm(r.force(contact).force);
    point += lane_of(arena.con_pos[contact], r.k) * weight;
    weights = weights + weight;
  }
  point *= T(1) / max(weights, T(min_val));
  for (int contact = 0; contact < arena.ncon; contact++) {
    const T turn = T(r.match(contact));
    if (turn == T(0)) continue;
    const ContactForce<T> f = r.force(contact);
    const Mat3<T> frame = lane_of(arena.con_frame[contact], r.k);
    const Vec3<T> push = mul_transposed(frame, f.force * turn);
    force += push;
    torque += mul_transposed(frame, f.torque * turn);
    torque += cross(lane_of(arena.con_pos[contact], r.k) - point, push);
  }
  w.put(ConDataField::found, T(found));
  w.put(ConDataField::force, force);
  w.put(ConDataField::torque, torque);
  w.put(ConDataField::dist, T(0));
  w.put(ConDataField::pos, point);
  w.put(ConDataField::normal, Vec3<T>{T(1), T(0), T(0)});
  w.put(ConDataField::tangent, Vec3<T>{T(0), T(1), T(0)});
}

// the contact after the last one in line, or -1
template <class Real>
LOCKSTEP_FN int next_in_line(const ContactReader<Real>& r, Reduce reduce, int last) {
  using T = Scalar<Real>;
  const T passed = last < 0 ? T(0) : r.rank(last, reduce);
  int best = -1;
  T best_rank(0);
  for (int contact = 0; contact < r.arena.ncon; contact++) {
    if (!r.match(contact)) continue;
    const T rank = r.rank(contact, reduce);
    const bool waits = last < 0 || rank > passed || (rank == passed && contact > last);
    if (!waits || (best >= 0 && rank >= best_rank)) continue;
    best = contact;
    best_rank = rank;
  }
  return best;
}

template <class Real>
LOCKSTEP_FN void sensor_contact(const SensorView<Real>& s) {
  const int dim = s.m.sensor_dim[s.id];
  for (int i = 0; i < dim; i++) s.out()[i] = Real(0);
  for_each_lane<Real>([&](int k) {
    const ContactReader<Real> reader{s, *s.d.arena, k};
    ContactWriter<Real> writer{s.out(), reader.param(0), k};
    const Reduce reduce = Reduce(reader.param(1));
    int found = 0;
    for (int contact = 0; contact < reader.arena.ncon; contact++)
      found += reader.match(contact) != 0;
    if (found == 0) return;
    if (reduce == Reduce::netforce) return put_net_contact(reader, writer, found);
    int contact = -1;
    for (int place = 0; place < min(found, reader.param(2)); place++) {
      contact = next_in_line(reader, reduce, contact);
      if (contact < 0) return;  // ranks that are not numbers
      put_contact(reader, writer, contact, reader.match(contact), found);
    }
  });
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
