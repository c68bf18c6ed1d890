// read_custom.cc: user data, keyframes, extensions.
#include <fmt/core.h>

#include <algorithm>

#include "mjcf/reader.h"

namespace lockstep::mjcf {

void Reader::custom(const Node& section) {
  for (const Node& node : section.children) {
    if (node.name == "numeric") numeric(node);
    if (node.name == "text") text(node);
    if (node.name == "tuple") tuple(node);
  }
}

void Reader::numeric(const Node& node) {
  Numeric* numeric = spec_.add<Numeric>();
  identify(*numeric, node);
  numeric->data = numbers(node, "data", 0, ~0u);
  int size = static_cast<int>(numeric->data.size());
  if (integer(node, "size", size)) {
    if (!afford(node, "size", size)) return;
    if (static_cast<int>(numeric->data.size()) > size) {
      error(node, "data", "too many values").expected = fmt::format("at most {} numbers", size);
      return;
    }
  }
  if (size < 1) {
    error(node, "size", "must be positive").expected = "data, or a positive size";
    return;
  }
  numeric->size = size;
  numeric->data.resize(static_cast<size_t>(size), 0.0);
}

void Reader::text(const Node& node) {
  Text* text = spec_.add<Text>();
  identify(*text, node);
  text->data = node.text("data");
  if (node.cdata.size() > 1) error(node, "", "more than one CDATA section");
  if (!node.cdata.empty() && node.has("data")) {
    error(node, "data", "the text is given twice").expected = "an attribute or CDATA";
  }
  if (!node.cdata.empty() && !node.has("data")) text->data = node.cdata[0];
  if (text->data.empty()) error(node, "data", "the text is empty");
}

void Reader::tuple(const Node& node) {
  Tuple* tuple = spec_.add<Tuple>();
  identify(*tuple, node);
  for (const Node& child : node.children) {
    if (child.name != "element") continue;
    double parameter = 0;
    number(child, "prm", parameter);
    tuple->objtype.push_back(code(object_kind(child, "objtype")));
    tuple->objname.emplace_back(child.text("objname"));
    tuple->objprm.push_back(parameter);
  }
}

void Reader::keyframe(const Node& section) {
  for (const Node& node : section.children) {
    if (node.name != "key") continue;
    Key* key = spec_.add<Key>();
    identify(*key, node);
    rows(node, key_rule, &key->attributes());
  }
}

void Reader::extension(const Node& section) {
  for (const Node& node : section.children) {
    if (node.name != "plugin") continue;
    std::string name(node.text("plugin"));
    auto& active = spec_.active_plugins;
    if (std::find(active.begin(), active.end(), name) == active.end()) active.push_back(name);
    for (const Node& child : node.children) {
      if (child.name != "instance") continue;
      Plugin* instance = spec_.add<Plugin>();
      identify(*instance, child);
      instance->plugin_name = name;
      instance->active = true;
      instance->config = configuration(child);
    }
  }
}

}  // namespace lockstep::mjcf
