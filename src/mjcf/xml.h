// xml.h: text parsed by tinyxml2, also where it is nested deeper than the packaged library reads.
#pragma once

#include <tinyxml2.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::mjcf {

class Xml {
 public:
  // open elements around each other that MuJoCo takes
  static constexpr int max_depth = 498;

  // false if the text is broken
  bool parse(std::string_view text);
  const tinyxml2::XMLElement* root() const { return parts_.front()->RootElement(); }
  // what is wrong with it, and where
  const std::string& problem() const { return problem_; }
  int line() const { return line_; }

 private:
  bool parse_part(std::string_view text);
  bool parse_deep(std::string_view text);
  static void join(tinyxml2::XMLDocument& outer, const tinyxml2::XMLDocument& inner);

  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> parts_;
  std::string problem_;
  int line_ = 0;
};

// the element that holds what stands in this one: itself, or, where a deep text was cut, its
// counterpart in the next part
const tinyxml2::XMLElement& contents(const tinyxml2::XMLElement& element);

}  // namespace lockstep::mjcf
