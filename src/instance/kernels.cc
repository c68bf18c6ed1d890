// kernels.cc: the kernels for one of the variants in src/CMakeLists.txt, which passes its name,
// number and lanes. Nothing but kernels may be compiled here: the linker could otherwise keep this
// copy of a shared function, and older machines would crash in it.
#include "step/kernels.h"

#include "math/transpose.h"
#include "step/drive.h"
#include "step/inverse.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class T, int W>
struct LanesOrOne {
  using Type = Pack<T, W>;
};
template <class T>
struct LanesOrOne<T, 1> {
  using Type = T;
};
using Real = LanesOrOne<LOCKSTEP_NUMBER, LOCKSTEP_LANES>::Type;

static const ModelView<Real>& model_at(const void* model) {
  return *static_cast<const ModelView<Real>*>(model);
}
static const DataView<Real>& data_at(const void* data) {
  return *static_cast<const DataView<Real>*>(data);
}

}  // namespace LOCKSTEP_ISA

#define TEXT(x) #x
#define QUOTED(x) TEXT(x)

extern const Kernels LOCKSTEP_VARIANT;
const Kernels LOCKSTEP_VARIANT = {
    QUOTED(LOCKSTEP_ISA),
    sizeof(Scalar<Real>) == sizeof(float),
    lanes<Real>,
    sizeof(ModelView<Real>),
    sizeof(DataView<Real>),
    sizeof(ArenaView<Real>),
    [](const void* m, const void* d, Detail detail) { step(model_at(m), data_at(d), detail); },
    [](const void* m, const void* d, Phase first, Phase last) {
      run_phases(model_at(m), data_at(d), first, last);
    },
    [](const void* m, const void* d) { inverse(model_at(m), data_at(d)); },
    [](const void* m, const void* d) {
      check_pos(model_at(m), data_at(d));
      check_vel(model_at(m), data_at(d));
    },
    [](const void* m, const void* d, int stage) {
      run_stage(pipeline<Real>[stage], model_at(m), data_at(d));
    },
    [](const void* m, const void* d, int stage) {
      run_stage(on_demand<Real>[stage], model_at(m), data_at(d));
    },
    [](const void* const* rows, void* cells, int64_t count) {
      using T = Scalar<Real>;
      rows_to_lanes<T, lanes<Real>>(reinterpret_cast<const T* const*>(rows), static_cast<T*>(cells),
                                    count);
    },
    [](const void* cells, void* const* rows, int64_t count) {
      using T = Scalar<Real>;
      lanes_to_rows<T, lanes<Real>>(static_cast<const T*>(cells), reinterpret_cast<T* const*>(rows),
                                    count);
    },
};

}  // namespace lockstep
