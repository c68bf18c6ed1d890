// golden_test.cc: objects outside the tree equal MuJoCo's, and what MuJoCo refuses is refused with
// a message that names the element and the attribute. Cases: *.golden and refused.txt
// (make_golden.py).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "compile/compile.h"
#include "mjcf/mjcf.h"

namespace lockstep {
namespace {

const std::string folder = LOCKSTEP_SOURCE_DIR "/tests/compile/objects/";

std::string text_of(const std::string& name) {
  std::ifstream file(folder + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Case {
  std::map<std::string, std::string> places;
  std::vector<std::pair<std::string, std::string>> fields;  // name, numbers

  std::string model() const {
    std::string xml = text_of("base.xml");
    for (const auto& [place, text] : places) {
      const std::string mark = "{" + place + "}";
      for (size_t at; (at = xml.find(mark)) != std::string::npos;)
        xml.replace(at, mark.size(), text);
    }
    return xml;
  }
  const std::string& added() const { return places.at("rest"); }
};

std::vector<Case> cases_of(const std::string& name) {
  std::vector<Case> cases;
  std::istringstream lines(text_of(name));
  for (std::string line; std::getline(lines, line);) {
    const size_t space = std::min(line.find(' '), line.size());
    const std::string rest = space < line.size() ? line.substr(space + 1) : "";
    if (line == "===") {
      cases.emplace_back();
    } else if (line[0] == '@') {
      cases.back().places[line.substr(1, space - 1)] = rest;
    } else if (line != "---") {
      cases.back().fields.emplace_back(line.substr(0, space), rest);
    }
  }
  return cases;
}

double number_at(const FieldInfo& field, int64_t i) {
  switch (field.dtype) {
    case Dtype::f64: return static_cast<const double*>(field.data)[i];
    case Dtype::f32: return static_cast<const float*>(field.data)[i];
    case Dtype::i32: return static_cast<const int*>(field.data)[i];
    case Dtype::i64: return static_cast<double>(static_cast<const int64_t*>(field.data)[i]);
    default: return static_cast<const char*>(field.data)[i];
  }
}

std::vector<double> numbers_of(const Model& m, const std::string& name) {
  std::vector<double> numbers;
  for (const SizeInfo& size : m.sizes()) {
    if (size.name == name) return {static_cast<double>(*size.value)};
  }
  for (const FieldInfo& field : m.fields()) {
    if (field.name != name) continue;
    for (int64_t i = 0; i < field.size(); i++) numbers.push_back(number_at(field, i));
    return numbers;
  }
  ADD_FAILURE() << "no field " << name;
  return numbers;
}

std::unique_ptr<Compiled> compiled(const Case& test, Diagnostics& diagnostics) {
  std::unique_ptr<Spec> spec = read_mjcf_text(test.model(), "model.xml", nullptr, diagnostics);
  return spec ? compile(*spec, diagnostics) : nullptr;
}

void compare(const Case& test) {
  SCOPED_TRACE(test.added());
  Diagnostics diagnostics;
  const std::unique_ptr<Compiled> result = compiled(test, diagnostics);
  ASSERT_TRUE(result) << diagnostics.text(Severity::error);
  for (const auto& [name, text] : test.fields) {
    std::istringstream words(text);
    std::vector<double> expected;
    for (std::string word; words >> word;) expected.push_back(std::strtod(word.c_str(), nullptr));
    const std::vector<double> found = numbers_of(result->model, name);
    ASSERT_EQ(found.size(), expected.size()) << name;
    for (size_t i = 0; i < found.size(); i++) {
      const double scale = std::max(1.0, std::abs(expected[i]));
      EXPECT_NEAR(found[i], expected[i], 1e-12 * scale) << name << "[" << i << "]";
    }
  }
}

class Objects : public testing::TestWithParam<const char*> {};

TEST_P(Objects, EqualMuJoCo) {
  const std::vector<Case> cases = cases_of(std::string(GetParam()) + ".golden");
  EXPECT_FALSE(cases.empty());
  for (const Case& test : cases) compare(test);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Objects,
                         testing::Values("tendon", "actuator", "sensor", "equality", "contact",
                                         "key", "custom", "skin", "plugin"));

// the first error of each refused case; MESSAGES=file writes them down for review
TEST(Objects, RefusesWhatMuJoCoRefuses) {
  std::string messages;
  for (const Case& test : cases_of("refused.txt")) {
    Diagnostics diagnostics;
    EXPECT_FALSE(compiled(test, diagnostics)) << test.added();
    std::string first = diagnostics.text(Severity::error);
    first = first.substr(0, first.find('\n'));
    messages += test.added() + "\n  " + first + "\n";
  }
  if (const char* target = std::getenv("MESSAGES")) std::ofstream(target) << messages;
  EXPECT_EQ(messages, text_of("refused_messages.txt"));
}

}  // namespace
}  // namespace lockstep
