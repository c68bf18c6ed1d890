// types.h: keywords and tables of the enumerations in enums.h, from types.def.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "model/enums.h"

namespace lockstep {

// a number that nobody has given yet
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// one value of an enumeration, for keyword tables, Python and docs
struct EnumValue {
  std::string_view name;  // MuJoCo's: mjJNT_HINGE
  int number;
  std::string_view keyword;  // in model files: hinge; empty for bookkeeping values
};
struct EnumInfo {
  std::string_view name;  // MuJoCo's: mjtJoint
  std::span<const EnumValue> values;
};
std::span<const EnumInfo> all_enums();

// values of one enumeration
template <class E>
std::span<const EnumValue> enum_values();

template <class E>
std::string_view keyword_of(E value) {
  for (const EnumValue& entry : enum_values<E>()) {
    if (entry.number == static_cast<int>(value) && !entry.keyword.empty()) return entry.keyword;
  }
  return "";
}

template <class E>
std::optional<E> enum_of(std::string_view keyword) {
  for (const EnumValue& entry : enum_values<E>()) {
    if (!entry.keyword.empty() && entry.keyword == keyword) return static_cast<E>(entry.number);
  }
  return std::nullopt;
}

}  // namespace lockstep
