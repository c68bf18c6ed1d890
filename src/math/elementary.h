// elementary.h: elementary functions for kernels.
#pragma once

#include "math/real.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct SinCos {
  Real sin, cos;
};

LOCKSTEP_INLINE double sin(double x) { return __builtin_sin(x); }
LOCKSTEP_INLINE double cos(double x) { return __builtin_cos(x); }
LOCKSTEP_INLINE double atan2(double y, double x) { return __builtin_atan2(y, x); }
LOCKSTEP_INLINE SinCos<double> sincos(double x) { return {sin(x), cos(x)}; }

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
