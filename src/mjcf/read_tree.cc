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

// taken apart at once: what it stands for can be edited and is saved
void Reader::flexcomp(const Node& node, Body* body, Frame* frame) {
  Flexcomp comp;
  rows(node, flexcomp_rule, static_cast<FlexcompSpec*>(&comp));
  orientation(node, comp.quat, comp.alt);
  for (const Node& child : node.children) {
    if (child.name == "edge") rows(child, flexcomp_edge_rule, static_cast<FlexcompSpec*>(&comp));
    if (child.name == "elasticity") {
      rows(child, flex_elasticity_rule, &comp.flex);
      comp.single_yield = numbers(child, "yield", 1, 2).size() == 1;
    }
    if (child.name == "contact") rows(child, flex_contact_rule, &comp.flex);
    if (child.name == "plugin") plugin(child, comp.plugin);
    if (child.name == "pin") {
      FlexcompPin pin;
      rows(child, flexcomp_pin_rule, &pin);
      const auto append = [](std::vector<int>& to, const std::vector<int>& more) {
        to.insert(to.end(), more.begin(), more.end());
      };
      append(comp.pin.id, pin.id);
      append(comp.pin.range, pin.range);
      append(comp.pin.grid, pin.grid);
      append(comp.pin.gridrange, pin.gridrange);
    }
  }
  if (diagnostics_.failed()) return;  // not read as it was meant
  comp.name = node.text("name");
  comp.source = node.source;
  comp.dim_given = node.has("dim");
  comp.origin_given = node.has("origin");
  comp.meshdir = spec_.compiler->meshdir;
  comp.file = file_name(node, "file", comp.meshdir);
  if (!node.has("type") && !comp.mesh.empty()) comp.type = static_cast<int>(FlexcompType::mesh);
  expand_flexcomp(spec_, body, frame, comp, diagnostics_);
}

}  // namespace lockstep::mjcf
