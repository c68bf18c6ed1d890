#include "mjcf/document.h"

#include <fmt/core.h>

#include <filesystem>
#include <set>

#include "mjcf/xml.h"

namespace lockstep::mjcf {

struct Document::Parsed {
  Xml xml;
  std::string directory;
};

const Attribute* Node::find(std::string_view attribute) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == attribute) return &candidate;
  }
  return nullptr;
}

std::string_view Node::text(std::string_view attribute) const {
  const Attribute* found = find(attribute);
  return found ? found->value : std::string_view();
}

const Node* Node::child(std::string_view name) const {
  for (const Node& candidate : children) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

std::string describe(const Node& node) {
  std::string_view name = node.text("name");
  if (name.empty()) return std::string(node.name);
  return fmt::format("{} '{}'", node.name, name);
}

Document::Document() = default;
Document::~Document() = default;

// turns tinyxml2's tree into ours, replacing include elements by what they name
class Loader {
 public:
  Loader(Document& document, const Assets* assets, Diagnostics& diagnostics)
      : document_(document), assets_(assets), diagnostics_(diagnostics) {}

  bool load_main(const std::string& text, const std::string& name);

 private:
  const tinyxml2::XMLElement* parse(std::string_view text, const Source& file,
                                    const std::string& directory, const Source& includer);
  void convert(const tinyxml2::XMLElement& element, const Source& file, std::string_view directory,
               Node& node);
  void convert_children(const tinyxml2::XMLElement& element, const Source& file,
                        std::string_view directory, Node& node);
  void include(const tinyxml2::XMLElement& element, const Source& source,
               std::string_view directory, Node& parent);
  // path and bytes of an included file: next to the main file, else next to the including one
  std::optional<Bytes> open(const std::string& file, std::string_view directory, std::string& path);
  std::string identity(const std::string& path) const;

  Document& document_;
  const Assets* assets_;
  Diagnostics& diagnostics_;
  std::set<std::string> seen_;  // identities of the files read so far
  int depth_ = 0;               // of included files
  int nesting_ = 0;             // of elements
};

namespace {

constexpr int max_include_depth = 100;
// elements around each other over all included files; who reads them calls itself for each
constexpr int max_nesting = 2000;

Source at(const Source& file, int line) { return {file.file, line}; }

}  // namespace

bool Loader::load_main(const std::string& text, const std::string& name) {
  Source file{std::make_shared<std::string>(name), 0};
  document_.directory = directory_of(name);
  const tinyxml2::XMLElement* root = parse(text, file, "", file);
  if (!root) return false;
  seen_.insert(identity(name));
  if (const tinyxml2::XMLNode* first = root->FirstChild(); first && first->ToComment()) {
    document_.comment = first->Value();
  }
  convert(*root, file, {}, document_.root);
  return true;
}

const tinyxml2::XMLElement* Loader::parse(std::string_view text, const Source& file,
                                          const std::string& directory, const Source& includer) {
  auto& parsed = document_.parsed_.emplace_back(std::make_unique<Document::Parsed>());
  parsed->directory = directory;
  if (text.empty()) {
    diagnostics_.error(includer.line ? includer : at(file, 1),
                       fmt::format("file '{}' is empty", file.file_name()));
    return nullptr;
  }
  if (!parsed->xml.parse(text)) {
    diagnostics_.error(at(file, parsed->xml.line()), "broken XML").found = parsed->xml.problem();
    return nullptr;
  }
  const tinyxml2::XMLElement* root = parsed->xml.root();
  if (!root) diagnostics_.error(at(file, 1), "no element in the file");
  return root;
}

void Loader::convert(const tinyxml2::XMLElement& element, const Source& file,
                     std::string_view directory, Node& node) {
  node.name = element.Value();
  node.source = at(file, element.GetLineNum());
  node.directory = directory;
  for (auto* a = element.FirstAttribute(); a; a = a->Next()) {
    node.attributes.push_back({a->Name(), a->Value(), a->GetLineNum()});
  }
  if (++nesting_ > max_nesting) {
    diagnostics_.error(node.source, "elements are nested too deeply").element = describe(node);
  } else {
    convert_children(element, file, directory, node);
  }
  nesting_--;
}

void Loader::convert_children(const tinyxml2::XMLElement& element, const Source& file,
                              std::string_view directory, Node& node) {
  for (auto* child = contents(element).FirstChild(); child; child = child->NextSibling()) {
    if (const tinyxml2::XMLText* text = child->ToText(); text && text->CData()) {
      node.cdata.push_back(text->Value());
    }
    const tinyxml2::XMLElement* inner = child->ToElement();
    if (!inner) continue;
    if (std::string_view(inner->Value()) == "include") {
      include(*inner, at(file, inner->GetLineNum()), directory, node);
    } else {
      convert(*inner, file, directory, node.children.emplace_back());
    }
  }
}

std::string Loader::identity(const std::string& path) const {
  if (assets_ && assets_->find(path)) return path;
  std::error_code code;
  std::filesystem::path canonical = std::filesystem::weakly_canonical(path, code);
  return code ? path : canonical.string();
}

std::optional<Bytes> Loader::open(const std::string& file, std::string_view directory,
                                  std::string& path) {
  path = join_path(document_.directory, file);
  if (auto bytes = read_bytes(path, assets_)) return bytes;
  if (directory.empty()) return std::nullopt;
  path = join_path(std::string(directory), file);
  return read_bytes(path, assets_);
}

void Loader::include(const tinyxml2::XMLElement& element, const Source& source,
                     std::string_view directory, Node& parent) {
  auto fail = [&](std::string message) -> Diagnostic& {
    Diagnostic& d = diagnostics_.error(source, std::move(message));
    d.element = "include";
    return d;
  };
  const char* file = element.Attribute("file");
  if (!file) {
    fail("required attribute is missing").attribute = "file";
    return;
  }
  if (!contents(element).NoChildren()) {
    fail("an include has no content of its own");
    return;
  }
  if (++depth_ > max_include_depth) {
    fail("includes are nested too deeply").attribute = "file";
    depth_--;
    return;
  }
  std::string path;
  std::optional<Bytes> bytes = open(file, directory, path);
  if (!bytes) {
    Diagnostic& d = fail("cannot open the included file");
    d.attribute = "file";
    d.found = file;
  } else if (!seen_.insert(identity(path)).second) {
    Diagnostic& d = fail("the file is already included");
    d.attribute = "file";
    d.found = file;
  } else {
    Source inner{std::make_shared<std::string>(path), 0};
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const tinyxml2::XMLElement* root = parse(text, inner, directory_of(path), source);
    if (root && !root->FirstChildElement()) fail("the included file has no elements").found = file;
    if (root) {
      convert_children(*root, inner, document_.parsed_.back()->directory, parent);
    }
  }
  depth_--;
}

bool Document::load(const std::string& text, const std::string& name, const Assets* assets,
                    Diagnostics& diagnostics) {
  size_t before = diagnostics.all().size();
  Loader loader(*this, assets, diagnostics);
  if (!loader.load_main(text, name)) return false;
  for (size_t i = before; i < diagnostics.all().size(); i++) {
    if (diagnostics.all()[i].severity == Severity::error) return false;
  }
  return true;
}

}  // namespace lockstep::mjcf
