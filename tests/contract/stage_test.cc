// each stage writes exactly the fields that the list says, all of them, and reads none that a later
// stage writes: everything that is not an input starts as NaN, and the results must not notice.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <type_traits>

#include "api/lockstep.h"
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

// ---- contacts and rows ----

// an array of the arena: all that there is room for, and how much of it counts
struct ArenaArray {
  std::string name, writer;
  char* start;
  int64_t bytes, used;
  bool numbers;
};

std::vector<ArenaArray> arena_arrays(const Model& m, Data& d) {
  ArenaView<double>& view = d.arena->view();
  std::vector<ArenaArray> list;
  const auto add = [&](const char* name, const char* writer, auto& rows, int64_t room,
                       int64_t used) {
    if constexpr (std::is_pointer_v<std::remove_reference_t<decltype(rows)>>) {
      const int64_t size = sizeof(*rows);
      list.push_back({name, writer, reinterpret_cast<char*>(rows), room * size, used * size,
                      std::is_same_v<decltype(rows), double*&>});
    } else {
      const int64_t size = sizeof(*rows.start);
      list.push_back({name, writer, reinterpret_cast<char*>(rows.start), room * size, used * size,
                      std::is_same_v<std::remove_cvref_t<decltype(*rows.start)>, double>});
    }
  };
  Room all = view.room, in_use = view.room;
  in_use.ncon = view.ncon;
  in_use.nefc = view.nefc;
  in_use.nJ = view.nJ;
  const ArenaSizes sizes(m);
#define ROOM(name, doc) const auto rows_##name = [](const Room& r) { return int64_t{r.name}; };
#define ARENA(element, name, rows, cols, stage, doc)
#define WORK(element, name, rows, cols)
#define REPORT(element, name, rows, cols, stage, doc)
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#define ROOM(name, doc)
#define ARENA(element, name, rows, cols, stage, doc)                       \
  add(#name, #stage, view.name, rows_##rows(all) * cols * width_##element, \
      rows_##rows(in_use) * cols * width_##element);
#define WORK(element, name, rows, cols) \
  add(#name, "work", view.name, rows_##rows(all) * cols * width_##element, 0);
  const auto rows_nv = [&](const Room&) { return sizes.nv; };
  const auto rows_ntendon = [&](const Room&) { return sizes.ntendon; };
  const auto rows_ngeom = [&](const Room&) { return sizes.ngeom; };
  const auto rows_nfilter = [&](const Room&) { return sizes.nfilter; };
#include "model/arena_fields.def"
#undef ROOM
#undef ARENA
#undef WORK
#undef REPORT
  return list;
}

void poison_arena(const Model& m, Data& d) {
  for (const ArenaArray& array : arena_arrays(m, d)) {
    if (array.numbers) {
      std::fill_n(reinterpret_cast<double*>(array.start), array.bytes / 8,
                  std::numeric_limits<double>::quiet_NaN());
    } else {
      std::fill_n(reinterpret_cast<int*>(array.start), array.bytes / 4, -77);
    }
  }
}

std::map<std::string, Bytes> arena_snapshot(const Model& m, Data& d) {
  std::map<std::string, Bytes> result;
  for (const ArenaArray& array : arena_arrays(m, d)) {
    result[array.name] = Bytes(array.start, array.start + array.bytes);
  }
  return result;
}

// once the inertia of a discrete step is known, it softens rows again
bool shares(const std::string& stage, const std::string& field) {
  return stage == "scale_constraint" &&
         (field == "efc_R" || field == "efc_D" || field == "efc_diagA" || field == "con_mu");
}

// after some steps there is room for what the state needs, so that arrays stay where they are
void check_arena(const Model& m, int steps, const std::string& name, int& contacts) {
  Data clean = make_data(m), d = make_data(m);
  step(m, clean, steps);
  step(m, d, steps);
  poison_arena(m, d);
  for (int i = 0; i < stage_count(); i++) {
    const StageInfo stage = stage_info(i);
    if (stage.phase == Phase::integration) break;
    run_stage(m, clean, stage.name);
    const auto before = arena_snapshot(m, d);
    run_stage(m, d, stage.name);
    const std::vector<ArenaArray> own = arena_arrays(m, d), expected = arena_arrays(m, clean);
    contacts += d.arena->view().ncon;
    for (size_t k = 0; k < own.size(); k++) {
      const ArenaArray& array = own[k];
      if (array.writer == "work" || shares(std::string(stage.name), array.name)) continue;
      const std::string where = name + ": " + std::string(stage.name) + " and " + array.name;
      if (array.writer == stage.name) {
        if (array.name == "con_H") continue;  // only of contacts at the edge of an elliptic cone
        ASSERT_EQ(array.used, expected[k].used) << where;
        const Bytes now(array.start, array.start + array.used);
        EXPECT_TRUE(std::equal(now.begin(), now.end(), expected[k].start))
            << where << ": reads what is not there yet, or not all is written";
      } else {
        const Bytes& old = before.at(array.name);
        ASSERT_EQ(int64_t(old.size()), array.bytes) << where;
        EXPECT_TRUE(std::equal(old.begin(), old.end(), array.start)) << where << ": not its field";
      }
    }
  }
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

// a heap on a floor: contacts of all kinds, limits, friction, couplings
constexpr const char* heap = R"(
<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom type="plane" size="3 3 1"/>
    <body pos="0 0 0.2"><freejoint/><geom type="box" size="0.1 0.08 0.06"/></body>
    <body pos="0.05 0.02 0.3"><freejoint/><geom type="capsule" size="0.05 0.1" condim="4"/></body>
    <body pos="-0.03 0.05 0.5"><freejoint/><geom type="sphere" size="0.08" condim="6"/></body>
    <body pos="0.4 0 0.5">
      <joint name="a" axis="0 1 0" range="-1 1" frictionloss="0.05" damping="0.1" stiffness="1"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.3"/>
      <body pos="0 0 -0.3"><joint name="b" axis="1 0 0" range="-1 1"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.2" condim="1"/></body>
    </body>
    <body name="ball" pos="-0.3 0 0.1"><freejoint/><geom name="g1" size="0.05"/></body>
    <body name="cube" pos="-0.3 0 0.3"><freejoint/><geom name="g2" type="box" size="0.05 0.05 0.05"/></body>
  </worldbody>
  <tendon><fixed name="t" range="-0.2 0.2" frictionloss="0.01"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
  <equality><connect body1="ball" body2="cube" anchor="0 0 0.1"/><distance geom1="g1" geom2="g2"/></equality>
</mujoco>)";

TEST(Contract, StagesKeepToTheirContactsAndRows) {
  int contacts = 0;
  for (const Solver solver : {Solver::newton, Solver::cg, Solver::pgs}) {
    for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
      for (const Integrator integrator : {Integrator::euler, Integrator::discrete}) {
        Model m = ModelSpec::parse(heap).value().compile().value();
        m.opt.solver = code(solver);
        m.opt.cone = code(cone);
        m.opt.integrator = code(integrator);
        const std::string name = std::to_string(code(solver)) + std::to_string(code(cone)) +
                                 std::to_string(code(integrator));
        for (int steps : {1, 60, 200}) check_arena(m, steps, name, contacts);
      }
    }
  }
  EXPECT_GT(contacts, 100);
}

}  // namespace
}  // namespace lockstep
