// call.h: a call into the engine with those who look on: timers and the callbacks of users.
#pragma once

#include "data_object.h"
#include "step/timing.h"

namespace lockstep::python {

// Lives around one call without the GIL. What a whole call takes is always timed; its stages and
// callbacks only where someone asked for them. An error of a callback is raised by finish(): the
// engine goes on to the end without calling it again.
class Call {
 public:
  // `whole` is the timer of what is called: step, forward or inverse; position where it has none
  Call(ModelObject& m, DataObject& d, Data& data, Timer whole, int count = 1);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // ends the call, with the GIL
  void finish();

 private:
  struct Looker;
  Data& data_;
  Timer whole_;
  int count_;
  double start_ = 0;
  std::unique_ptr<Looker> looker_;
};

// runs a function of the engine without the GIL
template <class F>
void call_engine(ModelObject& m, DataObject& d, Data& data, Timer whole, F&& run, int count = 1) {
  Call call(m, d, data, whole, count);
  {
    nb::gil_scoped_release released;
    run();
  }
  call.finish();
}

}  // namespace lockstep::python
