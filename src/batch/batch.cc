#include "batch/batch.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "model/solver_flags.h"
#include "step/engine.h"
#include "step/solver_report.h"

namespace lockstep {

// what one thread works in; made when it is first needed
struct Batch::Worker {
  std::unique_ptr<LaneWorlds> lanes, one;
  std::unique_ptr<Model> model;  // own copy, for what lanes cannot share
  std::unique_ptr<Data> data;
};

struct Batch::Pool {
  explicit Pool(int nthread) : arena(nthread) {}
  tbb::task_arena arena;
};

namespace {

int thread_count(int asked) {
  return asked > 0 ? asked : std::max(1, int(std::thread::hardware_concurrency()));
}

// stages that no step needs, by the fields they fill
struct OnDemand {
  std::string_view field, stage;
};
constexpr OnDemand fillers[] = {
    {"cacc", "rne_post_constraint"},     {"cfrc_int", "rne_post_constraint"},
    {"cfrc_ext", "rne_post_constraint"}, {"subtree_linvel", "subtree_vel"},
    {"subtree_angmom", "subtree_vel"},
};

// calls f with the cells as what they are
template <class F>
void with_cells(Dtype dtype, bool single_precision, void* cells, F&& f) {
  switch (dtype) {
    case Dtype::f64:
      single_precision ? f(static_cast<float*>(cells)) : f(static_cast<double*>(cells));
      break;
    case Dtype::i32: f(static_cast<int*>(cells)); break;
    case Dtype::boolean: f(static_cast<bool*>(cells)); break;
    default: break;
  }
}

}  // namespace

Batch::Batch(const Model& m, int nsim, const BatchOptions& options)
    : model_(m.copy()),
      options_(options),
      nsim_(nsim),
      nthread_(thread_count(options.nthread)),
      shape_(make_data(model_)),
      fields_(shape_.fields(model_)),
      warning_(Dtype::i32, nsim, 2 * mjNWARNING),
      status_(Dtype::i32, nsim, 1),
      errors_(size_t(nsim)),
      parameters_(model_, nsim),
      workers_(size_t(nthread_)),
      pool_(std::make_unique<Pool>(nthread_)) {
  const auto index_of = [&](std::string_view name) {
    return int(std::find_if(fields_.begin(), fields_.end(),
                            [&](const FieldInfo& field) { return field.name == name; }) -
               fields_.begin());
  };
  int64_t start = 0;
  for (const StatePart& part : state_parts(model_)) {
    const int field = index_of(part.field);
    parts_.push_back(
        {part.bit, field, start, part.count, fields_[size_t(field)].dtype == Dtype::boolean});
    start += part.count;
  }
  warning_field_ = index_of("warning");
  info_field_ = index_of("warning_info");
  niter_field_ = index_of("solver_niter");
  residual_field_ = index_of("solver_residual");
  flags_field_ = index_of("solver_flags");
  const auto members = option_members();
  solver_option_ = int(std::find_if(members.begin(), members.end(),
                                    [](const MemberInfo& info) { return info.name == "solver"; }) -
                       members.begin());
  state_ = Rows(number(), nsim, start);
  kept_.resize(options.persistent ? size_t(nsim) : 0);
  if (!options.persistent && options.width != 1) {
    kernels_ = find_kernels(options.single_precision, options.width);
    if (!kernels_) throw std::invalid_argument("no lanes of this width and precision");
  }
  width_ = kernels_ ? kernels_->width : 1;
  if (width_ > 1) contact_keys_.resize(size_t(nsim));
  std::vector<double> row(static_cast<size_t>(start));
  get_state(model_, shape_, (1 << mjNSTATE) - 1, row.data());
  for (int sim = 0; sim < nsim; sim++) {
    if (options.single_precision) {
      std::copy(row.begin(), row.end(), reinterpret_cast<float*>(state_.row(sim)));
    } else {
      std::copy(row.begin(), row.end(), reinterpret_cast<double*>(state_.row(sim)));
    }
  }
}

Batch::~Batch() = default;

int64_t Batch::work_bytes() const {
  const Worker* first = workers_[0].get();
  if (!first) return 0;
  return (first->lanes ? first->lanes->bytes : 0) + (first->one ? first->one->bytes : 0);
}

const Rows& Batch::output(int field) {
  for (const auto& output : outputs_) {
    if (output->field == field) return output->rows;
  }
  const FieldInfo& info = fields_[size_t(field)];
  const Dtype dtype = info.dtype == Dtype::f64 ? number() : info.dtype;
  outputs_.push_back(std::make_unique<Output>(Output{field, Rows(dtype, nsim_, info.size())}));
  for (const OnDemand& filler : fillers) {
    if (filler.field != info.name) continue;
    const int stage = on_demand_place(filler.stage);
    if (std::find(on_demand_.begin(), on_demand_.end(), stage) == on_demand_.end()) {
      on_demand_.push_back(stage);
    }
  }
  return outputs_.back()->rows;
}

// ---- threads and lanes ----

// oneTBB is compiled without the thread sanitizer, which therefore does not see that a thread
// begins after the work was made and ends before its results are read: it is told
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LOCKSTEP_UNWATCHED __attribute__((no_sanitize("thread")))
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#endif
#endif
#ifdef LOCKSTEP_UNWATCHED
struct Handover {
  void give() { __tsan_release(this); }
  void take() { __tsan_acquire(this); }
};
#else
#define LOCKSTEP_UNWATCHED
struct Handover {
  void give() {}
  void take() {}
};
#endif

Batch::Worker& Batch::worker(int thread) {
  auto& made = workers_[size_t(thread)];
  if (!made) made = std::make_unique<Worker>();
  return *made;
}

void Batch::threads(int count, const std::function<void(Worker&, int)>& f) {
  if (nthread_ == 1 || count <= 1) {
    for (int i = 0; i < count; i++) f(worker(0), i);
    return;
  }
  const auto part = [&](const tbb::blocked_range<int>& range) {
    Worker& own = worker(tbb::this_task_arena::current_thread_index());
    for (int i = range.begin(); i < range.end(); i++) f(own, i);
  };
  Handover work, results;
  work.give();
  pool_->arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<int>(0, count),
                      [&](const tbb::blocked_range<int>& range) LOCKSTEP_UNWATCHED {
                        work.take();
                        part(range);
                        results.give();
                      });
  });
  results.take();
}

// lanes of a thread; a single one where integers of the Model differ
LaneWorlds& Batch::lanes_for(Worker& worker, int world) {
  if (options_.persistent) return kept_for(world);
  const bool single = options_.single_precision;
  if (kernels_ && parameters_.fit_lanes()) {
    if (!worker.lanes) worker.lanes = make_lane_worlds(model_, *kernels_);
    return *worker.lanes;
  }
  if (!worker.model) worker.model = std::make_unique<Model>(model_.copy());
  parameters_.apply(world, *worker.model);
  if (!worker.one) worker.one = make_one_world(*worker.model, single);
  return *worker.one;
}

// a lane that belongs to one world, with a Model of its own once that differs; results of calls
// before that are not kept
LaneWorlds& Batch::kept_for(int world) {
  Kept& kept = kept_[size_t(world)];
  const bool own = !parameters_.empty();
  if (own && !kept.model) {
    kept.model = std::make_unique<Model>(model_.copy());
    kept.lanes.reset();
  }
  if (own) parameters_.apply(world, *kept.model);
  if (!kept.lanes) {
    kept.lanes = make_one_world(own ? *kept.model : model_, options_.single_precision);
  }
  return *kept.lanes;
}

// lanes hold numbers of a Model: they are made anew when worlds share what they did not share
void Batch::forget_lanes() {
  for (auto& worker : workers_) worker.reset();
  for (Kept& kept : kept_) kept = {};
}

bool Batch::take_models(std::span<const Model* const> models) {
  const std::lock_guard<std::mutex> lock(busy_);
  if (!parameters_.take_models(models)) return false;
  forget_lanes();
  return true;
}

void Batch::share_model() {
  const std::lock_guard<std::mutex> lock(busy_);
  parameters_.clear();
  forget_lanes();
}

// a world whose own integers make no sense is not run
bool Batch::refuse(int world) {
  const Rows* types = parameters_.find("eq_type");
  if (!types) return false;
  const int* type = reinterpret_cast<const int*>(types->row(world));
  const auto known = [](int kind) { return kind >= 0 && kind <= code(EqType::distance); };
  const int64_t at = std::find_if_not(type, type + types->cols, known) - type;
  if (at == types->cols) return false;
  errors_[size_t(world)] =
      "equality " + std::to_string(at) + " has the unknown type " + std::to_string(type[at]);
  return true;
}

void Batch::run_block(Worker& worker, const Ids& ids, int first, const Run& f,
                      const Around& around) {
  Lanes lanes;
  LaneWorlds& at = lanes_for(worker, id_of(ids, first));  // width 1 keeps the order of ids
  lanes.width = at.width;
  lanes.count = std::min(at.width, count_of(ids) - first);
  const bool grouped = !order_.empty() && count_of(ids) == nsim_;
  for (int i = 0; i < lanes.width; i++) {
    const int at_most = first + std::min(i, lanes.count - 1);
    lanes.place[i] = grouped ? order_[size_t(at_most)] : at_most;
    lanes.world[i] = id_of(ids, lanes.place[i]);
  }
  for (int i = 0; i < lanes.count; i++) {
    const int world = lanes.world[i];
    errors_[size_t(world)].clear();
    *reinterpret_cast<int*>(status_.row(world)) = refuse(world);
    if (lanes.width == 1 && *reinterpret_cast<int*>(status_.row(world))) return;
  }
  for (int i = 0; around.before && i < lanes.count; i++)
    around.before(lanes.place[i], lanes.world[i]);
  parameters_.apply(lanes, options_.single_precision, at);
  load(at, lanes);
  f(at, lanes);
  if (lanes.width > 1) note_contacts(at, lanes);
  for (int i = 0; around.after && i < lanes.count; i++)
    around.after(lanes.place[i], lanes.world[i]);
}

void Batch::note_contacts(const LaneWorlds& at, const Lanes& lanes) {
  uint64_t keys[Lanes::most];
  at.contact_keys(keys);
  for (int i = 0; i < lanes.count; i++) contact_keys_[size_t(lanes.world[i])] = keys[i];
}

// Lanes compute the rows of all their worlds, so that worlds with the same contacts share lanes at
// the least cost. What becomes of a world does not depend on its neighbours.
void Batch::group_alike(bool lanes_fit, int nstep) {
  if (!lanes_fit) return order_.clear();
  constexpr int steps_to_keep = 4;  // contacts change slowly, and sorting takes time
  steps_in_order_ += nstep;
  if (steps_in_order_ <= steps_to_keep) return;
  steps_in_order_ = nstep;
  order_.resize(size_t(nsim_));
  std::iota(order_.begin(), order_.end(), 0);
  const auto& keys = contact_keys_;
  const auto differs = [&](uint64_t key) { return key != keys[0]; };
  if (std::none_of(keys.begin(), keys.end(), differs)) return order_.clear();
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    return std::pair(keys[size_t(a)], a) < std::pair(keys[size_t(b)], b);
  });
}

int Batch::run(const Ids& ids, const Run& f, const Around& around, int nstep) {
  const std::lock_guard<std::mutex> lock(busy_);
  const int count = count_of(ids);
  if (count == 0) return 0;
  const int width = parameters_.fit_lanes() ? width_ : 1;
  if (count == nsim_) group_alike(width > 1, nstep);
  threads((count + width - 1) / width,
          [&](Worker& worker, int block) { run_block(worker, ids, block * width, f, around); });
  int failed = 0;
  for (int i = 0; i < count; i++)
    failed += *reinterpret_cast<int*>(status_.row(id_of(ids, i))) != 0;
  return failed;
}

// ---- copies between rows and lanes ----

void Batch::load(LaneWorlds& at, const Lanes& lanes) const {
  const auto part_of = [&](auto* cells, const Part& part, auto row_cell) {
    using Row = decltype(row_cell);
    const Row* rows[Lanes::most];
    for (int i = 0; i < lanes.width; i++) {
      rows[i] = reinterpret_cast<const Row*>(state_.row(lanes.world[i])) + part.start;
    }
    to_lanes(rows, cells, part.count, lanes.width);
  };
  for (const Part& part : parts_) {
    void* cells = at.data[part.field].start;
    with_cells(part.flags ? Dtype::boolean : Dtype::f64, options_.single_precision, cells,
               [&](auto* start) {
                 options_.single_precision ? part_of(start, part, float())
                                           : part_of(start, part, double());
               });
  }
  int* number = static_cast<int*>(at.data[warning_field_].start);
  int* info = static_cast<int*>(at.data[info_field_].start);
  for (int i = 0; i < lanes.width; i++) {
    const int* row = reinterpret_cast<const int*>(warning_.row(lanes.world[i]));
    for (int kind = 0; kind < mjNWARNING; kind++) {
      info[kind * lanes.width + i] = row[2 * kind];
      number[kind * lanes.width + i] = row[2 * kind + 1];
    }
  }
}

void Batch::store(const LaneWorlds& at, const Lanes& lanes, int lane) {
  std::byte* row = state_.row(lanes.world[lane]);
  for (const Part& part : parts_) {
    void* cells = at.data[part.field].start;
    with_cells(part.flags ? Dtype::boolean : Dtype::f64, options_.single_precision, cells,
               [&](auto* start) {
                 if (options_.single_precision) {
                   from_lane(start, reinterpret_cast<float*>(row) + part.start, part.count,
                             lanes.width, lane);
                 } else {
                   from_lane(start, reinterpret_cast<double*>(row) + part.start, part.count,
                             lanes.width, lane);
                 }
               });
  }
  const int* number = static_cast<const int*>(at.data[warning_field_].start);
  const int* info = static_cast<const int*>(at.data[info_field_].start);
  int* warnings = reinterpret_cast<int*>(warning_.row(lanes.world[lane]));
  for (int kind = 0; kind < mjNWARNING; kind++) {
    warnings[2 * kind] = info[kind * lanes.width + lane];
    warnings[2 * kind + 1] = number[kind * lanes.width + lane];
  }
}

void Batch::copy_out(const LaneWorlds& at, const Lanes& lanes, int lane) {
  for (const auto& output : outputs_) {
    const Dtype dtype = fields_[size_t(output->field)].dtype;
    with_cells(dtype, options_.single_precision, at.data[output->field].start, [&](auto* start) {
      using Cell = std::remove_pointer_t<decltype(start)>;
      auto* row = reinterpret_cast<Cell*>(output->rows.row(lanes.world[lane]));
      from_lane(start, row, output->rows.cols, lanes.width, lane);
    });
  }
}

// ---- calls ----

void Batch::compute(LaneWorlds& at, Reach reach) const {
  if (reach == Reach::none) return;
  const Phase last = reach == Reach::position   ? Phase::position_sensor
                     : reach == Reach::velocity ? Phase::velocity_sensor
                                                : Phase::acceleration_sensor;
  at.run_phases(Phase::position, last);
}

// a world whose strict solver gave up in the last solve has failed
void Batch::note_unsolved(const LaneWorlds& at, const Lanes& lanes, int lane) {
  if (*at.option_integer[solver_option_] != code(Solver::cgstrict)) return;
  const int flags = static_cast<const int*>(at.data[flags_field_].start)[lane];
  if (!(flags & solver_unconverged)) return;
  const int* niter = static_cast<const int*>(at.data[niter_field_].start);
  int iterations = 0;
  for (int i = 0; i < mjNISLAND; i++) iterations = std::max(iterations, niter[i * at.width + lane]);
  double residual = 0;
  with_cells(Dtype::f64, options_.single_precision, at.data[residual_field_].start,
             [&](const auto* cells) { residual = double(cells[lane]); });
  errors_[size_t(lanes.world[lane])] =
      unsolved_text(solver_report(Solver::cgstrict, iterations, residual, flags),
                    model_.opt.iterations, model_.opt.tolerance);
  *reinterpret_cast<int*>(status_.row(lanes.world[lane])) = 1;
}

void Batch::finish(LaneWorlds& at, const Lanes& lanes, Reach reach) {
  compute(at, reach);
  for (int stage : on_demand_) at.run_on_demand(stage);
  for (int i = 0; i < lanes.count; i++) {
    copy_out(at, lanes, i);
    store(at, lanes, i);
  }
}

int Batch::step(Ids ids, int nstep, Reach reach, const Around& around) {
  const auto steps = [&](LaneWorlds& at, const Lanes& lanes) {
    for (int i = 1; i < nstep; i++) at.step(Detail::state);
    if (nstep > 0) at.step(last_detail());
    for (int i = 0; nstep > 0 && i < lanes.count; i++) note_unsolved(at, lanes, i);
    finish(at, lanes, reach);
  };
  return run(ids, steps, around, nstep);
}

int Batch::forward(Ids ids, Reach reach, const Around& around) {
  const auto compute = [&](LaneWorlds& at, const Lanes& lanes) {
    finish(at, lanes, reach);
    if (reach != Reach::acceleration) return;
    for (int i = 0; i < lanes.count; i++) note_unsolved(at, lanes, i);
  };
  return run(ids, compute, around);
}

int Batch::reset(Ids ids, std::span<const int> keys, Reach reach) {
  return run(ids, [&](LaneWorlds& at, const Lanes& lanes) {
    for (int i = 0; i < lanes.width; i++) {
      at.reset(1u << i, keys.empty() ? -1 : keys[size_t(lanes.place[i])]);
    }
    finish(at, lanes, reach);
  });
}

int Batch::visit(Ids ids, const Visit& f, std::span<const int> keep) {
  const std::lock_guard<std::mutex> lock(busy_);
  const int count = count_of(ids);
  parameters_.expand_numbers(keep);
  std::vector<char> again(size_t(count), 0);
  const auto see = [&](Worker& worker, int at, bool integers) {
    const int sim = id_of(ids, at);
    if (!worker.model) worker.model = std::make_unique<Model>(model_.copy());
    parameters_.apply(sim, *worker.model);
    if (!worker.data) worker.data = std::make_unique<Data>(make_data(*worker.model));
    lockstep::reset(*worker.model, *worker.data);
    get_data(sim, *worker.data);
    errors_[size_t(sim)] = f(at, *worker.model, *worker.data);
    const bool failed = !errors_[size_t(sim)].empty();
    *reinterpret_cast<int*>(status_.row(sim)) = failed;
    if (failed || keep.empty()) return;
    if (integers) {
      parameters_.take_integers(sim, *worker.model, keep);
    } else {
      again[size_t(at)] = parameters_.take_numbers(sim, *worker.model, keep);
    }
  };
  threads(count, [&](Worker& worker, int at) { see(worker, at, false); });
  int failed = 0;
  for (int at = 0; at < count; at++) {
    if (again[size_t(at)]) see(worker(0), at, true);
    failed += *reinterpret_cast<int*>(status_.row(id_of(ids, at))) != 0;
  }
  return failed;
}

void Batch::get_data(int sim, Data& d) const {
  if (options_.persistent && kept_[size_t(sim)].lanes) {
    const std::vector<FieldInfo> to = d.fields(model_);
    for (size_t i = 0; i < to.size(); i++) {
      with_cells(to[i].dtype, options_.single_precision, kept_[size_t(sim)].lanes->data[i].start,
                 [&](auto* cells) {
                   using Cell = std::remove_pointer_t<decltype(cells)>;
                   using Host = std::conditional_t<std::is_same_v<Cell, float>, double, Cell>;
                   std::copy_n(cells, to[i].size(), static_cast<Host*>(to[i].data));
                 });
    }
  }
  if (options_.single_precision) {
    const auto* row = reinterpret_cast<const float*>(state_.row(sim));
    const std::vector<double> numbers(row, row + state_.cols);
    set_state(model_, d, (1 << mjNSTATE) - 1, numbers.data());
  } else {
    set_state(model_, d, (1 << mjNSTATE) - 1, reinterpret_cast<const double*>(state_.row(sim)));
  }
}

}  // namespace lockstep
