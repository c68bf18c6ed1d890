// actuation.cc: mj_* functions about controls, their history and keyframes; muscles.
#include <fmt/core.h>
#include <nanobind/stl/optional.h>

#include "array_args.h"
#include "bind.h"
#include "data_object.h"
#include "step/engine.h"

namespace lockstep::python {
namespace {

using nb::arg;

void check_actuator(const Model& m, int id) {
  if (id < 0 || id >= m.nactuator) throw nb::index_error("actuator id out of range");
}

void check_sensor(const Model& m, int id) {
  if (id < 0 || id >= m.nsensor) throw nb::index_error("sensor id out of range");
}

nb::object read_control(ModelObject& m, DataObject& d, int id, double time, Out<> result,
                        int interp) {
  const Model& model = m.model();
  check_actuator(model, id);
  if (result.size != model.actuator_ctrlnum[id]) {
    throw nb::type_error("result should have length actuator_ctrlnum[id]");
  }
  read_ctrl(model, data_for(m, d), id, time, result.data, interp);
  return result.array;
}

// nsample growing times, if any, and nsample rows of dim values
void check_history(const char* function, const char* kind, int id, int samples, int dim,
                   const std::optional<In<>>& times, int64_t rows, int64_t cols) {
  if (samples <= 0) {
    throw FatalError(fmt::format("{}: {} {} has no history buffer", function, kind, id));
  }
  if (times && times->size != samples) throw nb::type_error("times should have length nsample");
  if (rows != samples || cols != dim) {
    throw nb::type_error("values should have a row of numbers per sample");
  }
  for (int i = 1; times && i < samples; i++) {
    if ((*times)[i - 1] < (*times)[i]) continue;
    throw FatalError(fmt::format("{}: times must grow, found {} before {}", function,
                                 (*times)[i - 1], (*times)[i]));
  }
}

void init_control(ModelObject& m, DataObject& d, int id, const std::optional<In<>>& times,
                  const double* values, int64_t rows, int64_t cols) {
  const Model& model = m.model();
  check_actuator(model, id);
  check_history("mj_initCtrlHistory", "actuator", id, model.actuator_history[2 * id],
                model.actuator_ctrlnum[id], times, rows, cols);
  init_ctrl_history(model, data_for(m, d), id, times ? times->data : nullptr, values);
}

nb::object read_reading(ModelObject& m, DataObject& d, int id, double time, Out<> result,
                        int interp) {
  check_sensor(m.model(), id);
  if (result.size != m.model().sensor_dim[id]) {
    throw nb::type_error("result should have length sensor_dim[id]");
  }
  read_sensor(m.model(), data_for(m, d), id, time, result.data, interp);
  return result.array;
}

void init_readings(ModelObject& m, DataObject& d, int id, const std::optional<In<>>& times,
                   const double* values, int64_t rows, int64_t cols, double phase) {
  const Model& model = m.model();
  check_sensor(model, id);
  check_history("mj_initSensorHistory", "sensor", id, model.sensor_history[2 * id],
                model.sensor_dim[id], times, rows, cols);
  init_sensor_history(model, data_for(m, d), id, times ? times->data : nullptr, values, phase);
}

void store_keyframe(ModelObject& m, DataObject& d, int k) {
  if (k < 0 || k >= m.model().nkey) {
    if (k < 0) throw FatalError("mj_setKeyframe: keyframe index cannot be negative");
    throw FatalError(
        fmt::format("mj_setKeyframe: index must be smaller than {} (keyframes allocated in model)",
                    m.model().nkey));
  }
  set_keyframe(m.model(), data_for(m, d), k);
}

}  // namespace

void bind_actuation(nb::module_& m) {
  m.def("mj_readCtrl", read_control, arg("m"), arg("d"), arg("id"), arg("time"), arg("result"),
        arg("interp"), "Controls of an actuator as they act at a time.");
  // one number per sample may come as a vector
  m.def(
      "mj_initCtrlHistory",
      [](ModelObject& m, DataObject& d, int id, std::optional<In<>> times, InMat values) {
        init_control(m, d, id, times, values.data, values.rows, values.cols);
      },
      arg("m"), arg("d"), arg("id"), arg("times").none(), arg("values"),
      "Sets the past controls of an actuator.");
  m.def(
      "mj_initCtrlHistory",
      [](ModelObject& m, DataObject& d, int id, std::optional<In<>> times, In<> values) {
        init_control(m, d, id, times, values.data, values.size, 1);
      },
      arg("m"), arg("d"), arg("id"), arg("times").none(), arg("values"));
  m.def("mj_readSensor", read_reading, arg("m"), arg("d"), arg("id"), arg("time"), arg("result"),
        arg("interp"), "Reading of a sensor as it was at a time, less its delay.");
  m.def(
      "mj_initSensorHistory",
      [](ModelObject& m, DataObject& d, int id, std::optional<In<>> times, InMat values,
         double phase) {
        init_readings(m, d, id, times, values.data, values.rows, values.cols, phase);
      },
      arg("m"), arg("d"), arg("id"), arg("times").none(), arg("values"), arg("phase"),
      "Sets the past readings of a sensor, and its last tick.");
  m.def(
      "mj_initSensorHistory",
      [](ModelObject& m, DataObject& d, int id, std::optional<In<>> times, In<> values,
         double phase) { init_readings(m, d, id, times, values.data, values.size, 1, phase); },
      arg("m"), arg("d"), arg("id"), arg("times").none(), arg("values"), arg("phase"));
  m.def(
      "mj_actuatorInputName",
      [](ModelObject& m, int id, int input) { return actuator_input_name(m.model(), id, input); },
      arg("m"), arg("id"), arg("input"), "What a control of an actuator means, or None.");
  m.def(
      "mj_resetCtrl", [](ModelObject& m, DataObject& d) { reset_ctrl(m.model(), data_for(m, d)); },
      arg("m"), arg("d"), "Neutral controls: zero, quaternions at the identity.");
  m.def(
      "mj_resetDataKeyframe",
      [](ModelObject& m, DataObject& d, int key) {
        reset_keyframe(m.model(), data_for(m, d), key);
      },
      arg("m"), arg("d"), arg("key"), "Sets the data to the state of a keyframe.");
  m.def("mj_setKeyframe", store_keyframe, arg("m"), arg("d"), arg("k"),
        "The state becomes a keyframe of the model.");
  m.def(
      "mju_muscleGain",
      [](double len, double vel, In<2> lengthrange, double acc0, In<9> prm) {
        return muscle_gain(len, vel, lengthrange.data, acc0, prm.data);
      },
      arg("len"), arg("vel"), arg("lengthrange"), arg("acc0"), arg("prm"),
      "Active force of a muscle.");
  m.def(
      "mju_muscleBias",
      [](double len, In<2> lengthrange, double acc0, In<9> prm) {
        return muscle_bias(len, lengthrange.data, acc0, prm.data);
      },
      arg("len"), arg("lengthrange"), arg("acc0"), arg("prm"), "Passive force of a muscle.");
  m.def(
      "mju_muscleDynamics",
      [](double ctrl, double act, In<3> prm) { return muscle_dynamics(ctrl, act, prm.data); },
      arg("ctrl"), arg("act"), arg("prm"), "Rate of the activation of a muscle.");
}

}  // namespace lockstep::python
