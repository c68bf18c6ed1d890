// words.h: keyword lists that no enumeration of the model has.
#pragma once

#include <span>

#include "model/types.h"

namespace lockstep::mjcf {

std::span<const EnumValue> false_true();
std::span<const EnumValue> false_auto();
std::span<const EnumValue> false_true_auto();
std::span<const EnumValue> false_true_auto_or_number();
std::span<const EnumValue> enable_disable();
std::span<const EnumValue> radian_degree();
std::span<const EnumValue> local_global();
std::span<const EnumValue> fluid_shapes();
std::span<const EnumValue> geom_types();  // of model files: without drawing types
std::span<const EnumValue> sleep_policies();
std::span<const EnumValue> texture_roles();
std::span<const EnumValue> camera_outputs();
std::span<const EnumValue> interpolations();
std::span<const EnumValue> frame_objects();  // things with a spatial frame
std::span<const EnumValue> reductions();     // of contact sensors
std::span<const EnumValue> differential_types();
std::span<const EnumValue> elastic2d_modes();
std::span<const EnumValue> flex_dofs();
std::span<const EnumValue> flex_equalities();
std::span<const EnumValue> flexcomp_types();

}  // namespace lockstep::mjcf
