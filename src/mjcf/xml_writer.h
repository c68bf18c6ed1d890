// xml_writer.h: elements to be written, and their text in the layout of MuJoCo's files.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::mjcf {

struct OutNode {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::deque<OutNode> children;  // references to them stay valid
  std::string cdata;
  std::string comment;  // of the root

  explicit OutNode(std::string_view name) : name(name) {}
  OutNode& add(std::string_view child) { return children.emplace_back(child); }
  void set(std::string_view attribute, std::string value);
  // sets a text unless it is empty
  void set_text(std::string_view attribute, const std::string& value);
  bool has(std::string_view attribute) const;
  void drop(std::string_view attribute);
  bool empty() const { return attributes.empty() && children.empty() && cdata.empty(); }
  void drop_last_if_empty();  // removes the last child if nothing is in it
};

std::string to_text(const OutNode& root);

}  // namespace lockstep::mjcf
