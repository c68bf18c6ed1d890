// batch.cc: many worlds: the compiled part of lockstep.batch.
#include "batch/batch.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>

#include "batch_object.h"
#include "bind.h"
#include "compile/constants.h"
#include "data_object.h"
#include "step/engine.h"
#include "step/queries.h"
#include "step/ray.h"

namespace lockstep::python {
namespace {

using nb::arg;

nb::object array_of(const Rows& rows, std::vector<size_t> shape) {
  return make_array(rows.memory->start(), rows.dtype, shape, owner_of(rows.memory));
}

int check_sim(const Batch& batch, int sim) {
  if (sim >= 0 && sim < batch.nsim()) return sim;
  throw nb::index_error(
      ("simulations are in [0, " + std::to_string(batch.nsim()) + "), got " + std::to_string(sim))
          .c_str());
}

int data_field(const Batch& batch, std::string_view name) {
  const std::vector<FieldInfo> fields = Data().fields(batch.model());
  for (size_t i = 0; i < fields.size(); i++) {
    if (fields[i].name == name) return int(i);
  }
  return -1;
}

std::vector<int> model_fields(const std::vector<std::string>& names) {
  std::vector<int> list;
  for (const std::string& name : names) list.push_back(field_index(name));
  return list;
}

Reach reach_of(int stage) {
  if (stage < 0 || stage > 3) throw nb::value_error("stage should be one of mjtStage");
  return Reach(stage);
}

// a Python warning names what the model asks for and a step leaves out
void warn_of_gaps(const Model& m) {
  const std::string names = not_simulated(m), text = "not simulated yet: " + names;
  if (!names.empty() && PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) < 0)
    throw nb::python_error();
}

// ---- rollout ----

// (field name or None, signature, array) as what to write down
Record record_of(const Batch& batch, nb::handle item, int count, int nstep, Buffer& buffer) {
  const nb::tuple parts = nb::cast<nb::tuple>(item);
  Record record;
  int64_t cells;
  Dtype dtype = batch.number();
  if (parts[0].is_none()) {
    const auto signature = nb::cast<int64_t>(parts[1]);
    if (!is_state_signature(signature)) throw nb::value_error("invalid state signature");
    record.signature = int(signature);
    cells = state_size(batch.model(), record.signature);
  } else {
    record.field = data_field(batch, nb::cast<std::string>(parts[0]));
    if (record.field < 0) throw nb::value_error("not a field of MjData that can be recorded");
    const FieldInfo info = Data().fields(batch.model())[size_t(record.field)];
    cells = info.size();
    if (info.dtype != Dtype::f64) dtype = info.dtype;
  }
  if (!buffer.open(parts[2].ptr(), kind_of_cell(dtype), true)) {
    throw nb::value_error("a record should be a writable array of the field's kind");
  }
  const Py_buffer& view = buffer.view();
  if (view.ndim < 2 || view.shape[0] != count || view.shape[1] != nstep ||
      view.len != int64_t{count} * nstep * cells * view.itemsize) {
    throw nb::value_error("a record should have the shape (simulations, nstep, ...)");
  }
  record.data = view.buf;
  return record;
}

int rollout(BatchObject& self, nb::handle ids, int nstep, nb::handle control, int64_t control_spec,
            nb::list records) {
  Batch& batch = self.batch;
  const Selection selection(batch, ids);
  if (nstep < 0) throw nb::value_error("nstep should not be negative");
  if (!is_state_signature(control_spec) || (control_spec & ~code(State::user))) {
    throw nb::value_error("control_spec can only contain bits in mjSTATE_USER");
  }
  Exact<const double> controls;
  const double* values = nullptr;
  if (!control.is_none()) {
    const int64_t ncontrol = state_size(batch.model(), int(control_spec));
    values = controls.open(control, {selection.count(), nstep, ncontrol}, "control");
  }
  std::vector<Buffer> buffers(records.size());
  std::vector<Record> list;
  for (size_t i = 0; i < records.size(); i++) {
    list.push_back(record_of(batch, records[i], selection.count(), nstep, buffers[i]));
  }
  nb::gil_scoped_release released;
  return batch.rollout(selection.ids(), nstep, values, int(control_spec), list);
}

// ---- models and queries ----

// names the first size that two models do not share
void check_sizes(const Model& model, const Model& batch, const std::string& message) {
  const std::vector<SizeInfo> a = model.sizes(), b = batch.sizes();
  for (size_t i = 0; i < a.size(); i++) {
    if (*a[i].value == *b[i].value) continue;
    const std::string text = message + ": " + std::string(a[i].name) + " is " +
                             std::to_string(*a[i].value) + ", not " + std::to_string(*b[i].value);
    throw nb::value_error(text.c_str());
  }
}

void set_models(BatchObject& self, nb::handle models) {
  if (!self.caller_models && !self.batch.parameters().empty()) {
    throw FatalError("set_models: the batch has per-simulation fields (expand)");
  }
  if (models.is_none()) {
    self.caller_models = false;
    nb::gil_scoped_release released;
    return self.batch.share_model();
  }
  std::vector<const Model*> list;
  if (nb::isinstance<ModelObject>(models)) {
    list.assign(size_t(self.batch.nsim()), &nb::cast<ModelObject&>(models).model());
  } else {
    for (nb::handle one : models) list.push_back(&nb::cast<ModelObject&>(one).model());
  }
  if (list.size() != size_t(self.batch.nsim())) {
    throw nb::value_error("set_models wants one model per simulation");
  }
  const Model* checked = nullptr;
  for (const Model* m : list) {
    if (m == checked) continue;
    check_sizes(*m, self.batch.model(), "set_models: a model has other sizes than the batch's");
    checked = m;
  }
  self.caller_models = true;
  nb::gil_scoped_release released;
  (void)self.batch.take_models(list);
}

// the Model that all worlds share
void get_shared_model(BatchObject& self, ModelObject& model) {
  Model& to = model.model();
  const Model& from = self.batch.model();
  check_sizes(to, from, "the model has other sizes");
  const std::vector<FieldInfo> target = to.fields(), source = from.fields();
  for (size_t i = 0; i < target.size(); i++) {
    if (source[i].bytes()) std::memcpy(target[i].data, source[i].data, size_t(source[i].bytes()));
  }
  to.opt = from.opt;
  to.flg_gravcomp = from.flg_gravcomp;
  to.flg_surfacevel = from.flg_surfacevel;
  to.flg_adhesion = from.flg_adhesion;
}

void get_model(BatchObject& self, int sim, ModelObject& model) {
  check_sim(self.batch, sim);
  get_shared_model(self, model);
  nb::gil_scoped_release released;
  self.batch.get_model(sim, model.model());
}

void get_data(BatchObject& self, int sim, DataObject& data) {
  check_sim(self.batch, sim);
  check_sizes(data.holder->model->model, self.batch.model(), "the data was made for another model");
  nb::gil_scoped_release released;
  self.batch.get_data(sim, data.holder->data);
}

// ---- copies ----

nb::bytes save_worlds(BatchObject& self) {
  const auto save = [&] {
    nb::gil_scoped_release released;
    return self.batch.save();
  };
  const std::vector<std::byte> saved = save();
  return nb::bytes(saved.data(), saved.size());
}

void restore_worlds(BatchObject& self, const nb::bytes& saved) {
  const auto* first = static_cast<const std::byte*>(saved.data());
  const auto restore = [&] {
    nb::gil_scoped_release released;
    return self.batch.restore({first, saved.size()});
  };
  const std::string wrong = restore();
  if (!wrong.empty()) throw nb::value_error(wrong.c_str());
  self.caller_models = false;  // what they gave stays as values of the batch
}

std::unique_ptr<BatchObject> clone_worlds(BatchObject& self) {
  const auto clone = [&] {
    nb::gil_scoped_release released;
    return self.batch.clone();
  };
  auto made = std::make_unique<BatchObject>(clone());
  made->caller_models = self.caller_models;
  return made;
}

int set_batch_constants(BatchObject& self, nb::handle ids,
                        const std::vector<std::string>& outputs) {
  if (self.caller_models) throw FatalError("set_const: the batch runs on caller models");
  const Selection selection(self.batch, ids);
  const std::vector<int> keep = model_fields(outputs);
  nb::gil_scoped_release released;
  const auto derive = [](int, Model& m, Data& d) {
    const std::string wrong = set_const(m, &d);
    return wrong.empty() ? wrong : "mj_setConst: " + wrong;
  };
  return self.batch.visit(selection.ids(), derive, keep);
}

int jacobians(BatchObject& self, nb::handle ids, nb::handle body, nb::handle point, nb::handle jacp,
              nb::handle jacr) {
  const Selection selection(self.batch, ids);
  const int64_t n = selection.count(), nv = self.batch.model().nv;
  Exact<const int> bodies;
  Exact<const double> points;
  Exact<double> translation, rotation;
  const int* which = bodies.open(body, {n}, "body");
  const double* where = points.open(point, {n, 3}, "point");
  double* p = jacp.is_none() ? nullptr : translation.open(jacp, {n, 3, nv}, "jacp");
  double* r = jacr.is_none() ? nullptr : rotation.open(jacr, {n, 3, nv}, "jacr");
  if (std::any_of(which, which + n,
                  [&](int id) { return id < 0 || id >= self.batch.model().nbody; })) {
    throw nb::value_error("body is out of range");
  }
  nb::gil_scoped_release released;
  return self.batch.visit(selection.ids(), [&](int at, Model& m, Data& d) {
    run_stage(m, d, "kinematics");
    run_stage(m, d, "com_pos");
    jac(m, d, where + 3 * at, which[at], p ? p + 3 * nv * at : nullptr,
        r ? r + 3 * nv * at : nullptr);
    return std::string();
  });
}

constexpr int64_t group_count = 6;  // of geoms

int rays(BatchObject& self, nb::handle ids, nb::handle from, nb::handle along, nb::handle group,
         bool meets_static, nb::handle exclude, nb::handle dist, nb::handle geom,
         nb::handle normal) {
  const Selection selection(self.batch, ids);
  Exact<const int> excludes;
  Exact<const double> starts, directions;
  Exact<const unsigned char> groups;
  Exact<double> distances, normals;
  Exact<int> geoms;
  Buffer probe;
  if (!probe.open(from.ptr(), 'd', false) || probe.view().ndim != 3) {
    throw nb::type_error("pnt should be an array of float64 with three dimensions");
  }
  const int64_t n = selection.count(), nray = probe.view().shape[1];
  const double* start = starts.open(from, {n, nray, 3}, "pnt");
  const double* direction = directions.open(along, {n, nray, 3}, "vec");
  const int* body = excludes.open(exclude, {n, nray}, "bodyexclude");
  double* d = distances.open(dist, {n, nray}, "dist");
  int* g = geoms.open(geom, {n, nray}, "geomid");
  double* normal_of = normal.is_none() ? nullptr : normals.open(normal, {n, nray, 3}, "normal");
  RayQuery query;
  if (!group.is_none()) query.group = groups.open(group, {group_count}, "geomgroup");
  query.meets_static = meets_static;
  nb::gil_scoped_release released;
  return self.batch.visit(selection.ids(), [&](int at, Model& m, Data& data) {
    run_stage(m, data, "kinematics");
    RayQuery own = query;
    for (int64_t i = at * nray; i < (at + 1) * nray; i++) {
      if (!has_length(direction + 3 * i)) return std::string(ray_without_length);
      own.body = body[i];
      d[i] = ray(m, data, start + 3 * i, direction + 3 * i, own, g[i],
                 normal_of ? normal_of + 3 * i : nullptr);
    }
    return std::string();
  });
}

// ---- fields ----

// counters of the engine, which no user of a batch needs
bool is_hidden(std::string_view name) {
  constexpr std::string_view hidden[] = {"efm_active",    "nY",       "ntree_awake", "nbody_awake",
                                         "nparent_awake", "nv_awake", "maxuse_con",  "maxuse_efc"};
  return name.starts_with("warning") || name.starts_with("flg_") || name.starts_with("nefm") ||
         std::find(std::begin(hidden), std::end(hidden), name) != std::end(hidden);
}

nb::object output(BatchObject& self, const std::string& name) {
  const int field = data_field(self.batch, name);
  if (field < 0 || is_hidden(name)) return nb::none();
  const auto bind = [&]() -> const Rows& {
    nb::gil_scoped_release released;
    return self.batch.output(field);
  };
  const Rows& rows = bind();
  return array_of(rows, {size_t(self.batch.nsim()), size_t(rows.cols)});
}

// names that can be bound, names that can be expanded
nb::tuple field_names() {
  const Model none;
  const Parameters parameters(none, 0);
  nb::list data, model;
  for (const FieldInfo& field : Data().fields(none)) {
    if (!is_hidden(field.name)) data.append(nb::str(field.name.data(), field.name.size()));
  }
  for (const FieldInfo& field : none.fields()) {
    if (parameters.is_expandable(field.name))
      model.append(nb::str(field.name.data(), field.name.size()));
  }
  for (const MemberInfo& info : option_members()) {
    model.append(nb::str(("opt." + std::string(info.name)).c_str()));
  }
  return nb::make_tuple(data, model);
}

// fields of the state in its order, with their bits
nb::dict state_fields() {
  nb::dict result;
  for (const StatePart& part : state_parts(Model())) {
    result[nb::str(part.field.data(), part.field.size())] = code(part.bit);
  }
  return result;
}

nb::object rows_or_none(const Batch& batch, const std::optional<Rows>& rows) {
  if (!rows) return nb::none();
  return array_of(*rows, {size_t(batch.nsim()), size_t(rows->cols)});
}

nb::object expand(BatchObject& self, const std::string& name) {
  if (self.caller_models && self.batch.parameters().is_expandable(name)) {
    throw FatalError("expand: the batch runs on caller models");
  }
  const auto rows = [&] {
    nb::gil_scoped_release released;
    return self.batch.expand(name);
  };
  return rows_or_none(self.batch, rows());
}

// where a field stands in a row of state
nb::tuple state_part(const BatchObject& self, const std::string& name) {
  int64_t start = 0;
  for (const StatePart& part : state_parts(self.batch.model())) {
    if (part.field == name) return nb::make_tuple(start, part.count);
    start += part.count;
  }
  throw nb::value_error("not a part of the state");
}

void bind_calls(nb::class_<BatchObject>& type) {
  type.def(
          "step",
          [](BatchObject& self, nb::handle ids, int nstep, int stage) {
            const Selection selection(self.batch, ids);
            if (nstep < 1) throw nb::value_error("nstep should be positive");
            const Reach reach = reach_of(stage);
            nb::gil_scoped_release released;
            return self.batch.step(selection.ids(), nstep, reach);
          },
          arg("ids").none(), arg("nstep"), arg("stage"))
      .def(
          "forward",
          [](BatchObject& self, nb::handle ids, int stage) {
            const Selection selection(self.batch, ids);
            const Reach reach = reach_of(stage);
            nb::gil_scoped_release released;
            return self.batch.forward(selection.ids(), reach);
          },
          arg("ids").none(), arg("stage"))
      .def(
          "reset",
          [](BatchObject& self, nb::handle ids, nb::handle keys, int stage) {
            const Selection selection(self.batch, ids);
            const Reach reach = reach_of(stage);
            Exact<const int> given;
            std::span<const int> list;
            if (!keys.is_none()) {
              const int* first = given.open(keys, {selection.count()}, "keyframe");
              list = {first, size_t(selection.count())};
              for (int key : list) {
                if (key < -1 || key >= self.batch.model().nkey) {
                  throw nb::value_error("keyframe is out of range");
                }
              }
            }
            nb::gil_scoped_release released;
            return self.batch.reset(selection.ids(), list, reach);
          },
          arg("ids").none(), arg("keyframe").none(), arg("stage"))
      .def("rollout", rollout, arg("ids").none(), arg("nstep"), arg("control").none(),
           arg("control_spec"), arg("records"))
      .def("set_const", set_batch_constants, arg("ids").none(), arg("outputs"))
      .def("jac", jacobians, arg("ids").none(), arg("body"), arg("point"), arg("jacp").none(),
           arg("jacr").none())
      .def("ray", rays, arg("ids").none(), arg("pnt"), arg("vec"), arg("geomgroup").none(),
           arg("flg_static"), arg("bodyexclude"), arg("dist"), arg("geomid"), arg("normal").none());
}

}  // namespace

void bind_batch(nb::module_& m) {
  m.def("_batch_fields", field_names);
  m.def("_state_fields", state_fields);
  nb::class_<BatchObject> type(m, "_Batch");
  type.def(
      "__init__",
      [](BatchObject* self, ModelObject& model, int nsim, int nthread, bool persistent,
         bool single_precision, int width) {
        if (nsim < 1) throw nb::value_error("nsim should be positive");
        if (nthread < 0) throw nb::value_error("nthread should not be negative");
        warn_of_gaps(model.model());
        BatchOptions options;
        options.nthread = nthread;
        options.persistent = persistent;
        options.single_precision = single_precision;
        options.width = width;
        new (self) BatchObject(std::make_unique<Batch>(model.model(), nsim, options));
      },
      arg("model"), arg("nsim"), arg("nthread") = 0, arg("persistent") = false,
      arg("single_precision") = false, arg("width") = 0);
  bind_calls(type);
  type.def_prop_ro("nsim", [](BatchObject& self) { return self.batch.nsim(); })
      .def_prop_ro("nthread", [](BatchObject& self) { return self.batch.nthread(); })
      .def_prop_ro("nstate", [](BatchObject& self) { return self.batch.nstate(); })
      .def_prop_ro("work_bytes", [](BatchObject& self) { return self.batch.work_bytes(); })
      .def_prop_ro("persistent", [](BatchObject& self) { return self.batch.persistent(); })
      .def_prop_ro("width", [](BatchObject& self) { return self.batch.width(); })
      .def("state",
           [](BatchObject& self) {
             return array_of(self.batch.state(),
                             {size_t(self.batch.nsim()), size_t(self.batch.nstate())});
           })
      .def("warning",
           [](BatchObject& self) {
             return array_of(self.batch.warning(), {size_t(self.batch.nsim()), mjNWARNING, 2});
           })
      .def("status",
           [](BatchObject& self) {
             return array_of(self.batch.status(), {size_t(self.batch.nsim())});
           })
      .def("error",
           [](BatchObject& self, int sim) {
             check_sim(self.batch, sim);
             nb::gil_scoped_release released;
             return self.batch.error(sim);
           })
      .def("output", output)
      .def("expand", expand)
      .def("expanded",
           [](BatchObject& self, const std::string& name) {
             if (self.caller_models) return nb::object(nb::none());
             const auto rows = [&] {
               nb::gil_scoped_release released;
               return self.batch.expanded(name);
             };
             return rows_or_none(self.batch, rows());
           })
      .def("state_part", state_part)
      .def("set_models", set_models, arg("models").none())
      .def("get_model", get_model)
      .def("get_shared_model", get_shared_model)
      .def("get_data", get_data)
      .def("save", save_worlds)
      .def("restore", restore_worlds)
      .def("clone", clone_worlds);
}

}  // namespace lockstep::python
