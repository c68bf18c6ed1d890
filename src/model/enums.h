// enums.h: enumerations and array lengths of the model language, from types.def. Plain enough for
// kernels.
#pragma once

#include <cstdint>

namespace lockstep {

using Byte = uint8_t;

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
inline constexpr int mjNISLAND = 20;   // islands with solver statistics
inline constexpr int mjNSOLVER = 200;  // iterations with statistics, per island
inline constexpr int mjMINAWAKE = 10;  // steps at rest before a tree may sleep
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

// enumerations are numbers in Model fields
template <class E>
constexpr int code(E value) {
  return static_cast<int>(value);
}

}  // namespace lockstep
