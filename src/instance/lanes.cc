// lanes.cc: the kernels for several worlds at once, and in single precision.
#include "math/pack.h"
#include "step/drive.h"
#include "step/inverse.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

#define INSTANTIATE(...)                                                                           \
  template void run_phases(const ModelView<__VA_ARGS__>&, const DataView<__VA_ARGS__>&, Phase,     \
                           Phase, bool);                                                           \
  template void forward(const ModelView<__VA_ARGS__>&, const DataView<__VA_ARGS__>&, Phase, bool); \
  template void step(const ModelView<__VA_ARGS__>&, const DataView<__VA_ARGS__>&);                 \
  template void inverse(const ModelView<__VA_ARGS__>&, const DataView<__VA_ARGS__>&, Phase, bool); \
  template void subtree_vel(const ModelView<__VA_ARGS__>&, const DataView<__VA_ARGS__>&);          \
  template void rne_post_constraint(const ModelView<__VA_ARGS__>&, const DataView<__VA_ARGS__>&);

INSTANTIATE(float)
INSTANTIATE(Pack<double, 4>)
INSTANTIATE(Pack<float, 8>)

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
