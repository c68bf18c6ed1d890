// each stage writes exactly the fields that the list says, all of them, and reads none that a later
// stage writes: everything that is not an input starts as NaN, and the results must not notice.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "stage/golden.h"
#include "step/engine.h"
#include "step/world.h"

namespace lockstep {
namespace {

using Bytes = std::vector<char>;

// field -> the stage that writes it
std::map<std::string, std::string> writers() {
  std::map<std::string, std::string> result;
#define FIELD(element, name, rows, cols, stage, doc) result[#name] = #stage;
#define SCRATCH(element, name, rows, cols)
#define SCALAR(element, name, count, stage, doc) result[#name] = #stage;
#include "model/data_fields.def"
#undef FIELD
#undef SCRATCH
#undef SCALAR
  for (auto& [name, stage] : result) {
    // these remember more than one step: the most there was, who sleeps
    if (name.starts_with("maxuse_") || stage == "sleep") stage = "any";
  }
  return result;
}

std::map<std::string, Bytes> snapshot(const Model& m, const Data& d) {
  std::map<std::string, Bytes> result;
  for (const FieldInfo& field : d.fields(m)) {
    const char* start = static_cast<const char*>(field.data);
    result[std::string(field.name)] = field.bytes() ? Bytes(start, start + field.bytes()) : Bytes();
  }
  return result;
}

// NaN, or an index that no array has
void poison(const Model& m, Data& d, const std::map<std::string, std::string>& writer) {
  for (const FieldInfo& field : d.fields(m)) {
    const std::string& stage = writer.at(std::string(field.name));
    if (stage == "input" || stage == "any") continue;
    const int64_t cells = field.rows * field.cols;
    if (field.dtype == Dtype::f64) {
      std::fill_n(static_cast<double*>(field.data), cells,
                  std::numeric_limits<double>::quiet_NaN());
    } else if (field.dtype == Dtype::i32) {
      std::fill_n(static_cast<int*>(field.data), cells, -77);
    }
  }
}

bool has_nan(const Bytes& bytes) {
  for (double x : as_numbers(bytes)) {
    if (std::isnan(x)) return true;
  }
  return false;
}

void check(const Golden& golden, const GoldenState& state, const std::string& name) {
  const Model& m = golden.model;
  const auto writer = writers();
  Data clean = make_data(m), d = make_data(m);
  set_input(golden, state, clean);
  set_input(golden, state, d);
  poison(m, d, writer);
  std::set<std::string> doubles;
  for (const FieldInfo& field : d.fields(m)) {
    if (field.dtype == Dtype::f64) doubles.insert(std::string(field.name));
  }
  for (int i = 0; i < stage_count(); i++) {
    const StageInfo stage = stage_info(i);
    if (stage.phase == Phase::integration) break;
    run_stage(m, clean, stage.name);
    const auto before = snapshot(m, d);
    run_stage(m, d, stage.name);
    const auto after = snapshot(m, d), expected = snapshot(m, clean);
    for (const auto& [field, bytes] : after) {
      if (writer.at(field) == "any") continue;
      const std::string where = name + ": " + std::string(stage.name) + " and " + field;
      // several stages share these
      if (field == "energy" || field == "sensordata") continue;
      if (writer.at(field) == stage.name) {
        EXPECT_TRUE(bytes == expected.at(field)) << where << ": reads what is not there yet";
        EXPECT_FALSE(doubles.count(field) && has_nan(bytes)) << where << ": not all is written";
      } else {
        EXPECT_TRUE(bytes == before.at(field)) << where << ": not its field";
      }
    }
  }
}

TEST(Contract, StagesKeepToTheirFields) {
  int checked = 0;
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    for (const GoldenState& state : golden.states) {
      check(golden, state, file.filename().string());
      checked++;
    }
  }
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace lockstep
