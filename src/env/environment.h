// environment.h: a Batch with a Task. Actions go in; observations, rewards, ends and reports come
// out, each world's computed by the thread that steps it while its numbers are at hand. What a
// world gets depends neither on threads nor on the worlds beside it.
#pragma once

#include <memory>

#include "batch/batch.h"
#include "env/task.h"

namespace lockstep::env {

class Environment {
 public:
  // The Batch must live as long. Throws std::invalid_argument if it has no such fields.
  Environment(Batch& batch, std::unique_ptr<Task> task);

  Batch& batch() const { return batch_; }
  // parts of a row of observations, and of reports; the first `start_reports` are told at starts
  const std::vector<Part>& observation() const { return observation_; }
  const std::vector<Part>& reports() const { return reports_; }
  int64_t observation_size() const { return observation_size_; }
  int64_t report_size() const { return report_size_; }
  int64_t start_report_size() const { return start_report_size_; }
  size_t start_reports() const { return start_reports_; }

  // where results are written, a row per world of the batch; rows of other worlds stay as they are
  struct Results {
    void* observation;  // in the batch's kind of number
    double* reward = nullptr;
    bool* terminated = nullptr;
    double* report = nullptr;
  };

  // actions: a row per world of the batch. Both return how many worlds failed, as Batch does.
  // `also` is done before anything else of a step, and after the step before it is judged.
  int step(Ids ids, int nstep, const void* actions, Dtype action_type, const Results& to,
           const Batch::Around& also = {});
  // begins episodes: rows of positions and velocities, and of `report`, are those of the call
  int start(Ids ids, const double* qpos, const double* qvel, const Results& to);
  // a world's row of state as at a start of the batch's own Model, without warnings
  void put_state(int world, const double* qpos, const double* qvel);

 private:
  FieldRows rows_of(std::string_view name) const;
  void learn_parts();
  void observe(const World& w, void* to) const;
  template <class Cell>
  static void write(const FieldRows& to, int world, const Cell* from);

  Batch& batch_;
  std::unique_ptr<Task> task_;
  std::vector<FieldRows> fields_, start_fields_;  // what the task reads after steps, at starts
  FieldRows ctrl_, qpos_, qvel_;
  std::vector<std::byte> start_state_;  // a row
  std::vector<double> zeros_;
  std::vector<Part> observation_, reports_;
  size_t start_reports_ = 0;
  int64_t observation_size_ = 0, report_size_ = 0, start_report_size_ = 0;
  std::vector<Place> before_;  // of each world, when its step began
};

}  // namespace lockstep::env
