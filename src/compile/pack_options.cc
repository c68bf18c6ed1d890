// pack_options.cc: options, statistics and the size of the arena into the Model.
#include <algorithm>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

constexpr int64_t megabyte = 1 << 20;
constexpr int64_t contact_bytes = 600;  // of one contact in MuJoCo's arena

// MuJoCo's estimate of the memory a simulation needs, where the file says nothing
int64_t estimate_arena(const Model& m, int64_t nstack) {
  int64_t nconmax = m.nconmax < 0 ? 100 : m.nconmax, njmax = m.njmax < 0 ? 500 : m.njmax;
  int64_t rows = njmax + m.neq + m.nv;
  int64_t objects = m.nq + m.nv + m.nu + m.na + m.nbody + m.njnt + m.ngeom + m.nsite + m.neq +
                    m.ntendon + m.nwrap;
  int64_t stack = nstack >= 0 ? nstack : std::max<int64_t>(1000, 5 * rows * rows + 20 * objects);
  int64_t bytes = 8 * stack + nconmax * contact_bytes + njmax * (8 * 4 + 14 * 8) + m.nv * 12 +
                  njmax * m.nv * 24 + njmax * njmax * 12;
  return (bytes + megabyte - 1) / megabyte * megabyte;
}

// what MuJoCo finds out when it starts the model
void check_options(Build& b) {
  const Option& option = b.spec.option;
  const auto error = [&](const char* attribute, const char* message, const char* expected) {
    Diagnostic& d = b.diagnostics.error(b.spec.source, message);
    d.attribute = attribute;
    d.expected = expected;
  };
  if (option.enableflags & code(EnableBit::ipc)) {
    if (option.integrator != code(Integrator::discrete))
      error("ipc", "needs another integrator", "integrator discrete");
    if (option.solver == code(Solver::pgs)) error("ipc", "needs another solver", "Newton or CG");
  }
  if (b.spec.memory == 0) error("memory", "no room for the simulation", "a positive size");
}

}  // namespace

void pack_options(Build& b) {
  check_options(b);
  Model& m = b.model;
  m.opt = b.spec.option;
  m.vis = b.spec.visual;
  m.stat = b.spec.stat;
  m.narena = b.spec.memory >= 0 ? b.spec.memory : estimate_arena(m, b.spec.nstack);
}

}  // namespace lockstep
