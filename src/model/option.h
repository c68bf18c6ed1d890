// option.h: Option, Statistic and Visual, from their lists.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "model/types.h"

namespace lockstep {

// one number, or an array of them
template <class T, int N>
using Cells = std::conditional_t<N == 1, T, std::array<T, N>>;

#define V(...) {__VA_ARGS__}
struct Option {
  using Real = double;
#define OPTION(type, name, count, value, doc) Cells<type, count> name value;
#define STATISTIC(type, name, count, value, doc)
#include "model/option.def"
#undef OPTION
#undef STATISTIC
};

struct Statistic {
  using Real = double;
#define OPTION(type, name, count, value, doc)
#define STATISTIC(type, name, count, value, doc) Cells<type, count> name value;
#include "model/option.def"
#undef OPTION
#undef STATISTIC
};

struct Visual {
#define GROUP_BEGIN(group) struct group##_t {
#define VISUAL(group, type, name, count, value, doc) Cells<type, count> name value;
#define GROUP_END(group) \
  }                      \
  group;
#include "model/visual.def"
#undef GROUP_BEGIN
#undef VISUAL
#undef GROUP_END
};
#undef V

enum class Dtype { f64, f32, i32, i64, u8, boolean, chr };

// a member of Option, Statistic or Visual: for Python, MJCF, docs and binary files
struct MemberInfo {
  std::string_view group;  // of Visual; else empty
  std::string_view name;
  Dtype dtype;
  int count;
  size_t offset;  // in the struct
  std::string_view doc;
};
std::span<const MemberInfo> option_members();
std::span<const MemberInfo> statistic_members();
std::span<const MemberInfo> visual_members();

}  // namespace lockstep
