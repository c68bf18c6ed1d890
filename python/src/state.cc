// state.cc: mj_* functions that copy, save, restore and reset what a Data holds.
#include "model/state.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>

#include "array_args.h"
#include "base/files.h"
#include "bind.h"
#include "data_object.h"
#include "print.h"

namespace lockstep::python {

using nb::arg;

namespace {

int signature_of(int64_t sig) {
  if (is_state_signature(sig)) return int(sig);
  throw FatalError("mj_stateSize: invalid state signature " + std::to_string(sig) +
                   (sig < 0 ? " < 0" : " >= 2^mjNSTATE"));
}

template <class Array>
void check_size(const Array& array, const Model& m, int sig, const char* message) {
  if (array.size != state_size(m, sig)) throw nb::type_error(message);
}

void write_text(nb::handle filename, const std::string& text) {
  const std::string path = path_of(filename);
  if (!write_bytes(path, text.data(), text.size())) throw FatalError(path + ": cannot be written");
}

void bind_parts(nb::module_& m) {
  m.def(
      "mj_stateSize",
      [](ModelObject& m, int64_t sig) { return state_size(m.model(), signature_of(sig)); },
      arg("m"), arg("sig"), "Numbers in a state made of these parts (mjtState).");
  m.def(
      "mj_getState",
      [](ModelObject& m, DataObject& d, Out<> state, int64_t sig) {
        const int parts = signature_of(sig);
        check_size(state, m.model(), parts, "state size should equal mj_stateSize(m, sig)");
        get_state(m.model(), data_for(m, d), parts, state.data);
      },
      arg("m"), arg("d"), arg("state"), arg("sig"), "Copies parts of the data into a vector.");
  m.def(
      "mj_setState",
      [](ModelObject& m, DataObject& d, In<> state, int64_t sig) {
        const int parts = signature_of(sig);
        check_size(state, m.model(), parts, "state size should equal mj_stateSize(m, sig)");
        set_state(m.model(), data_for(m, d), parts, state.data);
      },
      arg("m"), arg("d"), arg("state"), arg("sig"), "Copies a vector into parts of the data.");
  m.def(
      "mj_copyState",
      [](ModelObject& m, DataObject& src, DataObject& dst, int64_t sig) {
        const int parts = signature_of(sig);
        copy_state(m.model(), data_for(m, src), data_for(m, dst), parts);
      },
      arg("m"), arg("src"), arg("dst"), arg("sig"), "Copies parts of one data to another.");
  m.def(
      "mj_extractState",
      [](ModelObject& m, In<> src, int64_t srcsig, Out<> dst, int64_t dstsig) {
        const int from = signature_of(srcsig);
        const int to = signature_of(dstsig);
        check_size(src, m.model(), from, "src size should equal mj_stateSize(m, srcsig)");
        check_size(dst, m.model(), to, "dst size should equal mj_stateSize(m, dstsig)");
        if (to & ~from) throw FatalError("mj_extractState: dstsig is not a subset of srcsig");
        extract_state(m.model(), src.data, from, dst.data, to);
      },
      arg("m"), arg("src"), arg("srcsig"), arg("dst"), arg("dstsig"),
      "Copies some parts of a state that mj_getState gave.");
}

// results become numbers made of the byte; state, inputs and integers are as after a reset
void reset_debug(ModelObject& m, DataObject& d, uint8_t value) {
  reset(m.model(), data_for(m, d));
  bool result = false;  // fields before the first result are state and inputs
  for (const FieldInfo& field : d.holder->fields) {
    result = result || field.name == "xpos";
    if (!(result || field.name == "sensordata") || field.dtype != Dtype::f64 || !field.bytes())
      continue;
    std::memset(field.data, value, size_t(field.bytes()));
  }
}

}  // namespace

void bind_state(nb::module_& m) {
  bind_parts(m);
  m.def(
      "mj_printData",
      [](ModelObject& m, DataObject& d, nb::object filename) {
        write_text(filename, print_data(m.model(), data_for(m, d)));
      },
      arg("m"), arg("d"), arg("filename"), "Prints all of a data to a text file.");
  m.def(
      "mj_printFormattedData",
      [](ModelObject& m, DataObject& d, nb::object filename, const std::string& format) {
        write_text(filename, print_data(m.model(), data_for(m, d), format));
      },
      arg("m"), arg("d"), arg("filename"), arg("float_format"),
      "As mj_printData, with numbers in a printf format.");
  m.def(
      "mj_resetData",
      [](ModelObject& m, DataObject& d) {
        Data& data = data_for(m, d);
        {
          nb::gil_scoped_release released;
          reset(m.model(), data);
        }
        put_to_sleep(*d.holder);
      },
      arg("m"), arg("d"), "Sets the data to the initial state.");
  m.def("mj_resetDataDebug", reset_debug, arg("m"), arg("d"), arg("debug_value"),
        "Resets the state and fills the results with a byte.");
  m.def(
      "mj_copyData",
      [](DataObject& dest, ModelObject& m, DataObject& src) {
        data_for(m, dest);
        data_for(m, src);
        copy_data(*src.holder, *dest.holder);
      },
      arg("dest"), arg("m"), arg("src"), "Copies everything of one data to another.");
}

}  // namespace lockstep::python
