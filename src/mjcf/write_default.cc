// write_default.cc: default classes, each as its difference from its parent.
#include "mjcf/writer.h"

namespace lockstep::mjcf {

void Writer::default_class(OutNode& parent, const Default& def) {
  const Default builtin;
  const Default& base = def.parent ? *def.parent : builtin;
  OutNode& node = parent.add("default");
  if (def.name != "main") node.set("class", def.name);
  auto part = [&](std::string_view tag, auto&& write) {
    write(node.add(tag));
    node.drop_last_if_empty();
  };
  part("mesh", [&](OutNode& n) { mesh(n, def.mesh, base.mesh); });
  part("texture", [&](OutNode& n) { rows(n, texture_rule, &def.texture, &base.texture); });
  part("material", [&](OutNode& n) { material(n, def.material, base.material); });
  part("joint", [&](OutNode& n) { joint(n, nullptr, def.joint, base, base.joint); });
  part("geom", [&](OutNode& n) { geom(n, nullptr, def.geom, base.geom); });
  part("site", [&](OutNode& n) { site(n, nullptr, def.site, base.site); });
  part("camera", [&](OutNode& n) { camera(n, nullptr, def.camera, base.camera); });
  part("light", [&](OutNode& n) { light(n, def.light, base.light); });
  part("pair", [&](OutNode& n) { pair(n, nullptr, def.pair, base.pair); });
  part("equality", [&](OutNode& n) { rows(n, equality_flex_rule, &def.equality, &base.equality); });
  part("tendon", [&](OutNode& n) { tendon(n, def.tendon, base.tendon, false); });

  // an empty actuator says something only if its tag is not that of the parent
  OutNode& act = actuator(node, nullptr, def.actuator, base, base.actuator);
  const ActuatorKind parent_kind = canonical_ ? ActuatorKind::general : base.actuator.type;
  if (act.empty() && actuator_kind(act.name) == parent_kind) node.children.pop_back();

  if (!def.parent && node.children.empty() && def.children.empty()) {
    parent.children.pop_back();
    return;
  }
  for (const Default* child : def.children) default_class(node, *child);
}

}  // namespace lockstep::mjcf
