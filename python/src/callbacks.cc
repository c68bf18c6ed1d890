// callbacks.cc: set_mjcb_*, stage timers, and how calls into the engine serve them.
#include <algorithm>
#include <string_view>

#include "bind.h"
#include "call.h"
#include "step/engine.h"

namespace lockstep::python {
namespace {

using nb::arg;

enum Callback { cb_control, cb_passive, cb_sensor, cb_act_dyn, cb_act_gain, cb_act_bias, cb_time };
constexpr const char* names[] = {"control",  "passive",  "sensor", "act_dyn",
                                 "act_gain", "act_bias", "time"};
constexpr int ncallback = std::size(names);

// MuJoCo's are global too. Null where none is set; never destroyed, as Python may be gone by then
PyObject* callbacks[ncallback] = {};
bool any_callback() {
  return std::any_of(callbacks, callbacks + ncallback, [](PyObject* c) { return c != nullptr; });
}
nb::object callback(int which) { return nb::borrow(callbacks[which]); }

// errors of the callbacks of the running call are kept until it ends
thread_local PyObject *error_type = nullptr, *error_value = nullptr, *error_trace = nullptr;

// runs f with the GIL unless an earlier callback failed
template <class F>
void guarded(F&& f) {
  nb::gil_scoped_acquire acquired;
  if (error_type) return;
  try {
    f();
    return;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  }
  PyErr_Fetch(&error_type, &error_value, &error_trace);
}

double number(const nb::object& value, const char* name) {
  if (!PyNumber_Check(value.ptr()) || PyUnicode_Check(value.ptr())) {
    const std::string text = std::string(name) + " callback did not return a number";
    throw nb::type_error(text.c_str());
  }
  return nb::cast<double>(nb::float_(value));
}

double user_seconds() {
  double seconds = 0;
  guarded([&] { seconds = number(callback(cb_time)(), "mjcb_time"); });
  return seconds;
}
double seconds_now() { return callbacks[cb_time] ? user_seconds() : clock_seconds(); }

bool has_user_sensor(const Model& m, SensorStage stage) {
  for (int i = 0; i < m.nsensor; i++) {
    if (m.sensor_type[i] == code(SensorType::user) && m.sensor_needstage[i] == code(stage))
      return true;
  }
  return false;
}

// what users put into sensordata obeys the cutoff like any reading
void cut_off_user_sensors(const Model& m, Data& d, SensorStage stage) {
  for (int i = 0; i < m.nsensor; i++) {
    const double cutoff = m.sensor_cutoff[i];
    if (m.sensor_type[i] != code(SensorType::user) || m.sensor_needstage[i] != code(stage))
      continue;
    const int kind = m.sensor_datatype[i];
    if (cutoff <= 0 || (kind != code(DataType::real) && kind != code(DataType::positive))) continue;
    for (int k = m.sensor_adr[i]; k < m.sensor_adr[i] + m.sensor_dim[i]; k++) {
      const double low = kind == code(DataType::real) ? -cutoff : d.sensordata[k];
      d.sensordata[k] = std::clamp(d.sensordata[k], std::min(low, cutoff), cutoff);
    }
  }
}

void set_callback(int which, nb::object value) {
  if (!value.is_none() && !PyCallable_Check(value.ptr())) {
    throw nb::type_error("callback is not an Optional[Callable]");
  }
  Py_XDECREF(callbacks[which]);
  callbacks[which] = value.is_none() ? nullptr : value.release().ptr();
}

}  // namespace

// the watch of one call
struct Call::Looker : Watch {
  ModelObject& m;
  DataObject& d;
  Data& data;
  std::unique_ptr<StageTimer> own;  // for the clock of the user
  StageTimer* timer;

  Looker(ModelObject& m, DataObject& d, Data& data, bool step)
      : m(m), d(d), data(data), timer(d.holder->stage_timer.get()) {
    if (callbacks[cb_time] && !timer) {
      own = std::make_unique<StageTimer>(data, seconds_now);
      timer = own.get();
    }
    if (timer) timer->begin(step);
    stage = [](Watch& self, int place, bool done) { static_cast<Looker&>(self).look(place, done); };
    if (callbacks[cb_control]) {
      control = [](Watch& self) { static_cast<Looker&>(self).call(cb_control); };
    }
    actuator = [](Watch& self, Term term, int id) {
      return static_cast<Looker&>(self).actuator_term(term, id);
    };
  }

  void call(int which) {
    guarded([&] { callback(which)(nb::find(m), nb::find(d)); });
  }

  double actuator_term(Term term, int id) {
    const int which = term == Term::gain   ? cb_act_gain
                      : term == Term::bias ? cb_act_bias
                                           : cb_act_dyn;
    double value = term == Term::gain ? 1 : 0;
    if (!callbacks[which]) return value;
    guarded([&] {
      const std::string name = std::string("mjcb_") + names[which];
      value = number(callback(which)(nb::find(m), nb::find(d), id), name.c_str());
    });
    return value;
  }

  void look(int place, bool done) {
    if (timer) timer->look(place, done);
    if (!done) return;
    const StageInfo info = stage_info(place);
    const int off = m.model().opt.disableflags;
    const int still = code(DisableBit::spring) | code(DisableBit::damper);
    if (callbacks[cb_passive] && info.name == "passive" && (off & still) != still) call(cb_passive);
    if (!callbacks[cb_sensor] || (off & code(DisableBit::sensor))) return;
    if (info.name == "sensor_pos") read_sensors(SensorStage::pos);
    if (info.name == "sensor_vel") read_sensors(SensorStage::vel);
    if (info.name == "sensor_acc") read_sensors(SensorStage::acc);
  }

  void read_sensors(SensorStage after) {
    if (!has_user_sensor(m.model(), after)) return;
    guarded([&] { callback(cb_sensor)(nb::find(m), nb::find(d), code(after)); });
    cut_off_user_sensors(m.model(), data, after);
  }
};

Call::Call(ModelObject& m, DataObject& d, Data& data, Timer whole, int count)
    : data_(data), whole_(whole), count_(count) {
  if (any_callback() || d.holder->stage_timer) {
    looker_ = std::make_unique<Looker>(m, d, data, whole == Timer::step);
  }
  data.watch = looker_.get();
  start_ = seconds_now();
}

Call::~Call() { data_.watch = nullptr; }

void Call::finish() {
  if (whole_ != Timer::position) {
    data_.timer[code(whole_)].duration += seconds_now() - start_;
    data_.timer[code(whole_)].number += count_;
  }
  if (!error_type) return;
  PyErr_Restore(error_type, error_value, error_trace);
  error_type = error_value = error_trace = nullptr;
  throw nb::python_error();
}

void bind_callbacks(nb::module_& m) {
  for (int i = 0; i < ncallback; i++) {
    const std::string name = std::string("mjcb_") + names[i];
    m.def(("set_" + name).c_str(), [i](nb::object value) { set_callback(i, std::move(value)); },
          arg("callback").none());
    m.def(("get_" + name).c_str(),
          [i] { return callbacks[i] ? callback(i) : nb::object(nb::none()); });
  }
  m.def(
      "time_stages",
      [](DataObject& d, bool on) {
        d.holder->stage_timer.reset();
        if (on) {
          d.holder->stage_timer = std::make_unique<StageTimer>(d.holder->data, seconds_now);
        }
      },
      arg("d"), arg("on") = true,
      "From now on the stages of each call with this data are timed, or no longer.");
  m.def(
      "stage_times",
      [](DataObject& d) {
        nb::dict times;
        for (int i = 0; d.holder->stage_timer && i < stage_count(); i++) {
          const Data::TimerStat& stat = d.holder->stage_timer->stages()[static_cast<size_t>(i)];
          const std::string_view name = stage_info(i).name;
          times[nb::str(name.data(), name.size())] = nb::make_tuple(stat.duration, stat.number);
        }
        return times;
      },
      arg("d"), "Seconds and number of runs of each stage since time_stages, by name.");
}

}  // namespace lockstep::python
