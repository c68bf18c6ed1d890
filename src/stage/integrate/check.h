// check.h: a state that is not finite or absurdly large raises a warning and starts anew.
// reads qpos qvel qacc    writes warning, and all of a lane that is reset
#pragma once

#include "model/reset.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

inline constexpr double max_value = 1e10;  // larger is as bad as infinite (MuJoCo's mjMAXVAL)

// raises a warning in the lanes where one of the values is bad, with the index of the first, and
// resets these lanes unless the model asks not to; returns them. Some lanes may be spared
template <class Real>
LOCKSTEP_FN Mask<Real> check_values(const ModelView<Real>& m, const DataView<Real>& d,
                                    const Real* values, int count, Warning kind,
                                    Mask<Real> spared = false) {
  Mask<Real> bad = false;
  for (int i = 0; i < count; i++) bad = bad || !(abs(values[i]) <= Real(max_value));
  bad = bad && !spared;
  if (!any(bad)) return bad;
  int first[lanes<Real>] = {};
  for_each_lane<Real>(bad, [&](int at) {
    while (abs(lane(values[first[at]], at)) <= Scalar<Real>(max_value)) first[at]++;
  });
  if (!(m.opt.disableflags & code(DisableBit::autoreset))) reset(m, d, bad);
  for_each_lane<Real>(bad, [&](int at) {
    d.warning.set(code(kind), at, d.warning.get(code(kind), at) + 1);
    d.warning_info.set(code(kind), at, first[at]);
  });
  return bad;
}

template <class Real>
LOCKSTEP_FN void check_pos(const ModelView<Real>& m, const DataView<Real>& d) {
  check_values(m, d, d.qpos, m.nq, Warning::badqpos);
}

template <class Real>
LOCKSTEP_FN void check_vel(const ModelView<Real>& m, const DataView<Real>& d) {
  check_values(m, d, d.qvel, m.nv, Warning::badqvel);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
