// read_urdf.cc: URDF, read as MuJoCo reads it: a root `robot` with links (bodies with their
// inertia, visual and collision geoms) and joints between them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/files.h"
#include "mjcf/reader.h"
#include "spec/orientation.h"

namespace lockstep::mjcf {
namespace {

constexpr int max_depth = 500;  // of links, as MuJoCo has for bodies

enum class Kind { revolute, continuous, prismatic, fixed, floating, planar, spherical };
constexpr std::string_view kinds[] = {"revolute", "continuous", "prismatic", "fixed",
                                      "floating", "planar",     "spherical"};

JointType joint_type(Kind kind) {
  switch (kind) {
    case Kind::prismatic:
    case Kind::planar: return JointType::slide;
    case Kind::floating: return JointType::free;
    case Kind::spherical: return JointType::ball;
    default: return JointType::hinge;
  }
}

// roll, pitch and yaw turn about fixed axes
std::array<double, 4> turn(const std::array<double, 3>& rpy) {
  Orientation alt;
  alt.type = OrientationType::euler;
  alt.euler = rpy;
  CompilerSpec settings;
  settings.degree = false;
  settings.eulerseq = "XYZ";
  std::array<double, 4> quat{1, 0, 0, 0};
  resolve_orientation(alt, settings, quat);
  return quat;
}

std::array<double, 3> column(const std::array<double, 4>& q, int axis) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  if (axis == 0) return {w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)};
  return {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)};
}

}  // namespace

// reads one robot; apart from Reader to keep what only URDF needs
class UrdfReader {
  struct Link {
    const Node* node = nullptr;
    int parent = -1;
    std::vector<int> children;  // in the order of the joints
    Body* body = nullptr;
  };

  // what the file says, before it becomes a Spec
  struct Robot {
    std::vector<Link> links;
    std::unordered_map<std::string_view, int> by_name;
    std::unordered_map<std::string_view, std::vector<float>> colors;  // of named materials
    std::unordered_map<std::string, std::vector<Mesh*>> meshes;       // by name without number
    std::unordered_set<std::string> geom_names;
    std::vector<std::pair<const Node*, const Joint*>> mimics;  // no joint: it has several parts

    int find(std::string_view name) const {
      auto found = by_name.find(name);
      return found == by_name.end() ? -1 : found->second;
    }
  };

 public:
  UrdfReader(Reader& reader) : r_(reader), spec_(reader.spec_) {}

  void read(const Node& root) {
    spec_.compiler->discardvisual = true;
    spec_.compiler->fusestatic = true;
    settings(root);
    spec_.compiler->degree = false;
    if (root.has("name")) spec_.modelname = root.text("name");
    colors(root);
    each(root, "link", [&](const Node& node) { enter_link(node); });
    each(root, "joint", [&](const Node& node) { connect(node); });
    if (r_.diagnostics_.failed()) return;
    for (size_t i = 0; i < robot_.links.size(); i++) {
      if (robot_.links[i].parent < 0) add_body(static_cast<int>(i));
    }
    for (const Link& link : robot_.links) {
      if (link.body) {
        fill(link);
      } else {
        r_.error(*link.node, "name", "the link is part of a loop of joints");
      }
    }
    if (r_.diagnostics_.failed()) return;
    each(root, "joint", [&](const Node& node) { joint(node); });
    for (const auto& [node, joint] : robot_.mimics) mimic(*node, joint);
  }

 private:
  template <class Action>
  void each(const Node& node, std::string_view name, Action&& action) {
    for (const Node& child : node.children) {
      if (child.name == name) action(child);
    }
  }

  // the only element of a name; null if there is none, and an error if it is needed
  const Node* only(const Node& node, std::string_view name, bool needed = false) {
    const Node* found = nullptr;
    for (const Node& child : node.children) {
      if (child.name != name) continue;
      if (found) {
        r_.error(child, "", "the element is given twice");
        return found;
      }
      found = &child;
    }
    if (!found && needed) r_.error(node, "", fmt::format("the element '{}' is missing", name));
    return found;
  }

  std::string_view needed_text(const Node& node, std::string_view attribute) {
    if (!node.has(attribute)) r_.error(node, attribute, "the attribute is missing");
    return node.text(attribute);
  }

  // numbers of an attribute that may be neither absent nor empty
  void check_numbers(const Node& node, std::string_view attribute) {
    if (node.text(attribute).find_first_not_of(" \t\r\n") == std::string_view::npos) {
      r_.error(node, attribute, "the attribute is missing");
    }
  }
  void needed_number(const Node& node, std::string_view attribute, double& value) {
    check_numbers(node, attribute);
    r_.number(node, attribute, value);
  }

  // sections of MJCF inside; others are overlooked
  void settings(const Node& root) {
    const Node* section = only(root, "mujoco");
    if (!section) return;
    if (const Node* node = only(*section, "compiler")) r_.compiler(*node);
    if (const Node* node = only(*section, "option")) r_.option(*node);
    if (const Node* node = only(*section, "size")) r_.size(*node);
  }

  std::vector<float> rgba(const Node& node) {
    check_numbers(node, "rgba");
    return r_.values<float>(node, "rgba", 4, 4);
  }

  // materials have a color where they are first given one, anywhere in the file
  void colors(const Node& node) {
    if (node.name == "material" && node.has("name")) {
      const Node* color = only(node, "color");
      if (color && !robot_.colors.contains(node.text("name"))) {
        robot_.colors[node.text("name")] = rgba(*color);
      }
    }
    for (const Node& child : node.children) colors(child);
  }

  void enter_link(const Node& node) {
    const std::string_view name = needed_text(node, "name");
    const int number = static_cast<int>(robot_.links.size());
    if (!robot_.by_name.emplace(name, number).second) {
      r_.error(node, "name", "another link has this name");
      return;
    }
    robot_.links.push_back({&node, -1, {}, nullptr});
  }

  int link_of(const Node& joint, std::string_view role) {
    const Node* node = only(joint, role, true);
    if (!node) return -1;
    const int link = robot_.find(needed_text(*node, "link"));
    if (link < 0) r_.error(*node, "link", "no such link");
    return link;
  }

  void connect(const Node& node) {
    const int parent = link_of(node, "parent"), child = link_of(node, "child");
    if (parent < 0 || child < 0) return;
    if (robot_.links[child].parent >= 0) {
      r_.error(node, "", "the child has another parent already");
      return;
    }
    robot_.links[child].parent = parent;
    robot_.links[parent].children.push_back(child);
  }

  // links in the order of the tree; a link `world` is the world
  void add_body(int number, int depth = 0) {
    Link& link = robot_.links[number];
    Body* parent = link.parent < 0 ? spec_.world() : robot_.links[link.parent].body;
    if (link.node->text("name") == "world") {
      link.body = spec_.world();
    } else {
      link.body = spec_.add<Body>(parent, nullptr, nullptr);
      r_.identify(*link.body, *link.node);
    }
    if (depth == max_depth) {
      r_.error(*link.node, "name", "too many links in a row");
      return;
    }
    for (int child : link.children) add_body(child, depth + 1);
  }

  void origin(const Node& node, std::array<double, 3>& pos, std::array<double, 4>& quat) {
    const Node* origin = only(node, "origin");
    if (!origin) return;
    r_.array(*origin, "xyz", pos);
    if (std::array<double, 3> rpy; r_.array(*origin, "rpy", rpy)) quat = turn(rpy);
  }

  void fill(const Link& link) {
    const Node& node = *link.node;
    if (const Node* inertia = only(node, "inertial")) inertial(*inertia, *link.body);
    std::vector<float> color;  // of the last visual
    for (const Node& child : node.children) {
      if (child.name == "visual") {
        material(child, color);
        if (!spec_.compiler->discardvisual) geom(child, *link.body, false, color);
      } else if (child.name == "collision") {
        geom(child, *link.body, true, color);
      }
    }
  }

  void inertial(const Node& node, Body& body) {
    body.explicitinertial = true;
    body.ipos = {0, 0, 0};
    origin(node, body.ipos, body.iquat);
    if (const Node* mass = only(node, "mass", true)) needed_number(*mass, "value", body.mass);
    const Node* inertia = only(node, "inertia", true);
    if (!inertia) return;
    static constexpr std::string_view names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    std::array<double, 6> full{};
    for (int i = 0; i < 6; i++) needed_number(*inertia, names[i], full[i]);
    const bool given = std::any_of(full.begin(), full.end(), [](double x) { return x != 0; });
    if (given) body.fullinertia = full;
  }

  void material(const Node& visual, std::vector<float>& color) {
    const Node* material = only(visual, "material");
    if (!material) return;
    if (const Node* own = only(*material, "color")) {
      color = rgba(*own);
    } else if (auto known = robot_.colors.find(needed_text(*material, "name"));
               known != robot_.colors.end()) {
      color = known->second;
    }
  }

  void geom(const Node& node, Body& body, bool collides, const std::vector<float>& color) {
    Geom& geom = *spec_.add<Geom>(&body, nullptr, nullptr);
    geom.source = node.source;
    if (const std::string name(node.text("name"));
        !name.empty() && robot_.geom_names.insert(name).second) {
      geom.name = name;
    }
    if (!collides) {
      geom.contype = geom.conaffinity = 0;
      geom.group = 1;
      geom.density = 0;
    }
    if (color.size() == 4 && color[0] >= 0)
      std::copy(color.begin(), color.end(), geom.rgba.begin());
    const Node* geometry = only(node, "geometry", true);
    if (geometry) shape(*geometry, geom);
    origin(node, geom.pos, geom.quat);
  }

  void shape(const Node& node, Geom& geom) {
    if (const Node* box = only(node, "box")) {
      geom.type = GeomType::box;
      check_numbers(*box, "size");
      r_.array(*box, "size", geom.size);
      for (double& size : geom.size) size /= 2;
    } else if (const Node* cylinder = only(node, "cylinder")) {
      round(*cylinder, GeomType::cylinder, geom);
    } else if (const Node* sphere = only(node, "sphere")) {
      geom.type = GeomType::sphere;
      needed_number(*sphere, "radius", geom.size[0]);
    } else if (const Node* capsule = only(node, "capsule")) {
      round(*capsule, GeomType::capsule, geom);
    } else if (const Node* mesh = only(node, "mesh")) {
      geom.type = GeomType::mesh;
      geom.meshname = mesh_name(*mesh);
    } else {
      r_.error(node, "", "no shape").expected = "box, cylinder, sphere, capsule or mesh";
    }
  }

  void round(const Node& node, GeomType type, Geom& geom) {
    geom.type = type;
    needed_number(node, "radius", geom.size[0]);
    needed_number(node, "length", geom.size[1]);
    geom.size[1] /= 2;
  }

  // one asset per file and scale; further ones of the same name are numbered
  std::string mesh_name(const Node& node) {
    std::string file(needed_text(node, "filename"));
    std::array<double, 3> scale{1, 1, 1};
    r_.array(node, "scale", scale);
    if (spec_.strippath) file = file_name_of(file);
    std::string name = file_name_of(file);
    if (const size_t dot = name.rfind('.'); dot != name.npos) name.erase(dot);
    std::vector<Mesh*>& same = robot_.meshes[name];
    for (const Mesh* mesh : same) {
      if (mesh->scale == scale && mesh->file == file) return mesh->name;
    }
    Mesh* mesh = spec_.add<Mesh>();
    mesh->source = node.source;
    mesh->file = file;
    mesh->scale = scale;
    mesh->name = same.empty() ? name : name + std::to_string(same.size());
    same.push_back(mesh);
    return mesh->name;
  }

  Joint* add_joint(const Node& node, Body& body, std::string name, JointType type,
                   const std::array<double, 3>& axis) {
    Joint* joint = spec_.add<Joint>(&body, nullptr, nullptr);
    joint->source = node.source;
    joint->type = type;
    joint->axis = axis;
    joint->name = std::move(name);
    if (!joint->name.empty() && !r_.enter_name(*joint)) joint->name.clear();  // taken
    return joint;
  }

  void joint(const Node& node) {
    const std::string_view type = needed_text(node, "type");
    const auto found = std::find(std::begin(kinds), std::end(kinds), type);
    if (found == std::end(kinds)) {
      Diagnostic& d = r_.error(node, "type", "unknown type of joint");
      d.expected = fmt::format("one of {}", fmt::join(kinds, ", "));
      d.suggestion = nearest_word(type, {std::begin(kinds), std::end(kinds)});
      return;
    }
    const Kind kind{static_cast<int>(found - std::begin(kinds))};
    const std::string name(needed_text(node, "name"));
    Body& body = *robot_.links[link_of(node, "child")].body;
    origin(node, body.pos, body.quat);
    std::array<double, 3> axis{1, 0, 0};
    if (const Node* direction = only(node, "axis")) {
      check_numbers(*direction, "xyz");
      r_.array(*direction, "xyz", axis);
    }
    if (kind == Kind::fixed) return;
    std::vector<Joint*> parts;
    if (kind == Kind::planar) {
      std::array<double, 3> unit = axis;
      make_unit(unit);
      const std::array<double, 4> quat = rotation_of_z(unit);
      parts = {add_joint(node, body, name + "_TX", JointType::slide, column(quat, 0)),
               add_joint(node, body, name + "_TY", JointType::slide, column(quat, 1)),
               add_joint(node, body, name + "_RZ", JointType::hinge, axis)};
    } else {
      parts = {add_joint(node, body, name, joint_type(kind), axis)};
    }
    dynamics(node, parts);
    if (const Node* limits = only(node, "limit")) limit(*limits, kind, *parts[0]);
    if (const Node* other = only(node, "mimic")) {
      needed_text(*other, "joint");
      robot_.mimics.emplace_back(other, kind == Kind::planar ? nullptr : parts[0]);
    }
  }

  void dynamics(const Node& node, const std::vector<Joint*>& parts) {
    const Node* dynamics = only(node, "dynamics");
    if (!dynamics) return;
    for (Joint* joint : parts) {
      r_.number(*dynamics, "damping", joint->damping[0]);
      r_.number(*dynamics, "friction", joint->frictionloss);
    }
  }

  void limit(const Node& node, Kind kind, Joint& joint) {
    if (kind != Kind::continuous) {
      const bool low = r_.number(node, "lower", joint.range[0]);
      const bool high = r_.number(node, "upper", joint.range[1]);
      const bool proper = low == high && !(joint.range[0] > joint.range[1]);
      const bool equal = low && high && joint.range[0] == joint.range[1];
      if (!proper || equal) joint.limited = Limited::false_;
      if (equal) {
        r_.diagnostics_.warning(node.source, "both limits are equal, and ignored").element =
            describe(node);
      }
    }
    double effort = 0;
    r_.number(node, "effort", effort);
    effort = std::abs(effort);
    if (effort > 0) joint.actfrcrange = {-effort, effort};
  }

  // a joint that follows another one
  void mimic(const Node& node, const Joint* joint) {
    const auto joints = spec_.all<Joint>();
    const auto leader = std::find_if(joints.begin(), joints.end(), [&](const Joint* other) {
      return other->name == node.text("joint");
    });
    const auto scalar = [](const Joint* j) {
      return j && (j->type == JointType::hinge || j->type == JointType::slide);
    };
    if (leader == joints.end() || !scalar(joint) || !scalar(*leader)) {
      r_.diagnostics_.warning(node.source, "ignored: needs two joints with one degree of freedom")
          .element = "mimic";
      return;
    }
    Equality* equality = spec_.add<Equality>();
    equality->source = node.source;
    equality->type = EqType::joint;
    equality->name1 = joint->name;
    equality->name2 = (*leader)->name;
    r_.number(node, "offset", equality->data[0]);
    r_.number(node, "multiplier", equality->data[1]);
  }

  Reader& r_;
  Spec& spec_;
  Robot robot_;
};

void Reader::read_urdf() { UrdfReader(*this).read(document_.root); }

}  // namespace lockstep::mjcf
