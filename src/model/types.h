// types.h: enumerations and array lengths of the model language, from types.def.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep {

using Byte = uint8_t;

// a number that nobody has given yet
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// lengths of parameter arrays; MuJoCo's names
inline constexpr int mjNEQDATA = 12;
inline constexpr int mjNDYN = 10;
inline constexpr int mjNGAIN = 10;
inline constexpr int mjNBIAS = 10;
inline constexpr int mjNFLUID = 12;
inline constexpr int mjNREF = 2;
inline constexpr int mjNIMP = 5;
inline constexpr int mjNPOLY = 2;
inline constexpr int mjNSENS = 3;
inline constexpr double mjMINVAL = 1e-15;
inline constexpr double mjPI = 3.14159265358979323846;

#define ENUM_BEGIN(type, mj) enum class type : int {
#define VALUE(type, name, mj, number, keyword) name = number,
#define COUNT(type, mj, number)
#define ENUM_END(type) \
  }                    \
  ;
#include "model/types.def"
#undef ENUM_BEGIN
#undef VALUE
#undef COUNT
#undef ENUM_END

#define ENUM_BEGIN(type, mj)
#define VALUE(type, name, mj, number, keyword)
#define COUNT(type, mj, number) inline constexpr int mj = number;
#define ENUM_END(type)
#include "model/types.def"
#undef ENUM_BEGIN
#undef VALUE
#undef COUNT
#undef ENUM_END

// one value of an enumeration, for keyword tables, Python and docs
struct EnumValue {
  std::string_view name;     // MuJoCo's: mjJNT_HINGE
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

// enumerations are numbers in Model fields
template <class E>
constexpr int code(E value) {
  return static_cast<int>(value);
}

}  // namespace lockstep
