#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Diagnostic, NamesFileLineElementAttributeAndTheNearestWord) {
  Diagnostics diagnostics;
  Source source{std::make_shared<std::string>("robot.xml"), 12};
  Diagnostic& d = diagnostics.error(source, "unknown keyword");
  d.element = "geom 'foot'";
  d.attribute = "type";
  d.expected = "a geom type";
  d.found = "'capsul'";
  d.suggestion = nearest_word("capsul", {"sphere", "capsule", "cylinder"});
  EXPECT_EQ(diagnostics.text(Severity::error),
            "robot.xml:12: error: geom 'foot', attribute 'type': unknown keyword; expected a geom "
            "type, found "
            "'capsul'; did you mean 'capsule'?");
  EXPECT_TRUE(diagnostics.failed());
}

TEST(Diagnostic, FarWordsAreNotSuggested) {
  EXPECT_EQ(nearest_word("xyz", {"sphere", "plane"}), "");
}

}  // namespace
}  // namespace lockstep
