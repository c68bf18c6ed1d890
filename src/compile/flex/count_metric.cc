// count_metric.cc: sizes of what flexes add to the effective inertia of every step.
#include <algorithm>
#include <map>

#include "compile/build.h"
#include "compile/flex/metric.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

PointBody point_body(const Build& b, int body) {
  const BodyData& data = b.tree.bodies[body];
  PointBody out;
  out.parent_fixed = b.tree.bodies[data.parent].weld == 0;
  out.ndof = data.dofnum;
  for (size_t k = 0; k < b.bodies[body]->joints.size(); k++) {
    const size_t joint = data.jntadr + k;
    out.type.push_back(b.joints[joint]->type);
    out.axis.push_back(b.tree.joints[joint].axis);
  }
  return out;
}

// flexes that bend, and the bodies of their vertices with their numbers in the factor
struct Bending {
  std::vector<const FlexData*> flexes;
  std::map<int, int> number;

  int point(int body) const {
    const auto found = number.find(body);
    return found == number.end() ? -1 : found->second;
  }
};

Bending find_bending(const Build& b) {
  Bending out;
  for (const FlexData& flex : b.flexes) {
    if (flex.interpolated || flex.rigid || flex.dim != 2 || flex.bending.empty()) continue;
    std::vector<int> moving;
    for (int body : flex.vertbody) {
      const int weld = b.tree.bodies[body].weld;
      if (weld) moving.push_back(weld);
    }
    const bool plain = std::all_of(moving.begin(), moving.end(),
                                   [&](int body) { return is_plain_point(point_body(b, body)); });
    if (!plain) continue;
    out.flexes.push_back(&flex);
    for (int body : moving) out.number[body] = 0;
  }
  int next = 0;
  for (auto& entry : out.number) entry.second = next++;
  return out;
}

std::vector<Stencil> stencils_of(const Build& b, const Bending& bending) {
  std::vector<Stencil> out;
  for (const FlexData* flex : bending.flexes) {
    auto point = [&](int vertex) {
      return bending.point(b.tree.bodies[flex->vertbody[vertex]].weld);
    };
    for (size_t e = 0; e < flex->edge.size(); e++) {
      const auto [left, right] = flex->flap[e];
      if (right < 0) continue;
      out.push_back({point(flex->edge[e][0]), point(flex->edge[e][1]), point(left), point(right)});
    }
  }
  return out;
}

}  // namespace

void count_flex_metric(Build& b) {
  for (const FlexData& flex : b.flexes) {
    if (flex.interpolated || flex.rigid) continue;
    if (flex.dim >= 2 || !flex.bending.empty()) b.model.nefmCvert += flex.nvert;
  }
  b.model.nefmCvert = std::min(b.model.nefmCvert, b.model.nv / 3);
  const Bending bending = find_bending(b);
  const int npoint = static_cast<int>(bending.number.size());
  b.model.nefm0dof = 3 * npoint;
  for (const auto& row : factor_rows(npoint, stencils_of(b, bending))) {
    b.model.nefm0L += static_cast<int64_t>(row.size());
  }
}

}  // namespace lockstep
