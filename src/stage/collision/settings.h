// settings.h: what a contact is like besides where it is: from a pair element, or mixed from two
// geoms. the geom of higher priority decides; among equals solmix weighs solref and solimp, the
// larger friction and dimension count, adhesions add. margins and gaps always add.
#pragma once

#include "math/real.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double min_friction = 1e-5;

template <class Real>
struct ContactSettings {
  int dim;
  Real friction[5], solref[mjNREF], solreffriction[mjNREF], solimp[mjNIMP];
  Real adhesion;
};

// two geoms to collide, lower type first; pair is the element that asks for it, or -1
struct GeomPair {
  int geom[2];
  int pair;
};

// whether the bits of two geoms allow them to touch
template <class Real>
LOCKSTEP_INLINE bool geoms_may_touch(const ModelView<Real>& m, int geom1, int geom2) {
  return (m.geom_contype[geom1] & m.geom_conaffinity[geom2]) ||
         (m.geom_contype[geom2] & m.geom_conaffinity[geom1]);
}

template <class Real>
LOCKSTEP_INLINE bool overrides(const ModelView<Real>& m) {
  return m.opt.enableflags & code(EnableBit::override);
}

// distance below which contacts push, and how much farther they are reported
template <class Real>
LOCKSTEP_INLINE Real pair_margin(const ModelView<Real>& m, const GeomPair& g) {
  if (overrides(m)) return m.opt.o_margin;
  if (g.pair >= 0) return m.pair_margin[g.pair];
  return m.geom_margin[g.geom[0]] + m.geom_margin[g.geom[1]];
}
template <class Real>
LOCKSTEP_INLINE Real pair_gap(const ModelView<Real>& m, const GeomPair& g) {
  if (g.pair >= 0) return m.pair_gap[g.pair];
  return m.geom_gap[g.geom[0]] + m.geom_gap[g.geom[1]];
}

template <class Real>
LOCKSTEP_FN void settings_of_pair(const ModelView<Real>& m, int pair, ContactSettings<Real>& s) {
  s.dim = m.pair_dim[pair];
  s.adhesion = m.pair_adhesion[pair];
  for (int k = 0; k < 5; k++) s.friction[k] = m.pair_friction[5 * pair + k];
  for (int k = 0; k < mjNREF; k++) s.solref[k] = m.pair_solref[mjNREF * pair + k];
  for (int k = 0; k < mjNREF; k++) s.solreffriction[k] = m.pair_solreffriction[mjNREF * pair + k];
  for (int k = 0; k < mjNIMP; k++) s.solimp[k] = m.pair_solimp[mjNIMP * pair + k];
}

template <class Real>
LOCKSTEP_FN void set_friction(ContactSettings<Real>& s, const Vec3<Real>& friction) {
  const Real unpacked[5] = {friction.x, friction.x, friction.y, friction.z, friction.z};
  for (int k = 0; k < 5; k++) s.friction[k] = unpacked[k];
}

template <class Real>
LOCKSTEP_FN void settings_of_geom(const ModelView<Real>& m, int geom, ContactSettings<Real>& s) {
  s.dim = m.geom_condim[geom];
  s.adhesion = m.geom_adhesion[geom];
  set_friction(s, m.geom_friction[geom]);
  for (int k = 0; k < mjNREF; k++) s.solref[k] = m.geom_solref[mjNREF * geom + k];
  for (int k = 0; k < mjNIMP; k++) s.solimp[k] = m.geom_solimp[mjNIMP * geom + k];
}

// share of the first geom; a weight of zero leaves all to the other, two of them halve
template <class Real>
LOCKSTEP_FN Real mixing_share(Real weight1, Real weight2) {
  const Mask<Real> no1 = weight1 < Real(min_val), no2 = weight2 < Real(min_val);
  const Real share = weight1 / select(no1 || no2, Real(1), weight1 + weight2);
  return select(no1 && no2, Real(0.5), select(no1, Real(0), select(no2, Real(1), share)));
}

template <class Real>
LOCKSTEP_FN void settings_of_equals(const ModelView<Real>& m, int a, int b,
                                    ContactSettings<Real>& s) {
  s.dim = max(m.geom_condim[a], m.geom_condim[b]);
  s.adhesion = m.geom_adhesion[a] + m.geom_adhesion[b];
  const Vec3<Real> friction1 = m.geom_friction[a], friction2 = m.geom_friction[b];
  set_friction(s, {max(friction1.x, friction2.x), max(friction1.y, friction2.y),
                   max(friction1.z, friction2.z)});
  const Real share = mixing_share(m.geom_solmix[a], m.geom_solmix[b]), rest = Real(1) - share;
  const Real *ref1 = m.geom_solref + mjNREF * a, *ref2 = m.geom_solref + mjNREF * b;
  const Mask<Real> times = ref1[0] > Real(0) && ref2[0] > Real(0);  // else stiffness and damping
  for (int k = 0; k < mjNREF; k++) {
    s.solref[k] = select(times, share * ref1[k] + rest * ref2[k], min(ref1[k], ref2[k]));
  }
  const Real *imp1 = m.geom_solimp + mjNIMP * a, *imp2 = m.geom_solimp + mjNIMP * b;
  for (int k = 0; k < mjNIMP; k++) s.solimp[k] = share * imp1[k] + rest * imp2[k];
}

template <class Real>
LOCKSTEP_FN ContactSettings<Real> contact_settings(const ModelView<Real>& m, const GeomPair& g) {
  ContactSettings<Real> s;
  for (int k = 0; k < mjNREF; k++) s.solreffriction[k] = Real(0);
  const int a = g.geom[0], b = g.geom[1];
  if (g.pair >= 0) {
    settings_of_pair(m, g.pair, s);
  } else if (m.geom_priority[a] != m.geom_priority[b]) {
    settings_of_geom(m, m.geom_priority[a] > m.geom_priority[b] ? a : b, s);
  } else {
    settings_of_equals(m, a, b, s);
  }
  if (overrides(m)) {
    for (int k = 0; k < 5; k++) s.friction[k] = m.opt.o_friction[k];
    for (int k = 0; k < mjNREF; k++) s.solref[k] = s.solreffriction[k] = m.opt.o_solref[k];
    for (int k = 0; k < mjNIMP; k++) s.solimp[k] = m.opt.o_solimp[k];
  }
  for (int k = 0; k < 5; k++) s.friction[k] = max(Real(min_friction), s.friction[k]);
  return s;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
