#include "compile/objects/common.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockstep {

bool is_limited(Limited limited, const Range& range) {
  if (limited == Limited::auto_) return range[0] < range[1];
  return limited == Limited::true_;
}

void expect(Diagnostic& diagnostic, std::string expected, std::string found) {
  diagnostic.expected = std::move(expected);
  diagnostic.found = std::move(found);
}

void check_limits(Build& b, const Element& element, std::string_view limited_name, Limited limited,
                  std::string_view range_name, const Range& range) {
  const bool given = range[0] != 0 || range[1] != 0;
  const bool automatic = !element.compiler || element.compiler->autolimits;
  if (limited != Limited::auto_ || automatic || !given) return;
  expect(
      b.error(element, limited_name,
              fmt::format("'{}' is given, but autolimits is off and nothing says whether it counts",
                          range_name)),
      fmt::format("{}=\"true\" or \"false\"", limited_name));
}

void check_range(Build& b, const Element& element, std::string_view range_name, Limited limited,
                 const Range& range) {
  if (range[0] < range[1] || !is_limited(limited, range)) return;
  expect(b.error(element, range_name, "the range of a limit is empty"),
         "two numbers, the first smaller", fmt::format("{} {}", range[0], range[1]));
}

int dof_count(JointType type) {
  switch (type) {
    case JointType::free: return 6;
    case JointType::ball: return 3;
    default: return 1;
  }
}

std::vector<int> joint_dofs(const Build& b) {
  std::vector<int> first{0};
  for (const Joint* joint : b.joints) first.push_back(first.back() + dof_count(joint->type));
  return first;
}

std::vector<int> body_dofs(const Build& b, const std::vector<int>& first_dof, int body) {
  std::vector<int> dofs;
  for (const Body* at = b.bodies[body]; at; at = at->parent) {
    for (const Joint* joint : at->joints) {
      for (int dof = first_dof[joint->id]; dof < first_dof[joint->id + 1]; dof++)
        dofs.push_back(dof);
    }
  }
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}

}  // namespace lockstep
