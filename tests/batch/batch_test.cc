// worlds of a batch keep the very bits they have alone: for any number of worlds and threads, with
// neighbours that fail, are reset or have parameters of their own.
#include "batch/batch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "stage/golden.h"
#include "step/engine.h"

namespace lockstep {
namespace {

constexpr int calls = 40 / (LOCKSTEP_TEST_SHARE > 4 ? 4 : LOCKSTEP_TEST_SHARE);
constexpr int reset_call = 11;  // later than a shortened run gets
constexpr int nstep = 3;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int everything = (1 << mjNSTATE) - 1;

double* row(const Batch& batch, int sim) {
  return reinterpret_cast<double*>(batch.state().row(sim));
}

std::vector<double> state_of(const Model& m, const Data& d) {
  std::vector<double> state(static_cast<size_t>(state_size(m, everything)));
  get_state(m, d, everything, state.data());
  return state;
}

int64_t part_start(const Model& m, State bit) {
  int64_t start = 0;
  for (const StatePart& part : state_parts(m)) {
    if (part.bit == bit) return start;
    start += part.count;
  }
  return -1;
}

int field_of(const Model& m, std::string_view name) {
  const std::vector<FieldInfo> fields = Data().fields(m);
  for (size_t i = 0; i < fields.size(); i++) {
    if (fields[i].name == name) return int(i);
  }
  return -1;
}

// the same worlds twice: in a batch, and each on its own
struct Both {
  Both(const Model& model, int nsim, const BatchOptions& options)
      : m(model), batch(model, nsim, options) {
    for (int sim = 0; sim < nsim; sim++) {
      models.push_back(model.copy());
      worlds.push_back(make_data(model));
      randoms.emplace_back(sim);
    }
  }

  void set_controls() {
    std::uniform_real_distribution<double> number(-1, 1);
    const int64_t ctrl = part_start(m, State::ctrl), force = part_start(m, State::qfrc_applied);
    for (int sim = 0; sim < batch.nsim(); sim++) {
      for (int64_t i = 0; i < m.nu; i++) {
        worlds[sim].ctrl[i] = row(batch, sim)[ctrl + i] = number(randoms[sim]);
      }
      for (int64_t i = 0; i < m.nv; i++) {
        worlds[sim].qfrc_applied[i] = row(batch, sim)[force + i] = 0.1 * number(randoms[sim]);
      }
    }
  }
  void poison(int sim) {
    if (m.nv == 0) return;
    worlds[sim].qvel[0] = row(batch, sim)[part_start(m, State::qvel)] = nan;
  }
  void step(const std::vector<int>& ids) {
    const bool all = int(ids.size()) == batch.nsim();
    EXPECT_EQ(batch.step(all ? Ids() : Ids(ids), nstep), 0);
    for (int sim : ids) lockstep::step(models[sim], worlds[sim], nstep);
  }
  void reset(const std::vector<int>& ids) {
    EXPECT_EQ(batch.reset(ids), 0);
    for (int sim : ids) {
      lockstep::reset(models[sim], worlds[sim]);
      forward(models[sim], worlds[sim]);
    }
  }
  int differing() const {
    int count = 0;
    for (int sim = 0; sim < batch.nsim(); sim++) {
      const std::vector<double> alone = state_of(m, worlds[sim]);
      count += std::memcmp(alone.data(), row(batch, sim), alone.size() * sizeof(double)) != 0;
    }
    return count;
  }

  const Model& m;
  Batch batch;
  std::vector<Model> models;
  std::vector<Data> worlds;
  std::vector<std::mt19937> randoms;
};

std::vector<int> all_of(int nsim) {
  std::vector<int> ids;
  for (int sim = 0; sim < nsim; sim++) ids.push_back(sim);
  return ids;
}
std::vector<int> every_third(int nsim) {
  std::vector<int> ids;
  for (int sim = 0; sim < nsim; sim += 3) ids.push_back(sim);
  return ids;
}

void compare(const Model& m, int nsim, const BatchOptions& options, const std::string& name) {
  Both both(m, nsim, options);
  for (int call = 0; call < calls; call++) {
    if (call % 5 == 0) both.set_controls();
    if (call == 7) both.poison(nsim / 2);
    if (call == reset_call) both.reset(every_third(nsim));
    both.step(call % 4 == 3 ? every_third(nsim) : all_of(nsim));
  }
  EXPECT_EQ(both.differing(), 0) << name << ": " << nsim << " worlds, " << options.nthread
                                 << " threads";
  if (m.nv == 0) return;
  const int* warnings = reinterpret_cast<const int*>(both.batch.warning().row(nsim / 2));
  const bool was_reset = calls > reset_call && (nsim / 2) % 3 == 0;  // which clears them
  EXPECT_EQ(warnings[2 * code(Warning::badqvel) + 1], was_reset ? 0 : 1) << name;
}

TEST(Batch, WorldsKeepTheBitsTheyHaveAlone) {
  int compared = 0;
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    for (int nsim : {1, 3, 64}) {
      for (int nthread : {1, 2}) {
        BatchOptions options;
        options.nthread = nthread;
        compare(golden.model, nsim, options, file.filename().string());
        compared++;
      }
    }
    BatchOptions other;
    other.nthread = 2;
    other.persistent = true;
    compare(golden.model, 6, other, file.filename().string() + " persistent");
  }
  EXPECT_GT(compared, 0);
}

// numbers stay in lanes; an integer makes worlds run one by one. Neither changes any bit
TEST(Batch, WorldsMayHaveTheirOwnParameters) {
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    for (const bool integers : {false, true}) {
      BatchOptions options;
      options.nthread = 2;
      Both both(golden.model, 7, options);
      Parameters& parameters = both.batch.parameters();
      const Rows* damping = parameters.expand("dof_damping");
      const Rows* gravity = parameters.expand("opt.gravity");
      if (integers) {
        const Rows* flags = parameters.expand("opt.disableflags");
        *reinterpret_cast<int*>(flags->row(3)) |= code(DisableBit::gravity);
        both.models[3].opt.disableflags |= code(DisableBit::gravity);
      }
      EXPECT_EQ(parameters.fit_lanes(), !integers);
      for (int sim = 0; sim < 7; sim++) {
        for (int64_t dof = 0; dof < golden.model.nv; dof++) {
          reinterpret_cast<double*>(damping->row(sim))[dof] = both.models[sim].dof_damping[dof] =
              0.1 * (sim + 1);
        }
        reinterpret_cast<double*>(gravity->row(sim))[2] = both.models[sim].opt.gravity[2] = -sim;
      }
      for (int call = 0; call < calls / 2; call++) {
        both.set_controls();
        both.step(all_of(7));
      }
      EXPECT_EQ(both.differing(), 0) << file.filename() << (integers ? " integers" : "");
    }
  }
}

TEST(Batch, OutputsAreTheFieldsOfTheLastStep) {
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    Both both(golden.model, 5, {});
    const Model& m = golden.model;
    const char* names[] = {"xpos", "sensordata", "ncon", "qacc"};
    std::vector<Rows> rows;
    for (const char* name : names) rows.push_back(both.batch.output(field_of(m, name)));
    both.set_controls();
    both.step(all_of(5));
    for (int sim = 0; sim < 5; sim++) {
      const std::vector<FieldInfo> fields = both.worlds[sim].fields(m);
      for (size_t i = 0; i < rows.size(); i++) {
        const FieldInfo& field = fields[field_of(m, names[i])];
        if (!field.bytes()) continue;
        EXPECT_EQ(std::memcmp(rows[i].row(sim), field.data, field.bytes()), 0) << names[i];
      }
    }
  }
}

// a trajectory written down step by step, with a world that fails on the way
TEST(Batch, RolloutsRecordEachStep) {
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    const Model& m = golden.model;
    if (m.nv == 0) continue;
    constexpr int nsim = 6, length = 8, bad = 2;
    Both both(m, nsim, {});
    both.poison(bad);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<double> control(size_t(nsim * length * m.nu)), qpos(size_t(nsim * length * m.nq));
    for (double& u : control) u = number(random);
    const Record record{field_of(m, "qpos"), 0, qpos.data()};
    EXPECT_EQ(both.batch.rollout({}, length, control.data(), code(State::ctrl), {&record, 1}), 0);
    for (int sim = 0; sim < nsim; sim++) {
      Data& d = both.worlds[sim];
      for (int at = 0; at < length; at++) {
        std::copy_n(control.data() + (sim * length + at) * m.nu, m.nu, d.ctrl);
        if (sim != bad || at == 0) step(m, d);
        const double* written = qpos.data() + (sim * length + at) * m.nq;
        EXPECT_EQ(std::memcmp(written, d.qpos, size_t(m.nq) * sizeof(double)), 0)
            << sim << " " << at;
      }
    }
  }
}

// Worlds whose contacts are alike share lanes; worlds one by one give the same. Each gets its own
// controls and records.
TEST(Batch, WorldsAreGroupedByContacts) {
  const Golden golden = read_golden(golden_in(test_data() / "contact").front());
  const Model& m = golden.model;
  constexpr int nsim = 37, length = 4;
  const std::vector<int> ids = all_of(nsim);
  Batch grouped(m, nsim, {.nthread = 2}), plain(m, nsim, {.nthread = 2, .width = 1});
  const int64_t qvel = part_start(m, State::qvel), size = nsim * plain.state().row_bytes();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-3, 3);
  for (int sim = 0; sim < nsim; sim++) {
    for (int64_t i = 0; i < m.nv; i++) {
      row(grouped, sim)[qvel + i] = row(plain, sim)[qvel + i] = number(random);
    }
  }
  const auto same = [&] {
    return std::memcmp(grouped.state().row(0), plain.state().row(0), size_t(size)) == 0;
  };
  for (int call = 0; call < calls; call++) {
    grouped.step({}, nstep);
    plain.step({}, nstep);
  }
  EXPECT_TRUE(same()) << "steps";
  // worlds differ in what they touch, or nothing was tried
  Batch counted(m, nsim, {});
  const Rows contacts = counted.output(field_of(m, "ncon"));
  std::memcpy(counted.state().row(0), plain.state().row(0), size_t(size));
  counted.forward({});
  const auto count = [&](int sim) { return *reinterpret_cast<const int*>(contacts.row(sim)); };
  int others = 0;
  for (int sim = 1; sim < nsim; sim++) others += count(sim) != count(0);
  EXPECT_GT(others, nsim / 4);

  const int force = code(State::qfrc_applied);
  std::vector<double> control(size_t(nsim * length * m.nv));
  for (double& u : control) u = number(random);
  std::vector<double> written[2];
  for (std::vector<double>& qpos : written) qpos.resize(size_t(nsim * length * m.nq));
  const int field = field_of(m, "qpos");
  const Record to_grouped{field, 0, written[0].data()}, to_plain{field, 0, written[1].data()};
  grouped.rollout({}, length, control.data(), force, {&to_grouped, 1});
  plain.rollout({}, length, control.data(), force, {&to_plain, 1});
  EXPECT_TRUE(same()) << "rollout";
  EXPECT_EQ(written[0], written[1]);
  std::vector<int> places(nsim, -1);
  grouped.step({}, nstep, Reach::none,
               {[&](int place, int sim) { places[size_t(place)] = sim; }, {}});
  EXPECT_EQ(places, ids);
}

// saved with parameters of their own, restored or cloned, worlds go on with the same bits
TEST(Batch, CopiesGoOnBitForBit) {
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    constexpr int nsim = 6;
    Batch batch(golden.model, nsim), other(golden.model, nsim);
    const Rows* gravity = batch.parameters().expand("opt.gravity");
    for (int sim = 0; sim < nsim; sim++) reinterpret_cast<double*>(gravity->row(sim))[2] = -sim;
    batch.step({}, 5);
    const std::vector<std::byte> saved = batch.save();
    const std::unique_ptr<Batch> clone = batch.clone();
    EXPECT_EQ(other.restore(saved), "");
    EXPECT_NE(other.restore(std::span(saved).first(saved.size() - 1)), "");
    EXPECT_NE(Batch(golden.model, nsim + 1).restore(saved), "");
    for (Batch* b : {&batch, &other, clone.get()}) {
      b->step({}, 5);
      EXPECT_EQ(std::memcmp(b->state().row(0), batch.state().row(0),
                            size_t(nsim * batch.state().row_bytes())),
                0)
          << file;
    }
  }
}

// nothing is left of Models that worlds had for themselves
TEST(Batch, WorldsShareTheModelAgain) {
  const Golden golden = read_golden(golden_files().front());
  Model other = golden.model.copy();
  other.opt.gravity[2] = 3;
  for (const bool persistent : {false, true}) {
    BatchOptions options;
    options.persistent = persistent;
    Batch batch(golden.model, 3, options), fresh(golden.model, 3, options);
    const std::vector<const Model*> models(3, &other);
    EXPECT_TRUE(batch.take_models(models));
    batch.step({}, 2);
    batch.share_model();
    batch.reset({});
    fresh.reset({});
    for (Batch* b : {&batch, &fresh}) b->step({}, 4);
    EXPECT_EQ(std::memcmp(batch.state().row(0), fresh.state().row(0),
                          size_t(3 * batch.state().row_bytes())),
              0);
  }
}

TEST(Batch, SinglePrecisionStaysClose) {
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    BatchOptions options;
    options.single_precision = true;
    Batch batch(golden.model, 9, options);
    Data alone = make_data(golden.model);
    batch.step({}, 5);
    step(golden.model, alone, 5);
    const auto* qpos = reinterpret_cast<const float*>(batch.state().row(8)) + 1;
    for (int64_t i = 0; i < golden.model.nq; i++) EXPECT_NEAR(qpos[i], alone.qpos[i], 1e-4) << file;
  }
}

}  // namespace
}  // namespace lockstep
