#include "compile/objects/history.h"

#include <fmt/core.h>

#include "compile/objects/common.h"

namespace lockstep {

namespace {
constexpr int max_samples = 1 << 24;
constexpr int64_t max_history = int64_t{1} << 30;  // addresses are int
}  // namespace

bool check_history(Build& b, const Element& element, int nsample, double delay) {
  if (delay > 0 && nsample <= 0) {
    expect(b.error(element, "delay", "a delay needs a history buffer"), "nsample of 1 or more",
           std::to_string(nsample));
    return false;
  }
  if (nsample > max_samples) {
    expect(b.error(element, "nsample", "too many samples in the history buffer"),
           fmt::format("at most {}", max_samples), std::to_string(nsample));
    return false;
  }
  if (nsample > 0 && !(b.spec.option.timestep > 0)) {
    expect(b.error(element, "nsample", "history buffers need a positive timestep"),
           "option timestep > 0", fmt::format("{}", b.spec.option.timestep));
    return false;
  }
  if (b.model.nhistory > max_history) {
    b.error(element, "nsample", "all history buffers together are too large");
    return false;
  }
  return true;
}

int history_address(Model& m, int nsample, int dim) {
  if (nsample <= 0) return -1;
  const int64_t adr = m.nhistory;
  m.nhistory += 2 + static_cast<int64_t>(nsample) * (1 + dim);  // tick, cursor, times, values
  return static_cast<int>(adr);
}

}  // namespace lockstep
