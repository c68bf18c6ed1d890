// pack_row.h: writing rows of the flat arrays of a Model.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "compile/pose.h"

namespace lockstep {

template <class To, class From, size_t N>
void pack_row(To* array, int row, const std::array<From, N>& values) {
  std::copy(values.begin(), values.end(), array + static_cast<size_t>(row) * N);
}
template <class To, class From>
void pack_row(To* array, int row, const std::vector<From>& values) {
  std::copy(values.begin(), values.end(), array + static_cast<size_t>(row) * values.size());
}
inline void pack_row(double* array, int row, const Vec3d& v) { pack_row(array, row, to_array(v)); }
inline void pack_row(double* array, int row, const Quatd& q) { pack_row(array, row, to_array(q)); }

}  // namespace lockstep
