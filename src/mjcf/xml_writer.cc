#include "mjcf/xml_writer.h"

#include <algorithm>

namespace lockstep::mjcf {
namespace {

void append_escaped(std::string& text, std::string_view value) {
  for (char c : value) {
    switch (c) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '"': text += "&quot;"; break;
      case '\'': text += "&apos;"; break;
      default: text += c;
    }
  }
}

// MuJoCo sets off whatever begins like the name of a section by an empty line
bool begins_section(const OutNode& node) {
  constexpr std::string_view names[] = {"actuator", "asset",     "compiler", "custom", "deformable",
                                        "equality", "extension", "keyframe", "option", "sensor",
                                        "size",     "statistic", "tendon",   "visual", "worldbody"};
  if (node.name == "contact" || node.name == "default") {
    return node.attributes.empty() && !node.children.empty();
  }
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view name) { return node.name.starts_with(name); });
}

void append(std::string& text, const OutNode& node, int depth, bool& first) {
  if (begins_section(node)) {
    if (!first) text += '\n';
    first = false;
  }
  const std::string indent(2 * static_cast<size_t>(depth), ' ');
  text += indent + '<' + node.name;
  for (const auto& [name, value] : node.attributes) {
    text += ' ' + name + "=\"";
    append_escaped(text, value);
    text += '"';
  }
  if (!node.cdata.empty()) {
    text += "><![CDATA[" + node.cdata + "]]></" + node.name + ">\n";
    return;
  }
  if (node.children.empty() && node.comment.empty()) {
    text += "/>\n";
    return;
  }
  text += ">\n";
  if (!node.comment.empty()) text += indent + "  <!--" + node.comment + "-->\n";
  for (const OutNode& child : node.children) append(text, child, depth + 1, first);
  text += indent + "</" + node.name + ">\n";
}

}  // namespace

void OutNode::set(std::string_view attribute, std::string value) {
  for (auto& [name, old] : attributes) {
    if (name == attribute) {
      old = std::move(value);
      return;
    }
  }
  attributes.emplace_back(attribute, std::move(value));
}

void OutNode::set_text(std::string_view attribute, const std::string& value) {
  if (!value.empty()) set(attribute, value);
}

bool OutNode::has(std::string_view attribute) const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& entry) { return entry.first == attribute; });
}

void OutNode::drop(std::string_view attribute) {
  std::erase_if(attributes, [&](const auto& entry) { return entry.first == attribute; });
}

void OutNode::drop_last_if_empty() {
  if (!children.empty() && children.back().empty()) children.pop_back();
}

std::string to_text(const OutNode& root) {
  std::string text;
  bool first = true;
  append(text, root, 0, first);
  return text;
}

}  // namespace lockstep::mjcf
