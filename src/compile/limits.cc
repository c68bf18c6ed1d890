#include "compile/limits.h"

#include <fmt/core.h>

namespace lockstep {

bool is_limited(Build& b, const Element& element, std::string_view attribute, Limited limited,
                const std::array<double, 2>& range) {
  if (limited != Limited::auto_) return limited == Limited::true_;
  bool given = range[0] != 0 || range[1] != 0;
  if (given && !element.compiler->autolimits) {
    b.error(element, attribute,
            fmt::format("a range is given, but not whether it limits: set {}, or autolimits in "
                        "compiler",
                        attribute));
    return false;
  }
  return range[0] < range[1];
}

}  // namespace lockstep
