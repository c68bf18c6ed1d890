// episodes.h: worlds that live in episodes: stepped with actions, ended by their task or their
// time, begun anew. Results stand in one block (results.h), written by the thread that steps a
// world.
#pragma once

#include <limits>
#include <optional>

#include "env/environment.h"
#include "env/results.h"

namespace lockstep::env {

// what becomes of a world whose state is not finite, enormous or singular
enum class OnFailure {
  reset,  // it is terminated, with reward 0, and begins anew at its next step
  keep,   // it keeps its last good state and goes on from there, with reward 0
};

struct EpisodeOptions {
  OnFailure on_failure = OnFailure::reset;
  bool autoreset = true;             // worlds that ended begin anew at their next step
  std::span<std::byte> memory = {};  // where to write results, aligned to 8 bytes; none: own
};

// one of ResultArrays::errors: a warning of MuJoCo's and one, or what has a message in Batch::error
constexpr int error_of(Warning kind) { return code(kind) + 1; }
inline constexpr int refused = -1;

class Episodes {
 public:
  // The Batch must live as long. Without a task nothing is observed or rewarded, and only time and
  // failures end episodes. Throws std::invalid_argument, as Environment does, and for memory of the
  // wrong size.
  explicit Episodes(Batch& batch, std::unique_ptr<Task> task = nullptr,
                    const EpisodeOptions& options = {});

  Batch& batch() const { return environment_.batch(); }
  const ResultLayout& layout() const { return layout_; }
  std::byte* memory() const { return memory_; }
  // live
  ResultArrays results() const;

  // of each world: steps since it began, and how many steps and seconds an episode may take (of
  // steps 0 for any number); rows of positions and velocities to begin from. All may be written
  std::span<int64_t> steps() { return steps_; }
  std::span<int64_t> max_steps() { return max_steps_; }
  std::span<double> max_seconds() { return max_seconds_; }
  std::span<double> starts() { return starts_; }

  // what a task observes and reports, a row per world
  const Environment& environment() const { return environment_; }
  std::span<const std::byte> observations() const { return observations_; }
  std::span<const double> reports() const { return reports_; }

  // A row of actions per world is held for nstep steps. Both return how many worlds failed.
  int step(std::span<const double> actions, int nstep = 1);
  int step(std::span<const float> actions, int nstep = 1);
  int reset(Ids ids = {});

 private:
  int step(const void* actions, Dtype kind, size_t count, int nstep);
  int begin(std::span<const int> ids);
  std::optional<Warning> bad_part(int world) const;
  void before_step(int world);
  void after_step(int world);
  void remember(int world);
  void put_good_state(int world);
  int settle(std::span<const int> running);
  void copy_state(int world);
  Environment::Results targets();

  EpisodeOptions options_;
  Environment environment_;
  ResultLayout layout_;
  Block own_;
  std::byte* memory_;
  int64_t nq_, nv_, qpos_at_;  // the last: in a row of state
  std::vector<int64_t> steps_, max_steps_;
  std::vector<double> max_seconds_, starts_;
  std::vector<std::byte> observations_;
  std::vector<double> reports_;
  Rows last_;                                        // good rows of state, if they are kept
  std::vector<std::array<int, mjNWARNING>> counts_;  // of warnings, when the step began
};

}  // namespace lockstep::env
