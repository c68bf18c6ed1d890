// rne.h: bias force, by recursive Newton-Euler: what M qacc would be if the joints did not
// accelerate. Tendons with inertia add theirs.
// reads cinert cdof cdof_dot cvel qvel ten_J site_xpos subtree_com    writes qfrc_bias
#pragma once

#include "stage/velocity/newton_euler.h"
#include "stage/velocity/tendon_bias.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
LOCKSTEP_FN void rne(const ModelView<Real>& m, const DataView<Real>& d) {
  newton_euler<Real>(m, d, nullptr, d.qfrc_bias, true);
  add_tendon_bias(m, d, d.qfrc_bias);
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
