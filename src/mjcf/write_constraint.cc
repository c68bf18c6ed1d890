// write_constraint.cc: flexes, skins, contact pairs, tendons, equality constraints.
#include <algorithm>
#include <utility>

#include "mjcf/writer.h"

namespace lockstep::mjcf {
namespace {

void set_class(OutNode& node, const Element& element) {
  if (element.def->name != "main") node.set("class", element.def->name);
}

// the compiler sorts pairs and excludes by body; they are saved as they were defined
template <class T>
std::vector<T*> as_defined(const std::vector<T*>& list) {
  std::vector<std::pair<int, size_t>> order;  // place, and number in the list
  for (const T* element : list) order.emplace_back(element->defined, order.size());
  std::sort(order.begin(), order.end());
  std::vector<T*> sorted;
  for (auto [unused, number] : order) sorted.push_back(list[number]);
  return sorted;
}

}  // namespace

void Writer::flex(OutNode& node, const Flex& flex) {
  const FlexSpec usual;
  const FlexSpec& given = flex;
  node.set_text("name", flex.name);
  rows(node, flex_rule, &given, &usual);
  row(node, flex_rule, "material", &given, &usual);
  row(node, flex_rule, "cellcount", &given, &usual);
  if (flex.order == 1) node.set("dof", "trilinear");
  if (flex.order == 2) node.set("dof", "quadratic");
  for (const char* name :
       {"body", "vertex", "element", "texcoord", "elemtexcoord", "node", "nodecoord"}) {
    row(node, flex_rule, name, &given, nullptr);
  }
  rows(node.add("contact"), flex_contact_rule, &given, &usual);
  node.drop_last_if_empty();
  rows(node.add("elasticity"), flex_elasticity_rule, &given, &usual);
  rows(node.add("edge"), flex_edge_rule, &given, &usual);
  node.drop_last_if_empty();
}

void Writer::skin(OutNode& node, const Skin& skin) {
  const SkinSpec usual;
  const SkinSpec& given = skin;
  node.set_text("name", skin.name);
  node.set_text("file", skin.file);
  node.set_text("material", skin.material);
  if (skin.group) node.set("group", std::to_string(skin.group));
  rows(node, skin_rule, &given, &usual);
  if (!skin.file.empty()) return;
  for (const char* name : {"vertex", "texcoord", "face"})
    row(node, skin_rule, name, &given, nullptr);
  for (size_t i = 0; i < skin.bodyname.size(); i++) {
    OutNode& bone = node.add("bone");
    bone.set_text("body", skin.bodyname[i]);
    if (skin.bindpos.size() >= 3 * (i + 1)) {
      bone.set("bindpos", format_numbers(&skin.bindpos[3 * i], 3, digits_));
    }
    if (skin.bindquat.size() >= 4 * (i + 1)) {
      bone.set("bindquat", format_numbers(&skin.bindquat[4 * i], 4, digits_));
    }
    if (i < skin.vertid.size()) {
      bone.set("vertid", format_numbers(skin.vertid[i].data(), skin.vertid[i].size(), digits_));
    }
    if (i < skin.vertweight.size()) {
      const auto& weights = skin.vertweight[i];
      bone.set("vertweight", format_numbers(weights.data(), weights.size(), digits_));
    }
  }
}

void Writer::deformable(OutNode& root) {
  OutNode& section = root.add("deformable");
  for (const Flex* f : spec_.flexes) flex(section.add("flex"), *f);
  for (const Skin* s : spec_.skins) skin(section.add("skin"), *s);
  root.drop_last_if_empty();
}

void Writer::pair(OutNode& node, const Pair* element, const PairSpec& pair, const PairSpec& base) {
  if (element) {
    set_class(node, *element);
    node.set_text("geom1", pair.geomname1);
    node.set_text("geom2", pair.geomname2);
    node.set_text("name", element->name);
  }
  rows(node, pair_rule, &pair, &base);
}

void Writer::contact(OutNode& root) {
  OutNode& section = root.add("contact");
  for (const Pair* p : compiled_ ? as_defined(spec_.pairs) : spec_.pairs) {
    pair(section.add("pair"), p, *p, p->def->pair);
  }
  for (const Exclude* e : compiled_ ? as_defined(spec_.excludes) : spec_.excludes) {
    OutNode& node = section.add("exclude");
    node.set_text("name", e->name);
    node.set_text("body1", e->bodyname1);
    node.set_text("body2", e->bodyname2);
  }
  root.drop_last_if_empty();
}

void Writer::tendon(OutNode& node, const TendonSpec& tendon, const TendonSpec& base, bool fixed) {
  rows(node, fixed ? fixed_rule : spatial_rule, &tendon, &base);
  const bool band = tendon.springlength[0] != tendon.springlength[1] ||
                    base.springlength[0] != base.springlength[1];
  numbers(node, "springlength", tendon.springlength.data(), band ? 2 : 1, base.springlength.data());
  if (!fixed && tendon.material != base.material) node.set_text("material", tendon.material);
  user(node, tendon.userdata, base.userdata);
}

void Writer::tendon(OutNode& root) {
  OutNode& section = root.add("tendon");
  for (const Tendon* t : spec_.tendons) {
    if (t->path.empty()) continue;
    const bool fixed = t->path[0].type == WrapType::joint;
    OutNode& node = section.add(fixed ? "fixed" : "spatial");
    node.set_text("name", t->name);
    set_class(node, *t);
    TendonSpec given = *t;
    if (model_ && t->id >= 0 && t->id < model_->ntendon) {
      const double* length = model_->tendon_lengthspring + 2 * t->id;
      given.springlength = {length[0], length[1]};
    }
    tendon(node, given, t->def->tendon, fixed);
    for (const Wrap& wrap : t->path) {
      switch (wrap.type) {
        case WrapType::joint: {
          OutNode& child = node.add("joint");
          child.set_text("joint", wrap.target);
          number(child, "coef", wrap.prm, nullptr);
          break;
        }
        case WrapType::site: node.add("site").set_text("site", wrap.target); break;
        case WrapType::pulley: number(node.add("pulley"), "divisor", wrap.prm, nullptr); break;
        case WrapType::sphere:
        case WrapType::cylinder: {
          OutNode& child = node.add("geom");
          child.set_text("geom", wrap.target);
          child.set_text("sidesite", wrap.sidesite);
          break;
        }
        case WrapType::none: break;
      }
    }
  }
  root.drop_last_if_empty();
}

void Writer::equality_data(OutNode& node, const Equality& equality, const EqualitySpec& base) {
  const double* data = equality.data.data();
  const double* usual = base.data.data();
  constexpr double zero[3] = {0, 0, 0};
  auto names = [&](std::string_view first, std::string_view second) {
    node.set_text(first, equality.name1);
    node.set_text(second, equality.name2);
  };
  const bool bodies = equality.objtype == ObjType::body;
  switch (equality.type) {
    case EqType::connect:
      names(bodies ? "body1" : "site1", bodies ? "body2" : "site2");
      if (bodies) numbers<double>(node, "anchor", data, 3, nullptr);
      break;
    case EqType::weld:
      names(bodies ? "body1" : "site1", bodies ? "body2" : "site2");
      if (bodies) {
        numbers(node, "anchor", data, 3, zero);
        numbers(node, "relpose", data + 3, 7, usual + 3);
      }
      numbers(node, "torquescale", data + 10, 1, usual + 10);
      break;
    case EqType::joint:
      names("joint1", "joint2");
      numbers(node, "polycoef", data, 5, usual);
      break;
    case EqType::tendon:
      names("tendon1", "tendon2");
      numbers(node, "polycoef", data, 5, usual);
      break;
    case EqType::distance:
      names("geom1", "geom2");
      if (data[0] >= 0) numbers<double>(node, "distance", data, 1, nullptr);
      break;
    case EqType::flexstrain:
      node.set_text("flex", equality.name1);
      numbers(node, "cell", data, 3, usual);
      break;
    default: node.set_text("flex", equality.name1); break;
  }
}

void Writer::equality(OutNode& root) {
  OutNode& section = root.add("equality");
  for (const Equality* e : spec_.equalities) {
    OutNode& node = section.add(keyword_of(e->type));
    node.set_text("name", e->name);
    set_class(node, *e);
    equality_data(node, *e, e->def->equality);
    const EqualitySpec& given = *e;
    rows(node, equality_flex_rule, &given, &e->def->equality);
  }
  root.drop_last_if_empty();
}

}  // namespace lockstep::mjcf
