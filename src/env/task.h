// task.h: what an environment computes of a world besides its motion: observation, reward, end and
// reports. A task is a class derived from Task; examples/06_own_task.cc is one, src/env/tasks/ has
// Gymnasium's. It needs this header and nothing to link with.
//
//   class Height final : public Task {
//    public:
//     explicit Height(const Settings& s) : cost_(s["ctrl_cost_weight"]) {}
//     void observe(const World& w, Sheet& to) const override {
//       to.put("qpos", w[qpos_]);
//       to.put("qvel", w[qvel_], 0, {-10, 10});
//     }
//     Verdict judge(const World& w, Sheet& reports) const override {
//       const double z = w[xpos_][5];  // body 1
//       reports.put("height", z);
//       return {z - cost_ * squares(w.action), z < 0.2};
//     }
//
//    private:
//     const Field qpos_ = reads("qpos"), qvel_ = reads("qvel"), xpos_ = reads("xpos");
//     const double cost_;
//   };
//
// Functions of a task are called from several threads, a world at a time, so they change nothing.
// Each call puts down the same parts in the same order.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/option.h"

namespace lockstep::env {

// from low to high
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  double clip(double x) const { return x < low ? low : high < x ? high : x; }
  bool inside(double x) const { return x > low && x < high; }
};

// numbers of one world, whatever a batch computes in
class Row {
 public:
  Row() = default;
  Row(const void* cells, int64_t size, Dtype dtype) : cells_(cells), size_(size), dtype_(dtype) {}

  int64_t size() const { return size_; }
  Row first(int64_t count) const { return {cells_, std::min(count, size_), dtype_}; }
  // f with a pointer to the cells as what they are
  template <class F>
  auto with_cells(F&& f) const {
    switch (dtype_) {
      case Dtype::f32: return f(static_cast<const float*>(cells_));
      case Dtype::i32: return f(static_cast<const int*>(cells_));
      case Dtype::boolean: return f(static_cast<const bool*>(cells_));
      default: return f(static_cast<const double*>(cells_));
    }
  }

  double operator[](int64_t i) const {
    if (i < 0 || i >= size_) throw std::out_of_range("a task reads beyond the end of a field");
    return with_cells([i](const auto* cells) { return double(cells[i]); });
  }

 private:
  const void* cells_ = nullptr;
  int64_t size_ = 0;
  Dtype dtype_ = Dtype::f64;
};

// sum of the squares of numbers, clipped first
inline double squares(const Row& row, Range limits = {}) {
  return row.with_cells([&](const auto* cells) {
    double sum = 0;
    for (int64_t i = 0; i < row.size(); i++) {
      const double x = limits.clip(double(cells[i]));
      sum += x * x;
    }
    return sum;
  });
}

inline bool all_finite(const Row& row) {
  for (int64_t i = 0; i < row.size(); i++) {
    if (!std::isfinite(row[i])) return false;
  }
  return true;
}

// a field of Data that a task reads: its place among them
struct Field {
  int place;
};

using Place = std::array<double, 3>;

// where the rows of a field are, one per world
struct FieldRows {
  const std::byte* start = nullptr;
  int64_t row_bytes = 0, size = 0;
  Dtype dtype = Dtype::f64;

  Row row(int world) const { return {start + world * row_bytes, size, dtype}; }
};

// one world as a task sees it
struct World {
  const FieldRows* fields;
  int id;
  Row action{};
  Place velocity{};  // of Task::place, over the whole step

  Row operator[](Field field) const { return fields[field.place].row(id); }
};

// a named run of numbers
struct Part {
  std::string name;
  int64_t size;
};

// takes down numbers of a world, part by part: in double, in float, or only what parts there are
class Sheet {
 public:
  Sheet(double* cells, int64_t room) : doubles_(cells), room_(room) {}
  Sheet(float* cells, int64_t room) : floats_(cells), room_(room) {}
  explicit Sheet(std::vector<Part>* parts) : parts_(parts) {}

  void put(std::string_view name, double number) {
    begin(name, 1);
    take(number);
  }
  void put(std::string_view name, std::initializer_list<double> numbers) {
    begin(name, int64_t(numbers.size()));
    for (const double number : numbers) take(number);
  }
  void put(std::string_view name, const Place& point) { put(name, {point[0], point[1], point[2]}); }
  // a row from `first` on, clipped
  void put(std::string_view name, const Row& row, int64_t first = 0, Range limits = {}) {
    const int64_t size = std::max(row.size() - first, int64_t{0});
    begin(name, size);
    if (size == 0) return;
    row.with_cells([&](const auto* cells) { take_all(cells + first, size, limits); });
  }
  // how many numbers there are so far
  int64_t count() const { return count_; }
  bool full() const { return count_ == room_; }

 private:
  void begin(std::string_view name, int64_t size) {
    if (size > room_ - count_) throw std::length_error("a task puts down more than at first");
    if (parts_) parts_->push_back({std::string(name), size});
  }
  void take(double number) {
    if (doubles_) doubles_[count_] = number;
    if (floats_) floats_[count_] = float(number);
    count_++;
  }
  template <class Cell>
  void take_all(const Cell* cells, int64_t size, Range limits) {
    for (int64_t i = 0; doubles_ && i < size; i++) {
      doubles_[count_ + i] = limits.clip(double(cells[i]));
    }
    for (int64_t i = 0; floats_ && i < size; i++) {
      floats_[count_ + i] = float(limits.clip(double(cells[i])));
    }
    count_ += size;
  }

  double* doubles_ = nullptr;
  float* floats_ = nullptr;
  std::vector<Part>* parts_ = nullptr;
  int64_t room_ = std::numeric_limits<int64_t>::max(), count_ = 0;
};

// numbers that a task is made with, by name
class Settings {
 public:
  using Numbers = std::map<std::string, std::vector<double>, std::less<>>;
  Settings() = default;
  Settings(Numbers numbers) : numbers_(std::move(numbers)) {}

  double operator[](std::string_view name) const { return find(name, 1)[0]; }
  bool flag(std::string_view name) const { return find(name, 1)[0] != 0; }
  int id(std::string_view name) const { return int(find(name, 1)[0]); }
  Range range(std::string_view name) const {
    const std::vector<double>& ends = find(name, 2);
    return {ends[0], ends[1]};
  }

 private:
  const std::vector<double>& find(std::string_view name, size_t count) const {
    const auto found = numbers_.find(name);
    if (found != numbers_.end() && found->second.size() == count) return found->second;
    throw std::invalid_argument("a task needs the setting " + std::string(name) + ": " +
                                std::to_string(count) + (count == 1 ? " number" : " numbers"));
  }
  Numbers numbers_;
};

struct Verdict {
  double reward = 0;
  bool terminated = false;
};

class Task {
 public:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  // what the agent sees, after steps and at starts
  virtual void observe(const World& w, Sheet& to) const = 0;
  // after a step: what it is worth, whether the episode ends, and what to tell about that
  virtual Verdict judge(const World& w, Sheet& reports) const = 0;
  // what to tell after steps and at starts alike
  virtual void report(const World&, Sheet&) const {}
  // what World::velocity is measured of
  virtual Place place(const World&) const { return {}; }

  const std::vector<std::string>& fields() const { return fields_; }

 protected:
  // to be called while the task is made
  Field reads(std::string field) {
    fields_.push_back(std::move(field));
    return {int(fields_.size()) - 1};
  }

 private:
  std::vector<std::string> fields_;
};

using Maker = Task* (*)(const Settings&);

// to be counted up when classes above change
inline constexpr int task_layout = 1;

}  // namespace lockstep::env

// makes a class the task of a shared library, which Python finds by its path
#define LOCKSTEP_TASK(Class)                                                         \
  extern "C" {                                                                       \
  extern const int lockstep_task_layout;                                             \
  const int lockstep_task_layout = lockstep::env::task_layout;                       \
  lockstep::env::Task* lockstep_make_task(const lockstep::env::Settings& settings) { \
    return new Class(settings);                                                      \
  }                                                                                  \
  }
