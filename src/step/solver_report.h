// solver_report.h: how the last solve of a world went, in words and numbers.
#pragma once

#include <string>

#include "model/data.h"
#include "model/model.h"

namespace lockstep {

struct SolverReport {
  Solver solver = Solver::newton;
  int iterations = 0;   // the most that an island took; with noslip and a fallback all of them
  double residual = 0;  // gradient, or what PGS saved last, over the trace of M; worst island
  bool converged = true;
  bool fallback = false;  // PGS solved what CG could not
};

SolverReport solver_report(const Model& m, const Data& d);
// from the numbers of a world that may be one of several lanes: flags as in model/solver_flags.h
SolverReport solver_report(Solver solver, int iterations, double residual, int flags);

// what a strict solver says when it gives up, and what to do
std::string unsolved_text(const SolverReport& report, int cap, double tolerance);
std::string unsolved_text(const Model& m, const Data& d);

}  // namespace lockstep
