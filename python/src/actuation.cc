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

void init_history(ModelObject& m, DataObject& d, int id, std::optional<In<>> times, InMat values) {
  const Model& model = m.model();
  check_actuator(model, id);
  const int samples = model.actuator_history[2 * id];
  if (samples <= 0) {
    throw FatalError(fmt::format("mj_initCtrlHistory: actuator {} has no history buffer", id));
  }
  if (times && times->size != samples) {
    throw nb::type_error("times should have length actuator_history[2*id]");
  }
  if (values.rows != samples || values.cols != model.actuator_ctrlnum[id]) {
    throw nb::type_error("values should have shape (actuator_history[2*id], actuator_ctrlnum[id])");
  }
  for (int i = 1; times && i < samples; i++) {
    if ((*times)[i - 1] < (*times)[i]) continue;
    throw FatalError(fmt::format("mj_initCtrlHistory: times must grow, found {} before {}",
                                 (*times)[i - 1], (*times)[i]));
  }
  init_ctrl_history(model, data_for(m, d), id, times ? times->data : nullptr, values.data);
}

void store_keyframe(ModelObject& m, DataObject& d, int k) {
  if (k < 0 || k >= m.model().nkey) {
    throw FatalError(fmt::format("mj_setKeyframe: keyframe {} does not exist, the model has {}", k,
                                 m.model().nkey));
  }
  set_keyframe(m.model(), data_for(m, d), k);
}

}  // namespace

void bind_actuation(nb::module_& m) {
  m.def("mj_readCtrl", read_control, arg("m"), arg("d"), arg("id"), arg("time"), arg("result"),
        arg("interp"), "Controls of an actuator as they act at a time.");
  m.def("mj_initCtrlHistory", init_history, arg("m"), arg("d"), arg("id"), arg("times").none(),
        arg("values"), "Sets the past controls of an actuator.");
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
