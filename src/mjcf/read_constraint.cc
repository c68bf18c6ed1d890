// read_constraint.cc: contact pairs, equality constraints, tendons, flexes.
#include <algorithm>

#include "mjcf/reader.h"
#include "mjcf/schema/words.h"

namespace lockstep::mjcf {

void Reader::contact(const Node& section) {
  for (const Node& node : section.children) {
    if (node.name == "pair") {
      Pair* pair = spec_.add<Pair>(class_of(node));
      identify(*pair, node);
      rows(node, pair_rule, &pair->attributes());
    } else if (node.name == "exclude") {
      Exclude* exclude = spec_.add<Exclude>();
      identify(*exclude, node);
      rows(node, exclude_rule, &exclude->attributes());
    }
  }
}

void Reader::equality(const Node& section) {
  for (const Node& node : section.children) {
    const Child* entry = equality_rule.child(node.name);
    if (!entry) continue;
    if (node.name == "network") {
      networks_.push_back(&node);
      continue;
    }
    Equality* equality = spec_.add<Equality>(class_of(node));
    identify(*equality, node);
    rows(node, *entry->rule, &equality->attributes());
    if (node.name == "gear") {
      gear(node, *equality);
      continue;
    }
    if (node.name == "differential") {
      differential(node, *equality);
      continue;
    }
    equality->type = *enum_of<EqType>(node.name);
    auto data = [&](std::string_view attribute, size_t least, size_t most, size_t at) {
      std::vector<double> list = numbers(node, attribute, least, most);
      std::copy(list.begin(), list.end(), equality->data.begin() + at);
    };
    switch (equality->type) {
      case EqType::connect:
        data("anchor", 3, 3, 0);
        bodies_or_sites(node, *equality);
        break;
      case EqType::weld:
        if (node.has("body1")) equality->data[0] = equality->data[1] = equality->data[2] = 0;
        data("anchor", 3, 3, 0);
        data("relpose", 7, 7, 3);
        data("torquescale", 1, 1, 10);
        bodies_or_sites(node, *equality);
        break;
      case EqType::flexstrain: data("cell", 3, 3, 0); break;
      case EqType::distance:
        equality->data[0] = -1;
        data("distance", 1, 1, 0);
        break;
      default: data("polycoef", 1, 5, 0); break;
    }
  }
}

// q1 - q1(0) = ratio (q2 - q2(0)): an equality of joints
void Reader::gear(const Node& node, Equality& equality) {
  equality.type = EqType::joint;
  equality.data = EqualitySpec().data;
  number(node, "ratio", equality.data[1]);
}

// q1 - w2 q2 - w3 q3 stays as it is: a tendon over the three joints, which keeps its length
void Reader::differential(const Node& node, Equality& equality) {
  const int type = keyword_number(node, "type", differential_types());
  std::vector<double> weight = numbers(node, "weight", 2, 2);
  if (node.has("weight") != (type == 2)) {
    error(node, "weight", "the weights of a weighted differential, and of no other").expected =
        "2 numbers if type is \"weighted\"";
  }
  if (type == 1) weight = {1, -1};
  if (weight.size() != 2) weight = {0.5, 0.5};
  Tendon* tendon = spec_.add<Tendon>();
  identify(*tendon, node);
  for (int i = 0; tendon->name.empty() || spec_.find<Tendon>(tendon->name) != tendon; i++) {
    tendon->name = "differential@" + std::to_string(i);
  }
  tendon->attributes() = TendonSpec();
  const double coef[3] = {1, -weight[0], -weight[1]};
  constexpr std::string_view joints[3] = {"joint1", "joint2", "joint3"};
  for (int i = 0; i < 3; i++) {
    Wrap& wrap = tendon->path.emplace_back();
    wrap.source = node.source;
    wrap.type = WrapType::joint;
    wrap.target = node.text(joints[i]);
    wrap.prm = coef[i];
  }
  equality.type = EqType::tendon;
  equality.data = EqualitySpec().data;
  equality.name1 = tendon->name;
}

void Reader::bodies_or_sites(const Node& node, EqualitySpec& equality) {
  bool bodies = node.has("body1");
  equality.objtype = bodies ? ObjType::body : ObjType::site;
  equality.name1 = node.text(bodies ? "body1" : "site1");
  equality.name2 = node.text(bodies ? "body2" : "site2");
}

void Reader::tendon(const Node& section) {
  for (const Node& node : section.children) {
    const Child* entry = tendon_rule.child(node.name);
    if (!entry) continue;
    Tendon* element = spec_.add<Tendon>(class_of(node));
    identify(*element, node);
    tendon(node, *element, *entry->rule, false);
    for (const Node& child : node.children) wrap(child, *element);
  }
}

void Reader::tendon(const Node& node, TendonSpec& tendon, const Rule& rule, bool in_default) {
  rows(node, rule, &tendon, in_default);
  std::vector<double> length = numbers(node, "springlength", 1, 2);
  if (!length.empty()) tendon.springlength = {length[0], length.back()};
}

void Reader::wrap(const Node& node, Tendon& tendon) {
  Wrap& wrap = tendon.path.emplace_back();
  wrap.source = node.source;
  if (node.name == "site") {
    wrap.type = WrapType::site;
    wrap.target = node.text("site");
  } else if (node.name == "geom") {
    wrap.type = WrapType::sphere;  // sphere or cylinder: the compiler looks at the geom
    wrap.target = node.text("geom");
    wrap.sidesite = node.text("sidesite");
  } else if (node.name == "pulley") {
    wrap.type = WrapType::pulley;
    number(node, "divisor", wrap.prm);
  } else if (node.name == "joint") {
    wrap.type = WrapType::joint;
    wrap.target = node.text("joint");
    number(node, "coef", wrap.prm);
  } else {
    tendon.path.pop_back();
  }
}

void Reader::deformable(const Node& section) {
  for (const Node& node : section.children) {
    if (node.name == "flex") flex(node);
    if (node.name == "skin") skin(node);
  }
}

void Reader::flex(const Node& node) {
  Flex* flex = spec_.add<Flex>();
  identify(*flex, node);
  rows(node, flex_rule, &flex->attributes());
  int dof = keyword_number(node, "dof", flex_dofs());
  flex->order = dof == 3 ? 2 : dof == 2 ? 1 : 0;
  for (const Node& child : node.children) {
    if (const Child* entry = flex_rule.child(child.name)) {
      rows(child, *entry->rule, &flex->attributes());
    }
    // one yield strain is for bending too, where that exists
    if (child.name == "elasticity" && numbers(child, "yield", 1, 2).size() == 1 && flex->dim == 2 &&
        flex->nodebody.empty()) {
      flex->stressyield[1] = flex->stressyield[0];
    }
  }
}

}  // namespace lockstep::mjcf
