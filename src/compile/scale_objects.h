// scale_objects.h: what scaled frames do to elements outside the tree, by the scale of what they
// refer to, and to keyframes.
#pragma once

#include <unordered_map>

#include "compile/pose.h"
#include "compile/scale.h"
#include "spec/dimensions.h"

namespace lockstep {

// where a scaled frame of the world takes a point: about the frame's origin, along its axes
struct ScaledPlace {
  Pose before, after;
  Mat3d stretch = identity3<double>();

  Vec3d point(const Vec3d& p) const;
  Vec3d velocity(const Vec3d& v) const;
};

// factors of what stands in scaled frames; what is not listed is not scaled
struct ScalePlan {
  std::unordered_map<const Element*, Scale>
      scales;  // bodies (of what they contain), geoms, sites, …
  std::unordered_map<const Element*, Factors> factors;  // joints, tendons, actuators
  std::unordered_map<const Body*, ScaledPlace> places;  // children of the world
  bool empty() const { return scales.empty(); }
};

Factors linear_factors(const Scale& scale);
// of two objects at once: the geometric mean
Factors between(const Scale& a, const Scale& b);

// multiplies every member of a table by its dimension
template <class Element, class Table>
void apply_dimensions(Element& element, const Table& table, const Factors& f,
                      std::string_view control = "1");

struct Build;
void scale_objects(Build& b, ScalePlan& plan);
// before keyframes are packed, when their addresses are known
void scale_keyframes(Build& b);

namespace detail {
template <class Value>
void multiply(Value& value, std::string_view dimension, const Factors& f,
              std::string_view control) {
  if constexpr (std::is_arithmetic_v<Value>) {
    value = static_cast<Value>(value * f.of(dimension, 0, control));
  } else {
    for (size_t i = 0; i < value.size(); i++) {
      using Cell = typename Value::value_type;
      value[i] = static_cast<Cell>(value[i] * f.of(dimension, static_cast<int>(i), control));
    }
  }
}
}  // namespace detail

template <class Element, class Table>
void apply_dimensions(Element& element, const Table& table, const Factors& f,
                      std::string_view control) {
  auto one = [&]<auto member>(const Dimension<member>& dimension) {
    detail::multiply(element.*member, dimension.text, f, control);
  };
  std::apply([&](const auto&... dimensions) { (one(dimensions), ...); }, table);
}

}  // namespace lockstep
