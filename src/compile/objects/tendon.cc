// tendon.cc: tendons: their paths resolved and checked, and which dofs can change their length.
#include <fmt/core.h>

#include <algorithm>

#include "compile/objects/common.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

constexpr int plastic_numbers = 2;  // of a tendon that yields

// the tendon, with the line of one station, for errors
Element place_of(const Tendon& tendon, const Wrap& wrap) {
  Element place = tendon;
  if (wrap.source.line > 0) place.source = wrap.source;
  if (!wrap.info.empty()) place.info = wrap.info;
  return place;
}

WrapPlan plan_joint(Build& b, const Element& place, const Wrap& wrap) {
  WrapPlan plan{WrapType::joint, -1, wrap.prm, -1};
  plan.object = b.resolve(place, "joint", ObjType::joint, wrap.target);
  if (plan.object < 0) return plan;
  const Joint& joint = *b.joints[plan.object];
  plan.body = body_id(joint);
  if (joint.type != JointType::hinge && joint.type != JointType::slide) {
    expect(b.error(place, "joint", "only scalar joints can be part of a tendon"),
           "a hinge or slide joint", fmt::format("{} '{}'", keyword_of(joint.type), joint.name));
  }
  return plan;
}

WrapPlan plan_site(Build& b, const Element& place, const Wrap& wrap) {
  WrapPlan plan{WrapType::site, -1, wrap.prm, -1};
  plan.object = b.resolve(place, "site", ObjType::site, wrap.target);
  if (plan.object >= 0) plan.body = body_id(*b.sites[plan.object]);
  return plan;
}

// prm is the side site, or -1
WrapPlan plan_geom(Build& b, const Element& place, const Wrap& wrap) {
  WrapPlan plan{WrapType::sphere, -1, -1, -1};
  plan.object = b.resolve(place, "geom", ObjType::geom, wrap.target);
  if (!wrap.sidesite.empty()) {
    plan.prm = b.resolve(place, "sidesite", ObjType::site, wrap.sidesite);
  }
  if (plan.object < 0) return plan;
  const Geom& geom = *b.geoms[plan.object];
  plan.body = body_id(geom);
  if (geom.type == GeomType::cylinder) {
    plan.type = WrapType::cylinder;
  } else if (geom.type != GeomType::sphere) {
    expect(b.error(place, "geom", "a tendon cannot wrap around this geom"), "a sphere or cylinder",
           fmt::format("{} '{}'", keyword_of(geom.type), geom.name));
  }
  return plan;
}

WrapPlan plan_pulley(Build& b, const Element& place, const Wrap& wrap) {
  if (wrap.prm <= 0) {
    expect(b.error(place, "divisor", "a pulley divides the length"), "a positive number",
           fmt::format("{}", wrap.prm));
  }
  return {WrapType::pulley, -1, wrap.prm, -1};
}

WrapPlan plan_wrap(Build& b, const Tendon& tendon, const Wrap& wrap) {
  const Element place = place_of(tendon, wrap);
  switch (wrap.type) {
    case WrapType::joint: return plan_joint(b, place, wrap);
    case WrapType::site: return plan_site(b, place, wrap);
    case WrapType::sphere:
    case WrapType::cylinder: return plan_geom(b, place, wrap);
    case WrapType::pulley: return plan_pulley(b, place, wrap);
    default: b.error(place, "", "unknown station in the path"); return {};
  }
}

void check_fixed_path(Build& b, const Tendon& tendon, const TendonPlan& plan) {
  std::vector<int> seen;
  for (size_t i = 0; i < plan.path.size(); i++) {
    const WrapPlan& wrap = plan.path[i];
    const Element place = place_of(tendon, tendon.path[i]);
    if (wrap.type != WrapType::joint) {
      expect(b.error(place, "", fmt::format("station {} of a fixed tendon is not a joint", i)),
             "a joint", std::string(keyword_of(wrap.type)));
    } else if (std::find(seen.begin(), seen.end(), wrap.object) != seen.end()) {
      b.error(place, "joint", fmt::format("joint '{}' is used twice", tendon.path[i].target));
    }
    seen.push_back(wrap.object);
  }
}

// what is wrong with station i of a spatial path, "" if nothing
std::string station_error(const std::vector<WrapPlan>& path, size_t i, double armature) {
  const bool first = i == 0, last = i + 1 == path.size();
  auto is = [&](size_t k, WrapType type) { return path[k].type == type; };
  const bool after = first || is(i - 1, WrapType::pulley);
  const bool before = last || is(i + 1, WrapType::pulley);
  switch (path[i].type) {
    case WrapType::pulley:
      if (last) return "the path ends with a pulley";
      if (!first && is(i - 1, WrapType::pulley)) return "two pulleys in a row";
      return "";
    case WrapType::site:
      if (after && before) return "a site needs a neighbour that is not a pulley";
      if (!last && is(i + 1, WrapType::site) && path[i].object == path[i + 1].object) {
        return "the same site twice in a row";
      }
      return "";
    case WrapType::sphere:
    case WrapType::cylinder:
      if (first || last || !is(i - 1, WrapType::site) || !is(i + 1, WrapType::site)) {
        return "a geom must stand between two sites";
      }
      if (armature > 0) return "a tendon with armature cannot wrap around geoms";
      return "";
    case WrapType::joint: return "a joint in a spatial path";
    default: return "unknown station";
  }
}

void check_spatial_path(Build& b, const Tendon& tendon, const TendonPlan& plan) {
  if (plan.path.size() < 2) {
    expect(b.error(tendon, "", "the path of a spatial tendon is too short"), "two stations or more",
           "one");
    return;
  }
  for (size_t i = 0; i < plan.path.size(); i++) {
    const std::string error = station_error(plan.path, i, tendon.armature);
    if (error.empty()) continue;
    b.error(place_of(tendon, tendon.path[i]), "", fmt::format("station {}: {}", i, error));
  }
}

void check_not_negative(Build& b, const Tendon& tendon, std::string_view attribute, double value) {
  if (!(value < 0)) return;
  expect(b.error(tendon, attribute, "cannot be negative"), "zero or more",
         fmt::format("{}", value));
}

void check_values(Build& b, const Tendon& tendon, const TendonPlan& plan) {
  if (plan.spatial() && tendon.width <= 0) {
    expect(b.error(tendon, "width", "a spatial tendon needs a width"), "a positive number",
           fmt::format("{}", tendon.width));
  }
  check_not_negative(b, tendon, "armature", tendon.armature);
  check_not_negative(b, tendon, "springyield", tendon.springyield);
  check_limits(b, tendon, "limited", tendon.limited, "range", tendon.range);
  check_range(b, tendon, "range", tendon.limited, tendon.range);
  check_limits(b, tendon, "actuatorfrclimited", tendon.actfrclimited, "actuatorfrcrange",
               tendon.actfrcrange);
  check_range(b, tendon, "actuatorfrcrange", tendon.actfrclimited, tendon.actfrcrange);
  const Range& force = tendon.actfrcrange;
  if (is_limited(tendon.actfrclimited, force) && (force[0] > 0 || force[1] < 0)) {
    expect(b.error(tendon, "actuatorfrcrange", "the range of forces must include zero"),
           "first number <= 0 <= second number", fmt::format("{} {}", force[0], force[1]));
  }
  if (tendon.springlength[0] > tendon.springlength[1]) {
    expect(b.error(tendon, "springlength", "the deadband of the spring is inverted"),
           "first number <= second number",
           fmt::format("{} {}", tendon.springlength[0], tendon.springlength[1]));
  }
}

std::vector<int> path_dofs(const Build& b, const std::vector<int>& first_dof,
                           const TendonPlan& plan) {
  std::vector<int> dofs;
  for (const WrapPlan& wrap : plan.path) {
    if (wrap.body < 0) continue;
    if (wrap.type == WrapType::joint) {
      dofs.push_back(first_dof[wrap.object]);
    } else {
      const std::vector<int> chain = body_dofs(b, first_dof, wrap.body);
      dofs.insert(dofs.end(), chain.begin(), chain.end());
    }
  }
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

TendonPlan plan_tendon(Build& b, const std::vector<int>& first_dof, const Tendon& tendon) {
  TendonPlan plan;
  if (tendon.path.empty()) {
    expect(b.error(tendon, "", "the path of the tendon is empty"), "joints, or sites and geoms");
    return plan;
  }
  for (const Wrap& wrap : tendon.path) plan.path.push_back(plan_wrap(b, tendon, wrap));
  if (plan.spatial()) {
    check_spatial_path(b, tendon, plan);
  } else {
    check_fixed_path(b, tendon, plan);
  }
  check_values(b, tendon, plan);
  if (!tendon.material.empty()) b.resolve(tendon, "material", ObjType::material, tendon.material);
  plan.dofs = path_dofs(b, first_dof, plan);
  return plan;
}

}  // namespace

void compile_tendons(Build& b) {
  Model& m = b.model;
  const std::vector<int> first_dof = joint_dofs(b);
  for (const Tendon* tendon : b.spec.tendons) {
    TendonPlan plan = plan_tendon(b, first_dof, *tendon);
    m.nwrap += static_cast<int64_t>(plan.path.size());
    m.nJten += static_cast<int64_t>(plan.dofs.size());
    if (tendon->springyield > 0) {
      plan.plasticadr = static_cast<int>(m.nplastic);
      m.nplastic += plastic_numbers;
    }
    b.plans.tendons.push_back(std::move(plan));
  }
}

}  // namespace lockstep
