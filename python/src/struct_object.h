// struct_object.h: Option, Statistic and the groups of Visual as Python objects, from their member
// tables.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

#include "arrays.h"

namespace lockstep::python {

// a struct that lives in a Model or on its own; `value` shares the life of the Model
template <class S>
struct StructObject {
  std::shared_ptr<S> value;
  std::map<std::string_view, nb::object> arrays;  // made when first asked for
  nb::object owner;

  explicit StructObject(std::shared_ptr<S> share) : value(std::move(share)) {}
  char* at(size_t offset) { return reinterpret_cast<char*>(value.get()) + offset; }

  nb::object array(const MemberInfo& member, size_t base) {
    nb::object& array = arrays[member.name];
    if (!array.is_valid()) {
      if (!owner.is_valid()) owner = owner_of(value);
      array = make_array(at(member.offset - base), member.dtype, {size_t(member.count)}, owner);
    }
    return array;
  }
};

inline size_t cell_bytes(Dtype dtype) {
  return dtype == Dtype::f64 || dtype == Dtype::i64   ? 8
         : dtype == Dtype::f32 || dtype == Dtype::i32 ? 4
                                                      : 1;
}

template <class S>
void add_member(nb::class_<StructObject<S>>& type, const MemberInfo& member, size_t base) {
  using Object = StructObject<S>;
  std::string name(member.name);
  nb::object get, set;
  if (member.count == 1) {
    get = nb::cpp_function([member, base](Object& self) {
      return read_number(self.at(member.offset - base), member.dtype);
    });
    set = nb::cpp_function([member, base](Object& self, nb::object value) {
      write_number(self.at(member.offset - base), member.dtype, value);
    });
  } else {
    get = nb::cpp_function([member, base](Object& self) { return self.array(member, base); });
    set = nb::cpp_function([member, base](Object& self, nb::object value) {
      assign_array(self.array(member, base), value);
    });
  }
  add_property(type, name.c_str(), get, set, member.doc);
}

template <class S>
bool equal_members(StructObject<S>& a, StructObject<S>& b, const std::vector<MemberInfo>& members,
                   size_t base) {
  return std::all_of(members.begin(), members.end(), [&](const MemberInfo& member) {
    size_t offset = member.offset - base;
    return !std::memcmp(a.at(offset), b.at(offset), member.count * cell_bytes(member.dtype));
  });
}

// a class with one property per member of `group`; `base` is the offset of the group in its table
template <class S>
nb::class_<StructObject<S>> bind_struct(nb::handle scope, const char* name,
                                        std::span<const MemberInfo> table,
                                        std::string_view group = "") {
  using Object = StructObject<S>;
  std::vector<MemberInfo> members;
  for (const MemberInfo& member : table) {
    if (member.group == group) members.push_back(member);
  }
  size_t base = group.empty() ? 0 : members.front().offset;
  nb::class_<Object> type(scope, name);
  std::vector<std::string> names, ints, floats, float_arrays;
  for (const MemberInfo& member : members) {
    add_member(type, member, base);
    names.emplace_back(member.name);
    (member.dtype == Dtype::i32 ? ints
     : member.count == 1        ? floats
                                : float_arrays)
        .push_back(names.back());
  }
  type.attr("_all_fields") = nb::tuple(nb::cast(names));
  type.attr("_int_fields") = nb::tuple(nb::cast(ints));
  type.attr("_float_fields") = nb::tuple(nb::cast(floats));
  type.attr("_floatarray_fields") = nb::tuple(nb::cast(float_arrays));
  std::sort(names.begin(), names.end());
  auto copy = [](Object& self) { return Object(std::make_shared<S>(*self.value)); };
  type.def("__copy__", copy)
      .def(
          "__deepcopy__", [copy](Object& self, nb::object) { return copy(self); }, nb::arg("memo"))
      .def("__eq__",
           [members, base](Object& a, Object& b) { return equal_members(a, b, members, base); })
      .def("__eq__", [](Object&, nb::object) { return false; })
      .def("__repr__", [names, title = std::string(name)](nb::handle_t<Object> self) {
        return describe_object(self, title, names);
      });
  type.attr("__hash__") = nb::none();  // it can change
  return type;
}

// a struct of a Model as the object that `slot` keeps, made at the first call
template <class S, class Holder>
nb::object struct_of(nb::object& slot, const std::shared_ptr<Holder>& holder, S& value) {
  if (!slot.is_valid()) slot = nb::cast(StructObject<S>(std::shared_ptr<S>(holder, &value)));
  return slot;
}

}  // namespace lockstep::python
