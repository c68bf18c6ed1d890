// schema.cc: the MJCF schema as Python lists, for tests, docs and editors.
#include <algorithm>
#include <string>
#include <vector>

#include "bind.h"
#include "mjcf/schema/table.h"

namespace lockstep::python {
namespace {

nb::dict attribute(const mjcf::Row& row) {
  nb::list keywords;
  if (row.words) {
    for (const EnumValue& word : row.words()) {
      if (!word.keyword.empty()) keywords.append(nb::str(word.keyword.data(), word.keyword.size()));
    }
  }
  std::string form = row.ops ? row.ops().describe(row) : std::string(row.form);
  nb::dict result;
  result["name"] = std::string(row.name).c_str();
  result["form"] = form.c_str();
  result["keywords"] = keywords;
  result["required"] = row.is(mjcf::required);
  result["doc"] = std::string(row.doc).c_str();
  result["dimension"] = std::string(row.dimension).c_str();
  return result;
}

void collect(const mjcf::Child& child, const std::string& above, bool simulated,
             std::vector<const mjcf::Rule*>& open, nb::list& out) {
  const mjcf::Rule& rule = *child.rule;
  if (std::find(open.begin(), open.end(), &rule) != open.end()) return;
  std::string name(rule.name == "(world)body" ? "body" : rule.name);
  std::string path = open.empty() ? "" : above.empty() ? name : above + "/" + name;
  simulated = simulated && rule.simulated;
  nb::list attributes;
  bool prototype = path.starts_with("default/");  // some attributes make no sense in a class
  for (const mjcf::Row& row : rule.rows) {
    if (!prototype || !row.is(mjcf::not_in_default)) attributes.append(attribute(row));
  }
  nb::dict element;
  element["path"] = path.c_str();
  element["count"] = std::string(1, static_cast<char>(child.count)).c_str();
  element["simulated"] = simulated;
  element["doc"] = std::string(rule.doc).c_str();
  element["attributes"] = attributes;
  out.append(element);
  open.push_back(&rule);
  for (const mjcf::Child& inner : rule.children) collect(inner, path, simulated, open, out);
  open.pop_back();
}

}  // namespace

void bind_schema(nb::module_& m) {
  m.def(
      "schema",
      [] {
        nb::list elements;
        std::vector<const mjcf::Rule*> open;
        collect({&mjcf::mjcf_schema(), mjcf::Count::one}, "", true, open, elements);
        return elements;
      },
      "Every element of MJCF, with its attributes, their forms, keywords and meanings.");
}

}  // namespace lockstep::python
