// springs.h: springs of joints and tendons, with polynomial coefficients. Not a stage; shared by
// passive forces, potential energy and the integrators.
//   force = -(a x + b x^2 + c x^3), where x is the way from rest: from plastic if the spring can
//   yield, else from qpos_spring or lengthspring
// reads qpos plastic ten_length
#pragma once

#include "math/quat.h"
#include "model/view.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct Spring {
  Real a, b, c;

  // force per length; along three dofs x is the length of the displacement
  LOCKSTEP_INLINE Real factor(Real x) const { return a + x * (b + x * c); }
  LOCKSTEP_INLINE Real force(Real x) const { return -(x * factor(x)); }
  // slope of the resistance
  LOCKSTEP_INLINE Real slope(Real x) const { return a + x * (Real(2) * b + Real(3) * x * c); }
  // work on the way from rest to x
  LOCKSTEP_INLINE Real energy(Real x) const {
    return x * x * (a / Real(2) + x * (b / Real(3) + x * c / Real(4)));
  }
  LOCKSTEP_INLINE Mask<Real> acts() const { return a != Real(0) || b != Real(0) || c != Real(0); }
};

template <class Real>
LOCKSTEP_INLINE Spring<Real> joint_spring(const ModelView<Real>& m, int joint) {
  const Real* poly = m.jnt_stiffnesspoly + mjNPOLY * joint;
  return {m.jnt_stiffness[joint], poly[0], poly[1]};
}
template <class Real>
LOCKSTEP_INLINE Spring<Real> tendon_spring(const ModelView<Real>& m, int tendon) {
  const Real* poly = m.tendon_stiffnesspoly + mjNPOLY * tendon;
  return {m.tendon_stiffness[tendon], poly[0], poly[1]};
}

// where the spring of a joint rests, in the coordinates of the joint
template <class Real>
LOCKSTEP_INLINE const Real* spring_rest(const ModelView<Real>& m, const DataView<Real>& d,
                                        int joint) {
  const int yields = m.jnt_plasticadr[joint];
  return yields >= 0 ? d.plastic + yields : m.qpos_spring + m.jnt_qposadr[joint];
}

// rotation from rest, as a vector in the frame of the body; four numbers each
template <class Real>
LOCKSTEP_FN Vec3<Real> turn_from(const Real* rest, const Real* q) {
  return subtract(normalize(Quat<Real>{q[0], q[1], q[2], q[3]}),
                  Quat<Real>{rest[0], rest[1], rest[2], rest[3]});
}

// the range of lengths at which a tendon rests: two numbers
template <class Real>
LOCKSTEP_INLINE const Real* tendon_rest(const ModelView<Real>& m, const DataView<Real>& d,
                                        int tendon) {
  const int yields = m.tendon_plasticadr[tendon];
  return yields >= 0 ? d.plastic + yields : m.tendon_lengthspring + 2 * tendon;
}

// what a tendon exceeds its range of rest by; negative when it is too short
template <class Real>
LOCKSTEP_INLINE Real tendon_stretch(const ModelView<Real>& m, const DataView<Real>& d, int tendon) {
  const Real* rest = tendon_rest(m, d, tendon);
  const Real length = d.ten_length[tendon];
  return select(length > rest[1], length - rest[1],
                select(length < rest[0], length - rest[0], Real(0)));
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
