// records.h: small structs as Python objects: one of them (MjContact), or a list of them
// (MjData.contact). Every member may live at a place of its own.
#pragma once

#include <functional>
#include <vector>

#include "arrays.h"

namespace lockstep::python {

// where a member of the first row is, and how far the next row is; bytes
struct Column {
  char* start = nullptr;
  int64_t stride = 0;
};

enum class RecordKind { contact, warning, timer, solver, view_camera, perturb };

// records as they are now: columns in the order of the members; `owner` keeps their memory
struct Records {
  std::vector<Column> columns;
  int64_t count = 0;
  nb::object owner;
};
nb::object make_record_list(RecordKind kind, Records records);
// a list that asks for its records whenever it is read
nb::object make_record_list(RecordKind kind, std::function<Records()> now);

// bytes of one record of its own, as SolverStat and MjContact have in MuJoCo
size_t record_bytes(RecordKind kind);
// columns of records that stand one after the other from `start` on
std::vector<Column> record_columns(RecordKind kind, void* start);

}  // namespace lockstep::python
