#include "records.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include "bind.h"
#include "model/view.h"
#include "struct_object.h"

namespace lockstep::python {
namespace {

// what MuJoCo knows about a contact
struct Contact {
  double dist, pos[3], frame[9], includemargin, friction[5], solref[2], solreffriction[2],
      solimp[5], adhesion, surfacevel[3], mu, H[36];
  int dim, geom[2], flex[2], elem[2], vert[2], exclude, efc_address;
};
struct WarningStat {
  int lastinfo, number;
};
struct TimerStat {
  double duration;
  int number;
};

// a camera that moves freely, and a body that is dragged; of viewers
struct ViewCamera {
  double azimuth = 90, distance = 2, elevation = -45, lookat[3]{};
  int fixedcamid = -1, orthographic = 0, trackbodyid = -1, type = 0;
};
struct Perturb {
  double localmass = 0, localpos[3]{}, refpos[3]{}, refquat[4]{1, 0, 0, 0}, refselpos[3]{},
         scale = 1;
  int active = 0, active2 = 0, flexselect = -1, select = 0, skinselect = -1;
};
const ViewCamera initial_camera;
const Perturb initial_perturb;

struct Member {
  std::string_view name;
  Dtype dtype;
  int count;
  size_t offset;
};
struct Shape {
  const char* name;
  const char* list_name;
  size_t bytes;
  std::vector<Member> members;    // sorted by name
  const void* initial = nullptr;  // what a new one is like; null: all zero
};

template <class Value>
constexpr Dtype dtype_of() {
  return std::is_same_v<std::remove_all_extents_t<Value>, double> ? Dtype::f64 : Dtype::i32;
}

#define MEMBER(Record, name)                                                                   \
  Member {                                                                                     \
    #name, dtype_of<decltype(Record::name)>(),                                                 \
        int(sizeof(Record::name) / sizeof(std::remove_all_extents_t<decltype(Record::name)>)), \
        offsetof(Record, name)                                                                 \
  }

const Shape shapes[] = {
    {"MjContact",
     "_MjContactList",
     sizeof(Contact),
     {MEMBER(Contact, H),
      MEMBER(Contact, adhesion),
      MEMBER(Contact, dim),
      MEMBER(Contact, dist),
      MEMBER(Contact, efc_address),
      MEMBER(Contact, elem),
      MEMBER(Contact, exclude),
      MEMBER(Contact, flex),
      MEMBER(Contact, frame),
      MEMBER(Contact, friction),
      MEMBER(Contact, geom),
      Member{"geom1", Dtype::i32, 1, offsetof(Contact, geom)},
      Member{"geom2", Dtype::i32, 1, offsetof(Contact, geom) + sizeof(int)},
      MEMBER(Contact, includemargin),
      MEMBER(Contact, mu),
      MEMBER(Contact, pos),
      MEMBER(Contact, solimp),
      MEMBER(Contact, solref),
      MEMBER(Contact, solreffriction),
      MEMBER(Contact, surfacevel),
      MEMBER(Contact, vert)}},
    {"MjWarningStat",
     "_MjWarningStatList",
     sizeof(WarningStat),
     {MEMBER(WarningStat, lastinfo), MEMBER(WarningStat, number)}},
    {"MjTimerStat",
     "_MjTimerStatList",
     sizeof(TimerStat),
     {MEMBER(TimerStat, duration), MEMBER(TimerStat, number)}},
    {"MjSolverStat",
     "_MjSolverStatList",
     sizeof(SolverStat),
     {MEMBER(SolverStat, gradient), MEMBER(SolverStat, improvement), MEMBER(SolverStat, lineslope),
      MEMBER(SolverStat, nactive), MEMBER(SolverStat, nchange), MEMBER(SolverStat, neval),
      MEMBER(SolverStat, nupdate)}},
    {"MjvCamera",
     "_MjvCameraList",
     sizeof(ViewCamera),
     {MEMBER(ViewCamera, azimuth), MEMBER(ViewCamera, distance), MEMBER(ViewCamera, elevation),
      MEMBER(ViewCamera, fixedcamid), MEMBER(ViewCamera, lookat), MEMBER(ViewCamera, orthographic),
      MEMBER(ViewCamera, trackbodyid), MEMBER(ViewCamera, type)},
     &initial_camera},
    {"MjvPerturb",
     "_MjvPerturbList",
     sizeof(Perturb),
     {MEMBER(Perturb, active), MEMBER(Perturb, active2), MEMBER(Perturb, flexselect),
      MEMBER(Perturb, localmass), MEMBER(Perturb, localpos), MEMBER(Perturb, refpos),
      MEMBER(Perturb, refquat), MEMBER(Perturb, refselpos), MEMBER(Perturb, scale),
      MEMBER(Perturb, select), MEMBER(Perturb, skinselect)},
     &initial_perturb},
};
#undef MEMBER

// rows of one shape; a single record is a table of one row
struct Table : Records {
  RecordKind kind;
  std::function<Records()> now;  // if the records change in number or place

  void renew() {
    if (now) static_cast<Records&>(*this) = now();
  }
  const Shape& shape() const { return shapes[int(kind)]; }
  void* at(size_t member, int64_t row) const {
    return columns[member].start + row * columns[member].stride;
  }
};
template <RecordKind kind>
struct Record : Table {};
template <RecordKind kind>
struct List : Table {};

// a record with memory of its own
Table fresh(RecordKind kind) {
  const size_t bytes = shapes[int(kind)].bytes;
  std::shared_ptr<char[]> memory(new char[bytes]());
  char* start = memory.get();
  if (const void* initial = shapes[int(kind)].initial) std::memcpy(start, initial, bytes);
  return {{record_columns(kind, start), 1, owner_of(std::move(memory))}, kind, {}};
}

Table rows(const Table& table, int64_t start, int64_t count, int64_t step) {
  Table part{{table.columns, count, table.owner}, table.kind, {}};
  for (Column& column : part.columns) {
    column.start += start * column.stride;
    column.stride *= step;
  }
  return part;
}

void assign(const Table& to, const Table& from) {
  const auto& members = from.shape().members;
  for (size_t i = 0; i < members.size(); i++) {
    std::memcpy(to.at(i, 0), from.at(i, 0), members[i].count * cell_bytes(members[i].dtype));
  }
}

Table copy(const Table& table) {
  Table made = fresh(table.kind);
  assign(made, table);
  return made;
}

bool equal_cells(const void* a, const void* b, const Member& member) {
  if (member.dtype == Dtype::f64) {
    const double *x = static_cast<const double*>(a), *y = static_cast<const double*>(b);
    return std::equal(x, x + member.count, y);
  }
  return !std::memcmp(a, b, member.count * sizeof(int));
}

bool equal(const Table& a, const Table& b) {
  if (a.kind != b.kind || a.count != b.count) return false;
  const auto& members = a.shape().members;
  for (int64_t row = 0; row < a.count; row++) {
    for (size_t i = 0; i < members.size(); i++) {
      if (!equal_cells(a.at(i, row), b.at(i, row), members[i])) return false;
    }
  }
  return true;
}

// one member of a single record
nb::object get_member(const Table& table, size_t i) {
  const Member& member = table.shape().members[i];
  if (member.count == 1) return read_number(table.at(i, 0), member.dtype);
  return make_array(table.at(i, 0), member.dtype, {size_t(member.count)}, table.owner);
}
void set_member(const Table& table, size_t i, nb::handle value) {
  const Member& member = table.shape().members[i];
  if (member.count == 1) return write_number(table.at(i, 0), member.dtype, value);
  assign_array(get_member(table, i), value);
}

// one member of all records
nb::object get_column(const Table& table, size_t i) {
  const Member& member = table.shape().members[i];
  std::vector<size_t> shape{size_t(table.count)};
  std::vector<int64_t> strides{table.columns[i].stride / int64_t(cell_bytes(member.dtype))};
  if (member.count > 1) {
    shape.push_back(size_t(member.count));
    strides.push_back(1);
  }
  return make_array(table.columns[i].start, member.dtype, shape, table.owner, strides);
}

std::vector<std::string> names_of(const Shape& shape) {
  std::vector<std::string> names;
  for (const Member& member : shape.members) names.emplace_back(member.name);
  return names;
}

std::string describe(nb::handle self) {
  const std::string title = nb::cast<std::string>(self.type().attr("__name__"));
  return describe_object(self, title, names_of(nb::cast<Table&>(self).shape()));
}

template <RecordKind kind>
void bind_record(nb::module_& m) {
  using Object = Record<kind>;
  const Shape& shape = shapes[int(kind)];
  nb::class_<Object, Table> type(m, shape.name);
  type.def("__init__", [](Object* self) { new (self) Object{fresh(kind)}; });
  for (size_t i = 0; i < shape.members.size(); i++) {
    auto get = [i](Table& self) { return get_member(self, i); };
    auto set = [i](Table& self, nb::object value) { set_member(self, i, value); };
    add_property(type, std::string(shape.members[i].name).c_str(), nb::cpp_function(get),
                 nb::cpp_function(set), "");
  }
  type.def("__copy__", [](Object& self) { return Object{copy(self)}; })
      .def(
          "__deepcopy__", [](Object& self, nb::object) { return Object{copy(self)}; },
          nb::arg("memo"));
}

template <RecordKind kind>
void bind_list(nb::module_& m) {
  using Object = List<kind>;
  const Shape& shape = shapes[int(kind)];
  nb::class_<Object, Table> type(m, shape.list_name);
  for (size_t i = 0; i < shape.members.size(); i++) {
    add_property(type, std::string(shape.members[i].name).c_str(),
                 nb::cpp_function([i](Table& self) {
                   self.renew();
                   return get_column(self, i);
                 }),
                 nb::none(), "");
  }
  type.def("__len__",
           [](Object& self) {
             self.renew();
             return self.count;
           })
      .def("__getitem__",
           [](Object& self, int64_t row) {
             self.renew();
             if (row < 0 || row >= self.count) throw nb::index_error("index out of range");
             return Record<kind>{rows(self, row, 1, 1)};
           })
      .def("__getitem__", [](Object& self, nb::slice slice) {
        self.renew();
        auto [start, stop, step, count] = slice.compute(size_t(self.count));
        return Object{rows(self, start, int64_t(count), step)};
      });
}

// a function that makes a record as new
template <RecordKind kind>
void bind_default(nb::module_& m, const char* name, const char* argument) {
  m.def(name, [](Record<kind>& record) { assign(record, fresh(kind)); }, nb::arg(argument));
}

nb::object make_list(Table table) {
  switch (table.kind) {
    case RecordKind::contact: return nb::cast(List<RecordKind::contact>{std::move(table)});
    case RecordKind::warning: return nb::cast(List<RecordKind::warning>{std::move(table)});
    case RecordKind::timer: return nb::cast(List<RecordKind::timer>{std::move(table)});
    default: return nb::cast(List<RecordKind::solver>{std::move(table)});
  }
}

template <RecordKind kind>
void bind_kind(nb::module_& m) {
  bind_record<kind>(m);
  bind_list<kind>(m);
}

}  // namespace

size_t record_bytes(RecordKind kind) { return shapes[int(kind)].bytes; }

std::vector<Column> record_columns(RecordKind kind, void* start) {
  const Shape& shape = shapes[int(kind)];
  std::vector<Column> columns;
  for (const Member& member : shape.members) {
    columns.push_back({static_cast<char*>(start) + member.offset, int64_t(shape.bytes)});
  }
  return columns;
}

nb::object make_record_list(RecordKind kind, Records records) {
  return make_list({std::move(records), kind, {}});
}

nb::object make_record_list(RecordKind kind, std::function<Records()> now) {
  Records records = now();
  return make_list({std::move(records), kind, std::move(now)});
}

void bind_records(nb::module_& m) {
  nb::class_<Table> base(m, "_Records");
  base.def("__eq__",
           [](Table& a, Table& b) {
             a.renew();
             b.renew();
             return equal(a, b);
           })
      .def("__eq__", [](Table&, nb::object) { return false; })
      .def("__repr__", [](nb::handle_t<Table> self) { return describe(self); });
  base.attr("__hash__") = nb::none();
  bind_kind<RecordKind::contact>(m);
  bind_kind<RecordKind::warning>(m);
  bind_kind<RecordKind::timer>(m);
  bind_kind<RecordKind::solver>(m);
  bind_record<RecordKind::view_camera>(m);
  bind_record<RecordKind::perturb>(m);
  bind_default<RecordKind::view_camera>(m, "mjv_defaultCamera", "cam");
  bind_default<RecordKind::perturb>(m, "mjv_defaultPerturb", "pert");
}

}  // namespace lockstep::python
