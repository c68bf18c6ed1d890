// environment.cc: runs a task around the steps of a batch.
#include "env/environment.h"

#include <algorithm>
#include <cstring>

namespace lockstep::env {
namespace {

// mj_resetData clears them and mj_forward leaves them alone
constexpr std::string_view after_steps[] = {"cacc", "cfrc_int", "cfrc_ext"};

bool is_after_steps(std::string_view name) {
  return std::find(std::begin(after_steps), std::end(after_steps), name) != std::end(after_steps);
}

void check_full(const Sheet& sheet) {
  if (!sheet.full()) throw std::length_error("a task puts down less than at first");
}

}  // namespace

Environment::Environment(Batch& batch, std::unique_ptr<Task> task)
    : batch_(batch), task_(std::move(task)), before_(size_t(batch.nsim())) {
  ctrl_ = rows_of("ctrl");
  qpos_ = rows_of("qpos");
  qvel_ = rows_of("qvel");
  for (const std::string& name : task_->fields()) {
    fields_.push_back(rows_of(name));
    zeros_.resize(std::max(zeros_.size(), size_t(fields_.back().size)));
  }
  start_fields_ = fields_;
  for (size_t i = 0; i < fields_.size(); i++) {
    if (!is_after_steps(task_->fields()[i])) continue;
    // the same zeros for every world
    start_fields_[i] = {reinterpret_cast<const std::byte*>(zeros_.data()), 0, fields_[i].size,
                        Dtype::f64};
  }
  const Model& m = batch.model();
  std::vector<double> row(size_t(batch.state().cols));
  get_state(m, make_data(m), (1 << mjNSTATE) - 1, row.data());
  start_state_.resize(size_t(batch.state().row_bytes()));
  write({start_state_.data(), 0, batch.state().cols, batch.number()}, 0, row.data());
  learn_parts();
}

// runs the task once without taking its numbers down, to learn what they are
void Environment::learn_parts() {
  const std::vector<double> action(size_t(ctrl_.size));
  const World w{start_fields_.data(), 0, {action.data(), ctrl_.size, Dtype::f64}, {}};
  Sheet seen(&observation_), told(&reports_);
  task_->observe(w, seen);
  task_->report(w, told);
  start_reports_ = reports_.size();
  start_report_size_ = told.count();
  task_->judge(w, told);
  task_->place(w);
  observation_size_ = seen.count();
  report_size_ = told.count();
}

FieldRows Environment::rows_of(std::string_view name) const {
  const Rows& state = batch_.state();
  int64_t start = 0;
  for (const StatePart& part : state_parts(batch_.model())) {
    if (part.field == name) {
      return {state.row(0) + start * cell_bytes_of(state.dtype), state.row_bytes(), part.count,
              state.dtype};
    }
    start += part.count;
  }
  const std::vector<FieldInfo> fields = Data().fields(batch_.model());
  for (size_t i = 0; i < fields.size(); i++) {
    if (fields[i].name != name) continue;
    const Rows& rows = batch_.output(int(i));
    return {rows.row(0), rows.row_bytes(), rows.cols, rows.dtype};
  }
  throw std::invalid_argument("a task reads " + std::string(name) +
                              ", which is not a field of MjData");
}

void Environment::observe(const World& w, void* to) const {
  const int64_t first = w.id * observation_size_;
  Sheet sheet = batch_.number() == Dtype::f32
                    ? Sheet(static_cast<float*>(to) + first, observation_size_)
                    : Sheet(static_cast<double*>(to) + first, observation_size_);
  task_->observe(w, sheet);
  check_full(sheet);
}

template <class Cell>
void Environment::write(const FieldRows& to, int world, const Cell* from) {
  std::byte* row = const_cast<std::byte*>(to.start) + world * to.row_bytes;
  if (to.dtype == Dtype::f32) {
    std::copy_n(from, to.size, reinterpret_cast<float*>(row));
  } else {
    std::copy_n(from, to.size, reinterpret_cast<double*>(row));
  }
}

int Environment::step(Ids ids, int nstep, const void* actions, Dtype action_type, const Results& to,
                      const Batch::Around& also) {
  const int64_t action_bytes = ctrl_.size * cell_bytes_of(action_type);
  const auto action_of = [&](int world) {
    return Row(static_cast<const std::byte*>(actions) + world * action_bytes, ctrl_.size,
               action_type);
  };
  Batch::Around around;
  around.before = [&](int place, int world) {
    if (also.before) also.before(place, world);
    before_[size_t(world)] = task_->place({fields_.data(), world});
    action_of(world).with_cells([&](const auto* cells) { write(ctrl_, world, cells); });
  };
  around.after = [&](int place, int world) {
    if (also.after) also.after(place, world);
    World w{fields_.data(), world, action_of(world), {}};
    const Place now = task_->place(w);
    const double seconds = batch_.timestep(world) * nstep;
    for (size_t i = 0; i < now.size(); i++) {
      w.velocity[i] = (now[i] - before_[size_t(world)][i]) / seconds;
    }
    observe(w, to.observation);
    Sheet reports(to.report + world * report_size_, report_size_);
    task_->report(w, reports);
    const Verdict verdict = task_->judge(w, reports);
    check_full(reports);
    to.reward[world] = verdict.reward;
    to.terminated[world] = verdict.terminated;
  };
  return batch_.step(ids, nstep, Reach::none, around);
}

int Environment::start(Ids ids, const double* qpos, const double* qvel, const Results& to) {
  const Model& m = batch_.model();
  // parameters of a world may say where its mocap bodies are, which equalities act and so on
  const bool alike = batch_.parameters().empty();
  if (!alike) batch_.reset(ids, {}, Reach::none);
  Batch::Around around;
  around.before = [&, alike](int place, int world) {
    if (alike) return put_state(world, qpos + place * m.nq, qvel + place * m.nv);
    write(qpos_, world, qpos + place * m.nq);
    write(qvel_, world, qvel + place * m.nv);
  };
  around.after = [&](int place, int world) {
    const World w{start_fields_.data(), world};
    observe(w, to.observation);
    Sheet reports(to.report + place * start_report_size_, start_report_size_);
    task_->report(w, reports);
    check_full(reports);
  };
  if (batch_.has_outputs()) return batch_.forward(ids, Reach::acceleration, around);
  // who reads the state alone needs nothing else
  const int count = ids ? int(ids->size()) : batch_.nsim();
  for (int place = 0; place < count; place++) {
    const int world = ids ? (*ids)[size_t(place)] : place;
    around.before(place, world);
    around.after(place, world);
  }
  return 0;
}

void Environment::put_state(int world, const double* qpos, const double* qvel) {
  std::memcpy(batch_.state().row(world), start_state_.data(), start_state_.size());
  std::memset(batch_.warning().row(world), 0, size_t(batch_.warning().row_bytes()));
  write(qpos_, world, qpos);
  write(qvel_, world, qvel);
}

}  // namespace lockstep::env
