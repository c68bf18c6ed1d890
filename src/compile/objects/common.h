// common.h: what several object passes need: limits, dofs that move a body.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "compile/build.h"

namespace lockstep {

using Range = std::array<double, 2>;

// `auto` means: a proper range was given
bool is_limited(Limited limited, const Range& range);

// Where the compiler setting autolimits is off, a range without its `limited` attribute is an
// error. `range_name` is the attribute that holds the range, `limited_name` the one that is
// missing.
void check_limits(Build& b, const Element& element, std::string_view limited_name, Limited limited,
                  std::string_view range_name, const Range& range);

// an error if a limited range is empty
void check_range(Build& b, const Element& element, std::string_view range_name, Limited limited,
                 const Range& range);

// number of the first dof of each joint, and past the last one nv
std::vector<int> joint_dofs(const Build& b);

// dofs of a body and its ancestors, ascending
std::vector<int> body_dofs(const Build& b, const std::vector<int>& first_dof, int body);

int dof_count(JointType type);

// number of the body an element belongs to
inline int body_id(const TreeElement& element) { return element.parent ? element.parent->id : 0; }

// completes an error
void expect(Diagnostic& diagnostic, std::string expected, std::string found = "");

template <class Array, class T>
void put(T* target, int row, const Array& values) {
  std::copy(values.begin(), values.end(), target + static_cast<size_t>(row) * values.size());
}

// polynomial coefficients: the linear one apart from the rest
inline void put_poly(double* linear, double* poly, int row, const std::array<double, 3>& values) {
  linear[row] = values[0];
  poly[row * mjNPOLY] = values[1];
  poly[row * mjNPOLY + 1] = values[2];
}

inline void put_user(double* target, int64_t columns, int row, const Numbers& values) {
  std::copy(values.begin(), values.end(), target + row * columns);
}

}  // namespace lockstep
