// env.cc: a batch with a compiled task: the compiled part of lockstep.gym.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "batch_object.h"
#include "bind.h"
#include "env/environment.h"
#include "env/tasks.h"
#include "env_settings.h"

namespace lockstep::python {
namespace {

using env::Environment;
using nb::arg;

}  // namespace

env::Settings settings_of(const nb::dict& given) {
  env::Settings::Numbers numbers;
  for (const auto& [name, values] : given) {
    numbers[nb::cast<std::string>(name)] = nb::cast<std::vector<double>>(values);
  }
  return numbers;
}

namespace {

nb::list parts_of(const std::vector<env::Part>& parts) {
  nb::list list;
  for (const env::Part& part : parts) list.append(nb::make_tuple(part.name, part.size));
  return list;
}

// rows of numbers, of the kind asked for
void* open_rows(Buffer& buffer, nb::handle object, Dtype dtype, int64_t rows, int64_t cols,
                bool writable, const char* name) {
  const bool opened = buffer.open(object.ptr(), kind_of_cell(dtype), writable);
  const Py_buffer& view = buffer.view();
  if (opened && view.len == rows * cols * view.itemsize) return view.buf;
  throw nb::value_error(
      (std::string(name) + " should be a contiguous array of its kind, " + shape_text({rows, cols}))
          .c_str());
}

int step_worlds(Environment& self, nb::handle ids, int nstep, nb::handle actions,
                nb::handle observation, nb::handle reward, nb::handle terminated,
                nb::handle report) {
  const Batch& batch = self.batch();
  const Selection selection(batch, ids);
  const int64_t n = batch.nsim(), nu = batch.model().nu;
  Buffer acts, buffers[4];
  const bool single = acts.open(actions.ptr(), 'f', false);
  const Dtype kind = single ? Dtype::f32 : Dtype::f64;
  const void* controls = open_rows(acts, actions, kind, n, nu, false, "actions");
  Environment::Results to;
  to.observation = open_rows(buffers[0], observation, batch.number(), n, self.observation_size(),
                             true, "observations");
  to.reward =
      static_cast<double*>(open_rows(buffers[1], reward, Dtype::f64, n, 1, true, "rewards"));
  to.terminated = static_cast<bool*>(
      open_rows(buffers[2], terminated, Dtype::boolean, n, 1, true, "terminated"));
  to.report = static_cast<double*>(
      open_rows(buffers[3], report, Dtype::f64, n, self.report_size(), true, "reports"));
  nb::gil_scoped_release released;
  return self.step(selection.ids(), nstep, controls, kind, to);
}

int start_worlds(Environment& self, nb::handle ids, nb::handle qpos, nb::handle qvel,
                 nb::handle observation, nb::handle report) {
  const Batch& batch = self.batch();
  const Selection selection(batch, ids);
  const int64_t n = batch.nsim(), count = selection.count();
  const Model& m = batch.model();
  Buffer buffers[4];
  const auto* positions = static_cast<const double*>(
      open_rows(buffers[0], qpos, Dtype::f64, count, m.nq, false, "qpos"));
  const auto* velocities = static_cast<const double*>(
      open_rows(buffers[1], qvel, Dtype::f64, count, m.nv, false, "qvel"));
  Environment::Results to;
  to.observation = open_rows(buffers[2], observation, batch.number(), n, self.observation_size(),
                             true, "observations");
  to.report = static_cast<double*>(
      open_rows(buffers[3], report, Dtype::f64, count, self.start_report_size(), true, "reports"));
  nb::gil_scoped_release released;
  return self.start(selection.ids(), positions, velocities, to);
}

}  // namespace

void bind_environment(nb::module_& m) {
  nb::class_<Environment>(m, "_Environment")
      .def(
          "__init__",
          [](Environment* self, BatchObject& batch, const std::string& task,
             const nb::dict& settings) {
            new (self) Environment(batch.batch, env::make_task(task, settings_of(settings)));
          },
          arg("batch"), arg("task"), arg("settings"), nb::keep_alive<1, 2>())
      .def_prop_ro("observation", [](Environment& self) { return parts_of(self.observation()); })
      .def_prop_ro("reports", [](Environment& self) { return parts_of(self.reports()); })
      .def_prop_ro("start_reports", [](Environment& self) { return self.start_reports(); })
      .def("step", step_worlds, arg("ids").none(), arg("nstep"), arg("actions"),
           arg("observations"), arg("rewards"), arg("terminated"), arg("reports"))
      .def("start", start_worlds, arg("ids").none(), arg("qpos"), arg("qvel"), arg("observations"),
           arg("reports"));
}

}  // namespace lockstep::python
