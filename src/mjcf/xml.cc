// xml.cc: the library gives up at 100 elements around each other. A text that is deeper is cut into
// parts: the first has the outer elements, the next what stands inside of those at a certain depth,
// and so on. An element at a cut stands in both parts, empty in the outer one, so that each part is
// well-formed if the text is; lines that a part lacks are empty in it, so that lines are counted
// right. The library still sees every tag, so that it alone says what is well-formed.
#include "mjcf/xml.h"

#include <algorithm>

namespace lockstep::mjcf {
namespace {

using tinyxml2::XMLDocument;
using tinyxml2::XMLElement;

constexpr int part_depth = 90;  // elements of a part around each other, without the one at the cut
static_assert(part_depth + 1 <= TINYXML2_MAX_ELEMENT_DEPTH - 2);

const char* what_is_broken(const XMLDocument& xml) {
  switch (xml.ErrorID()) {
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "an element that is not closed or misspelt";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute without quotes, or given twice";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "a text that does not end";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "a CDATA section that does not end";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment that does not end";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION: return "a misplaced or endless declaration";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN: return "a declaration that does not end";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return "nothing";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element closed by another name, or never";
    default: return xml.ErrorName();
  }
}

// the parts of a deep text
class Cutter {
 public:
  explicit Cutter(std::string_view text) : rest_(text) {}

  // false if elements nest too deeply; `line` is where
  bool cut();
  const std::vector<std::string>& parts() const { return parts_; }
  int line() const { return line_; }

 private:
  // where what stands inside of the depth-th element goes
  static size_t part_of(int depth) {
    return depth == 0 ? 0 : static_cast<size_t>((depth - 1) / part_depth);
  }
  // moves over the next tag, comment, declaration or text; what does not end ends with the text
  std::string_view next();
  static size_t end_of_tag(std::string_view text);
  void put(size_t part, std::string_view token);
  void put_tag(int depth, std::string_view token);

  std::string_view rest_;
  int line_ = 1;  // of the token
  int depth_ = 0;
  std::vector<std::string> parts_;
  std::vector<int> lines_;  // that each part has so far
};

// behind the first > that is not quoted
size_t Cutter::end_of_tag(std::string_view text) {
  char quote = 0;
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
  }
  return text.size();
}

std::string_view Cutter::next() {
  static constexpr std::string_view marks[][2] = {
      {"<?", "?>"}, {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<!", ">"}};
  size_t size = rest_.size();
  if (rest_[0] != '<') {
    size = std::min(size, rest_.find('<'));
  } else {
    bool is_tag = true;
    for (const auto& [begin, end] : marks) {
      if (!rest_.starts_with(begin)) continue;
      const size_t at = rest_.find(end, begin.size());
      if (at != std::string_view::npos) size = at + end.size();
      is_tag = false;
      break;
    }
    if (is_tag) size = end_of_tag(rest_);
  }
  const std::string_view token = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return token;
}

void Cutter::put(size_t part, std::string_view token) {
  if (part >= parts_.size()) {
    parts_.resize(part + 1);
    lines_.resize(part + 1, 1);
  }
  parts_[part].append(static_cast<size_t>(line_ - lines_[part]), '\n');
  parts_[part] += token;
  lines_[part] = line_ + static_cast<int>(std::count(token.begin(), token.end(), '\n'));
}

// a tag of the depth-th element
void Cutter::put_tag(int depth, std::string_view token) {
  put(part_of(depth - 1), token);
  if (part_of(depth) != part_of(depth - 1)) put(part_of(depth), token);
}

bool Cutter::cut() {
  while (!rest_.empty()) {
    const std::string_view token = next();
    const bool tag = token[0] == '<' && !token.starts_with("<?") && !token.starts_with("<!");
    if (!tag || token.ends_with("/>")) {
      put(part_of(depth_), token);
    } else if (const size_t first = token.find_first_not_of(" \t\r\n\v\f", 1);
               first < token.size() && token[first] == '/') {
      put_tag(std::max(depth_, 1), token);
      if (--depth_ < 0) return true;  // the library stops there too
    } else {
      if (++depth_ > Xml::max_depth) return false;
      put_tag(depth_, token);
    }
    line_ += static_cast<int>(std::count(token.begin(), token.end(), '\n'));
  }
  return true;
}

// the next element of a part in the order of the text
XMLElement* step(XMLElement* element, int& depth) {
  if (XMLElement* child = element->FirstChildElement()) {
    depth++;
    return child;
  }
  while (element && !element->NextSiblingElement()) {
    element = depth > 0 ? element->Parent()->ToElement() : nullptr;
    depth--;
  }
  return element ? element->NextSiblingElement() : nullptr;
}

}  // namespace

const XMLElement& contents(const XMLElement& element) {
  const void* inside = element.GetUserData();
  return inside ? *static_cast<const XMLElement*>(inside) : element;
}

bool Xml::parse_part(std::string_view text) {
  XMLDocument& xml = *parts_.emplace_back(std::make_unique<XMLDocument>());
  if (xml.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS) return true;
  line_ = std::max(1, xml.ErrorLineNum());
  problem_ = what_is_broken(xml);
  return false;
}

bool Xml::parse(std::string_view text) {
  if (parse_part(text)) return true;
  if (parts_.front()->ErrorID() != tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) return false;
  parts_.clear();
  return parse_deep(text.substr(0, text.find('\0')));  // where the library ends
}

bool Xml::parse_deep(std::string_view text) {
  Cutter cutter(text);
  if (!cutter.cut()) {
    line_ = cutter.line();
    problem_ = "elements nested too deeply";
    return false;
  }
  // where the text ends too early all parts are broken, and the innermost knows by what
  for (auto part = cutter.parts().rbegin(); part != cutter.parts().rend(); ++part) {
    if (!parse_part(*part)) return false;
  }
  std::reverse(parts_.begin(), parts_.end());
  for (size_t part = 1; part < parts_.size(); part++) join(*parts_[part - 1], *parts_[part]);
  return true;
}

// what is cut out of one part stands in the next, in the same order
void Xml::join(XMLDocument& outer, const XMLDocument& inner) {
  int depth = 0;  // of an element below the first ones of its part
  const XMLElement* piece = inner.FirstChildElement();
  for (XMLElement* at = outer.FirstChildElement(); at; at = step(at, depth)) {
    if (depth < part_depth || at->ClosingType() != XMLElement::OPEN) continue;
    if (!piece) break;
    at->SetUserData(const_cast<XMLElement*>(piece));
    piece = piece->NextSiblingElement();
  }
}

}  // namespace lockstep::mjcf
