// sections.h: the rules of the language, one file of tables per section.
#pragma once

#include "mjcf/schema/table.h"
#include "model/types.h"

namespace lockstep::mjcf {

// settings.cc
extern const Rule compiler_rule, lengthrange_rule, option_rule, flag_rule, size_rule,
    statistic_rule;
// visual.cc
extern const Rule visual_rule, global_rule, quality_rule, headlight_rule, map_rule, scale_rule,
    rgba_rule;
// asset.cc
extern const Rule asset_rule, mesh_rule, hfield_rule, skin_rule, bone_rule, texture_rule,
    material_rule, layer_rule, model_rule;
// tree.cc
extern const Rule worldbody_rule, body_rule, frame_rule, replicate_rule, inertial_rule, joint_rule,
    freejoint_rule, geom_rule, attach_rule, site_rule, camera_rule, light_rule;
// deformable.cc
extern const Rule deformable_rule, flex_rule, flex_contact_rule, flex_edge_rule,
    flex_elasticity_rule, flexcomp_rule, flexcomp_edge_rule, flexcomp_pin_rule;
// plugin.cc
extern const Rule extension_rule, extension_plugin_rule, instance_rule, config_rule, plugin_rule;
// constraint.cc
extern const Rule contact_rule, pair_rule, exclude_rule, equality_rule, connect_rule, weld_rule,
    equality_joint_rule, equality_tendon_rule, equality_flex_rule, flexstrain_rule, distance_rule,
    gear_rule, differential_rule, network_rule, network_tendon_rule, tendon_rule, spatial_rule,
    fixed_rule, wrap_site_rule, wrap_geom_rule, wrap_pulley_rule, wrap_joint_rule;
// actuator.cc
extern const Rule actuator_rule, general_rule, motor_rule, position_rule, velocity_rule,
    intvelocity_rule, orientation_rule, pid_rule, damper_rule, cylinder_rule, muscle_rule,
    adhesion_rule, dcmotor_rule, actuator_plugin_rule;
// sensor.cc
extern const Rule sensor_rule;
// custom.cc
extern const Rule custom_rule, numeric_rule, text_rule, tuple_rule, element_rule, keyframe_rule,
    key_rule;
// default.cc
extern const Rule default_rule;

// what the tag of a sensor says beside its attributes
struct SensorKind {
  SensorType type;
  ObjType objtype = ObjType::unknown;
  ObjType reftype = ObjType::unknown;
};
const SensorKind* sensor_kind(std::string_view tag);
// rule of a sensor type; null for types without a tag
const Rule* sensor_rule_of(SensorType type);

// rule of an actuator shortcut (or of general)
const Rule& actuator_rule_of(ActuatorKind kind);
std::optional<ActuatorKind> actuator_kind(std::string_view tag);

}  // namespace lockstep::mjcf
