// dimensions.h: the physical dimension of what can be written about elements, one line each. A
// scaled frame multiplies numbers by it; the schema tables and the reference show it.
//
// L length, M mass, T time, A angle; Q the coordinate of a joint or tendon (L or A), F the force
// that belongs to it (or along L), C the control of an actuator. Components are separated by
// commas, the last one counts for the rest. What is not listed has no dimension.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "spec/attributes.h"

namespace lockstep {

template <auto member>
struct Dimension {
  std::string_view text;
};

// clang-format off
constexpr std::tuple joint_dimensions{
    Dimension<&JointSpec::ref>{"Q"},
    Dimension<&JointSpec::springref>{"Q"},
    Dimension<&JointSpec::springyield>{"Q"},
    Dimension<&JointSpec::range>{"Q"},
    Dimension<&JointSpec::margin>{"Q"},
    Dimension<&JointSpec::stiffness>{"F/Q,F/Q^2,F/Q^3"},
    Dimension<&JointSpec::damping>{"FT/Q,FT^2/Q^2,FT^3/Q^3"},
    Dimension<&JointSpec::armature>{"FT^2/Q"},
    Dimension<&JointSpec::frictionloss>{"F"},
    Dimension<&JointSpec::actfrcrange>{"F"},
    Dimension<&JointSpec::springdamper>{"T,1"},
    Dimension<&JointSpec::solimp_limit>{"1,1,Q,1,1"},
    Dimension<&JointSpec::solimp_friction>{"1,1,Q,1,1"}};

// contact of a geom; its shape, mass and density are scaled with their meaning
constexpr std::tuple geom_dimensions{
    Dimension<&GeomSpec::margin>{"L"},
    Dimension<&GeomSpec::gap>{"L"},
    Dimension<&GeomSpec::friction>{"1,L,L"},
    Dimension<&GeomSpec::solimp>{"1,1,L,1,1"},
    Dimension<&GeomSpec::surfacevel>{"L/T,L/T,L/T,A/T,A/T,A/T"},
    Dimension<&GeomSpec::adhesion>{"F"}};

constexpr std::tuple camera_dimensions{
    Dimension<&CameraSpec::ipd>{"L"},
    Dimension<&CameraSpec::sensor_size>{"L"},
    Dimension<&CameraSpec::focal_length>{"L"},
    Dimension<&CameraSpec::principal_length>{"L"}};

constexpr std::tuple light_dimensions{
    Dimension<&LightSpec::bulbradius>{"L"},
    Dimension<&LightSpec::range>{"L"},
    Dimension<&LightSpec::attenuation>{"1,1/L,1/L^2"}};

constexpr std::tuple pair_dimensions{
    Dimension<&PairSpec::margin>{"L"},
    Dimension<&PairSpec::gap>{"L"},
    Dimension<&PairSpec::friction>{"1,1,L,L,L"},
    Dimension<&PairSpec::solimp>{"1,1,L,1,1"},
    Dimension<&PairSpec::adhesion>{"F"}};

constexpr std::tuple tendon_dimensions{
    Dimension<&TendonSpec::range>{"Q"},
    Dimension<&TendonSpec::springyield>{"Q"},
    Dimension<&TendonSpec::margin>{"Q"},
    Dimension<&TendonSpec::width>{"L"},
    Dimension<&TendonSpec::stiffness>{"F/Q,F/Q^2,F/Q^3"},
    Dimension<&TendonSpec::damping>{"FT/Q,FT^2/Q^2,FT^3/Q^3"},
    Dimension<&TendonSpec::armature>{"FT^2/Q"},
    Dimension<&TendonSpec::frictionloss>{"F"},
    Dimension<&TendonSpec::actfrcrange>{"F"},
    Dimension<&TendonSpec::solimp_limit>{"1,1,Q,1,1"},
    Dimension<&TendonSpec::solimp_friction>{"1,1,Q,1,1"}};

// parameters of gain, bias and dynamics depend on their kind
constexpr std::tuple actuator_dimensions{
    Dimension<&ActuatorSpec::ctrlrange>{"C"},
    Dimension<&ActuatorSpec::velrange>{"Q/T"},
    Dimension<&ActuatorSpec::ffrange>{"F"},
    Dimension<&ActuatorSpec::forcerange>{"F"},
    Dimension<&ActuatorSpec::lengthrange>{"Q"},
    Dimension<&ActuatorSpec::cranklength>{"L"},
    Dimension<&ActuatorSpec::damping>{"FT/Q,FT^2/Q^2,FT^3/Q^3"},
    Dimension<&ActuatorSpec::armature>{"FT^2/Q"},
    Dimension<&ActuatorSpec::delay>{"T"}};
// clang-format on

// of the noise and the cutoff of a sensor: of what it measures, mostly
struct SensorDimension {
  SensorType type;
  std::string_view noise, cutoff;
};
SensorDimension dimension_of(SensorType type);

// dimension of the first control of an actuator, which is also that of its activation
std::string_view control_dimension(const ActuatorSpec& actuator);

// the table of a struct
constexpr const auto& dimensions_of(const JointSpec*) { return joint_dimensions; }
constexpr const auto& dimensions_of(const GeomSpec*) { return geom_dimensions; }
constexpr const auto& dimensions_of(const CameraSpec*) { return camera_dimensions; }
constexpr const auto& dimensions_of(const LightSpec*) { return light_dimensions; }
constexpr const auto& dimensions_of(const PairSpec*) { return pair_dimensions; }
constexpr const auto& dimensions_of(const TendonSpec*) { return tendon_dimensions; }
constexpr const auto& dimensions_of(const ActuatorSpec*) { return actuator_dimensions; }
inline constexpr std::tuple<> no_dimensions;
constexpr const auto& dimensions_of(const void*) { return no_dimensions; }

// the dimension of a member; empty if it has none
template <auto member, class Struct>
constexpr std::string_view dimension_of_member() {
  std::string_view found;
  auto look = [&](const auto& entry) {
    if constexpr (std::is_same_v<std::decay_t<decltype(entry)>, Dimension<member>>) {
      found = entry.text;
    }
  };
  std::apply([&](const auto&... entries) { (look(entries), ...); },
             dimensions_of(static_cast<const Struct*>(nullptr)));
  return found;
}

// Factors of the quantities above. Lengths follow the geometry; whatever contains a force is
// counted in the units that forces follow, which geometry alone does not change.
struct Factors {
  double length = 1, coordinate = 1;
  double unit_length = 1, unit_coordinate = 1, unit_mass = 1;
  bool turns = false;  // the coordinate is an angle, its force a torque

  double linear_force() const { return unit_mass * unit_length; }
  double force() const { return turns ? linear_force() * unit_length : linear_force(); }
  // factor of component `index` of a dimension; `control` stands for C
  double of(std::string_view dimension, int index = 0, std::string_view control = "1") const;
};

}  // namespace lockstep
