// check.cc: a document against the schema: known elements and attributes, counts, combinations.
#include <fmt/format.h>

#include "mjcf/reader.h"

namespace lockstep::mjcf {
namespace {

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

bool any_of(const Node& node, std::string_view bundle) {
  for (std::string_view name : split(bundle, '+')) {
    if (node.has(name)) return true;
  }
  return false;
}

bool all_of(const Node& node, std::string_view bundle) {
  for (std::string_view name : split(bundle, '+')) {
    if (!node.has(name)) return false;
  }
  return true;
}

}  // namespace

// inside frames and replicates MuJoCo reads what it knows and overlooks the rest: there it is a
// warning, for the models that live with it
Diagnostic& Reader::breach(const Node& node, std::string_view attribute, std::string message) {
  if (!overlook_) return error(node, attribute, std::move(message));
  const Attribute* found = node.find(attribute);
  Source source{node.source.file, found ? found->line : node.source.line};
  Diagnostic& d = diagnostics_.warning(source, std::move(message) + ", which has no effect");
  d.element = describe(node);
  d.attribute = attribute;
  return d;
}

void Reader::unknown_attribute(const Node& node, const Attribute& attribute, const Rule& rule) {
  // namespaces, as editors write them
  bool foreign = attribute.name == "xmlns" || attribute.name.find(':') != std::string_view::npos;
  if (foreign && &rule == &mjcf_schema()) return;
  // it stands for a childclass there (Reader::child_class)
  bool nests = &rule == &body_rule || &rule == &frame_rule || &rule == &replicate_rule;
  if (overlook_ && nests && attribute.name == "class") return;
  std::vector<std::string_view> known;
  for (const Row& row : rule.rows) known.push_back(row.name);
  breach(node, attribute.name, "unknown attribute").suggestion =
      nearest_word(attribute.name, known);
}

void Reader::check_attributes(const Node& node, const Rule& rule, bool in_default) {
  for (const Attribute& attribute : node.attributes) {
    const Row* row = rule.find(attribute.name);
    if (!row) {
      unknown_attribute(node, attribute, rule);
    } else if (in_default && row->is(not_in_default)) {
      error(node, attribute.name, "cannot be set in a default class");
    }
  }
  for (const Row& row : rule.rows) {
    const Attribute* given = node.find(row.name);
    bool missing = !given && row.is(required) && !in_default && !unread_;
    if (missing || (given && row.is(filled) && blank(given->value))) {
      error(node, row.name, missing ? "required attribute is missing" : "is blank").expected =
          row.address ? row.ops().describe(row) : std::string(row.form);
    }
  }
}

void Reader::check_presence(const Node& node, const Rule& rule) {
  for (const Presence& presence : rule.presence) {
    std::vector<std::string_view> bundles = split(presence.attributes, ' ');
    size_t present = 0, complete = 0;
    for (std::string_view bundle : bundles) {
      present += any_of(node, bundle);
      complete += all_of(node, bundle);
    }
    std::string list = fmt::format("{}", fmt::join(bundles, ", "));
    if (presence.kind == Presence::exclusive && present > 1) {
      breach(node, "", "attributes exclude each other").expected = "at most one of " + list;
    } else if (presence.kind == Presence::together && present && present < bundles.size()) {
      error(node, "", "attributes must be given together").expected = list;
    } else if (presence.kind == Presence::one_of && !complete) {
      error(node, "", "attributes are missing").expected = "one of " + list;
    }
  }
}

void Reader::unknown_child(const Node& child, const Rule& rule) {
  if (overlook_ && rule.child("geom") == nullptr) {
    breach(child, "", fmt::format("stands inside '{}'", rule.name));
    return;
  }
  std::vector<std::string_view> known;
  for (const Child& entry : rule.children) known.push_back(entry.rule->name);
  Diagnostic& d = diagnostics_.error(
      child.source, known.empty() ? fmt::format("'{}' has no elements inside", rule.name)
                                  : fmt::format("unknown element inside '{}'", rule.name));
  d.element = child.name;
  if (child.name == "composite") {
    d.message = "composite is no longer part of the language";
    d.expected = "replicate, flexcomp or attach";
    return;
  }
  d.suggestion = nearest_word(child.name, known);
}

void Reader::warn_not_simulated(const Node& node, const Rule& rule) {
  if (rule.simulated || rule.name == "plugin") return;  // the compiler names plugins
  if (!warned_.insert(rule.name).second) return;
  diagnostics_.warning(node.source, "is read, kept and saved, but not simulated yet").element =
      node.name;
}

void Reader::check_children(const Node& node, const Rule& rule, bool in_default) {
  for (size_t i = 0; i < node.children.size(); i++) {
    const Node& child = node.children[i];
    const Child* entry = rule.child(child.name);
    if (!entry) {
      unknown_child(child, rule);
      continue;
    }
    if (entry->count == Count::optional || entry->count == Count::one) {
      for (size_t j = 0; j < i; j++) {
        if (node.children[j].name != child.name) continue;
        breach(child, "", fmt::format("stands in '{}' more than once", node.name)).element =
            child.name;
        break;
      }
    }
    const bool unread = unread_;
    const Rule* inner = entry->rule;
    unread_ = unread || (&rule == &mjcf_schema() &&
                         (inner == &body_rule || inner == &frame_rule || inner == &replicate_rule));
    check(child, *inner, in_default || inner == &default_rule);
    unread_ = unread;
  }
}

void Reader::check(const Node& node, const Rule& rule, bool in_default) {
  bool overlooked = overlook_;
  overlook_ = overlooked || &rule == &frame_rule || &rule == &replicate_rule;
  warn_not_simulated(node, rule);
  bool plain = &rule == &default_rule || rule.name == "layer";
  check_attributes(node, rule, in_default && !plain);
  if (!in_default) check_presence(node, rule);
  check_children(node, rule, in_default);
  overlook_ = overlooked;
}

}  // namespace lockstep::mjcf
