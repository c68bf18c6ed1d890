// writer.h: from a Spec to elements of a file; shared by the files write_*.cc. Every element is
// written as its difference from its default class.
#pragma once

#include <string>
#include <string_view>

#include "mjcf/mjcf.h"
#include "mjcf/schema/sections.h"
#include "mjcf/xml_writer.h"
#include "spec/actuator_shortcuts.h"
#include "spec/spec.h"

namespace lockstep::mjcf {

class Writer {
 public:
  Writer(const Spec& spec, const WriteOptions& options);
  OutNode write();

 private:
  // writer.cc: rows
  // all rows that the table saves, where they differ from `base` (null: always); `path`: where the
  // spec remembers what was written in the file, which is then kept
  void rows(OutNode& node, const Rule& rule, const void* object, const void* base,
            std::string_view path = {});
  // one row, by name
  void row(OutNode& node, const Rule& rule, std::string_view attribute, const void* object,
           const void* base);
  template <class T>
  void numbers(OutNode& node, std::string_view attribute, const T* values, size_t count,
               const T* base, bool trim = false);
  void number(OutNode& node, std::string_view attribute, double value, const double* base);
  void user(OutNode& node, const Numbers& values, const Numbers& base);
  void pose(OutNode& node, const Element* element, const std::array<double, 3>* pos,
            const std::array<double, 4>& quat, const Orientation& alt,
            const std::array<double, 3>* base_pos = nullptr,
            const std::array<double, 4>* base_quat = nullptr,
            const Orientation* base_alt = nullptr);
  std::array<double, 4> resolved(const Element* element, const std::array<double, 4>& quat,
                                 const Orientation& alt) const;
  // an angle of an element in the unit of the saved file
  double angle(const Element* element, double value, bool orientation) const;
  const CompilerSpec& settings_of(const Element* element) const;
  bool authored(std::string_view path) const;

  // write_settings.cc
  void compiler(OutNode& root);
  void compiled_settings(OutNode& node);
  void option(OutNode& root);
  void size(OutNode& root);
  void statistic(OutNode& root);
  void visual(OutNode& root);

  // write_default.cc
  void default_class(OutNode& parent, const Default& def);

  // write_asset.cc
  void extension(OutNode& root);
  void asset(OutNode& root);
  void texture(OutNode& node, const Texture& texture);
  void mesh(OutNode& node, const MeshSpec& mesh, const MeshSpec& base);
  void material(OutNode& node, const MaterialSpec& material, const MaterialSpec& base);
  void hfield(OutNode& node, const HField& hfield);
  void plugin(OutNode& node, const PluginRef& ref);

  // write_tree.cc
  void body_tree(OutNode& node, const Body& body, const Frame* frame, std::string_view enclosing);
  void body_attributes(OutNode& node, const Body& body, std::string_view enclosing);
  OutNode& frame(OutNode& node, const Frame& frame, std::string_view enclosing);
  void inertial(OutNode& node, const Body& body);
  void joint(OutNode& node, const Joint* element, const JointSpec& joint, const Default& def,
             const JointSpec& base);
  void free_joint(OutNode& node, const Joint& joint);
  void geom(OutNode& node, const Geom* element, const GeomSpec& geom, const GeomSpec& base);
  void site(OutNode& node, const Site* element, const SiteSpec& site, const SiteSpec& base);
  template <class Shape>
  void shape(OutNode& node, const Element* element, const Shape& shape, const Shape& base,
             const Rule& rule);
  void camera(OutNode& node, const Camera* element, const CameraSpec& camera,
              const CameraSpec& base);
  void light(OutNode& node, const LightSpec& light, const LightSpec& base);
  void element_class(OutNode& node, const Element& element, std::string_view active);

  // write_constraint.cc
  void deformable(OutNode& root);
  void flex(OutNode& node, const Flex& flex);
  void skin(OutNode& node, const Skin& skin);
  void contact(OutNode& root);
  void pair(OutNode& node, const Pair* element, const PairSpec& pair, const PairSpec& base);
  void tendon(OutNode& root);
  void tendon(OutNode& node, const TendonSpec& tendon, const TendonSpec& base, bool fixed);
  void equality(OutNode& root);
  void equality_data(OutNode& node, const Equality& equality, const EqualitySpec& base);

  // write_actuator.cc
  void actuator(OutNode& root);
  // writes into a new child of `section`; `element` is null for a default class
  OutNode& actuator(OutNode& section, const Actuator* element, const ActuatorSpec& actuator,
                    const Default& def, const ActuatorSpec& base);
  ActuatorKind tag_of(const ActuatorSpec& actuator, const Default& def, const ActuatorSpec& base,
                      bool in_default, ShortcutParams& own, ShortcutParams& inherited) const;
  void shortcut(OutNode& node, ActuatorKind kind, GainType gain, const ShortcutParams& own,
                const ShortcutParams& inherited);
  void general(OutNode& node, const ActuatorSpec& actuator, const ActuatorSpec& base,
               bool in_default);
  void transmission(OutNode& node, const ActuatorSpec& actuator);

  // write_sensor.cc
  void sensor(OutNode& root);
  OutNode& sensor_element(OutNode& section, const Sensor& sensor);
  // write_custom.cc
  void custom(OutNode& root);
  void keyframe(OutNode& root);
  void compiled_key(OutNode& node, const Key& key);

  const Spec& spec_;
  const bool compiled_;   // values as the compiler left them
  const bool canonical_;  // quaternions, sizes and general actuators instead of other notations
  const bool degree_;     // unit of angles in the file
  const Digits digits_;
  const Model* const model_;  // null: not known
};

}  // namespace lockstep::mjcf
