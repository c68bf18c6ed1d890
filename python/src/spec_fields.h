// spec_fields.h: the members of spec structs that Python sees, each once; how a member is read and
// written follows from its type.
#pragma once

#include <string_view>
#include <type_traits>
#include <vector>

#include "spec/spec.h"

namespace lockstep::python {

enum class Kind {
  real,         // double
  real32,       // float
  integer,      // int
  boolean,      // bool
  enumeration,  // enum class
  text,         // std::string
  reals,        // arrays of fixed length
  reals32,
  integers,
  real_list,  // vectors
  real32_list,
  integer_list,
  text_list,
  integer_lists,  // vectors of vectors
  real32_lists,
  bytes,
  orientation,
  plugin,
};

struct Field {
  const char* name;
  Kind kind;
  int count;              // length of arrays
  const char* enum_name;  // mjtGeom
  void* (*at)(void* owner);
};

template <class E>
struct EnumName {};
#define ENUM_BEGIN(type, mj)                  \
  template <>                                 \
  struct EnumName<type> {                     \
    static constexpr const char* value = #mj; \
  };
#define VALUE(type, name, mj, number, keyword)
#define COUNT(type, mj, number)
#define ENUM_END(type)
#include "model/types.def"
#undef ENUM_BEGIN
#undef VALUE
#undef COUNT
#undef ENUM_END

template <class T>
struct KindOf {
  static_assert(std::is_enum_v<T>);
  static constexpr Kind kind = Kind::enumeration;
  static constexpr int count = 1;
};
#define KIND(type, kind_value)                     \
  template <>                                      \
  struct KindOf<type> {                            \
    static constexpr Kind kind = Kind::kind_value; \
    static constexpr int count = 1;                \
  };
KIND(double, real)
KIND(float, real32)
KIND(int, integer)
KIND(bool, boolean)
KIND(std::string, text)
KIND(std::vector<double>, real_list)
KIND(std::vector<float>, real32_list)
KIND(std::vector<int>, integer_list)
KIND(std::vector<std::string>, text_list)
KIND(std::vector<std::vector<int>>, integer_lists)
KIND(std::vector<std::vector<float>>, real32_lists)
KIND(std::vector<uint8_t>, bytes)
KIND(Orientation, orientation)
KIND(PluginRef, plugin)
#undef KIND
#define KIND(type, kind_value)                     \
  template <size_t n>                              \
  struct KindOf<std::array<type, n>> {             \
    static constexpr Kind kind = Kind::kind_value; \
    static constexpr int count = n;                \
  };
KIND(double, reals)
KIND(float, reals32)
KIND(int, integers)
#undef KIND

template <auto member, class S, class T>
Field make_field(const char* name, T S::*) {
  const char* enum_name = "";
  if constexpr (std::is_enum_v<T>) enum_name = EnumName<T>::value;
  return {name, KindOf<T>::kind, KindOf<T>::count, enum_name,
          [](void* owner) -> void* { return &(static_cast<S*>(owner)->*member); }};
}

// fields of an attribute struct
template <class S>
const std::vector<Field>& fields_of();

}  // namespace lockstep::python
