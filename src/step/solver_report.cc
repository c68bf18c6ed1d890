#include "step/solver_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/solver_flags.h"
#include "model/types.h"

namespace lockstep {
namespace {

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

}  // namespace

SolverReport solver_report(Solver solver, int iterations, double residual, int flags) {
  return {solver, iterations, residual, !(flags & solver_unconverged),
          (flags & solver_fallback) != 0};
}

SolverReport solver_report(const Model& m, const Data& d) {
  return solver_report(static_cast<Solver>(m.opt.solver),
                       *std::max_element(d.solver_niter, d.solver_niter + mjNISLAND),
                       *d.solver_residual, *d.solver_flags);
}

std::string unsolved_text(const SolverReport& report, int cap, double tolerance) {
  const std::string name(keyword_of(report.solver));
  if (!std::isfinite(report.residual)) {
    return "solver " + name + " became non-finite after " + std::to_string(report.iterations) +
           " iterations; the state is as before the step. Look for extreme forces, masses, solref "
           "or velocities in this state";
  }
  return "solver " + name + " did not converge in " + std::to_string(report.iterations) +
         " iterations (at most " + std::to_string(cap) + "): residual " +
         short_number(report.residual) + ", tolerance " + short_number(tolerance) +
         "; the state is as before the step. Raise option iterations or tolerance, or choose the "
         "solver Newton";
}

std::string unsolved_text(const Model& m, const Data& d) {
  return unsolved_text(solver_report(m, d), m.opt.iterations, m.opt.tolerance);
}

}  // namespace lockstep
