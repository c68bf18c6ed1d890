#include "compile/build.h"

#include <fmt/core.h>

namespace lockstep {
namespace {

Diagnostic& complete(Diagnostic& diagnostic, const Element& element, std::string_view attribute) {
  diagnostic.element = describe(element);
  diagnostic.attribute = attribute;
  diagnostic.name = element.name;
  diagnostic.id = element.id;
  diagnostic.info = element.info;
  return diagnostic;
}

}  // namespace

Diagnostic& Build::error(const Element& element, std::string_view attribute, std::string message) {
  return complete(diagnostics.error(element.source, std::move(message)), element, attribute);
}

Diagnostic& Build::warning(const Element& element, std::string_view attribute,
                           std::string message) {
  return complete(diagnostics.warning(element.source, std::move(message)), element, attribute);
}

int Build::resolve(const Element& element, std::string_view attribute, ObjType kind,
                   const std::string& name) {
  if (kind == ObjType::xbody) kind = ObjType::body;
  auto [table, fresh] = ids_.try_emplace(code(kind));
  if (fresh) {
    for (const Element* known : spec.all(kind)) {
      if (!known->name.empty()) table->second.try_emplace(known->name, known->id);
    }
  }
  if (auto found = table->second.find(name); found != table->second.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& entry : table->second) known.push_back(entry.first);
  Diagnostic& diagnostic =
      error(element, attribute, fmt::format("unknown {} '{}'", keyword_of(kind), name));
  diagnostic.found = name;
  diagnostic.suggestion = nearest_word(name, known);
  return -1;
}

}  // namespace lockstep
