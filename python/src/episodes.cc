// episodes.cc: worlds that live in episodes: the compiled part of lockstep.episodes.
#include "env/episodes.h"

#include <nanobind/stl/string.h>

#include <optional>

#include "arrays.h"
#include "batch_object.h"
#include "bind.h"
#include "env/tasks.h"
#include "env_settings.h"

namespace lockstep::python {
namespace {

using env::Episodes;
using nb::arg;

// with the buffer that results are written to
struct EpisodesObject {
  std::unique_ptr<Buffer> memory;
  Episodes episodes;
};

void make_episodes(EpisodesObject* self, BatchObject& batch, nb::handle memory, nb::handle task,
                   const nb::dict& settings, bool keep, bool autoreset) {
  env::EpisodeOptions options;
  options.on_failure = keep ? env::OnFailure::keep : env::OnFailure::reset;
  options.autoreset = autoreset;
  auto buffer = std::make_unique<Buffer>();
  if (!buffer->open(memory.ptr(), 'B', true)) {
    throw nb::type_error("results should be a writable contiguous array of uint8");
  }
  options.memory = {static_cast<std::byte*>(buffer->view().buf), size_t(buffer->view().len)};
  std::unique_ptr<env::Task> made;
  if (!task.is_none()) made = env::make_task(nb::cast<std::string>(task), settings_of(settings));
  new (self) EpisodesObject{std::move(buffer), Episodes(batch.batch, std::move(made), options)};
}

int step_episodes(EpisodesObject& self, nb::handle actions, int nstep) {
  Buffer buffer;
  const bool single = buffer.open(actions.ptr(), 'f', false);
  if (!single && !buffer.open(actions.ptr(), 'd', false)) {
    throw nb::type_error("actions should be a contiguous array of float64 or float32");
  }
  const void* first = buffer.view().buf;
  const size_t count = size_t(buffer.view().len / buffer.view().itemsize);
  nb::gil_scoped_release released;
  return single ? self.episodes.step(std::span(static_cast<const float*>(first), count), nstep)
                : self.episodes.step(std::span(static_cast<const double*>(first), count), nstep);
}

// {array: first byte}, and the length of the whole under ""
nb::dict layout_of(int64_t worlds, int64_t state_size, bool single_precision) {
  const auto at =
      env::ResultLayout::of(worlds, state_size, single_precision ? Dtype::f32 : Dtype::f64);
  nb::dict places;
  places["states"] = at.states;
  places["rewards"] = at.rewards;
  places["terminated"] = at.terminated;
  places["truncated"] = at.truncated;
  places["errors"] = at.errors;
  places[""] = at.bytes;
  return places;
}

// a live array of the episodes, which it keeps alive
template <class Cell>
nb::object live_array(nb::handle self, std::span<Cell> cells, Dtype dtype, size_t worlds) {
  std::vector<size_t> shape{worlds};
  if (cells.size() != worlds) shape.push_back(cells.size() / worlds);
  return make_array(cells.data(), dtype, shape, self);
}

}  // namespace

void bind_episodes(nb::module_& m) {
  m.def("_result_layout", layout_of, arg("worlds"), arg("state_size"), arg("single_precision"));
  const auto worlds = [](EpisodesObject& self) { return size_t(self.episodes.batch().nsim()); };
  const auto array = [worlds](auto member, Dtype dtype) {
    return [worlds, member, dtype](nb::handle object) {
      auto& self = nb::cast<EpisodesObject&>(object);
      return live_array(object, (self.episodes.*member)(), dtype, worlds(self));
    };
  };
  nb::class_<EpisodesObject>(m, "_Episodes")
      .def("__init__", make_episodes, arg("batch"), arg("memory"), arg("task").none(),
           arg("settings"), arg("keep"), arg("autoreset"), nb::keep_alive<1, 2>())
      .def("step", step_episodes, arg("actions"), arg("nstep"))
      .def(
          "reset",
          [](EpisodesObject& self, nb::handle ids) {
            const Selection selection(self.episodes.batch(), ids);
            nb::gil_scoped_release released;
            return self.episodes.reset(selection.ids());
          },
          arg("ids").none())
      .def("steps", array(&Episodes::steps, Dtype::i64))
      .def("max_steps", array(&Episodes::max_steps, Dtype::i64))
      .def("max_seconds", array(&Episodes::max_seconds, Dtype::f64))
      .def("starts", array(&Episodes::starts, Dtype::f64))
      .def("observations", [worlds](nb::handle object) {
        auto& self = nb::cast<EpisodesObject&>(object);
        const auto cells = self.episodes.observations();
        const size_t columns = size_t(self.episodes.environment().observation_size());
        return make_array(const_cast<std::byte*>(cells.data()), self.episodes.batch().number(),
                          {worlds(self), columns}, object);
      });
}

}  // namespace lockstep::python
