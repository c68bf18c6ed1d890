// double.cc: the kernels for one world in double.
#include <algorithm>
#include <iterator>
#include <vector>

#include "step/drive.h"
#include "step/engine.h"
#include "step/inverse.h"
#include "step/kernels.h"

namespace lockstep {
namespace {

// where a table has the stage of this name; -1 if it has none
template <size_t N>
int place_of(const Stage<double> (&table)[N], std::string_view name) {
  const auto named = [&](const Stage<double>& stage) { return name == stage.name; };
  const auto* found = std::find_if(std::begin(table), std::end(table), named);
  return found == std::end(table) ? -1 : static_cast<int>(found - table);
}

}  // namespace

int stage_count() { return static_cast<int>(std::size(pipeline<double>)); }

StageInfo stage_info(int stage) {
  const Stage<double>& s = pipeline<double>[stage];
  return {s.phase, s.name, s.what, s.timer};
}

void run_phases(const Model& m, Data& d, Phase first, Phase last) {
  run_phases(view(m), view(d), first, last);
}

bool run_stage(const Model& m, Data& d, std::string_view name) {
  if (const int place = on_demand_place(name); place >= 0) {
    run_on_demand(m, d, place);
    return true;
  }
  const int place = place_of(pipeline<double>, name);
  if (place < 0) return false;
  if (d.watch) {
    run_watched(view(m), view(d), pipeline<double>[place], place);
  } else {
    run_stage(pipeline<double>[place], view(m), view(d));
  }
  return true;
}

int on_demand_place(std::string_view name) { return place_of(on_demand<double>, name); }
void run_on_demand(const Model& m, Data& d, int place) {
  run_stage(on_demand<double>[place], view(m), view(d));
}

bool is_sensed(const Model& m, int place) {
  if (m.opt.disableflags & code(DisableBit::sensor)) return false;
  const std::string_view name = on_demand<double>[place].name;
  return (name == "subtree_vel" && senses_momentum(view(m))) ||
         (name == "rne_post_constraint" && senses_forces(view(m)));
}

Status status_of(const Model& m, Data& d) {
  return unsolved(view(m), view(d)) ? Status::unsolved : Status::ok;
}
Status forward(const Model& m, Data& d, Phase first, bool sensors) {
  forward(view(m), view(d), first, sensors ? Detail::all : Detail::unsensed);
  return status_of(m, d);
}
Status step(const Model& m, Data& d, int count, Detail detail) {
  const ModelView<double> model = view(m);
  const DataView<double> data = view(d);
  static const Kernels* const wider = find_kernels(false, 1);
  for (int i = 0; i < count; i++) {
    wider ? wider->step(&model, &data, detail) : step(model, data, detail);
    if (unsolved(model, data)) return Status::unsolved;
  }
  return Status::ok;
}
void step1(const Model& m, Data& d) { step1(view(m), view(d)); }
Status step2(const Model& m, Data& d) {
  step2(view(m), view(d));
  return status_of(m, d);
}
Status integrate_by(const Model& m, Data& d, Integrator integrator) {
  if (status_of(m, d) != Status::ok) return Status::unsolved;
  ModelView<double> by = view(m);
  keep_state(by, view(d));
  by.opt.integrator.value = code(integrator);
  if (integrator == Integrator::rk4) {
    runge_kutta(by, view(d));
  } else {
    integrate(by, view(d));
  }
  take_back(by, view(d), unsolved(by, view(d)));
  return status_of(m, d);
}

std::string start_asleep(const Model& m, Data& d) {
  if (!(m.opt.enableflags & code(EnableBit::sleep))) return {};
  const auto wanted = [&](int64_t tree) {
    return m.tree_sleep_policy[tree] == code(SleepPolicy::init);
  };
  int count = 0, slept = 0, failed = -1;
  for (int64_t tree = 0; tree < m.ntree; tree++) count += wanted(tree);
  if (count == 0) {
    for (const char* stage : {"kinematics", "com_pos", "cam_light", "tendon"}) {
      run_stage(m, d, stage);
    }
    return {};
  }
  forward(m, d);
  for (int64_t tree = 0; tree < m.ntree; tree++) {
    d.tree_asleep[tree] = wanted(tree) ? -1 : wide_awake;
  }
  run_stage<double>({Phase::integration, "fall_asleep", fall_asleep<double>, ""}, view(m), view(d));
  for (int tree = 0; tree < m.ntree; tree++) {
    if (!wanted(tree)) continue;
    if (d.tree_asleep[tree] >= 0) {
      slept++;
    } else {
      d.tree_asleep[tree] = wide_awake;
      if (failed < 0) failed = m.tree_bodyadr[tree];
    }
  }
  std::fill_n(d.qacc_smooth, m.nv, 0.0);
  std::fill_n(d.qfrc_smooth, m.nv, 0.0);
  ArenaView<double>& rows = d.arena->view();
  rows.ne = rows.nf = rows.nl = rows.nefc = rows.nJ = 0;
  *d.ne = *d.nf = *d.nl = *d.nefc = *d.nJ = 0;
  update_awake(view(m), view(d));
  if (slept == count) return {};
  return std::to_string(count) + " trees were marked as sleep='init' but only " +
         std::to_string(slept) + " could be slept; the first that could not hangs on body " +
         std::to_string(failed);
}

void wake_all(const Model& m, Data& d) {
  std::fill_n(d.tree_asleep, m.ntree, wide_awake);
  update_awake(view(m), view(d));
}

void check_pos(const Model& m, Data& d) { check_pos(view(m), view(d)); }
void check_vel(const Model& m, Data& d) { check_vel(view(m), view(d)); }
void check_acc(const Model& m, Data& d) { check_acc(view(m), view(d)); }

void inverse(const Model& m, Data& d, Phase first, bool sensors) {
  inverse(view(m), view(d), first, sensors);
}
void inv_constraint(const Model& m, Data& d) { inv_constraint<double>(view(m), view(d), d.qacc); }

void compare_fwd_inv(const Model& m, Data& d) {
  if (*d.nefc == 0) return;
  const size_t nv = size_t(m.nv), nefc = size_t(*d.nefc);
  ArenaView<double>& rows = d.arena->view();
  const std::vector<double> constraint(d.qfrc_constraint, d.qfrc_constraint + nv);
  const std::vector<double> force(rows.efc_force, rows.efc_force + nefc);
  std::vector<double> applied(d.qfrc_applied, d.qfrc_applied + nv);
  for (size_t dof = 0; dof < nv; dof++) applied[dof] += d.qfrc_actuator[dof];
  add_applied(view(m), view(d), applied.data());
  inverse(m, d, Phase::acceleration, false);
  const auto distance = [nv](const double* a, const double* b) {
    double sum = 0;
    for (size_t dof = 0; dof < nv; dof++) sum += (a[dof] - b[dof]) * (a[dof] - b[dof]);
    return sqrt(sum);
  };
  d.solver_fwdinv[0] = distance(d.qfrc_constraint, constraint.data());
  d.solver_fwdinv[1] = distance(d.qfrc_inverse, applied.data());
  std::copy_n(constraint.begin(), nv, d.qfrc_constraint);
  std::copy_n(force.begin(), nefc, rows.efc_force);
}

void rne(const Model& m, Data& d, bool with_acc, double* qfrc) {
  newton_euler<double>(view(m), view(d), with_acc ? d.qacc : nullptr, qfrc);
}

void ten_force(const Model& m, Data& d, double* force) {
  for (int tendon = 0; tendon < m.ntendon; tendon++) {
    const TendonForce<double> f = tendon_force(view(m), view(d), tendon);
    const double parts[ten_force_parts] = {f.spring,   f.damper,   f.limit,
                                           f.friction, f.actuator, f.sum()};
    std::copy_n(parts, ten_force_parts, force + ten_force_parts * tendon);
  }
}

void solve_m(const Model& m, Data& d, double* x) { solve_m(view(m), view(d), x); }

void dof_inertias(const Model& m, Data& d, double* inertia) {
  dof_inertias(view(m), view(d), inertia);
}

}  // namespace lockstep
