#include "model/types.h"

namespace lockstep {
namespace {

#define ENUM_BEGIN(type, mj) constexpr EnumValue type##_values[] = {
#define VALUE(type, name, mj, number, keyword) {#mj, number, keyword},
#define COUNT(type, mj, number) {#mj, number, ""},
#define ENUM_END(type) \
  }                    \
  ;
#include "model/types.def"
#undef ENUM_BEGIN
#undef VALUE
#undef COUNT
#undef ENUM_END

constexpr EnumInfo enums[] = {
#define ENUM_BEGIN(type, mj) {#mj, type##_values},
#define VALUE(type, name, mj, number, keyword)
#define COUNT(type, mj, number)
#define ENUM_END(type)
#include "model/types.def"
#undef ENUM_BEGIN
#undef VALUE
#undef COUNT
#undef ENUM_END
};

}  // namespace

std::span<const EnumInfo> all_enums() { return enums; }

#define ENUM_BEGIN(type, mj)                       \
  template <>                                      \
  std::span<const EnumValue> enum_values<type>() { \
    return type##_values;                          \
  }
#define VALUE(type, name, mj, number, keyword)
#define COUNT(type, mj, number)
#define ENUM_END(type)
#include "model/types.def"
#undef ENUM_BEGIN
#undef VALUE
#undef COUNT
#undef ENUM_END

}  // namespace lockstep
