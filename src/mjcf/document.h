// document.h: an XML file with the files it includes, as one tree whose nodes know file and line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"

namespace lockstep::mjcf {

struct Attribute {
  std::string_view name;
  std::string_view value;
  int line = 0;
};

// an element; names and values point into the Document
struct Node {
  std::string_view name;
  Source source;
  std::string_view directory;  // of the included file it stands in; empty in the main file
  std::vector<Attribute> attributes;
  std::vector<Node> children;
  std::vector<std::string_view> cdata;

  const Attribute* find(std::string_view attribute) const;
  bool has(std::string_view attribute) const { return find(attribute); }
  std::string_view text(std::string_view attribute) const;  // empty if absent
  const Node* child(std::string_view name) const;
};

// "geom 'foot'", or "geom" without a name
std::string describe(const Node& node);

class Document {
 public:
  Document();
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  Node root;
  std::string comment;    // first comment of the root element
  std::string directory;  // of the main file, with trailing slash, or empty

  // reads `text` and everything it includes; false if the XML or an include is broken
  bool load(const std::string& text, const std::string& name, const Assets* assets,
            Diagnostics& diagnostics);

 private:
  struct Parsed;
  std::vector<std::unique_ptr<Parsed>> parsed_;  // keeps the texts alive
  friend class Loader;
};

}  // namespace lockstep::mjcf
