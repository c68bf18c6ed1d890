// batch.h: many worlds of one Model. A world is its row of state (MuJoCo's integration state);
// everything else of a Data exists once per thread, as lanes that worlds pass through. Results
// depend neither on threads nor on the lanes beside a world: each world keeps the bits it would
// have alone.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batch/parameters.h"
#include "batch/rows.h"
#include "model/data.h"
#include "model/state.h"
#include "step/lanes.h"

namespace lockstep {

struct BatchOptions {
  int nthread = 0;                // 0: as many as the machine has
  bool persistent = false;        // a whole Data per world, which keeps what a call leaves alone
  bool single_precision = false;  // rows, lanes and numbers of outputs in float
  int width = 0;                  // worlds side by side; 0: as suits the machine
};

// worlds of a call: sorted ids, or all
using Ids = std::optional<std::span<const int>>;

// how far to compute: MuJoCo's mjtStage
enum class Reach { none, position, velocity, acceleration };

// what a rollout writes down after each step: a field of Data, or parts of the state in double
struct Record {
  int field = -1;     // index in Data::fields
  int signature = 0;  // of the state, if there is no field
  void* data = nullptr;
};

class Batch {
 public:
  // copies the Model; throws std::bad_alloc, std::invalid_argument where no lanes are so wide
  Batch(const Model& m, int nsim, const BatchOptions& options = {});
  ~Batch();

  int nsim() const { return nsim_; }
  int nthread() const { return nthread_; }
  int64_t nstate() const { return state_.cols; }
  int width() const { return width_; }
  bool persistent() const { return options_.persistent; }
  const Model& model() const { return model_; }
  // of the lanes that the first thread works in, once it has; contacts and rows not counted
  int64_t work_bytes() const;
  Dtype number() const { return options_.single_precision ? Dtype::f32 : Dtype::f64; }

  // rows of state, of warnings (last info and number, per kind), of what failed; live
  const Rows& state() const { return state_; }
  const Rows& warning() const { return warning_; }
  const Rows& status() const { return status_; }
  std::string error(int sim) const;

  // a field of Data that is copied out after every call; index in Data::fields
  const Rows& output(int field);
  bool has_outputs() const { return !outputs_.empty(); }

  // Numbers of the Model that differ from world to world: the rows of a field, as
  // Parameters::expand; those that there are, not during a call
  std::optional<Rows> expand(std::string_view name);
  std::optional<Rows> expanded(std::string_view name) const;
  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }

  // what else is done with a world's rows, by the thread that runs it: before they are read, and
  // after they are written. f(place in the call, world)
  struct Around {
    std::function<void(int, int)> before, after;
  };

  // Each returns how many worlds failed; those have a message in error(). They keep their state;
  // where a strict solver gave up, as it was before that step.
  int step(Ids ids, int nstep = 1, Reach reach = Reach::none, const Around& around = {});
  int forward(Ids ids, Reach reach = Reach::acceleration, const Around& around = {});
  int reset(Ids ids, std::span<const int> keys = {}, Reach reach = Reach::acceleration);
  // control: rows of (nstep x ncontrol) per world of the call, null for none
  int rollout(Ids ids, int nstep, const double* control, int control_signature,
              std::span<const Record> records);
  // f(place in the call, Model, Data) on each world's own Model and state, in threads; says what is
  // wrong. `keep` has the changes of the Model's fields of that list kept as parameters.
  using Visit = std::function<std::string(int, Model&, Data&)>;
  int visit(Ids ids, const Visit& f, std::span<const int> keep = {});

  // All worlds as bytes: state, warnings, errors, parameters and, if persistent, what calls left.
  // After restore() worlds go on bit for bit; it says what is wrong with the bytes, and changes
  // nothing then. Rows that were handed out stay where they are.
  std::vector<std::byte> save() const;
  [[nodiscard]] std::string restore(std::span<const std::byte> saved);
  // with the same outputs, in rows of its own
  std::unique_ptr<Batch> clone() const;

  // every world gets the numbers of its own Model (false, and nothing changes, if one has other
  // sizes), or all share the batch's again
  bool take_models(std::span<const Model* const> models);
  void share_model();

  double timestep(int sim) const;  // of a world
  // A world's Model and state as they stand, into those of the same sizes; if persistent, all that
  // calls left
  void get_model(int sim, Model& m) const;
  void get_data(int sim, Data& d) const;

 private:
  struct Worker;
  struct Output {
    int field;
    Rows rows;
  };
  // a part of the state and the field that holds it
  struct Part {
    State bit;
    int field;
    int64_t start, count;
    bool flags;
  };
  int count_of(const Ids& ids) const { return ids ? int(ids->size()) : nsim_; }
  int id_of(const Ids& ids, int at) const { return ids ? (*ids)[size_t(at)] : at; }
  Worker& worker(int thread);
  void threads(int count, const std::function<void(Worker&, int)>& f);
  // f(lanes with state and parameters of their worlds), block by block
  using Run = std::function<void(LaneWorlds&, const Lanes&)>;
  // what a call does: steps of which only the state is seen, then `last`, which stores results
  struct Call {
    Run last;
    Around around = {};
    int bare = 0;
    bool solves = true;  // finds accelerations
  };
  int run(const Ids& ids, const Call& call);
  // a world's place in its call, and which bodies of it touch something
  struct Place {
    uint64_t key;
    int place;
    auto operator<=>(const Place&) const = default;
  };
  int take_share(std::atomic<int>& taken, int count, int& first) const;
  Lanes lanes_from(const Ids& ids, const std::vector<Place>& order, int first, int width) const;
  void group_alike(const Ids& ids, std::vector<Place>& order) const;
  int note_contacts(const LaneWorlds& at, const Lanes& lanes);
  int together(const Worker& worker) const;
  void run_share(Worker& worker, const Ids& ids, int first, int count, const Call& call);
  LaneWorlds& lanes_for(Worker& worker, int world);
  LaneWorlds& kept_for(int world);
  void copy_kept(const LaneWorlds& from, LaneWorlds& to) const;
  void forget_lanes();
  std::string reason_to_refuse(Worker& worker, int world, bool solves);

  std::vector<std::byte> as_bytes() const;
  void copy_data(int sim, Data& d) const;

  void load(LaneWorlds& at, const Lanes& lanes) const;
  void* buffer_of(LaneWorlds& at) const;
  void store(LaneWorlds& at, const Lanes& lanes);
  void store(const LaneWorlds& at, const Lanes& lanes, int lane);  // of one lane only
  void store_warnings(const LaneWorlds& at, const Lanes& lanes, int lane);
  void copy_out(const LaneWorlds& at, const Lanes& lanes, int lane);
  void copy_out(const LaneWorlds& at, const Lanes& lanes, int lane, const Output& output) const;
  // how much of the last step of a call can be seen
  Detail last_detail() const {
    return outputs_.empty() && !options_.persistent ? Detail::state : Detail::all;
  }
  Detail bare_detail(const LaneWorlds& at) const;
  void compute(LaneWorlds& at, Reach reach) const;
  void note_unsolved(const LaneWorlds& at, const Lanes& lanes, int lane);
  void run_asked(LaneWorlds& at, Reach reach) const;
  void finish(LaneWorlds& at, const Lanes& lanes, Reach reach, bool stepped = false);
  void take_control(LaneWorlds& at, int lane, const double* control, int signature) const;
  void record(const LaneWorlds& at, int lane, const Record& record, int64_t row) const;

  Model model_;
  std::string wrong_option_, wrong_model_;  // why no world can be stepped, if they cannot
  BatchOptions options_;
  int nsim_, nthread_, width_;
  Data shape_;  // for sizes and kinds of fields
  std::vector<FieldInfo> fields_;
  std::vector<Part> parts_;
  int warning_field_ = -1, info_field_ = -1;
  int niter_field_ = -1, residual_field_ = -1, flags_field_ = -1, solver_option_ = -1,
      enableflags_option_ = -1, disableflags_option_ = -1;
  Rows state_, warning_, status_;
  std::vector<std::string> errors_;
  std::vector<std::unique_ptr<Output>> outputs_;
  // stages that outputs ask for: places in the list of those, and from where on sensors need them
  struct Asked {
    int stage;
    bool sensed;
    Reach least;
  };
  std::vector<Asked> on_demand_;
  Parameters parameters_;
  const Kernels* kernels_ = nullptr;  // null: one world at a time
  // which bodies of each world touched something in its last step, a bit each
  std::vector<uint64_t> contact_keys_;
  std::vector<std::unique_ptr<Worker>> workers_;
  struct Kept {
    std::unique_ptr<Model> model;  // own copy, where integers differ
    std::unique_ptr<LaneWorlds> lanes;
    bool outdated = false;  // its lanes know another Model than it has now
  };
  std::vector<Kept> kept_;  // per world, if persistent
  struct Pool;
  std::shared_ptr<Pool> pool_;
  mutable std::mutex busy_;
};

}  // namespace lockstep
