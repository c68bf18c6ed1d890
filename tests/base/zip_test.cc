#include "base/zip.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

Bytes bytes_of(const std::string& text) { return Bytes(text.begin(), text.end()); }

// made by Python's zipfile: "a.txt" deflated with 40 times 'x', "d/b.txt" stored with "hi"
const uint8_t python_zip[] = {
    80,  75,  3,   4,   20,  0,  0,   0,  8,  0,  0,   0,   33,  0,   240, 113, 26,  196, 6,
    0,   0,   0,   40,  0,   0,  0,   5,  0,  0,  0,   97,  46,  116, 120, 116, 171, 168, 32,
    14,  0,   0,   80,  75,  3,  4,   20, 0,  0,  0,   0,   0,   0,   0,   33,  0,   172, 42,
    147, 216, 2,   0,   0,   0,  2,   0,  0,  0,  7,   0,   0,   0,   100, 47,  98,  46,  116,
    120, 116, 104, 105, 80,  75, 1,   2,  20, 3,  20,  0,   0,   0,   8,   0,   0,   0,   33,
    0,   240, 113, 26,  196, 6,  0,   0,  0,  40, 0,   0,   0,   5,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,  128, 1,  0,  0,  0,   0,   97,  46,  116, 120, 116, 80,  75,
    1,   2,   20,  3,   20,  0,  0,   0,  0,  0,  0,   0,   33,  0,   172, 42,  147, 216, 2,
    0,   0,   0,   2,   0,   0,  0,   7,  0,  0,  0,   0,   0,   0,   0,   0,   0,   0,   0,
    128, 1,   41,  0,   0,   0,  100, 47, 98, 46, 116, 120, 116, 80,  75,  5,   6,   0,   0,
    0,   0,   2,   0,   2,   0,  104, 0,  0,  0,  80,  0,   0,   0,   0,   0};

TEST(Zip, ReadsWhatItWrites) {
  std::vector<ZipMember> members{{"model.xml", bytes_of("<mujoco/>")}, {"a/b.obj", {}}};
  std::string problem;
  auto again = read_zip(write_zip(members), problem);
  EXPECT_EQ(problem, "");
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].name, "model.xml");
  EXPECT_EQ(again[0].bytes, members[0].bytes);
  EXPECT_EQ(again[1].name, "a/b.obj");
  EXPECT_TRUE(again[1].bytes.empty());
}

TEST(Zip, ReadsDeflatedMembers) {
  std::string problem;
  auto members = read_zip(Bytes(std::begin(python_zip), std::end(python_zip)), problem);
  EXPECT_EQ(problem, "");
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[0].bytes, Bytes(40, 'x'));
  EXPECT_EQ(members[1].name, "d/b.txt");
  EXPECT_EQ(members[1].bytes, bytes_of("hi"));
}

TEST(Zip, RefusesEveryTruncationAndBrokenChecksum) {
  Bytes good = write_zip({{"model.xml", bytes_of("<mujoco/>")}});
  std::string problem;
  for (size_t size = 0; size < good.size(); size++) {
    read_zip(Bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(size)), problem);
    EXPECT_NE(problem, "") << size;
  }
  good[40] ^= 1;
  EXPECT_TRUE(read_zip(good, problem).empty());
  EXPECT_NE(problem, "");
}

}  // namespace
}  // namespace lockstep
