#include "mjcf/reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::mjcf {
namespace {

constexpr size_t max_quoted = 60;

std::string quoted(std::string_view text) {
  if (text.size() <= max_quoted) return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, max_quoted));
}

constexpr std::string_view nan_warning = "the number is NaN";

}  // namespace

// sections of a kind merge; kinds are read in the order in which they need each other
void Reader::read() {
  const Node& root = document_.root;
  check(root, mjcf_schema(), false);
  spec_.comment = document_.comment;
  if (const Attribute* model = root.find("model")) spec_.modelname = model->value;
  auto each = [&](std::string_view name, auto&& action) {
    for (const Node& node : root.children) {
      if (node.name == name) action(node);
    }
  };
  each("compiler", [&](const Node& n) { compiler(n); });
  each("option", [&](const Node& n) { option(n); });
  each("size", [&](const Node& n) { size(n); });
  each("visual", [&](const Node& n) { visual(n); });
  each("statistic", [&](const Node& n) { statistic(n); });
  each("default", [&](const Node& n) { default_class(n, nullptr); });
  each("extension", [&](const Node& n) { extension(n); });
  each("custom", [&](const Node& n) { custom(n); });
  each("asset", [&](const Node& n) { asset(n); });
  each("contact", [&](const Node& n) { contact(n); });
  each("deformable", [&](const Node& n) { deformable(n); });
  each("equality", [&](const Node& n) { equality(n); });
  each("tendon", [&](const Node& n) { tendon(n); });
  each("actuator", [&](const Node& n) { actuator(n); });
  each("sensor", [&](const Node& n) { sensor(n); });
  each("worldbody", [&](const Node& n) { tree(n, spec_.world(), nullptr); });
  for (const Node* node : networks_) network(*node);
  each("keyframe", [&](const Node& n) { keyframe(n); });
}

Diagnostic& Reader::error(const Node& node, std::string_view attribute, std::string message) {
  const Attribute* found = node.find(attribute);
  Source source = node.source;
  if (found && found->line) source.line = found->line;
  Diagnostic& d = diagnostics_.error(source, std::move(message));
  d.element = describe(node);
  d.attribute = attribute;
  if (found) d.found = quoted(found->value);
  return d;
}

bool Reader::read_row(const Node& node, const Attribute& attribute, const Row& row, void* object) {
  std::optional<ValueError> problem = row.ops().read(row, attribute.value, row.address(object));
  if (!problem) return true;
  Diagnostic& d = error(node, attribute.name, std::move(problem->message));
  d.expected = std::move(problem->expected);
  d.suggestion = std::move(problem->suggestion);
  return false;
}

void Reader::rows(const Node& node, const Rule& rule, void* object, bool in_default) {
  for (const Attribute& attribute : node.attributes) {
    const Row* row = rule.find(attribute.name);
    if (!row || !row->address || (in_default && row->is(not_in_default))) continue;
    read_row(node, attribute, *row, object);
    if (attribute.value.size() >= 3 && (attribute.value.find("nan") != std::string_view::npos ||
                                        attribute.value.find("NaN") != std::string_view::npos)) {
      std::vector<double> list;
      if (parse_numbers(attribute.value, list) == NumberStatus::ok && !list.empty()) {
        Diagnostic& d = diagnostics_.warning(node.source, std::string(nan_warning));
        d.element = describe(node);
        d.attribute = attribute.name;
      }
    }
  }
}

bool Reader::afford(const Node& node, std::string_view attribute, int64_t count) {
  constexpr int64_t most = int64_t{1} << 26;  // of a model; a few letters could exhaust memory
  if (count <= most - asked_) {
    asked_ += std::max<int64_t>(count, 0);
    return true;
  }
  error(node, attribute, "the model asks for too many numbers").expected =
      fmt::format("at most {} more, not {}", most - asked_, count);
  return false;
}

template <class T>
std::vector<T> Reader::values(const Node& node, std::string_view attribute, size_t least,
                              size_t most) {
  std::vector<T> list;
  const Attribute* found = node.find(attribute);
  if (!found) return list;
  NumberStatus status = parse_numbers(found->value, list);
  std::string_view kind = std::is_same_v<T, int> ? "integer" : "number";
  std::string expected = most == 1       ? fmt::format("one {}", kind)
                         : most == ~0u   ? fmt::format("{}s", kind)
                         : least == most ? fmt::format("{} {}s", most, kind)
                                         : fmt::format("{} to {} {}s", least, most, kind);
  std::string message;
  if (status == NumberStatus::too_large) message = "number is too large";
  if (status == NumberStatus::bad_format) message = "not a number";
  if (status == NumberStatus::ok && list.size() > most) message = "too many values";
  if (status == NumberStatus::ok && !list.empty() && list.size() < least) {
    message = "not enough values";
  }
  if (!message.empty()) {
    error(node, attribute, std::move(message)).expected = std::move(expected);
    list.clear();
  }
  return list;
}

std::vector<double> Reader::numbers(const Node& node, std::string_view attribute, size_t least,
                                    size_t most) {
  return values<double>(node, attribute, least, most);
}
std::vector<int> Reader::integers(const Node& node, std::string_view attribute, size_t least,
                                  size_t most) {
  return values<int>(node, attribute, least, most);
}
template std::vector<float> Reader::values<float>(const Node&, std::string_view, size_t, size_t);

bool Reader::number(const Node& node, std::string_view attribute, double& value) {
  std::vector<double> list = numbers(node, attribute, 1, 1);
  if (list.empty()) return false;
  value = list[0];
  return true;
}

bool Reader::integer(const Node& node, std::string_view attribute, int& value) {
  std::vector<int> list = integers(node, attribute, 1, 1);
  if (list.empty()) return false;
  value = list[0];
  return true;
}

template <size_t n>
bool Reader::array(const Node& node, std::string_view attribute, std::array<double, n>& value,
                   bool fewer) {
  std::vector<double> list = numbers(node, attribute, fewer ? 1 : n, n);
  if (list.empty()) return false;
  std::copy(list.begin(), list.end(), value.begin());
  return true;
}
template bool Reader::array(const Node&, std::string_view, std::array<double, 2>&, bool);
template bool Reader::array(const Node&, std::string_view, std::array<double, 3>&, bool);
template bool Reader::array(const Node&, std::string_view, std::array<double, 4>&, bool);
template bool Reader::array(const Node&, std::string_view, std::array<double, 5>&, bool);
template bool Reader::array(const Node&, std::string_view, std::array<double, 6>&, bool);

int Reader::keyword_number(const Node& node, std::string_view attribute,
                           std::span<const EnumValue> words) {
  const Attribute* found = node.find(attribute);
  if (!found) return -1;
  std::vector<std::string_view> known;
  for (const EnumValue& entry : words) {
    if (entry.keyword.empty()) continue;
    if (entry.keyword == found->value) return entry.number;
    known.push_back(entry.keyword);
  }
  Diagnostic& d = error(node, attribute, "unknown keyword");
  d.expected = fmt::format("one of {}", fmt::join(known, ", "));
  d.suggestion = nearest_word(found->value, known);
  return -1;
}

int Reader::ordered_bits(const Node& node, std::string_view attribute,
                         std::span<const EnumValue> words, bool numbers_are_bits) {
  std::vector<std::string_view> known;
  for (const EnumValue& entry : words) {
    if (!entry.keyword.empty()) known.push_back(entry.keyword);
  }
  int bits = 0, last = -1;
  for (std::string_view word : split_words(node.text(attribute))) {
    auto entry = std::find_if(words.begin(), words.end(),
                              [&](const EnumValue& e) { return e.keyword == word; });
    if (word.empty() || entry == words.end()) {
      Diagnostic& d = error(node, attribute, "unknown keyword");
      d.expected = fmt::format("some of {}", fmt::join(known, ", "));
      d.suggestion = nearest_word(word, known);
      return 0;
    }
    if (entry->number <= last) {
      error(node, attribute, "keywords are not in order").expected =
          fmt::format("{}", fmt::join(known, ", "));
      return 0;
    }
    last = entry->number;
    bits |= numbers_are_bits ? last : 1 << last;
  }
  return bits;
}

void Reader::identify(Element& element, const Node& node) {
  element.source = node.source;
  std::string_view name = node.text("name");
  if (name.empty()) return;
  element.name = name;
  if (!enter_name(element)) {
    error(node, "name", fmt::format("another {} has this name", keyword_of(element.kind)));
  }
}

bool Reader::enter_name(const Element& element) {
  if (!names_[code(element.kind)].insert(element.name).second) return false;
  entered_.emplace_back(code(element.kind), element.name);
  return true;
}

Default* Reader::class_in(const Node& node, std::string_view attribute) {
  const Attribute* name = node.find(attribute);
  if (!name) return nullptr;
  Default* def = spec_.find_default(name->value);
  if (!def) {
    std::vector<std::string_view> known;
    for (const Default* candidate : spec_.defaults()) known.push_back(candidate->name);
    error(node, attribute, "unknown default class").suggestion = nearest_word(name->value, known);
  }
  return def;
}

Default* Reader::class_of(const Node& node) { return class_in(node, "class"); }

// where a class is written without a childclass, inside frames, it stands for one
Default* Reader::child_class(const Node& node) {
  return class_in(node, node.has("childclass") ? "childclass" : "class");
}

// the quaternion was read as a row; here it is checked and weighed against the other notations
void Reader::orientation(const Node& node, std::array<double, 4>& quat, Orientation& alt) {
  int given = 0;
  if (node.has("quat")) {
    given++;
    alt.type = OrientationType::quat;
    if (quat == std::array<double, 4>{}) error(node, "quat", "a quaternion cannot be zero");
  }
  auto other = [&](bool read, OrientationType type) {
    if (!read) return;
    given++;
    alt.type = type;
  };
  other(array(node, "axisangle", alt.axisangle), OrientationType::axisangle);
  other(array(node, "xyaxes", alt.xyaxes), OrientationType::xyaxes);
  other(array(node, "zaxis", alt.zaxis), OrientationType::zaxis);
  other(array(node, "euler", alt.euler), OrientationType::euler);
  if (given > 1) {
    error(node, "", "more than one orientation").expected =
        "one of quat, axisangle, xyaxes, zaxis, euler";
  }
}

std::vector<std::pair<std::string, std::string>> Reader::configuration(const Node& node) {
  std::vector<std::pair<std::string, std::string>> config;
  for (const Node& child : node.children) {
    if (child.name != "config") continue;
    std::string key(child.text("key"));
    for (const auto& entry : config) {
      if (entry.first == key) error(child, "key", "the key is repeated");
    }
    config.emplace_back(key, child.text("value"));
  }
  return config;
}

void Reader::plugin(const Node& node, PluginRef& ref) {
  ref.active = true;
  ref.plugin_name = node.text("plugin");
  ref.name = node.text("instance");
  ref.config = configuration(node);
  if (!ref.name.empty() && !ref.config.empty()) {
    error(node, "instance", "a declared instance has its own configuration");
  }
}

ObjType Reader::object_kind(const Node& node, std::string_view attribute) {
  static const std::vector<EnumValue> kinds = [] {
    std::vector<EnumValue> list;
    for (const EnumValue& entry : enum_values<ObjType>()) {
      if (entry.number > code(ObjType::unknown) && !entry.keyword.empty()) list.push_back(entry);
    }
    return list;
  }();
  int number = keyword_number(node, attribute, kinds);
  return number < 0 ? ObjType::unknown : static_cast<ObjType>(number);
}

}  // namespace lockstep::mjcf
