// run.cc: how the worlds of a call come to threads and lanes.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "batch/worker.h"
#include "model/model_check.h"
#include "step/engine.h"

namespace lockstep {

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

// what calls left in the lane of a world, contacts and rows too
void Batch::copy_kept(const LaneWorlds& from, LaneWorlds& to) const {
  for (size_t i = 0; i < fields_.size(); i++) {
    with_cells(fields_[i].dtype, options_.single_precision, to.data[i].start, [&](auto* cells) {
      std::copy_n(static_cast<const decltype(cells)>(from.data[i].start), to.data[i].count, cells);
    });
  }
  to.take_rows(from);
}

// a lane that belongs to one world, with a Model of its own once that differs; results of calls
// before that stay
LaneWorlds& Batch::kept_for(int world) {
  Kept& kept = kept_[size_t(world)];
  const bool own = !parameters_.empty();
  if (!kept.lanes || kept.outdated || (own && !kept.model)) {
    auto model = own ? std::make_unique<Model>(model_.copy()) : nullptr;
    if (own) parameters_.apply(world, *model);
    auto lanes = make_one_world(own ? *model : model_, options_.single_precision);
    if (kept.lanes) copy_kept(*kept.lanes, *lanes);
    kept.lanes = std::move(lanes);  // before the Model that the former ones worked on goes
    kept.model = std::move(model);
    kept.outdated = false;
  } else if (own) {
    parameters_.apply(world, *kept.model);
  }
  return *kept.lanes;
}

// lanes hold numbers of a Model: they are made anew when worlds share what they did not share
void Batch::forget_lanes() {
  for (auto& worker : workers_) worker.reset();
  for (Kept& kept : kept_) kept.outdated = true;
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

// why a world cannot be run; empty if it can. Options matter where something is solved
std::string Batch::reason_to_refuse(Worker& worker, int world, bool solves) {
  if (parameters_.fit_lanes()) {  // neither integers nor switches differ
    return solves && !wrong_option_.empty() ? wrong_option_ : wrong_model_;
  }
  Option option = model_.opt;
  parameters_.apply(world, option);
  const std::string unknown = solves ? unknown_option(option) : "";
  if (!unknown.empty()) return unknown;
  if (!options_.persistent && option.enableflags & code(EnableBit::sleep)) {
    return "a model that sleeps needs a persistent batch";
  }
  if (!worker.model) worker.model = std::make_unique<Model>(model_.copy());
  parameters_.apply(world, *worker.model);
  if (!parameters_.are_accepted(world)) {
    const std::string wrong = check_model(*worker.model);
    if (!wrong.empty()) return wrong;
    parameters_.accept(world);
  }
  return wrong_numbers(*worker.model);
}

// The next worlds of a call, for a thread that is free: many, so that among them are some that are
// alike, and fewer towards the end, so that all threads end together even where one is slower.
// Without lanes a world comes alone: it may have a Model of its own. Returns how many; `taken` have
// gone before.
int Batch::take_share(std::atomic<int>& taken, int count, int& first) const {
  const bool lanes_fit = width_ > 1 && parameters_.fit_lanes();
  const int width = lanes_fit ? width_ : 1, most = lanes_fit ? 1024 : 1;
  first = taken.load();
  while (first < count) {
    const int left = count - first, even = nthread_ == 1 ? left : left / (2 * nthread_);
    const int size = std::min(std::clamp(even, width, most) / width * width, left);
    if (taken.compare_exchange_weak(first, first + size)) return size;
  }
  return 0;
}

// How much of a step inside a call is computed. Trees that fall asleep in it keep what it shows:
// the last step of the call leaves them alone.
Detail Batch::bare_detail(const LaneWorlds& at) const {
  const bool sleeps = *at.option_integer[enableflags_option_] & code(EnableBit::sleep);
  return sleeps ? last_detail() : Detail::state;
}

// the worlds from one place of the order on, side by side
Lanes Batch::lanes_from(const Ids& ids, const std::vector<Place>& order, int first,
                        int width) const {
  Lanes lanes;
  lanes.width = width;
  lanes.count = std::min(width, int(order.size()) - first);
  for (int i = 0; i < width; i++) {
    lanes.place[i] = order[size_t(first + std::min(i, lanes.count - 1))].place;
    lanes.world[i] = id_of(ids, lanes.place[i]);
  }
  return lanes;
}

// Lanes compute the rows of all their worlds, so that worlds with the same contacts share lanes at
// the least cost. What becomes of a world does not depend on its neighbours.
void Batch::group_alike(const Ids& ids, std::vector<Place>& order) const {
  bool differ = false;
  for (Place& at : order) {
    at.key = contact_keys_[size_t(id_of(ids, at.place))];
    differ = differ || at.key != order[0].key;
  }
  if (differ) std::sort(order.begin(), order.end());
}

// how many worlds touch something with other bodies than before
int Batch::note_contacts(const LaneWorlds& at, const Lanes& lanes) {
  if (lanes.width == 1) return 0;
  uint64_t keys[Lanes::most];
  at.contact_keys(keys);
  int changed = 0;
  for (int i = 0; i < lanes.count; i++) {
    uint64_t& key = contact_keys_[size_t(lanes.world[i])];
    changed += key != keys[i];
    key = keys[i];
  }
  return changed;
}

// steps that worlds take before they change lanes; their own parameters change with them, which
// takes longer
int Batch::together(const Worker& worker) const {
  return parameters_.empty() ? worker.steps_together : std::max(8, worker.steps_together);
}

void Batch::run_share(Worker& worker, const Ids& ids, int first, int count, const Call& call) {
  std::vector<Place>& order = worker.order;
  order.clear();
  for (int place = first; place < first + count; place++) {
    const int world = id_of(ids, place);
    errors_[size_t(world)] = reason_to_refuse(worker, world, call.solves);
    const bool refused = !errors_[size_t(world)].empty();
    *reinterpret_cast<int*>(status_.row(world)) = refused;
    if (refused) continue;
    if (call.around.before) call.around.before(place, world);
    order.push_back({0, place});
  }
  if (order.empty()) return;
  LaneWorlds& at = lanes_for(worker, id_of(ids, first));
  const int size = int(order.size());
  const bool may_move = size > at.width;
  for (int left = call.bare;;) {
    if (may_move) group_alike(ids, order);
    const int steps = may_move ? std::min(left, together(worker)) : left;
    left -= steps;
    int changed = 0;
    for (int block = 0; block < size; block += at.width) {
      const Lanes lanes = lanes_from(ids, order, block, at.width);
      parameters_.apply(lanes, options_.single_precision, at);
      load(at, lanes);
      const Detail detail = bare_detail(at);
      for (int i = 0; i < steps; i++) at.step(detail);
      if (left == 0) call.last(at, lanes);
      changed += note_contacts(at, lanes);
      if (left > 0) store(at, lanes);
    }
    worker.note_changes(changed, size);
    if (left == 0) break;
  }
  for (const Place& done : order) {
    if (call.around.after) call.around.after(done.place, id_of(ids, done.place));
  }
}

int Batch::run(const Ids& ids, const Call& call) {
  const std::lock_guard<std::mutex> lock(busy_);
  const int count = count_of(ids);
  if (count == 0) return 0;
  parameters_.look_at_switches();
  std::atomic<int> taken = 0;
  threads(std::min(nthread_, count), [&](Worker& worker, int) {
    int first = 0;
    while (const int size = take_share(taken, count, first)) {
      run_share(worker, ids, first, size, call);
    }
  });
  int failed = 0;
  for (int i = 0; i < count; i++)
    failed += *reinterpret_cast<int*>(status_.row(id_of(ids, i))) != 0;
  return failed;
}

}  // namespace lockstep
