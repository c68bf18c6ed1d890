// every field of the position and velocity stages equals MuJoCo's, on golden files.
// LOCKSTEP_GOLDEN=dir compares all files of another folder and prints the worst residual per field.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stage/golden.h"
#include "step/engine.h"

namespace lockstep {
namespace {

using Worst = std::map<std::string, std::pair<double, std::string>>;

std::vector<double> dense_moment(const Model& m, const Data& d) {
  std::vector<double> dense(m.nout * m.nv);
  for (int row = 0; row < m.nout; row++) {
    for (int k = d.moment_rowadr[row]; k < d.moment_rowadr[row] + d.moment_rownnz[row]; k++) {
      dense[row * m.nv + d.moment_colind[k]] += d.actuator_moment[k];
    }
  }
  return dense;
}

// difference relative to the largest number of the field, but at least absolute
double residual(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double scale = 1, worst = 0;
  for (double x : theirs) scale = std::max(scale, std::abs(x));
  if (ours.size() != theirs.size()) return INFINITY;
  for (size_t i = 0; i < ours.size(); i++) {
    const double difference = std::abs(ours[i] - theirs[i]) / scale;
    worst = difference <= worst ? worst : difference;
  }
  return worst;
}

// paths of tendons end where the counters say; beyond, the memory is stale
int64_t used_wraps(const Model& m, const Data& d) {
  return m.ntendon ? d.ten_wrapadr[m.ntendon - 1] + d.ten_wrapnum[m.ntendon - 1] : 0;
}

void compare(const Golden& golden, const GoldenState& state, Data& d, const std::string& file,
             Worst& worst) {
  const Model& m = golden.model;
  const auto note = [&](const std::string& name, double value) {
    auto& entry = worst[name];
    if (!(value <= entry.first)) entry = {value, file};
  };
  const int64_t wraps = used_wraps(m, d);
  for (const FieldInfo& field : d.fields(m)) {
    const auto found = state.expected.find(std::string(field.name));
    if (found == state.expected.end()) continue;
    int64_t count = field.size();
    if (field.name == "wrap_xpos") count = 3 * wraps;
    if (field.name == "wrap_obj") count = wraps;
    if (field.dtype == Dtype::i32) {
      const std::vector<int> theirs = as_ints(found->second);
      note(std::string(field.name),
           std::equal(theirs.begin(), theirs.begin() + count, static_cast<int*>(field.data))
               ? 0
               : INFINITY);
    } else {
      std::vector<double> theirs = as_numbers(found->second);
      theirs.resize(count);
      const double* ours = static_cast<double*>(field.data);
      note(std::string(field.name), residual({ours, ours + count}, theirs));
    }
  }
  note("moment", residual(dense_moment(m, d), as_numbers(state.expected.at("moment"))));
}

TEST(Parity, PositionAndVelocityStages) {
  Worst worst;
  int files = 0, states = 0;
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    Data d = make_data(golden.model);
    for (const GoldenState& state : golden.states) {
      set_input(golden, state, d);
      run_phases(golden.model, d, Phase::position, Phase::velocity);
      compare(golden, state, d, file.filename(), worst);
      states++;
    }
    files++;
  }
  std::printf("%d models, %d states\n", files, states);
  EXPECT_GT(files, 0);
  for (const auto& [name, entry] : worst) {
    std::printf("%-18s %9.2e  %s\n", name.c_str(), entry.first, entry.second.c_str());
    EXPECT_LT(entry.first, 1e-12) << name << " in " << entry.second;
  }
}

}  // namespace
}  // namespace lockstep
