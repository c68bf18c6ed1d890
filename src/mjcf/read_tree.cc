// read_tree.cc: bodies, frames and what they carry.
#include <algorithm>

#include "mjcf/reader.h"

namespace lockstep::mjcf {

void Reader::tree(const Node& node, Body* body, Frame* frame) {
  for (const Node& child : node.children) tree_element(child, body, frame);
}

// a new element of a body, with the values of its class
template <class T>
T* Reader::place(const Node& node, Body* body, Frame* frame) {
  Default* def = class_of(node);
  T* element = spec_.add<T>(body, def, frame);
  identify(*element, node);
  return element;
}

void Reader::tree_element(const Node& node, Body* parent, Frame* outer) {
  // a class must exist, even where it has no effect
  const bool classless = node.name == "inertial" || node.name == "attach";
  if (classless || (node.has("class") && node.has("childclass"))) class_of(node);
  if (node.name == "body") {
    body(node, parent, outer);
  } else if (node.name == "frame") {
    frame(node, parent, outer);
  } else if (node.name == "inertial") {
    inertial(node, parent, outer);
  } else if (node.name == "joint" || node.name == "freejoint") {
    joint(node, parent, outer);
  } else if (node.name == "geom") {
    geom(node, *place<Geom>(node, parent, outer), false);
  } else if (node.name == "site") {
    site(node, *place<Site>(node, parent, outer), false);
  } else if (node.name == "camera") {
    camera(node, *place<Camera>(node, parent, outer), false);
  } else if (node.name == "light") {
    light(node, *place<Light>(node, parent, outer), false);
  } else if (node.name == "plugin") {
    plugin(node, parent->plugin);
  } else if (node.name == "flexcomp") {
    flexcomp(node, parent, outer);
  } else if (node.name == "replicate") {
    replicate(node, parent, outer);
  } else if (node.name == "attach") {
    attach_element(node, parent, outer);
  }
}

void Reader::body(const Node& node, Body* parent, Frame* outer) {
  Default* def = child_class(node);
  Body* body = spec_.add<Body>(parent, def, outer);
  identify(*body, node);
  rows(node, body_rule, &body->attributes());
  body->childclass = def ? def->name : "";
  orientation(node, body->quat, body->alt);
  tree(node, body, nullptr);
}

void Reader::frame(const Node& node, Body* parent, Frame* outer) {
  Default* def = child_class(node);
  Frame* frame = spec_.add<Frame>(parent, def, outer);
  identify(*frame, node);
  rows(node, frame_rule, &frame->attributes());
  frame->childclass = def ? def->name : "";
  orientation(node, frame->quat, frame->alt);
  std::vector<double> scale = numbers(node, "scale", 1, 3);
  if (scale.size() == 2) {
    error(node, "scale", "wrong number of values").expected = "1 or 3 numbers";
  } else if (!scale.empty()) {
    scale.resize(3, scale[0]);
    std::copy(scale.begin(), scale.end(), frame->scale.begin());
  }
  tree(node, parent, frame);
}

void Reader::inertial(const Node& node, Body* body, Frame* frame) {
  if (body == spec_.world()) {
    error(node, "", "the world has no inertia");
    return;
  }
  body->explicitinertial = true;
  rows(node, inertial_rule, &body->attributes());
  orientation(node, body->iquat, body->ialt);
  body->inertial_frame = frame;
}

void Reader::joint(const Node& node, Body* body, Frame* frame) {
  if (body == spec_.world()) {
    error(node, "", "the world has no joints");
    return;
  }
  if (body == replicated_) {
    error(node, "", "a joint cannot stand directly in a replicate");
    return;
  }
  Joint* element = place<Joint>(node, body, frame);
  if (node.name == "joint") {
    joint(node, *element, false);
  } else {
    element->attributes() = JointSpec();
    element->type = JointType::free;
    rows(node, freejoint_rule, &element->attributes());
  }
}

void Reader::joint(const Node& node, JointSpec& joint, bool in_default) {
  rows(node, joint_rule, &joint, in_default);
}

void Reader::geom(const Node& node, GeomSpec& geom, bool in_default) {
  rows(node, geom_rule, &geom, in_default);
  orientation(node, geom.quat, geom.alt);
  if (const Node* child = node.child("plugin")) plugin(*child, geom.plugin);
}

void Reader::site(const Node& node, SiteSpec& site, bool in_default) {
  rows(node, site_rule, &site, in_default);
  orientation(node, site.quat, site.alt);
}

void Reader::camera(const Node& node, CameraSpec& camera, bool in_default) {
  rows(node, camera_rule, &camera, in_default);
  orientation(node, camera.quat, camera.alt);
}

void Reader::light(const Node& node, LightSpec& light, bool in_default) {
  static constexpr EnumValue types[] = {{"", code(LightType::spot), "false"},
                                        {"", code(LightType::directional), "true"}};
  rows(node, light_rule, &light, in_default);
  int type = keyword_number(node, "directional", types);
  if (type >= 0 && !node.has("type")) {
    light.type = static_cast<LightType>(type);
  }
}

namespace {

Verbatim verbatim(const Node& node) {
  Verbatim kept;
  kept.name = node.name;
  kept.source = node.source;
  for (const Attribute& a : node.attributes) kept.attributes.emplace_back(a.name, a.value);
  for (const Node& child : node.children) kept.children.push_back(verbatim(child));
  return kept;
}

}  // namespace

// values are checked, the element itself is kept word for word
void Reader::flexcomp(const Node& node, Body* body, Frame* frame) {
  FlexcompSpec comp;
  FlexSpec flex;
  rows(node, flexcomp_rule, &comp);
  orientation(node, comp.quat, comp.alt);
  for (const Node& child : node.children) {
    if (child.name == "edge") rows(child, flexcomp_edge_rule, &comp);
    if (child.name == "elasticity") rows(child, flex_elasticity_rule, &flex);
    if (child.name == "contact") rows(child, flex_contact_rule, &flex);
    if (child.name != "pin") continue;
    FlexcompPin pin;
    rows(child, flexcomp_pin_rule, &pin);
    check_flexcomp(child, pin, comp);
  }
  check_flexcomp(node, comp);
  body->verbatim.push_back(verbatim(node));
  body->verbatim.back().frame = frame;
}

void Reader::check_flexcomp(const Node& node, const FlexcompSpec& comp) {
  if (comp.dim < 1 || comp.dim > 3) error(node, "dim", "no such dimension").expected = "1, 2 or 3";
  for (int count : comp.count) {
    if (count < 1) error(node, "count", "too few points").expected = "1 or more along each axis";
  }
  for (int count : comp.cellcount) {
    if (count < 1) error(node, "cellcount", "too few cells").expected = "1 or more along each axis";
  }
  if (!(comp.mass > 0)) error(node, "mass", "must be positive");
  if (!(comp.inertiabox > 0)) error(node, "inertiabox", "must be positive");
  if (comp.point.size() % 3) error(node, "point", "incomplete point").expected = "3 numbers each";
  if (comp.dim > 0 && comp.element.size() % size_t(comp.dim + 1)) {
    error(node, "element", "incomplete element").expected = "dim+1 points each";
  }
}

void Reader::check_flexcomp(const Node& node, const FlexcompPin& pin, const FlexcompSpec& comp) {
  const auto whole = [&](std::string_view attribute, const std::vector<int>& values, int size) {
    if (size > 0 && values.size() % size_t(size))
      error(node, attribute, "incomplete group of numbers");
    for (int value : values) {
      if (value < 0) error(node, attribute, "negative number of a point");
    }
  };
  whole("id", pin.id, 1);
  whole("range", pin.range, 2);
  whole("grid", pin.grid, comp.dim);
  whole("gridrange", pin.gridrange, 2 * comp.dim);
  if (comp.dim < 1 || comp.dim > 3) return;
  const auto inside = [&](std::string_view attribute, const std::vector<int>& values) {
    for (size_t i = 0; i < values.size(); i++) {
      if (values[i] < comp.count[i % size_t(comp.dim)]) continue;
      error(node, attribute, "no such point in the grid");
      return;
    }
  };
  inside("grid", pin.grid);
  inside("gridrange", pin.gridrange);
}

}  // namespace lockstep::mjcf
