// awake.h: which trees are awake. Not a stage.
// tree_asleep counts: -11 wide awake ... -1 ready to sleep; where it is not negative the tree
// sleeps, and the number is the next tree of those that fell asleep together. Worlds in lanes do
// not sleep: a batch whose Model asks for it steps them one by one.
#pragma once

#include "model/awake.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// whether trees may fall asleep at all
template <class Real>
LOCKSTEP_INLINE bool may_sleep(const ModelView<Real>& m) {
  if constexpr (lanes<Real> > 1) return false;
  return m.opt.enableflags & code(EnableBit::sleep);
}
// whether some do
template <class Real>
LOCKSTEP_INLINE bool some_sleep(const ModelView<Real>& m, const DataView<Real>& d) {
  return may_sleep(m) && d.ntree_awake.get(0, 0) < m.ntree;
}

// mjtSleepState of a body, a tree (none: static), a tendon
template <class Real>
LOCKSTEP_INLINE SleepState body_state(const DataView<Real>& d, int body) {
  return SleepState{d.body_awake.get(body, 0)};
}
template <class Real>
LOCKSTEP_INLINE SleepState tree_state(const DataView<Real>& d, int tree) {
  if (tree < 0) return SleepState::static_;
  return d.tree_awake.get(tree, 0) ? SleepState::awake : SleepState::asleep;
}
template <class Real>
LOCKSTEP_FN SleepState tendon_state(const ModelView<Real>& m, const DataView<Real>& d, int tendon) {
  const int count = m.tendon_treenum[tendon];
  if (count == 0) return SleepState::static_;
  if (count > 2) return SleepState::awake;
  for (int k = 0; k < count; k++) {
    if (d.tree_awake.get(m.tendon_treeid[2 * tendon + k], 0)) return SleepState::awake;
  }
  return SleepState::asleep;
}

// the two bodies that an equality ties, or -1
struct TiedBodies {
  int body[2];
};
template <class Real>
LOCKSTEP_FN TiedBodies tied_bodies(const ModelView<Real>& m, int eq) {
  const int id[2] = {m.eq_obj1id[eq], m.eq_obj2id[eq]}, type = m.eq_type[eq];
  TiedBodies tied{{-1, -1}};
  for (int k = 0; k < 2; k++) {
    if (id[k] < 0) continue;
    if (type == code(EqType::joint)) {
      tied.body[k] = m.jnt_bodyid[id[k]];
    } else if (type == code(EqType::connect) || type == code(EqType::weld)) {
      tied.body[k] = m.eq_objtype[eq] == code(ObjType::site) ? m.site_bodyid[id[k]] : id[k];
    } else if (type == code(EqType::distance)) {
      tied.body[k] = m.geom_bodyid[id[k]];
    }
  }
  return tied;
}

// whether nothing that an equality ties is awake
template <class Real>
LOCKSTEP_FN bool equality_sleeps(const ModelView<Real>& m, const DataView<Real>& d, int eq) {
  if (m.eq_type[eq] == code(EqType::tendon)) {
    const int other = m.eq_obj2id[eq];
    return tendon_state(m, d, m.eq_obj1id[eq]) != SleepState::awake &&
           (other < 0 || tendon_state(m, d, other) != SleepState::awake);
  }
  const TiedBodies tied = tied_bodies(m, eq);
  for (int k = 0; k < 2; k++) {
    if (tied.body[k] >= 0 && body_state(d, tied.body[k]) == SleepState::awake) return false;
  }
  return tied.body[0] >= 0;
}

template <class Real>
LOCKSTEP_FN SleepState actuator_state(const ModelView<Real>& m, const DataView<Real>& d, int id) {
  const int first = m.actuator_trnid[2 * id], second = m.actuator_trnid[2 * id + 1];
  const int type = m.actuator_trntype[id];
  const auto either = [&](int body1, int body2) {
    const bool awake =
        body_state(d, body1) == SleepState::awake || body_state(d, body2) == SleepState::awake;
    return awake ? SleepState::awake : SleepState::asleep;
  };
  if (type == code(TrnType::tendon)) return tendon_state(m, d, first);
  if (type == code(TrnType::body)) return body_state(d, first);
  if (type == code(TrnType::site)) return body_state(d, m.site_bodyid[first]);
  const bool sites =
      type == code(TrnType::slidercrank) || (type == code(TrnType::so3) && second >= 0);
  if (sites) return either(m.site_bodyid[first], m.site_bodyid[second]);
  const bool joint = type == code(TrnType::joint) || type == code(TrnType::jointinparent) ||
                     type == code(TrnType::so3);
  return joint ? body_state(d, m.jnt_bodyid[first]) : SleepState::awake;
}

// for loops over bodies, dofs, tendons: true for those that can be left out
template <class Real>
struct Sleepers {
  const ModelView<Real>& m;
  const DataView<Real>& d;
  const bool any;

  LOCKSTEP_INLINE Sleepers(const ModelView<Real>& model, const DataView<Real>& data)
      : m(model), d(data), any(some_sleep(model, data)) {}
  LOCKSTEP_INLINE bool body(int body) const {
    return any && body_state(d, body) == SleepState::asleep;
  }
  LOCKSTEP_INLINE bool dof(int dof) const { return any && !d.tree_awake.get(m.dof_treeid[dof], 0); }
  LOCKSTEP_INLINE bool tendon(int tendon) const {
    return any && tendon_state(m, d, tendon) == SleepState::asleep;
  }
  LOCKSTEP_INLINE bool actuator(int id) const {
    return any && actuator_state(m, d, id) == SleepState::asleep;
  }
  LOCKSTEP_INLINE bool equality(int eq) const { return any && equality_sleeps(m, d, eq); }
  // neither of two bodies is awake
  LOCKSTEP_INLINE bool both(int body1, int body2) const {
    return any && body_state(d, body1) != SleepState::awake &&
           body_state(d, body2) != SleepState::awake;
  }
};

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
