// data_bind.cc: MjData: the state and results of one world; arrays and numbers from the list.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bind.h"
#include "compile/constants.h"
#include "data_object.h"
#include "records.h"
#include "step/engine.h"
#include "step/islands.h"
#include "views.h"

namespace lockstep::python {
namespace {

using nb::arg;
using DataClass = nb::class_<DataObject>;

constexpr int sparse_from = 60;  // dofs from which MuJoCo's `auto` is sparse

DataObject make(nb::object model) {
  return {model, std::make_shared<DataHolder>(nb::cast<ModelObject&>(model).holder)};
}

DataObject copy_for(DataObject& self, nb::object model) {
  DataObject other = make(std::move(model));
  copy_data(*self.holder, *other.holder);
  return other;
}

DataObject deep_copy(DataObject& self, nb::object memo) {
  return copy_for(self, nb::module_::import_("copy").attr("deepcopy")(self.model, memo));
}

// all fields one after the other, then contacts and rows, then the timers
nb::object get_state(DataObject& self) {
  std::string bytes;
  const auto append = [&bytes](const std::vector<FieldInfo>& fields) {
    for (const FieldInfo& field : fields) {
      if (field.data) bytes.append(static_cast<const char*>(field.data), size_t(field.bytes()));
    }
  };
  append(self.holder->fields);
  append(self.holder->data.arena_fields(self.holder->model->model));
  const auto& timer = self.holder->data.timer;
  bytes.append(reinterpret_cast<const char*>(timer), sizeof timer);
  return nb::make_tuple(self.model, nb::bytes(bytes.data(), bytes.size()));
}

// an arena for the contacts and rows that the numbers of a Data speak of
void restore_counts(Data& d) {
  ArenaView<double>& arena = d.arena->view();
  arena.ncon = *d.ncon;
  arena.ne = *d.ne;
  arena.nf = *d.nf;
  arena.nl = *d.nl;
  arena.nefc = *d.nefc;
  arena.nJ = *d.nJ;
  arena.need.ncon = arena.ncon;
  arena.need.nefc = arena.nefc;
  arena.need.nJ = arena.nJ;
  if (!d.arena->make_room()) throw std::bad_alloc();
}

void set_state(DataObject* self, nb::tuple state) {
  if (nb::len(state) != 2) throw nb::value_error("not the state of an MjData");
  DataObject made = make(state[0]);
  const auto bytes = nb::cast<nb::bytes>(state[1]);
  auto& timer = made.holder->data.timer;
  const char *from = bytes.c_str(), *end = from + bytes.size();
  const auto take = [&](void* to, size_t count) {
    if (size_t(end - from) < count)
      throw nb::value_error("the state of an MjData has another size");
    if (count) std::memcpy(to, from, count);
    from += count;
  };
  for (const FieldInfo& field : made.holder->fields) take(field.data, size_t(field.bytes()));
  restore_counts(made.holder->data);
  for (const FieldInfo& field : made.holder->data.arena_fields(made.holder->model->model)) {
    if (field.data) take(field.data, size_t(field.bytes()));
  }
  take(timer, sizeof timer);
  if (from != end) throw nb::value_error("the state of an MjData has another size");
  new (self) DataObject(std::move(made));
}

// counters describe memory, so that users cannot set them
bool may_be_set(std::string_view name) {
  return name == "time" || name.starts_with("flg_") || name.starts_with("maxuse_");
}

// whether MuJoCo would keep the Jacobian of the rows compressed
bool shown_sparse(const Model& m) {
  return m.opt.jacobian == code(Jacobian::sparse) ||
         (m.opt.jacobian == code(Jacobian::auto_) && m.nv >= sparse_from);
}

void add_number(DataClass& type, const FieldInfo& info, size_t i) {
  const bool counts_jacobian = info.name == "nJ";
  const bool counts_islands = info.name == "nisland" || info.name == "nidof";
  auto get = [i, counts_jacobian, counts_islands](DataObject& self) {
    const FieldInfo& field = self.holder->fields[i];
    const Model& model = self.holder->model->model;
    if (counts_islands) count_islands(model, self.holder->data);
    if (counts_jacobian && !shown_sparse(model)) {
      return nb::object(nb::int_(*self.holder->data.nefc * model.nv));
    }
    return nb::object(read_number(field.data, field.dtype));
  };
  auto set = [i](DataObject& self, nb::object value) {
    const FieldInfo& field = self.holder->fields[i];
    write_number(field.data, field.dtype, value);
  };
  nb::object setter = nb::none();
  if (may_be_set(info.name)) setter = nb::cpp_function(set);
  add_property(type, std::string(info.name).c_str(), nb::cpp_function(get), setter, info.doc);
}

void add_array(DataClass& type, const FieldInfo& info, size_t i) {
  auto get = [i](DataObject& self) { return self.array(i); };
  auto set = [i](DataObject& self, nb::object value) { assign_array(self.array(i), value); };
  add_property(type, std::string(info.name).c_str(), nb::cpp_function(get),
               nb::cpp_function(set, arg(), arg("value").none()), info.doc);
}

void add_fields(DataClass& type) {
  const std::vector<FieldInfo> fields = Data().fields(Model());
  for (size_t i = 0; i < fields.size(); i++) {
    if (fields[i].name.starts_with("warning")) continue;
    if (fields[i].rows_name == "1") {
      add_number(type, fields[i], i);
    } else {
      add_array(type, fields[i], i);
    }
  }
}

// keeps the memory of contacts and rows as it is now, also when they move to a larger one
nb::object arena_owner(DataObject& self) { return owner_of(self.holder->data.arena->block()); }

// MuJoCo keeps the Jacobian of small models dense; ours is always compressed
nb::object dense_jacobian(DataObject& self) {
  const ArenaView<double>& rows = self.holder->data.arena->view();
  const size_t nv = size_t(self.holder->model->model.nv), count = size_t(rows.nefc) * nv;
  auto memory = std::make_shared<std::vector<double>>(count);
  for (int row = 0; row < rows.nefc; row++) {
    const int adr = rows.efc_J_rowadr[row];
    for (int k = adr; k < adr + rows.efc_J_rownnz[row]; k++) {
      (*memory)[size_t(row) * nv + size_t(rows.efc_J_colind[k])] = rows.efc_J[k];
    }
  }
  return make_array(memory->data(), Dtype::f64, {count}, owner_of(memory));
}

// what follows from islands is found now; nothing if there are none, or if it is something else
nb::object island_array(DataObject& self, std::string_view name) {
  auto integers = std::make_shared<std::vector<int>>();
  auto numbers = std::make_shared<std::vector<double>>();
  if (!read_islands(self.holder->model->model, self.holder->data, name, *integers, *numbers)) {
    return nb::object();
  }
  if (numbers->empty()) {
    return make_array(integers->data(), Dtype::i32, {integers->size()}, owner_of(integers));
  }
  return make_array(numbers->data(), Dtype::f64, {numbers->size()}, owner_of(numbers));
}

// an array that grows with contacts and rows: live if something fills it, else zeros, or -1 for
// places
nb::object arena_array(DataObject& self, size_t i) {
  const Model& model = self.holder->model->model;
  FieldInfo field = self.holder->data.arena_fields(model)[i];
  if (!field.data) {
    if (nb::object found = island_array(self, field.name); found.is_valid()) return found;
  }
  if (field.name.starts_with("efc_J") && !shown_sparse(model)) {
    if (field.name == "efc_J") return dense_jacobian(self);
    if (field.name == "efc_J_colind") field.rows = *self.holder->data.nefc * model.nv;
    field.data = nullptr;
  }
  std::vector<size_t> shape{size_t(field.rows)};
  if (!field.flat) shape.push_back(size_t(field.cols));
  if (field.data && field.bytes()) {
    return make_array(field.data, field.dtype, shape, arena_owner(self));
  }
  const bool place =
      field.name == "tendon_efcadr" || field.name == "tree_island" || field.name == "dof_island";
  const char* dtype = field.dtype == Dtype::f64 ? "float64" : "int32";
  return nb::module_::import_("numpy").attr("full")(shape, place ? -1 : 0,
                                                    nb::arg("dtype") = dtype);
}

void add_arena(DataClass& type) {
  const std::vector<FieldInfo> fields = Data().arena_fields(Model());
  for (size_t i = 0; i < fields.size(); i++) {
    if (fields[i].name.starts_with("con_")) continue;  // in `contact`
    add_property(type, std::string(fields[i].name).c_str(),
                 nb::cpp_function([i](DataObject& self) { return arena_array(self, i); }),
                 nb::none(), fields[i].doc);
  }
}

const FieldInfo& field_named(DataObject& self, std::string_view name) {
  for (const FieldInfo& field : self.holder->fields) {
    if (field.name == name) return field;
  }
  throw UnexpectedError("no such field");
}

nb::object warnings(DataObject& self) {
  if (!self.warning.is_valid()) {
    auto column = [&](const char* name) {
      return Column{static_cast<char*>(field_named(self, name).data), sizeof(int)};
    };
    self.warning = make_record_list(
        RecordKind::warning,
        Records{{column("warning_info"), column("warning")}, mjNWARNING, self.array_owner()});
  }
  return self.warning;
}

nb::object timers(DataObject& self) {
  static_assert(sizeof(Data::TimerStat) == 16);
  if (!self.timer.is_valid()) {
    self.timer = make_record_list(
        RecordKind::timer, Records{record_columns(RecordKind::timer, self.holder->data.timer),
                                   mjNTIMER, self.array_owner()});
  }
  return self.timer;
}

nb::object solver_statistics(DataObject& self) {
  if (!self.solver.is_valid()) {
    const int64_t count = int64_t{mjNISLAND} * mjNSOLVER;
    SolverStat* memory = self.holder->data.solver.data();
    self.solver = make_record_list(
        RecordKind::solver,
        Records{record_columns(RecordKind::solver, memory), count, self.array_owner()});
  }
  return self.solver;
}

// records of the contacts there are now
Records contacts_now(DataObject& self) {
  static int none[2] = {-1, -1};  // flexes do not collide yet
  const ArenaView<double>& arena = self.holder->data.arena->view();
  const auto column = [](auto* start, int64_t count) {
    return Column{reinterpret_cast<char*>(start), count * int64_t(sizeof *start)};
  };
  const Column nothing{reinterpret_cast<char*>(none), 0};
  // in the order of MjContact's members
  std::vector<Column> columns{column(arena.con_H, 36),
                              column(arena.con_adhesion, 1),
                              column(arena.con_dim, 1),
                              column(arena.con_dist, 1),
                              column(arena.con_efc_address, 1),
                              nothing,
                              column(arena.con_exclude.start, 1),
                              nothing,
                              column(arena.con_frame.start, 9),
                              column(arena.con_friction, 5),
                              column(arena.con_geom.start, 2),
                              column(arena.con_geom.start, 2),
                              column(arena.con_geom.start + 1, 2),
                              column(arena.con_includemargin, 1),
                              column(arena.con_mu, 1),
                              column(arena.con_pos.start, 3),
                              column(arena.con_solimp, 5),
                              column(arena.con_solref, 2),
                              column(arena.con_solreffriction, 2),
                              column(arena.con_surfacevel.start, 3),
                              nothing};
  return {std::move(columns), arena.ncon, arena_owner(self)};
}

// a list that follows the contacts of its Data and keeps that alive
nb::object contacts(nb::handle_t<DataObject> self) {
  const nb::object kept = nb::borrow(self);
  return make_record_list(RecordKind::contact,
                          [kept] { return contacts_now(nb::cast<DataObject&>(kept)); });
}

void add_records(DataClass& type) {
  type.def_prop_ro("warning", warnings)
      .def_prop_ro("timer", timers)
      .def_prop_ro("solver", solver_statistics)
      .def_prop_ro("contact", contacts);
}

// numbers of the host; memory is not managed as in MuJoCo: nothing is on a stack or in a pool
void add_host_numbers(DataClass& type) {
  type.def_prop_ro("nbuffer", [](DataObject& self) { return self.holder->data.nbuffer; })
      .def_prop_ro("narena", [](DataObject& self) { return self.holder->model->model.narena; })
      .def_prop_ro("nplugin", [](DataObject& self) { return self.holder->model->model.nplugin; })
      .def_prop_ro("signature", [](DataObject& self) { return self.holder->signature; })
      .def_prop_ro("plugin_data",
                   [](DataObject& self) {
                     return nb::object(nb::module_::import_("numpy").attr("zeros")(
                         self.holder->model->model.nplugin, nb::arg("dtype") = "uint64"));
                   })
      .def_prop_ro("_address",
                   [](DataObject& self) { return reinterpret_cast<size_t>(&self.holder->data); });
  for (const char* name :
       {"pstack", "pbase", "parena", "threadpool", "maxuse_stack", "maxuse_arena"}) {
    add_property(type, name, nb::cpp_function([](DataObject&) { return 0; }), nb::none(), "");
  }
}

void add_tables(DataClass& type) {
  std::vector<std::string> names{"narena",  "nbuffer",    "nplugin",      "pstack",       "pbase",
                                 "parena",  "threadpool", "maxuse_stack", "maxuse_arena", "solver",
                                 "warning", "timer",      "plugin_data"};
  for (const FieldInfo& field : Data().fields(Model())) {
    if (!field.name.starts_with("warning")) names.emplace_back(field.name);
  }
  type.attr("_all_fields") = nb::tuple(nb::cast(names));
}

void set_constants(ModelObject& m, DataObject& d) {
  std::string wrong;
  Data& data = data_for(m, d);
  {
    nb::gil_scoped_release released;
    wrong = set_const(m.model(), &data);
    wake_all(m.model(), data);
  }
  if (!wrong.empty()) throw FatalError("mj_setConst: " + wrong);
}

}  // namespace

const nb::object& DataObject::array_owner() {
  if (!owner.is_valid()) owner = owner_of(holder);
  return owner;
}

nb::object DataObject::array(size_t index) {
  nb::object& array = arrays[index];
  if (array.is_valid()) return array;
  const FieldInfo& field = holder->fields[index];
  std::vector<size_t> shape{size_t(field.rows)};
  if (!field.flat) shape.push_back(size_t(field.cols));
  return array = make_array(field.data, field.dtype, shape, array_owner());
}

Data& data_for(ModelObject& m, DataObject& d) {
  const Model &own = d.holder->model->model, &other = m.model();
  if (&own != &other) {
    auto a = own.sizes(), b = other.sizes();
    for (size_t i = 0; i < a.size(); i++) {
      if (*a[i].value != *b[i].value) throw FatalError("the data was made for another model");
    }
  }
  return d.holder->data;
}

void put_to_sleep(DataHolder& holder) {
  const std::string text = start_asleep(holder.model->model, holder.data);
  if (!text.empty() && PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) < 0) {
    throw nb::python_error();
  }
}

void copy_data(const DataHolder& from, DataHolder& to) {
  for (size_t i = 0; i < from.fields.size(); i++) {
    const FieldInfo &source = from.fields[i], &target = to.fields[i];
    if (source.bytes()) std::memcpy(target.data, source.data, size_t(source.bytes()));
  }
  to.data.arena->copy(*from.data.arena);
  to.data.solver = from.data.solver;
  to.data.arena->view().solver = to.data.solver.data();
  std::memcpy(to.data.timer, from.data.timer, sizeof from.data.timer);
}

void bind_data(nb::module_& m) {
  DataClass type(m, "MjData");
  type.def(
      "__init__",
      [](DataObject* self, nb::handle_t<ModelObject> model) {
        new (self) DataObject(make(nb::borrow(model)));
        put_to_sleep(*self->holder);
      },
      arg("model"));
  add_fields(type);
  add_arena(type);
  add_records(type);
  add_host_numbers(type);
  add_tables(type);
  bind_data_views(type, m);
  type.def_prop_ro("model", [](DataObject& self) { return self.model; })
      .def("__copy__", [](DataObject& self) { return copy_for(self, self.model); })
      .def("__deepcopy__", deep_copy, arg("memo"))
      .def("__getstate__", get_state)
      .def("__setstate__", set_state);
  m.def("mj_setConst", set_constants, arg("m"), arg("d"),
        "Derives constant fields of a model from its other fields.");
}

}  // namespace lockstep::python
