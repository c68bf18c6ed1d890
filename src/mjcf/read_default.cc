// read_default.cc: default classes.
#include "mjcf/reader.h"

namespace lockstep::mjcf {

void Reader::default_class(const Node& node, Default* parent) {
  std::string_view name = node.text("class");
  Default* def = spec_.main_default();
  if (parent) {
    if (name.empty()) {
      error(node, "class", "a nested default class needs a name");
      return;
    }
    def = spec_.add_default(std::string(name), parent);
    if (!def) {
      error(node, "class", "another default class has this name");
      return;
    }
    def->source = node.source;
  } else if (!name.empty() && name != "main") {
    error(node, "class", "the class at the top is always 'main'").expected = "main, or none";
  }
  for (const Node& child : node.children) {
    if (child.name != "default") default_element(child, *def);
  }
  for (const Node& child : node.children) {
    if (child.name == "default") default_class(child, def);
  }
}

void Reader::default_element(const Node& node, Default& def) {
  if (node.name == "mesh") {
    mesh(node, def.mesh, true);
  } else if (node.name == "texture") {
    texture(node, def.texture, true);
  } else if (node.name == "material") {
    material(node, def.material, true);
  } else if (node.name == "joint") {
    joint(node, def.joint, true);
  } else if (node.name == "geom") {
    geom(node, def.geom, true);
  } else if (node.name == "site") {
    site(node, def.site, true);
  } else if (node.name == "camera") {
    camera(node, def.camera, true);
  } else if (node.name == "light") {
    light(node, def.light, true);
  } else if (node.name == "pair") {
    rows(node, pair_rule, &def.pair, true);
  } else if (node.name == "equality") {
    rows(node, equality_flex_rule, &def.equality, true);
  } else if (node.name == "tendon") {
    tendon(node, def.tendon, spatial_rule, true);
  } else if (actuator_kind(node.name)) {
    actuator(node, def.actuator, def, true);
  }
}

}  // namespace lockstep::mjcf
