#include "batch/batch.h"

#include <pthread.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <thread>

#include "batch/worker.h"
#include "model/solver_flags.h"
#include "step/engine.h"
#include "step/solver_report.h"

namespace lockstep {

namespace {

int thread_count(int asked) {
  return asked > 0 ? asked : std::max(1, int(std::thread::hardware_concurrency()));
}

// stages that no step needs, by the fields they fill
struct OnDemand {
  std::string_view field, stage;
  Reach least;  // how far a call goes that computes what sensors need of it
};
constexpr OnDemand fillers[] = {
    {"cacc", "rne_post_constraint", Reach::acceleration},
    {"cfrc_int", "rne_post_constraint", Reach::acceleration},
    {"cfrc_ext", "rne_post_constraint", Reach::acceleration},
    {"subtree_linvel", "subtree_vel", Reach::velocity},
    {"subtree_angmom", "subtree_vel", Reach::velocity},
};

}  // namespace

// Those that no batch has. Never destroyed: at the end of a program oneTBB may be gone before it. A
// process that was forked begins with none, since the threads of the others are not in it; oneTBB
// gives it no others, so that it steps in one thread.
std::shared_ptr<Batch::Pool> Batch::Pool::of(int nthread) {
  struct Pools {
    std::mutex busy;
    std::map<int, std::vector<Pool*>> idle;
  };
  static Pools* pools = [] {
    pthread_atfork(nullptr, nullptr, [] { pools = new Pools; });
    return new Pools;
  }();
  const std::lock_guard<std::mutex> lock(pools->busy);
  std::vector<Pool*>& idle = pools->idle[nthread];
  Pool* pool = idle.empty() ? new Pool(nthread) : idle.back();
  if (!idle.empty()) idle.pop_back();
  return {pool, [nthread, home = pools](Pool* done) {
            if (home != pools) return;  // of the process that this one was forked from
            const std::lock_guard<std::mutex> lock(home->busy);
            home->idle[nthread].push_back(done);
          }};
}

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
      pool_(Pool::of(nthread_)) {
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
  const auto option_of = [members = option_members()](std::string_view name) {
    return int(std::find_if(members.begin(), members.end(),
                            [&](const MemberInfo& info) { return info.name == name; }) -
               members.begin());
  };
  wrong_option_ = unknown_option(model_.opt);
  wrong_model_ = wrong_numbers(model_);
  solver_option_ = option_of("solver");
  enableflags_option_ = option_of("enableflags");
  disableflags_option_ = option_of("disableflags");
  state_ = Rows(number(), nsim, start);
  kept_.resize(options.persistent ? size_t(nsim) : 0);
  if (options.persistent && options.width > 1) {
    throw std::invalid_argument("worlds of a persistent batch have no lanes: its width is 1");
  }
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

std::string Batch::error(int sim) const {
  const std::lock_guard<std::mutex> lock(busy_);
  return errors_[size_t(sim)];
}

std::optional<Rows> Batch::expand(std::string_view name) {
  const std::lock_guard<std::mutex> lock(busy_);
  const Rows* rows = parameters_.expand(name);
  return rows ? std::optional(*rows) : std::nullopt;
}

std::optional<Rows> Batch::expanded(std::string_view name) const {
  const std::lock_guard<std::mutex> lock(busy_);
  const Rows* rows = parameters_.find(name);
  return rows ? std::optional(*rows) : std::nullopt;
}

const Rows& Batch::output(int field) {
  const std::lock_guard<std::mutex> lock(busy_);
  for (const auto& output : outputs_) {
    if (output->field == field) return output->rows;
  }
  const FieldInfo& info = fields_[size_t(field)];
  const Dtype dtype = info.dtype == Dtype::f64 ? number() : info.dtype;
  outputs_.push_back(std::make_unique<Output>(Output{field, Rows(dtype, nsim_, info.size())}));
  for (const OnDemand& filler : fillers) {
    if (filler.field != info.name) continue;
    const int stage = on_demand_place(filler.stage);
    const auto same = [stage](const Asked& asked) { return asked.stage == stage; };
    if (std::any_of(on_demand_.begin(), on_demand_.end(), same)) continue;
    on_demand_.push_back({stage, is_sensed(model_, stage), filler.least});
  }
  Output& made = *outputs_.back();
  for (int sim = 0; sim < int(kept_.size()); sim++) {
    if (kept_[size_t(sim)].lanes) {
      copy_out(*kept_[size_t(sim)].lanes, {.count = 1, .world = {sim}}, 0, made);
    } else {  // as a new Data has it
      with_cells(info.dtype, false, info.data, [&](const auto* cells) {
        if (dtype == Dtype::f32) {
          std::copy_n(cells, info.size(), reinterpret_cast<float*>(made.rows.row(sim)));
        } else {
          using Cell = std::remove_cvref_t<decltype(*cells)>;
          std::copy_n(cells, info.size(), reinterpret_cast<Cell*>(made.rows.row(sim)));
        }
      });
    }
  }
  return made.rows;
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
  Option own = model_.opt;
  parameters_.apply(lanes.world[lane], own);
  errors_[size_t(lanes.world[lane])] = unsolved_text(
      solver_report(Solver::cgstrict, iterations, residual, flags), own.iterations, own.tolerance);
  *reinterpret_cast<int*>(status_.row(lanes.world[lane])) = 1;
}

// What outputs ask for beyond a step; where sensors needed it, it stays as they found it.
void Batch::run_asked(LaneWorlds& at, Reach reach) const {
  const bool sensors = !(*at.option_integer[disableflags_option_] & code(DisableBit::sensor));
  for (const Asked& asked : on_demand_) {
    if (asked.sensed && sensors && reach >= asked.least) continue;
    at.run_on_demand(asked.stage);
  }
}

void Batch::finish(LaneWorlds& at, const Lanes& lanes, Reach reach, bool stepped) {
  compute(at, reach);
  run_asked(at, stepped ? Reach::acceleration : reach);
  for (int i = 0; i < lanes.count; i++) copy_out(at, lanes, i);
  store(at, lanes);
}

int Batch::step(Ids ids, int nstep, Reach reach, const Around& around) {
  const auto steps = [&](LaneWorlds& at, const Lanes& lanes) {
    if (nstep > 0) at.step(last_detail());
    for (int i = 0; nstep > 0 && i < lanes.count; i++) note_unsolved(at, lanes, i);
    if (reach != Reach::none) at.check_state();
    finish(at, lanes, reach, nstep > 0);
  };
  return run(ids, {steps, around, std::max(0, nstep - 1)});
}

int Batch::forward(Ids ids, Reach reach, const Around& around) {
  const auto compute = [&](LaneWorlds& at, const Lanes& lanes) {
    if (reach != Reach::none) at.check_state();
    finish(at, lanes, reach);
    if (reach != Reach::acceleration) return;
    for (int i = 0; i < lanes.count; i++) note_unsolved(at, lanes, i);
  };
  return run(ids, {compute, around, 0, reach == Reach::acceleration});
}

int Batch::reset(Ids ids, std::span<const int> keys, Reach reach) {
  const auto start = [&](LaneWorlds& at, const Lanes& lanes) {
    for (int i = 0; i < lanes.width; i++) {
      at.reset(1u << i, keys.empty() ? -1 : keys[size_t(lanes.place[i])]);
    }
    finish(at, lanes, reach);
  };
  return run(ids, {start, {}, 0, reach == Reach::acceleration});
}

int Batch::visit(Ids ids, const Visit& f, std::span<const int> keep) {
  const std::lock_guard<std::mutex> lock(busy_);
  const int count = count_of(ids);
  parameters_.expand_numbers(keep);
  parameters_.look_at_switches();
  std::vector<char> again(size_t(count), 0);
  const auto see = [&](Worker& worker, int at, bool integers) {
    const int sim = id_of(ids, at);
    if (!worker.model) worker.model = std::make_unique<Model>(model_.copy());
    parameters_.apply(sim, *worker.model);
    std::string& error = errors_[size_t(sim)] = reason_to_refuse(worker, sim, false);
    if (error.empty()) {
      if (!worker.data) worker.data = std::make_unique<Data>(make_data(*worker.model));
      lockstep::reset(*worker.model, *worker.data);
      copy_data(sim, *worker.data);
      error = f(at, *worker.model, *worker.data);
    }
    const bool failed = !error.empty();
    *reinterpret_cast<int*>(status_.row(sim)) = failed;
    if (keep.empty()) return;
    if (failed) return worker.forget_model();  // it may be half changed
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

double Batch::timestep(int sim) const {
  const Rows* own = parameters_.find("opt.timestep");
  return own ? *reinterpret_cast<const double*>(own->row(sim)) : model_.opt.timestep;
}

void Batch::get_model(int sim, Model& m) const {
  const std::lock_guard<std::mutex> lock(busy_);
  parameters_.apply(sim, m);
}

void Batch::get_data(int sim, Data& d) const {
  const std::lock_guard<std::mutex> lock(busy_);
  copy_data(sim, d);
}

void Batch::copy_data(int sim, Data& d) const {
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
    kept_[size_t(sim)].lanes->give_rows(d);
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
