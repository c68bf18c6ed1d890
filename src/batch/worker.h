// worker.h: what the threads of a batch work in.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>

#include "batch/batch.h"

namespace lockstep {

// what one thread works in; made when it is first needed
struct Batch::Worker {
  std::unique_ptr<LaneWorlds> lanes, one;
  std::unique_ptr<Model> model;  // own copy, for what lanes cannot share
  std::unique_ptr<Data> data;
  std::vector<Place> order;  // of the worlds it runs

  void forget_model() {
    one.reset();  // works on it
    model.reset();
  }

  // Steps that worlds take before they change lanes: few where contacts come and go, many where
  // they stay, since changing takes time.
  int steps_together = 2;
  void note_changes(int changed, int worlds) {
    if (changed * 8 > worlds) steps_together = std::max(2, steps_together / 2);
    if (changed * 32 < worlds) steps_together = std::min(16, steps_together * 2);
  }
};

// Threads, which a batch has to itself and gives back: oneTBB keeps memory of every arena that was
// ever used
struct Batch::Pool {
  explicit Pool(int nthread) : arena(nthread) {}
  tbb::task_arena arena;
  static std::shared_ptr<Pool> of(int nthread);
};

}  // namespace lockstep
