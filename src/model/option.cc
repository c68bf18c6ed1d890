#include "model/option.h"

#include <cstddef>

namespace lockstep {
namespace {

using Real = double;

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, double>) return Dtype::f64;
  if constexpr (std::is_same_v<T, float>) return Dtype::f32;
  if constexpr (std::is_same_v<T, int>) return Dtype::i32;
}

constexpr MemberInfo option_table[] = {
#define OPTION(type, name, count, value, doc) \
  {"", #name, dtype_of<type>(), count, offsetof(Option, name), doc},
#define STATISTIC(type, name, count, value, doc)
#include "model/option.def"
#undef OPTION
#undef STATISTIC
};

constexpr MemberInfo statistic_table[] = {
#define OPTION(type, name, count, value, doc)
#define STATISTIC(type, name, count, value, doc) \
  {"", #name, dtype_of<type>(), count, offsetof(Statistic, name), doc},
#include "model/option.def"
#undef OPTION
#undef STATISTIC
};

constexpr MemberInfo visual_table[] = {
#define GROUP_BEGIN(group)
#define VISUAL(group, type, name, count, value, doc) \
  {#group, #name, dtype_of<type>(), count, offsetof(Visual, group.name), doc},
#define GROUP_END(group)
#include "model/visual.def"
#undef GROUP_BEGIN
#undef VISUAL
#undef GROUP_END
};

}  // namespace

std::span<const MemberInfo> option_members() { return option_table; }
std::span<const MemberInfo> statistic_members() { return statistic_table; }
std::span<const MemberInfo> visual_members() { return visual_table; }

}  // namespace lockstep
