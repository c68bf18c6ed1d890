// reader.h: from a document to a Spec; shared by the files read_*.cc. Errors are collected and
// reading goes on, so that one run reports several.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.h"
#include "mjcf/document.h"
#include "mjcf/schema/sections.h"
#include "spec/flexcomp.h"
#include "spec/spec.h"

namespace lockstep::mjcf {

// what a network of tendons adds up (read_network.cc)
struct NetworkTerm {
  const Tendon* tendon;
  double weight;  // positive
  Source source;
  void add_to(std::vector<Wrap>& path) const;
};
struct NetworkSum {
  std::vector<Wrap> joints;           // with fixed tendons taken apart
  std::vector<NetworkTerm> terms[2];  // spatial tendons of positive and negative coefficients
};
struct NetworkPart {
  const Tendon* tendon;
  double sign;
};

class Reader {
 public:
  Reader(Spec& spec, const Document& document, Diagnostics& diagnostics, int depth)
      : spec_(spec), document_(document), diagnostics_(diagnostics), depth_(depth) {}

  void read();
  void read_urdf();  // read_urdf.cc

 private:
  friend class UrdfReader;
  // check.cc: names, counts and combinations, against the schema
  void check(const Node& node, const Rule& rule, bool in_default);
  void check_attributes(const Node& node, const Rule& rule, bool in_default);
  void check_presence(const Node& node, const Rule& rule);
  void check_children(const Node& node, const Rule& rule, bool in_default);
  Diagnostic& breach(const Node& node, std::string_view attribute, std::string message);
  void unknown_attribute(const Node& node, const Attribute& attribute, const Rule& rule);
  void unknown_child(const Node& child, const Rule& rule);
  void warn_not_simulated(const Node& node, const Rule& rule);

  // values.cc of the reader: one attribute
  Diagnostic& error(const Node& node, std::string_view attribute, std::string message);
  // reads the attributes that the rule's rows bind to members of `object`; null: none are bound
  void rows(const Node& node, const Rule& rule, void* object, bool in_default = false);
  bool read_row(const Node& node, const Attribute& attribute, const Row& row, void* object);
  // numbers of an attribute read by a hook: between `least` and `most` of them; nothing if absent
  std::vector<double> numbers(const Node& node, std::string_view attribute, size_t least,
                              size_t most);
  std::vector<int> integers(const Node& node, std::string_view attribute, size_t least,
                            size_t most);
  template <class T>
  std::vector<T> values(const Node& node, std::string_view attribute, size_t least, size_t most);
  bool number(const Node& node, std::string_view attribute, double& value);
  bool integer(const Node& node, std::string_view attribute, int& value);
  template <size_t n>
  bool array(const Node& node, std::string_view attribute, std::array<double, n>& value,
             bool fewer = false);
  // number of a keyword; -1 and an error if it is unknown, -1 alone if the attribute is absent
  int keyword_number(const Node& node, std::string_view attribute,
                     std::span<const EnumValue> words);
  // bits of keywords that must stand in the order of the list
  int ordered_bits(const Node& node, std::string_view attribute, std::span<const EnumValue> words,
                   bool numbers_are_bits);

  // every element
  void identify(Element& element, const Node& node);
  bool enter_name(const Element& element);  // false if it is taken
  Default* class_in(const Node& node, std::string_view attribute);
  Default* class_of(const Node& node);  // null if none is named or it is unknown
  void orientation(const Node& node, std::array<double, 4>& quat, Orientation& alt);
  void plugin(const Node& node, PluginRef& ref);
  std::vector<std::pair<std::string, std::string>> configuration(const Node& node);
  ObjType object_kind(const Node& node, std::string_view attribute);
  // whether `count` more numbers, asked for in an attribute and not written out, still fit
  bool afford(const Node& node, std::string_view attribute, int64_t count);

  // read_settings.cc
  void compiler(const Node& node);
  void option(const Node& node);
  void flags(const Node& node);
  void size(const Node& node);
  void memory(const Node& node);
  void visual(const Node& node);
  void statistic(const Node& node);
  void author(const Node& node, std::string_view path);

  // read_asset.cc
  void asset(const Node& section);
  void mesh(const Node& node, MeshSpec& mesh, bool in_default);
  void hfield(const Node& node);
  void skin(const Node& node);
  void texture(const Node& node, TextureSpec& texture, bool in_default);
  void material(const Node& node, MaterialSpec& material, bool in_default);
  void model(const Node& node);
  // file name as the spec keeps it: relative to the asset directory, or to the included file
  std::string file_name(const Node& node, std::string_view attribute, const std::string& directory);
  void name_from_file(Element& element, const std::string& file, const Node& node);

  // read_default.cc
  void default_class(const Node& node, Default* parent);
  void default_element(const Node& node, Default& def);

  // read_tree.cc
  void tree(const Node& node, Body* body, Frame* frame);
  void tree_element(const Node& node, Body* body, Frame* frame);
  void body(const Node& node, Body* parent, Frame* frame);
  void frame(const Node& node, Body* parent, Frame* outer);
  void inertial(const Node& node, Body* body, Frame* frame);
  void joint(const Node& node, Body* body, Frame* frame);
  void joint(const Node& node, JointSpec& joint, bool in_default);
  void geom(const Node& node, GeomSpec& geom, bool in_default);
  void site(const Node& node, SiteSpec& site, bool in_default);
  void camera(const Node& node, CameraSpec& camera, bool in_default);
  void light(const Node& node, LightSpec& light, bool in_default);
  void flexcomp(const Node& node, Body* body, Frame* frame);
  Default* child_class(const Node& node);
  template <class T>
  T* place(const Node& node, Body* body, Frame* frame);

  // read_attach.cc
  void replicate(const Node& node, Body* body, Frame* frame);
  void repeat(const Node& node, Frame* part, Element* parent, int count);
  void attach_element(const Node& node, Body* body, Frame* frame);
  Element* part_to_attach(const Node& node, Spec& from);

  // read_constraint.cc
  void contact(const Node& section);
  void equality(const Node& section);
  void gear(const Node& node, Equality& equality);
  void differential(const Node& node, Equality& equality);
  // read_network.cc
  void network(const Node& node);
  NetworkSum network_sum(const Node& node);
  std::vector<NetworkPart> network_parts(const Node& node, const NetworkSum& sum);
  Tendon* coupling_tendon(const Node& node);
  const Tendon* network_tendon(const Node& node);
  void bodies_or_sites(const Node& node, EqualitySpec& equality);
  void tendon(const Node& section);
  void tendon(const Node& node, TendonSpec& tendon, const Rule& rule, bool in_default);
  void wrap(const Node& node, Tendon& tendon);
  void deformable(const Node& section);
  void flex(const Node& node);

  // read_actuator.cc
  void actuator(const Node& section);
  void actuator(const Node& node, ActuatorSpec& actuator, Default& def, bool in_default);
  void transmission(const Node& node, ActuatorSpec& actuator);
  void shortcut(const Node& node, ActuatorSpec& actuator, Default& def, ActuatorKind kind);
  void inherit_range(const Node& node, ActuatorSpec& actuator, ActuatorKind kind,
                     double& inheritrange);
  bool input(const Node& node, int& ctrlspec);

  // read_sensor.cc
  void sensor(const Node& section);
  void sensor_hooks(const Node& node, SensorSpec& sensor);
  void between(const Node& node, SensorSpec& sensor);
  void contact_sensor(const Node& node, SensorSpec& sensor);

  // read_custom.cc
  void custom(const Node& section);
  void numeric(const Node& node);
  void text(const Node& node);
  void tuple(const Node& node);
  void keyframe(const Node& section);
  void extension(const Node& section);

  Spec& spec_;
  const Document& document_;
  Diagnostics& diagnostics_;
  std::unordered_map<int, std::unordered_set<std::string>> names_;  // by kind, to find repetitions
  std::vector<std::pair<int, std::string>> entered_;                // into names_, in order
  std::set<std::string_view> warned_;
  bool unread_ = false;                        // check.cc: within a body outside of the tree
  bool overlook_ = false;                      // check.cc: within a frame or replicate
  std::vector<std::unique_ptr<Spec>> models_;  // model assets, to attach from
  std::vector<const Node*> networks_;          // of tendons that are yet to be read
  const Body* replicated_ = nullptr;           // temporary body of the replicate being read
  int64_t asked_ = 0;                          // numbers asked for, see afford
  int depth_;                                  // of model files in model files
};

// a model file, of any format that a path may name; `depth` counts models inside models
std::unique_ptr<Spec> read_model(const std::string& path, std::shared_ptr<Assets> assets, int depth,
                                 Diagnostics& diagnostics);
std::unique_ptr<Spec> read_text(const std::string& text, const std::string& name,
                                std::shared_ptr<Assets> assets, int depth,
                                Diagnostics& diagnostics);

// model files that attach model files: deeper is refused
constexpr int max_model_depth = 50;

}  // namespace lockstep::mjcf
