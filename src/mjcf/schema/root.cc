// root.cc: default classes and the root element.
#include "mjcf/schema/sections.h"

namespace lockstep::mjcf {
namespace {

constexpr auto default_rows = rows(hook("class", "a name", "name of the class"));

// inside a default class the rows of the element itself apply, without those that are
// not_in_default
const Rule default_equality_rule{"equality", "defaults of equality constraints",
                                 equality_flex_rule.rows.first(5)};
const Rule default_tendon_rule{"tendon", "defaults of tendons", spatial_rule.rows};

const Child default_children[] = {{&default_rule, Count::recursive},
                                  {&mesh_rule, Count::optional},
                                  {&texture_rule, Count::optional},
                                  {&material_rule, Count::optional},
                                  {&joint_rule, Count::optional},
                                  {&geom_rule, Count::optional},
                                  {&site_rule, Count::optional},
                                  {&camera_rule, Count::optional},
                                  {&light_rule, Count::optional},
                                  {&pair_rule, Count::optional},
                                  {&default_equality_rule, Count::optional},
                                  {&default_tendon_rule, Count::optional},
                                  {&general_rule, Count::optional},
                                  {&motor_rule, Count::optional},
                                  {&position_rule, Count::optional},
                                  {&velocity_rule, Count::optional},
                                  {&intvelocity_rule, Count::optional},
                                  {&orientation_rule, Count::optional},
                                  {&pid_rule, Count::optional},
                                  {&damper_rule, Count::optional},
                                  {&cylinder_rule, Count::optional},
                                  {&muscle_rule, Count::optional},
                                  {&adhesion_rule, Count::optional},
                                  {&dcmotor_rule, Count::optional}};

constexpr auto mujoco_rows = rows(hook("model", "a name", "name of the model"));
// a body or frame outside of worldbody is checked and then ignored: parts of models are written so
const Child mujoco_children[] = {{&compiler_rule},
                                 {&option_rule},
                                 {&size_rule},
                                 {&statistic_rule},
                                 {&visual_rule},
                                 {&default_rule, Count::recursive},
                                 {&extension_rule},
                                 {&asset_rule},
                                 {&worldbody_rule},
                                 {&deformable_rule},
                                 {&contact_rule},
                                 {&tendon_rule},
                                 {&equality_rule},
                                 {&actuator_rule},
                                 {&sensor_rule},
                                 {&custom_rule},
                                 {&keyframe_rule},
                                 {&body_rule, Count::recursive},
                                 {&frame_rule, Count::recursive},
                                 {&replicate_rule}};
const Rule mujoco_rule{"mujoco", "a model", mujoco_rows, mujoco_children};

}  // namespace

const Rule default_rule{"default", "default class", default_rows, default_children};

const Rule& mjcf_schema() { return mujoco_rule; }

}  // namespace lockstep::mjcf
