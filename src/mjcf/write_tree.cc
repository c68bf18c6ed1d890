// write_tree.cc: bodies, frames and what they carry.
#include <algorithm>
#include <cmath>

#include "mjcf/writer.h"
#include "spec/orientation.h"

namespace lockstep::mjcf {
namespace {

// number of sizes that a shape has
int size_count(GeomType type) {
  switch (type) {
    case GeomType::sphere: return 1;
    case GeomType::capsule:
    case GeomType::cylinder: return 2;
    case GeomType::plane:
    case GeomType::ellipsoid:
    case GeomType::box: return 3;
    default: return 0;
  }
}

template <class Shape>
void canonical_shape(const Shape& shape, std::array<double, 3>& size, std::array<double, 3>& pos,
                     std::array<double, 4>& quat) {
  const auto& f = shape.fromto;
  std::array<double, 3> axis{f[0] - f[3], f[1] - f[4], f[2] - f[5]};
  size[1] = make_unit(axis) / 2;
  if (shape.type == GeomType::ellipsoid || shape.type == GeomType::box) {
    size[2] = size[1];
    size[1] = size[0];
  }
  for (int i = 0; i < 3; i++) pos[i] = (f[i] + f[i + 3]) / 2;
  quat = rotation_of_z(axis);
}

bool spans(const std::array<double, 6>& fromto) { return !std::isnan(fromto[0]); }

}  // namespace

void Writer::element_class(OutNode& node, const Element& element, std::string_view active) {
  node.set_text("name", element.name);
  if (element.def->name != active) node.set("class", element.def->name);
}

void Writer::joint(OutNode& node, const Joint* element, const JointSpec& joint, const Default& def,
                   const JointSpec& base) {
  // the range of a rotation is an angle only where it limits
  auto converted = [this](const JointSpec& source, const Element* owner) {
    JointSpec result = source;
    const bool has_range = result.range[0] != 0 || result.range[1] != 0;
    const bool limits =
        result.limited == Limited::true_ ||
        (result.limited == Limited::auto_ && has_range && settings_of(owner).autolimits);
    const bool hinge = result.type == JointType::hinge;
    if (limits && (hinge || result.type == JointType::ball)) {
      for (double& bound : result.range) bound = angle(owner, bound, false);
    }
    if (hinge) {
      result.ref = angle(owner, result.ref, false);
      result.springref = angle(owner, result.springref, false);
      result.springyield = angle(owner, result.springyield, false);
    }
    if (result.type == JointType::ball) {
      result.springyield = angle(owner, result.springyield, false);
    }
    return result;
  };
  JointSpec given = converted(joint, element);
  // a spring given by time constant was worked out for the inertia of the model
  if (model_ && element && element->id >= 0 && element->id < model_->njnt &&
      given.springdamper[0] > 0) {
    given.stiffness[0] = model_->jnt_stiffness[element->id];
    given.damping[0] = model_->dof_damping[model_->jnt_dofadr[element->id]];
  }
  const JointSpec other = converted(base, def.spec ? &def : nullptr);
  rows(node, joint_rule, &given, &other);
  const bool all = !compiled_ || !element;
  const bool turns = given.type != JointType::free;
  const bool has_axis = turns && given.type != JointType::ball;
  if (all || turns) row(node, joint_rule, "pos", &given, &other);
  if (all || has_axis) row(node, joint_rule, "axis", &given, &other);
  if (!compiled_) row(node, joint_rule, "springdamper", &given, &other);
  if (all || turns) row(node, joint_rule, "limited", &given, &other);
  if (all || has_axis) row(node, joint_rule, "actuatorfrclimited", &given, &other);
  user(node, given.userdata, other.userdata);
}

// a free joint becomes a freejoint if that says all
void Writer::free_joint(OutNode& node, const Joint& joint_element) {
  if (compiled_ || joint_element.type != JointType::free) return;
  OutNode probe("joint");
  const Default builtin;
  joint(probe, &joint_element, joint_element, builtin, builtin.joint);
  for (const auto& [name, value] : probe.attributes) {
    if (name != "type" && name != "group") return;
  }
  std::erase_if(node.attributes,
                [](const auto& entry) { return entry.first != "name" && entry.first != "group"; });
  node.name = "freejoint";
  if (joint_element.align != AlignFree::auto_) {
    node.set("align", std::string(keyword_of(joint_element.align)));
  }
}

template <class Shape>
void Writer::shape(OutNode& node, const Element* element, const Shape& shape, const Shape& base,
                   const Rule& rule) {
  // compiled elements all have their own pose: classes need none
  if (compiled_) {
    // MuJoCo saves the sizes that a shape has; the Model also keeps those it does not use
    const bool all = !element || (size_count(shape.type) && digits_ == Digits::exact);
    const int count = all ? 3 : size_count(shape.type);
    if (count) numbers(node, "size", shape.size.data(), count, base.size.data());
    if (element) pose(node, element, &shape.pos, shape.quat, shape.alt);
    return;
  }
  if (!canonical_) {
    row(node, rule, "size", &shape, &base);
    if (spans(shape.fromto)) {
      numbers(node, "fromto", shape.fromto.data(), 6,
              spans(base.fromto) ? base.fromto.data() : nullptr);
    } else {
      pose(node, element, &shape.pos, shape.quat, shape.alt, &base.pos, &base.quat, &base.alt);
    }
    return;
  }
  auto canonical = [this](const Element* owner, const Shape& s, std::array<double, 3>& size,
                          std::array<double, 3>& pos, std::array<double, 4>& quat) {
    size = s.size;
    if (spans(s.fromto)) {
      canonical_shape(s, size, pos, quat);
    } else {
      pos = s.pos;
      quat = resolved(owner, s.quat, s.alt);
    }
  };
  std::array<double, 3> size, pos, base_size, base_pos;
  std::array<double, 4> quat, base_quat;
  canonical(element, shape, size, pos, quat);
  canonical(nullptr, base, base_size, base_pos, base_quat);
  numbers(node, "size", size.data(), 3, base_size.data(), true);
  numbers(node, "pos", pos.data(), 3, base_pos.data());
  numbers(node, "quat", quat.data(), 4, base_quat.data());
}

void Writer::geom(OutNode& node, const Geom* element, const GeomSpec& geom, const GeomSpec& base) {
  shape(node, element, geom, base, geom_rule);
  rows(node, geom_rule, &geom, &base);
  auto put = [&](std::string_view name) { row(node, geom_rule, name, &geom, &base); };
  put("fluidshape");
  if (geom.type != GeomType::mesh) put("shellinertia");
  // compiled masses are the geoms' own, those of classes are left to them
  const bool weightless = geom.type == GeomType::plane || geom.type == GeomType::hfield;
  if (!std::isnan(geom.mass) && (!compiled_ || (element && !weightless))) {
    row(node, geom_rule, "mass", &geom, compiled_ || std::isnan(base.mass) ? nullptr : &base);
  }
  if (!compiled_ || std::isnan(geom.mass)) put("density");
  if (!compiled_) put("fitscale");
  if (geom.material != base.material) node.set_text("material", geom.material);
  const bool always = compiled_ && element;
  if (always || geom.hfieldname != base.hfieldname) node.set_text("hfield", geom.hfieldname);
  if (always || geom.meshname != base.meshname) node.set_text("mesh", geom.meshname);
  user(node, geom.userdata, base.userdata);
  if (geom.plugin.active) plugin(node.add("plugin"), geom.plugin);
}

void Writer::site(OutNode& node, const Site* element, const SiteSpec& site, const SiteSpec& base) {
  shape(node, element, site, base, site_rule);
  rows(node, site_rule, &site, &base);
  if (site.material != base.material) node.set_text("material", site.material);
  if (site.meshname != base.meshname) node.set_text("mesh", site.meshname);
  row(node, site_rule, "rgba", &site, &base);
  user(node, site.userdata, base.userdata);
}

void Writer::camera(OutNode& node, const Camera* element, const CameraSpec& camera,
                    const CameraSpec& base) {
  if (element) node.set_text("target", camera.targetbody);
  if (compiled_) {
    if (element) pose(node, element, nullptr, camera.quat, camera.alt);
  } else {
    pose(node, element, nullptr, camera.quat, camera.alt, nullptr, &base.quat, &base.alt);
  }
  rows(node, camera_rule, &camera, &base);
  if (camera.sensor_size[0] > 0 && camera.sensor_size[1] > 0) {
    row(node, camera_rule, "sensorsize", &camera, nullptr);
    for (const char* name : {"focal", "focalpixel", "principal", "principalpixel"}) {
      row(node, camera_rule, name, &camera, &base);
    }
  } else {
    row(node, camera_rule, "fovy", &camera, &base);
  }
  user(node, camera.userdata, base.userdata);
}

void Writer::light(OutNode& node, const LightSpec& light, const LightSpec& base) {
  node.set_text("target", light.targetbody);
  rows(node, light_rule, &light, &base);
  row(node, light_rule, "type", &light, &base);
  node.set_text("texture", light.texture);
}

// An inertial is saved where the file gave one. Compiled bodies all have one: those whose geoms
// give it back under the saved settings need not be written.
void Writer::inertial(OutNode& node, const Body& body) {
  const CompilerSpec& saved = *spec_.compiler;
  bool given =
      body.explicitinertial || (compiled_ ? body.inertial_given : !std::isnan(body.ipos[0]));
  if (compiled_) {
    const CompilerSpec& own = settings_of(&body);
    const bool inferred = own.inertiafromgeom == InertiaFromGeom::true_ ||
                          (!given && own.inertiafromgeom == InertiaFromGeom::auto_);
    const bool repeated = inferred ? saved.inertiafromgeom != InertiaFromGeom::false_ &&
                                         own.inertiagrouprange == saved.inertiagrouprange
                                   : !given && saved.inertiafromgeom == InertiaFromGeom::false_;
    given = saved.saveinertial || saved.settotalmass > 0 || !repeated;
  }
  if (!given) return;
  OutNode& element = node.add("inertial");
  constexpr std::array<double, 3> zero{};
  numbers<double>(element, "pos", body.ipos.data(), 3, nullptr);
  if (std::isnan(body.fullinertia[0])) {
    pose(element, &body, nullptr, body.iquat, body.ialt);
    number(element, "mass", body.mass, nullptr);
    numbers(element, "diaginertia", body.inertia.data(), 3, compiled_ ? nullptr : zero.data());
  } else {
    number(element, "mass", body.mass, nullptr);
    numbers<double>(element, "fullinertia", body.fullinertia.data(), 6, nullptr);
  }
}

void Writer::body_attributes(OutNode& node, const Body& body, std::string_view enclosing) {
  node.set_text("name", body.name);
  if (body.def->name != enclosing) node.set("childclass", body.def->name);
  pose(node, &body, &body.pos, body.quat, body.alt);
  const BodySpec usual;
  rows(node, body_rule, &body.attributes(), &usual);
  user(node, body.userdata, {});
  if (!body.inertial_frame) inertial(node, body);
}

OutNode& Writer::frame(OutNode& node, const Frame& frame, std::string_view enclosing) {
  OutNode probe("frame");
  probe.set_text("name", frame.name);
  if (frame.def->name != enclosing) probe.set("childclass", frame.def->name);
  pose(probe, &frame, &frame.pos, frame.quat, frame.alt);
  const FrameSpec usual;
  if (!compiled_) {
    const bool uniform = frame.scale[0] == frame.scale[1] && frame.scale[1] == frame.scale[2];
    numbers(probe, "scale", frame.scale.data(), uniform ? 1 : 3, usual.scale.data());
    rows(probe, frame_rule, &frame.attributes(), &usual);
  }
  // an unnamed frame that changes nothing is not saved with compiled numbers
  if (compiled_ && probe.empty()) return node;
  node.children.push_back(std::move(probe));
  return node.children.back();
}

namespace {

// Elements of a kind are numbered in the order of their list. They are written in that order, those
// that follow elements inside a frame after that frame.
class Order {
 public:
  Order(const Body& body, const Frame* frame) : frame_(frame) {
    for (const Frame* child : body.frames) {
      if (child->frame == frame) inner.push_back(child);
    }
  }

  // first element from `from` on that stands in one of the inner frames from `position` on
  template <class T>
  size_t first_inside(const std::vector<T*>& list, size_t from, size_t position) const {
    for (size_t i = from; i < list.size(); i++) {
      const Frame* at = list[i]->frame;
      if (at == frame_) continue;
      while (at && at->frame != frame_) at = at->frame;
      auto found = std::find(inner.begin(), inner.end(), at);
      if (found != inner.end() && found - inner.begin() >= static_cast<ptrdiff_t>(position)) {
        return i;
      }
    }
    return list.size();
  }

  std::vector<const Frame*> inner;

 private:
  const Frame* frame_;
};

}  // namespace

void Writer::body_tree(OutNode& node, const Body& body, const Frame* at,
                       std::string_view enclosing) {
  const bool is_world = &body == spec_.world();
  if (!at && !is_world) body_attributes(node, body, enclosing);
  if (at && body.inertial_frame == at) inertial(node, body);
  const std::string active = at ? at->def->name : is_world ? "main" : body.def->name;

  size_t done[6] = {};
  auto until = [&](size_t& begin, const auto& list, size_t end, auto&& write) {
    for (; begin < end; begin++) {
      if (list[begin]->frame == at) write(*list[begin]);
    }
  };
  Order order(body, at);
  auto flush = [&](size_t position, bool with_bodies) {
    auto stop = [&](const auto& list, size_t from) {
      return order.first_inside(list, from, position);
    };
    until(done[0], body.joints, stop(body.joints, done[0]), [&](const Joint& j) {
      OutNode& n = node.add("joint");
      element_class(n, j, active);
      joint(n, &j, j, *j.def, j.def->joint);
      free_joint(n, j);
    });
    until(done[1], body.geoms, stop(body.geoms, done[1]), [&](const Geom& g) {
      OutNode& n = node.add("geom");
      element_class(n, g, active);
      geom(n, &g, g, g.def->geom);
    });
    until(done[2], body.sites, stop(body.sites, done[2]), [&](const Site& s) {
      OutNode& n = node.add("site");
      element_class(n, s, active);
      site(n, &s, s, s.def->site);
    });
    until(done[3], body.cameras, stop(body.cameras, done[3]), [&](const Camera& c) {
      OutNode& n = node.add("camera");
      element_class(n, c, active);
      camera(n, &c, c, c.def->camera);
    });
    until(done[4], body.lights, stop(body.lights, done[4]), [&](const Light& l) {
      OutNode& n = node.add("light");
      element_class(n, l, active);
      light(n, l, l.def->light);
    });
    if (!with_bodies) return;
    until(done[5], body.bodies, stop(body.bodies, done[5]),
          [&](const Body& child) { body_tree(node.add("body"), child, nullptr, active); });
  };
  for (size_t i = 0; i < order.inner.size(); i++) {
    flush(i, true);
    body_tree(frame(node, *order.inner[i], active), body, order.inner[i], active);
  }
  flush(order.inner.size(), false);
  if (!at && body.plugin.active) plugin(node.add("plugin"), body.plugin);
  flush(order.inner.size(), true);
}

}  // namespace lockstep::mjcf
