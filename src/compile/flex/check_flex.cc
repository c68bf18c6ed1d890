// check_flex.cc: what can be wrong with a flex.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "compile/build.h"
#include "compile/objects/common.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

using Names = std::unordered_set<std::string>;

template <class List>
Names names_of(const List& elements) {
  Names result;
  for (const auto* element : elements) result.insert(element->name);
  return result;
}

void check_name(Build& b, const Flex& flex, std::string_view attribute, std::string_view kind,
                const std::string& name, const Names& known) {
  if (known.contains(name)) return;
  b.error(flex, attribute, fmt::format("unknown {} '{}'", kind, name)).found = name;
}

// bodies that carry vertices, or the nodes between which they are interpolated
void check_bodies(Build& b, const Flex& flex, const Names& bodies) {
  for (const std::string& name : flex.vertbody) check_name(b, flex, "body", "body", name, bodies);
  for (const std::string& name : flex.nodebody) check_name(b, flex, "node", "body", name, bodies);
  if (flex.vertbody.empty() && flex.nodebody.empty()) {
    expect(b.error(flex, "body", "the vertices belong to no body"), "attribute body or node");
  }
  const size_t vertices = flex.vert.size() / 3;
  if (flex.vertbody.size() > 1 && !flex.vert.empty() && flex.vertbody.size() != vertices) {
    expect(b.error(flex, "body", "wrong number of bodies"), fmt::format("1 or {}", vertices),
           std::to_string(flex.vertbody.size()));
  }
}

void check_nodes(Build& b, const Flex& flex) {
  if (!flex.nodebody.empty() && flex.order == 0) {
    expect(b.error(flex, "dof", "nodes need an order of interpolation"), "trilinear or quadratic");
    return;
  }
  if (flex.order == 0) return;
  int64_t wanted = 1;
  for (int cells : flex.cellcount) wanted *= static_cast<int64_t>(cells) * flex.order + 1;
  if (wanted != static_cast<int64_t>(flex.nodebody.size())) {
    expect(b.error(flex, "node", "the number of nodes does not match cellcount and dof"),
           std::to_string(wanted), std::to_string(flex.nodebody.size()));
  }
}

// each element joins dim + 1 different vertices
void check_elements(Build& b, const Flex& flex, int vertices) {
  const size_t corners = flex.dim + 1;
  if (flex.elem.size() % corners != 0) {
    expect(b.error(flex, "element", "wrong number of vertices"),
           fmt::format("a multiple of {}", corners), std::to_string(flex.elem.size()));
    return;
  }
  for (size_t first = 0; first < flex.elem.size(); first += corners) {
    std::vector<int> element(flex.elem.begin() + first, flex.elem.begin() + first + corners);
    std::sort(element.begin(), element.end());
    if (element.front() < 0 || element.back() >= vertices) {
      expect(b.error(flex, "element", "no such vertex"), fmt::format("0 to {}", vertices - 1));
      return;
    }
    if (std::adjacent_find(element.begin(), element.end()) != element.end()) {
      b.error(flex, "element", fmt::format("element {} repeats a vertex", first / corners));
      return;
    }
  }
}

void check_shape(Build& b, const Flex& flex) {
  if (flex.dim < 1 || flex.dim > 3) {
    expect(b.error(flex, "dim", "no such dimension"), "1, 2 or 3", std::to_string(flex.dim));
    return;
  }
  const int vertices = static_cast<int>(flex.vert.empty() ? flex.vertbody.size()  // at the bodies
                                                          : flex.vert.size() / 3);
  if (flex.vert.size() % 3 != 0) {
    expect(b.error(flex, "vertex", "wrong number of coordinates"), "a multiple of 3",
           std::to_string(flex.vert.size()));
  } else if (vertices < flex.dim + 1) {
    expect(b.error(flex, "vertex", "too few vertices"), fmt::format("at least {}", flex.dim + 1),
           std::to_string(vertices));
  } else {
    check_elements(b, flex, vertices);
  }
}

void check_texture(Build& b, const Flex& flex, const Names& materials) {
  for (const std::string& name : flex.material) {
    if (!name.empty()) check_name(b, flex, "material", "material", name, materials);
  }
  const size_t points = flex.texcoord.size() / 2;
  if (flex.elemtexcoord.empty()) {
    const size_t vertices = flex.vert.empty() ? flex.vertbody.size() : flex.vert.size() / 3;
    if (!flex.texcoord.empty() && flex.texcoord.size() != 2 * vertices) {
      expect(b.error(flex, "texcoord", "wrong number of texture coordinates"),
             std::to_string(2 * vertices), std::to_string(flex.texcoord.size()));
    }
    return;
  }
  if (flex.texcoord.empty()) {
    expect(b.error(flex, "elemtexcoord", "there are no texture coordinates"), "attribute texcoord");
  } else if (flex.elemtexcoord.size() != flex.elem.size()) {
    expect(b.error(flex, "elemtexcoord", "wrong number of texture coordinates"),
           std::to_string(flex.elem.size()), std::to_string(flex.elemtexcoord.size()));
  } else if (std::any_of(flex.elemtexcoord.begin(), flex.elemtexcoord.end(), [&](int point) {
               return point < 0 || point >= static_cast<int>(points);
             })) {
    expect(b.error(flex, "elemtexcoord", "no such texture coordinate"),
           fmt::format("0 to {}", points - 1));
  }
}

// strain is held in cells
void check_strain(Build& b, const Flex& flex) {
  if (!flex.nodebody.empty()) return;
  for (const Equality* equality : b.spec.equalities) {
    if (equality->type == EqType::flexstrain && equality->name1 == flex.name) {
      b.error(*equality, "flex", "only interpolated flexes can be held by strain");
    }
  }
}

void check_elasticity(Build& b, const Flex& flex) {
  if (flex.edgestiffness > 0 && flex.dim > 1) {
    b.error(flex, "stiffness", "edges are stiff only where dim is 1; elasticity is for the others");
  }
  if (flex.young > 0 && (flex.poisson < 0 || flex.poisson >= 0.5)) {
    expect(b.error(flex, "poisson", "out of range"), "a number from 0 to below 0.5",
           fmt::format("{:g}", flex.poisson));
  }
  if (flex.elastic2d != 0 && flex.thickness <= 0) {
    expect(b.error(flex, "thickness", "elasticity in two dimensions needs a thickness"),
           "a positive number");
  } else if (flex.elastic2d != 0 && flex.dim != 2 && flex.order == 0) {
    expect(b.error(flex, "elastic2d", "needs a flex of two dimensions"), "dim 2",
           std::to_string(flex.dim));
  }
  const auto& yield = flex.stressyield;
  if (yield[0] < 0 || yield[1] < 0) {
    b.error(flex, "yield", "cannot be negative");
  } else if (flex.dim == 1 && (yield[0] > 0 || yield[1] > 0)) {
    b.error(flex, "yield", "rods do not yield");
  } else if (yield[1] > 0 && (flex.dim != 2 || !flex.nodebody.empty())) {
    b.error(flex, "yield", "only shells that are not interpolated yield in bending");
  }
  if (flex.elastic3d == 1 && (flex.dim != 3 || !flex.nodebody.empty() ||
                              b.spec.option.integrator != code(Integrator::discrete))) {
    b.error(flex, "elastic3d", "needs tetrahedra, no interpolation and the discrete integrator");
  }
}

}  // namespace

void check_flexes(Build& b) {
  const Names bodies = names_of(b.spec.all<Body>()), materials = names_of(b.spec.materials);
  for (const Flex* flex : b.spec.flexes) {
    check_bodies(b, *flex, bodies);
    check_nodes(b, *flex);
    check_shape(b, *flex);
    check_texture(b, *flex, materials);
    check_elasticity(b, *flex);
    check_strain(b, *flex);
  }
}

namespace {

// joints that only move along an axis and carry nothing but a point of the flex
bool is_point(const Body& body) {
  return !body.joints.empty() && body.geoms.empty() && body.bodies.empty() &&
         std::all_of(body.joints.begin(), body.joints.end(),
                     [](const Joint* joint) { return joint->type == JointType::slide; });
}

bool is_damped(const Joint& joint) {
  const auto& pair = joint.springdamper;
  return (pair[0] > 0 && pair[1] > 0) || joint.damping != std::array<double, 3>{};
}

// the material damps the flex, its joints do not
void check_damping(Build& b, const Flex& flex, const std::vector<int>& bodies) {
  std::vector<int> uses(b.bodies.size(), 0);
  for (int id : bodies) uses[id]++;
  for (int id : bodies) {
    const Body& body = *b.bodies[id];
    if (uses[id] != 1 || !is_point(body)) continue;
    for (const Joint* joint : body.joints) {
      if (!is_damped(*joint)) continue;
      b.error(*joint, "damping",
              fmt::format("body '{}' carries a point of flex '{}', whose joints cannot be damped",
                          body.name, flex.name));
      return;
    }
  }
}

// Points that move freely in a moving body would drag it along: one of them must be fixed to it.
void check_free_points(Build& b, const Flex& flex, const std::vector<int>& bodies) {
  std::vector<bool> used(b.bodies.size(), false);
  for (int id : bodies) used[id] = true;
  for (int id : bodies) {
    if (!is_point(*b.bodies[id]) || b.bodies[id]->joints.size() != 3) continue;
    for (int up = b.tree.bodies[id].parent; up > 0; up = b.tree.bodies[up].parent) {
      if (used[up]) break;
      if (b.bodies[up]->joints.empty()) continue;
      b.error(flex, "body",
              fmt::format("body '{}' has joints but no flex vertices/nodes are pinned to it",
                          b.bodies[up]->name));
      return;
    }
  }
}

// poses of mocap bodies come without velocities, which damping would need
void check_mocap(Build& b, const Flex& flex, const FlexData& data) {
  if (!(flex.young > 0) || data.rigid || (data.dim == 1 && flex.damping == 0)) return;
  for (int id : data.interpolated ? data.nodebody : data.vertbody) {
    for (int up = id; up > 0; up = b.tree.bodies[up].parent) {
      if (!b.bodies[up]->mocap) continue;
      b.error(flex, "body",
              fmt::format("elastic flexes cannot be fixed to mocap bodies, as '{}' is",
                          b.bodies[up]->name));
      return;
    }
  }
}

}  // namespace

void check_flex_bodies(Build& b, const Flex& flex, const FlexData& data) {
  if (data.rigid) return;
  const std::vector<int>& bodies = data.interpolated ? data.nodebody : data.vertbody;
  if (data.dim > 1 && flex.young > 0) {
    for (const Equality* equality : b.spec.equalities) {
      if (equality->name1 != flex.name || equality->type != EqType::flex) continue;
      b.error(flex, "young", "a flex has either constraints of its edges or elasticity");
    }
  }
  check_damping(b, flex, bodies);
  check_free_points(b, flex, bodies);
  check_mocap(b, flex, data);
}

}  // namespace lockstep
