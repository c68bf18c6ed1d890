// write_custom.cc: user data, keyframes.
#include "mjcf/writer.h"

namespace lockstep::mjcf {

void Writer::custom(OutNode& root) {
  OutNode& section = root.add("custom");
  for (const Numeric* n : spec_.numerics) {
    OutNode& node = section.add("numeric");
    node.set_text("name", n->name);
    const size_t count = n->data.size();
    if (n->size) node.set("size", std::to_string(n->size));
    node.set("data", format_numbers(n->data.data(), count, digits_));
  }
  for (const Text* t : spec_.texts) {
    OutNode& node = section.add("text");
    node.set_text("name", t->name);
    if (t->data.find_first_of("\n\r<>&\"'") != std::string::npos &&
        t->data.find("]]>") == std::string::npos) {
      node.cdata = t->data;
    } else {
      node.set_text("data", t->data);
    }
  }
  for (const Tuple* t : spec_.tuples) {
    OutNode& node = section.add("tuple");
    node.set_text("name", t->name);
    for (size_t i = 0; i < t->objtype.size() && i < t->objname.size(); i++) {
      OutNode& element = node.add("element");
      element.set_text("objtype", std::string(keyword_of(static_cast<ObjType>(t->objtype[i]))));
      element.set_text("objname", t->objname[i]);
      if (i < t->objprm.size() && t->objprm[i] != 0) number(element, "prm", t->objprm[i], nullptr);
    }
  }
  root.drop_last_if_empty();
}

void Writer::keyframe(OutNode& root) {
  OutNode& section = root.add("keyframe");
  const KeySpec usual;
  for (const Key* k : spec_.keys) {
    OutNode& node = section.add("key");
    node.set_text("name", k->name);
    const KeySpec& given = *k;
    rows(node, key_rule, &given, &usual);
    // what is written in full says what it said, even if nothing differs from the start
    if (compiled_ && node.empty()) section.children.pop_back();
  }
  // keyframes that are only asked for by number
  constexpr int max_padding = 100000;  // a larger number is an error, not a wish
  const int wished = compiled_ || spec_.nkey > max_padding ? 0 : spec_.nkey;
  for (int i = static_cast<int>(spec_.keys.size()); i < wished; i++) {
    section.add("key");
  }
  root.drop_last_if_empty();
}

}  // namespace lockstep::mjcf
