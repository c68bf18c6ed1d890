// read_network.cc: a network of tendons and joints keeps a weighted sum of their lengths,
//   sum_i coef_i (length_i - length_i(qpos0)) = offset
// Joints and fixed tendons add up to one fixed tendon, spatial tendons to one with a branch for
// each behind a pulley, whose divisor is 1 / coef. Divisors are positive, so coefficients of either
// sign have a tendon of their own; an equality of tendons holds one part, or ties two.
#include <algorithm>
#include <cmath>

#include "mjcf/reader.h"

namespace lockstep::mjcf {
namespace {

// a linear combination has each joint once
void add_joint(std::vector<Wrap>& path, std::string_view joint, double coef, const Source& source) {
  auto found = std::find_if(path.begin(), path.end(),
                            [&](const Wrap& wrap) { return wrap.target == joint; });
  if (found == path.end()) {
    found = path.emplace(path.end());
    found->type = WrapType::joint;
    found->target = joint;
    found->source = source;
  }
  found->prm += coef;
}

}  // namespace

// the branches, each counted `weight` times
void NetworkTerm::add_to(std::vector<Wrap>& path) const {
  if (tendon->path.front().type != WrapType::pulley) {
    Wrap& pulley = path.emplace_back();
    pulley.type = WrapType::pulley;
    pulley.prm = 1 / weight;
    pulley.source = source;
  }
  for (Wrap wrap : tendon->path) {
    if (wrap.type == WrapType::pulley) wrap.prm /= weight;
    wrap.source = source;
    path.push_back(std::move(wrap));
  }
}

// the tendon that a coupling stands for, of its name if that is free
Tendon* Reader::coupling_tendon(const Node& node) {
  Tendon* tendon = spec_.add<Tendon>();
  tendon->attributes() = TendonSpec();
  tendon->source = node.source;
  tendon->name = node.text("name");
  for (int i = 0; tendon->name.empty() || spec_.find<Tendon>(tendon->name) != tendon; i++) {
    tendon->name = std::string(node.name) + "@" + std::to_string(i);
  }
  return tendon;
}

const Tendon* Reader::network_tendon(const Node& node) {
  std::vector<std::string_view> known;
  for (const Tendon* tendon : spec_.tendons) {
    if (tendon->name == node.text("tendon")) return tendon;
    known.push_back(tendon->name);
  }
  error(node, "tendon", "unknown tendon").suggestion = nearest_word(node.text("tendon"), known);
  return nullptr;
}

NetworkSum Reader::network_sum(const Node& node) {
  NetworkSum sum;
  for (const Node& child : node.children) {
    double coef = 0;
    if (!number(child, "coef", coef) || coef == 0) continue;
    if (child.name == "joint") add_joint(sum.joints, child.text("joint"), coef, child.source);
    const Tendon* tendon = child.name == "tendon" ? network_tendon(child) : nullptr;
    if (!tendon || tendon->path.empty()) continue;
    if (tendon->path.front().type != WrapType::joint) {
      sum.terms[coef < 0].push_back({tendon, std::abs(coef), child.source});
      continue;
    }
    for (const Wrap& wrap : tendon->path) {
      add_joint(sum.joints, wrap.target, coef * wrap.prm, child.source);
    }
  }
  std::erase_if(sum.joints, [](const Wrap& wrap) { return wrap.prm == 0; });
  return sum;
}

// tendons whose lengths, with these signs, add up to the sum
std::vector<NetworkPart> Reader::network_parts(const Node& node, const NetworkSum& sum) {
  std::vector<NetworkPart> parts;
  for (int negative = 0; negative < 2; negative++) {
    const std::vector<NetworkTerm>& terms = sum.terms[negative];
    if (terms.empty()) continue;
    NetworkPart& part = parts.emplace_back(terms[0].tendon, negative ? -1 : 1);
    if (terms.size() == 1 && terms[0].weight == 1) continue;
    Tendon* tendon = coupling_tendon(node);
    tendon->rgba[3] = 0;  // those that it is made of are drawn
    for (const NetworkTerm& term : terms) term.add_to(tendon->path);
    part.tendon = tendon;
  }
  if (!sum.joints.empty()) {
    Tendon* tendon = coupling_tendon(node);
    tendon->path = sum.joints;
    parts.emplace_back(tendon, 1);
  }
  return parts;
}

void Reader::network(const Node& node) {
  const NetworkSum sum = network_sum(node);
  if (diagnostics_.failed()) return;  // not read as it was meant
  const bool both = !sum.terms[0].empty() && !sum.terms[1].empty();
  if (both && !sum.joints.empty()) {
    error(node, "", "spatial tendons with coefficients of both signs and joints in one sum")
        .expected = "spatial tendons of one sign, if there are joints or fixed tendons";
    return;
  }
  const std::vector<NetworkPart> parts = network_parts(node, sum);
  if (parts.empty()) {
    error(node, "", "nothing is coupled").expected = "a tendon or joint with a coefficient";
    return;
  }
  Equality* equality = spec_.add<Equality>(class_of(node));
  identify(*equality, node);
  rows(node, network_rule, &equality->attributes());
  // s1 d1 + s2 d2 = offset   <=>   d1 = s1 offset - s1 s2 d2
  equality->type = EqType::tendon;
  equality->data = EqualitySpec().data;
  equality->name1 = parts[0].tendon->name;
  number(node, "offset", equality->data[0]);
  equality->data[0] *= parts[0].sign;
  equality->data[1] = 0;
  if (parts.size() < 2) return;
  equality->name2 = parts[1].tendon->name;
  equality->data[1] = -parts[0].sign * parts[1].sign;
}

}  // namespace lockstep::mjcf
