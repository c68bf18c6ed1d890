// episodes.cc: begins, limits and ends episodes, and writes down what their steps gave.
#include "env/episodes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace lockstep::env {
namespace {

constexpr double largest_good = 1e10;  // a larger position or velocity is as bad as infinity

// who has no task
class Nothing final : public Task {
 public:
  void observe(const World&, Sheet&) const override {}
  Verdict judge(const World&, Sheet&) const override { return {}; }
};

std::unique_ptr<Task> or_nothing(std::unique_ptr<Task> task) {
  return task ? std::move(task) : std::make_unique<Nothing>();
}

// what ends a world; the cause before its consequences
constexpr Warning failures[] = {Warning::badqpos, Warning::badqvel, Warning::badqacc,
                                Warning::inertia};

bool is_bad(const Row& row) {
  return row.with_cells([&](const auto* cells) {
    return std::any_of(cells, cells + row.size(),
                       [](auto x) { return !(std::abs(double(x)) <= largest_good); });
  });
}

}  // namespace

Episodes::Episodes(Batch& batch, std::unique_ptr<Task> task, const EpisodeOptions& options)
    : options_(options),
      environment_(batch, or_nothing(std::move(task))),
      nq_(batch.model().nq),
      nv_(batch.model().nv),
      qpos_at_(1) {  // after the time
  const size_t n = size_t(batch.nsim());
  layout_ = ResultLayout::of(batch.nsim(), nq_ + nv_, batch.number());
  if (options.memory.empty()) own_ = Block(layout_.bytes);
  memory_ = options.memory.empty() ? own_.start() : options.memory.data();
  if (!options.memory.empty() && int64_t(options.memory.size()) != layout_.bytes) {
    throw std::invalid_argument("results need " + std::to_string(layout_.bytes) + " bytes, not " +
                                std::to_string(options.memory.size()));
  }
  if (reinterpret_cast<uintptr_t>(memory_) % alignof(double)) {
    throw std::invalid_argument("the memory of results should be aligned to 8 bytes");
  }
  steps_.resize(n);
  max_steps_.resize(n);
  max_seconds_.assign(n, std::numeric_limits<double>::infinity());
  counts_.resize(n);
  observations_.resize(n * size_t(environment_.observation_size() * cell_bytes_of(batch.number())));
  reports_.resize(n * size_t(environment_.report_size()));
  if (options.on_failure == OnFailure::keep) {
    const Rows& state = batch.state();
    last_ = Rows(state.dtype, batch.nsim(), state.cols);
    std::memcpy(last_.row(0), state.row(0), n * size_t(state.row_bytes()));
  }
  const double* qpos0 = batch.model().qpos0;
  for (size_t world = 0; world < n; world++) {
    starts_.insert(starts_.end(), qpos0, qpos0 + nq_);
    starts_.resize(starts_.size() + size_t(nv_));
  }
  std::memset(memory_, 0, size_t(layout_.bytes));
  for (int world = 0; world < batch.nsim(); world++) copy_state(world);
}

ResultArrays Episodes::results() const {
  return {memory_, layout_, size_t(batch().nsim()), size_t(nq_ + nv_)};
}

Environment::Results Episodes::targets() {
  const ResultArrays to = results();
  return {observations_.data(), to.rewards.data(), to.terminated.data(), reports_.data()};
}

void Episodes::copy_state(int world) {
  const Rows& state = batch().state();
  const int64_t cell = cell_bytes_of(state.dtype), bytes = (nq_ + nv_) * cell;
  std::memcpy(memory_ + layout_.states + world * bytes, state.row(world) + qpos_at_ * cell,
              size_t(bytes));
}

// ---- steps ----

int Episodes::step(std::span<const double> actions, int nstep) {
  return step(actions.data(), Dtype::f64, actions.size(), nstep);
}
int Episodes::step(std::span<const float> actions, int nstep) {
  return step(actions.data(), Dtype::f32, actions.size(), nstep);
}

int Episodes::step(const void* actions, Dtype kind, size_t count, int nstep) {
  const int n = batch().nsim();
  if (count != size_t(n) * size_t(batch().model().nu)) {
    throw std::invalid_argument("a step needs a row of actions for every world");
  }
  const ResultArrays to = results();
  std::vector<int> running, ended;
  for (int world = 0; world < n; world++) {
    const bool done = to.terminated[size_t(world)] || to.truncated[size_t(world)];
    (options_.autoreset && done ? ended : running).push_back(world);
  }
  const Batch::Around around{[this](int, int world) { before_step(world); },
                             [this](int, int world) { after_step(world); }};
  environment_.step(running, nstep, actions, kind, targets(), around);
  const int failed = settle(running);
  begin(ended);
  return failed;
}

// what of a state is not finite or enormous
std::optional<Warning> Episodes::bad_part(int world) const {
  const Rows& state = batch().state();
  const std::byte* qpos = state.row(world) + qpos_at_ * cell_bytes_of(state.dtype);
  if (is_bad({qpos, nq_, state.dtype})) return Warning::badqpos;
  if (is_bad({qpos + nq_ * cell_bytes_of(state.dtype), nv_, state.dtype})) return Warning::badqvel;
  return {};
}

void Episodes::before_step(int world) {
  const Batch& b = batch();
  // a state that somebody spoiled is none to come back to
  if (last_.memory && !bad_part(world)) remember(world);
  // warnings of this step alone are told apart by counting from zero
  int* row = reinterpret_cast<int*>(b.warning().row(world));
  for (int kind = 0; kind < mjNWARNING; kind++) {
    counts_[size_t(world)][size_t(kind)] = std::exchange(row[2 * kind + 1], 0);
  }
}

void Episodes::after_step(int world) {
  const Batch& b = batch();
  const size_t at = size_t(world);
  const ResultArrays to = results();
  int* warnings = reinterpret_cast<int*>(b.warning().row(world));
  // what integration made bad would be noticed by the next step only
  if (const std::optional<Warning> kind = bad_part(world)) warnings[2 * code(*kind) + 1]++;
  to.errors[at] = 0;
  for (const Warning kind : failures) {
    if (!to.errors[at] && warnings[2 * code(kind) + 1]) to.errors[at] = error_of(kind);
  }
  if (to.errors[at]) {
    put_good_state(world);
  } else if (last_.memory) {
    remember(world);
  }
  for (int kind = 0; kind < mjNWARNING; kind++) {
    warnings[2 * kind + 1] += counts_[at][size_t(kind)];
  }
  copy_state(world);
  const double seconds = Row(b.state().row(world), 1, b.number())[0];
  // times are sums of many steps: rounding decides nothing
  const double slack = 0.5 * b.timestep(world);
  steps_[at]++;
  to.truncated[at] =
      (max_steps_[at] > 0 && steps_[at] >= max_steps_[at]) || seconds >= max_seconds_[at] - slack;
}

void Episodes::remember(int world) {
  std::memcpy(last_.row(world), batch().state().row(world), size_t(last_.row_bytes()));
}

// of a world that failed: the last one, or one to begin from
void Episodes::put_good_state(int world) {
  std::byte* state = batch().state().row(world);
  if (last_.memory) {
    std::memcpy(state, last_.row(world), size_t(last_.row_bytes()));
    return;
  }
  const Rows& warning = batch().warning();
  const std::vector<std::byte> raised(warning.row(world), warning.row(world) + warning.row_bytes());
  const double* start = starts_.data() + world * (nq_ + nv_);
  environment_.put_state(world, start, start + nq_);
  std::copy(raised.begin(), raised.end(), warning.row(world));
}

int Episodes::settle(std::span<const int> running) {
  const ResultArrays to = results();
  int failed = 0;
  for (const int world : running) {
    const size_t at = size_t(world);
    if (*reinterpret_cast<const int*>(batch().status().row(world))) to.errors[at] = refused;
    if (!to.errors[at]) continue;
    failed++;
    to.rewards[at] = 0;
    to.terminated[at] = options_.on_failure == OnFailure::reset;
  }
  return failed;
}

// ---- starts ----

int Episodes::reset(Ids ids) {
  std::vector<int> all;
  for (int world = 0; !ids && world < batch().nsim(); world++) all.push_back(world);
  return begin(ids ? *ids : std::span<const int>(all));
}

int Episodes::begin(std::span<const int> ids) {
  if (ids.empty()) return 0;
  std::vector<double> qpos, qvel, told(ids.size() * size_t(environment_.start_report_size()));
  for (const int world : ids) {
    const double* row = starts_.data() + world * (nq_ + nv_);
    qpos.insert(qpos.end(), row, row + nq_);
    qvel.insert(qvel.end(), row + nq_, row + nq_ + nv_);
  }
  const int failed = environment_.start(ids, qpos.data(), qvel.data(),
                                        {observations_.data(), nullptr, nullptr, told.data()});
  const ResultArrays to = results();
  for (size_t place = 0; place < ids.size(); place++) {
    const size_t at = size_t(ids[place]);
    const size_t size = size_t(environment_.start_report_size());
    std::copy_n(told.data() + place * size, size,
                reports_.data() + at * size_t(environment_.report_size()));
    steps_[at] = 0;
    to.rewards[at] = 0;
    to.terminated[at] = to.truncated[at] = false;
    to.errors[at] = *reinterpret_cast<const int*>(batch().status().row(ids[place])) ? refused : 0;
    copy_state(ids[place]);
  }
  return failed;
}

}  // namespace lockstep::env
