// arrays.h: NumPy views of memory that C++ owns.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "model/option.h"

namespace lockstep::python {

namespace nb = nanobind;

// a NumPy array over `data`; `owner` (may be null) keeps the memory alive; strides count cells, and
// rows follow each other if there are none
nb::object make_array(void* data, Dtype dtype, const std::vector<size_t>& shape, nb::handle owner,
                      const std::vector<int64_t>& strides = {});

// array[...] = value, with NumPy's broadcasting and messages
void assign_array(const nb::object& array, nb::handle value);

// a Python object that holds a share of something, to be the owner of arrays
template <class T>
nb::object owner_of(std::shared_ptr<T> share) {
  auto* box = new std::shared_ptr<T>(std::move(share));
  return nb::capsule(box, [](void* p) noexcept { delete static_cast<std::shared_ptr<T>*>(p); });
}

// one cell of a struct as a Python number, and back; floats are given as Python floats
nb::object read_number(const void* cell, Dtype dtype);
void write_number(void* cell, Dtype dtype, nb::handle value);

// property of a class made at run time: `get` and `set` may capture
void add_property(nb::handle type, const char* name, const nb::object& get, const nb::object& set,
                  std::string_view doc);

// "<MjOption\n  cone: 0\n ...>": the attributes in the order given
std::string describe_object(nb::handle self, std::string_view title,
                            const std::vector<std::string>& attributes);

}  // namespace lockstep::python
