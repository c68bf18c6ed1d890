// lanes.cc: the kernels for several worlds at once, and in single precision.
#include "math/pack.h"
#include "step/pipeline.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template void run_phases(const ModelView<float>&, const DataView<float>&, Phase, Phase);
template void run_phases(const ModelView<Pack<double, 4>>&, const DataView<Pack<double, 4>>&, Phase,
                         Phase);
template void run_phases(const ModelView<Pack<float, 8>>&, const DataView<Pack<float, 8>>&, Phase,
                         Phase);

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
