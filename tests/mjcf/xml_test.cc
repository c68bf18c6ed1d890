// texts nested deeper than tinyxml2 reads are read as if it did
#include "mjcf/xml.h"

#include <gtest/gtest.h>

#include "mjcf/document.h"

namespace lockstep::mjcf {
namespace {

// elements around each other, each on a line of its own that says which it is
std::string nested(int depth, const std::string& innermost) {
  std::string text;
  for (int i = 1; i <= depth; i++) text += "<e line='" + std::to_string(i) + "'>\n";
  text += innermost + "\n";
  for (int i = 0; i < depth; i++) text += "<after/></e>\n";
  return text;
}

// the n-th element from outside, if its line is the one that it names
const Node* at_depth(const Document& document, int depth) {
  const Node* node = &document.root;
  for (int i = 1; i <= depth; i++) {
    EXPECT_EQ(node->text("line"), std::to_string(i));
    EXPECT_EQ(node->source.line, i);
    if (i == depth) return node;
    if (node->children.size() != 2) return nullptr;
    EXPECT_EQ(node->children[1].name, "after");
    node = &node->children[0];
  }
  return nullptr;
}

std::string problem(const std::string& text) {
  Xml xml;
  return xml.parse(text) ? "" : std::to_string(xml.line()) + ": " + xml.problem();
}

TEST(Xml, ReadsEveryDepth) {
  for (int depth : {1, 89, 90, 91, 92, 98, 99, 100, 180, 181, 182, 400, 498}) {
    Document document;
    Diagnostics diagnostics;
    ASSERT_TRUE(document.load(nested(depth, "<leaf/>"), "deep.xml", nullptr, diagnostics)) << depth;
    const Node* node = at_depth(document, depth);
    ASSERT_NE(node, nullptr) << depth;
    ASSERT_EQ(node->children.size(), 2u);
    EXPECT_EQ(node->children[0].name, "leaf");
    EXPECT_EQ(node->children[0].source.line, depth + 1);
  }
}

TEST(Xml, LooksNotIntoCommentsQuotesAndSections) {
  const std::string inside =
      "<!-- <e> </e> </e> ' --><![CDATA[<e>\n</e></e>\"]]><a b='</e>\"' c=\"</e>'\"/>< e\n>text ' "
      "\" "
      "&lt;e></e><e></e></e/>";
  for (int depth : {120, 181, 300}) {
    Document document;
    Diagnostics diagnostics;
    ASSERT_TRUE(document.load(nested(depth, inside), "deep.xml", nullptr, diagnostics)) << depth;
    const Node* node = at_depth(document, depth);
    ASSERT_NE(node, nullptr) << depth;
    ASSERT_EQ(node->cdata.size(), 1u);
    EXPECT_EQ(node->cdata[0], "<e>\n</e></e>\"");
    ASSERT_EQ(node->children.size(), 5u);
    EXPECT_EQ(node->children[0].text("b"), "</e>\"");
    EXPECT_EQ(node->children[0].text("c"), "</e>'");
    EXPECT_EQ(node->children[4].source.line, depth + 4);  // counts the line of the section
  }
}

TEST(Xml, SiblingsAtACutKeepTheirPlaces) {
  std::string text = "<r>";
  for (int tree = 0; tree < 3; tree++) {
    text += "\n<e line='2'>";
    for (int i = 3; i <= 250; i++) {
      text += "<e/><e></e><e>";
      if (i == 91) text += "<!-- at a cut --><x tree='" + std::to_string(tree) + "'/>";
    }
    text += "<last tree='" + std::to_string(tree) + "'/>";
    for (int i = 2; i <= 250; i++) text += "</e>";
  }
  Document document;
  Diagnostics diagnostics;
  ASSERT_TRUE(document.load(text + "</r>", "deep.xml", nullptr, diagnostics));
  ASSERT_EQ(document.root.children.size(), 3u);
  for (int tree = 0; tree < 3; tree++) {
    const Node* node = &document.root.children[static_cast<size_t>(tree)];
    int depth = 2;
    for (; depth < 250; depth++) {
      ASSERT_EQ(node->children.size(), depth == 91 ? 4u : 3u);
      EXPECT_EQ(node->source.line, tree + 2);
      EXPECT_TRUE(node->children[0].children.empty());
      EXPECT_TRUE(node->children[1].children.empty());
      node = &node->children.back();
      if (depth == 90) {
        EXPECT_EQ(node->children[0].text("tree"), std::to_string(tree));
      }
    }
    ASSERT_EQ(node->children.size(), 1u);
    EXPECT_EQ(node->children[0].text("tree"), std::to_string(tree));
  }
}

TEST(Xml, SaysWhereADeepTextIsBroken) {
  for (int depth : {150, 181, 400}) {
    const std::string line = std::to_string(depth + 2);
    EXPECT_EQ(problem(nested(depth, "\n<a b=1/>")),
              line + ": an attribute without quotes, or given twice");
    EXPECT_EQ(problem(nested(depth, "\n<a b='1' b='2'/>")),
              line + ": an attribute without quotes, or given twice");
    EXPECT_EQ(problem(nested(depth, "\n<a></b>")),
              line + ": an element closed by another name, or never");
    EXPECT_EQ(problem(nested(depth, "\n<!-- ")), line + ": a comment that does not end");
    EXPECT_EQ(problem(nested(depth, "\n<![CDATA[ ")), line + ": a CDATA section that does not end");
    EXPECT_EQ(problem(nested(depth, "\n<?xml?>")), line + ": a misplaced or endless declaration");
    EXPECT_EQ(problem(nested(depth, "\n<a b='")),
              line + ": an attribute without quotes, or given twice");
    EXPECT_NE(problem(nested(depth, "<")), "");
    EXPECT_NE(problem(nested(depth, "<e>")), "");
    EXPECT_NE(problem(nested(depth, std::string("\0", 1))), "");
  }
  // an element at a cut that another name closes
  std::string text = nested(120, "");
  for (int line : {89, 90, 91, 92}) {
    const std::string tag = "<e line='" + std::to_string(line) + "'";
    std::string renamed = text;
    renamed.replace(renamed.find(tag), 2, "<f");
    EXPECT_EQ(problem(renamed),
              std::to_string(line) + ": an element closed by another name, or never");
  }
}

TEST(Xml, RefusesWhatMuJoCoRefuses) {
  EXPECT_EQ(problem(nested(Xml::max_depth, "<leaf/>")), "");
  EXPECT_EQ(problem(nested(Xml::max_depth, "<leaf></leaf>")), "499: elements nested too deeply");
  EXPECT_EQ(problem(nested(Xml::max_depth + 1, "")), "499: elements nested too deeply");
  EXPECT_EQ(problem(nested(200'000, "")), "499: elements nested too deeply");
}

}  // namespace
}  // namespace lockstep::mjcf
