// orientation.h: the rows by which an orientation can be written.
#pragma once

#include "mjcf/schema/table.h"

namespace lockstep::mjcf {

template <auto quat>
constexpr auto orientation_rows =
    rows(row<quat>("quat", "orientation as a quaternion", save_by_hook),
         hook("axisangle", "4 numbers", "orientation as rotation axis and angle"),
         hook("xyaxes", "6 numbers", "orientation by the x and y axes"),
         hook("zaxis", "3 numbers", "orientation by the z axis, turned the shortest way"),
         hook("euler", "3 numbers", "orientation by three angles in the order of eulerseq"));

}  // namespace lockstep::mjcf
