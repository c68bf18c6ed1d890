// constants_limits.h: a step with limits and equalities but without contacts, for searches that the
// compiler makes.
#pragma once

#include <vector>

#include "model/data.h"
#include "model/model.h"

namespace lockstep {

// one constraint row: J qacc is drawn to aref with regularisation R; one-sided rows only push
struct LimitRow {
  std::vector<double> jac;  // nv
  double aref;
  double r;
  bool one_sided;
};

// limits of joints and tendons near or beyond their range, and equalities
std::vector<LimitRow> limit_rows(const Model& m, const Data& d);

// qacc that minimises the distance from the unconstrained one plus the cost of the rows; needs M
// factored
void solve_limits(const Model& m, Data& d, const std::vector<LimitRow>& rows);

// semi-implicit Euler: qvel, then qpos along it
void integrate(const Model& m, Data& d, double timestep);

}  // namespace lockstep
