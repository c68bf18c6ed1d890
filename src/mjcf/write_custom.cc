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

// what differs from the state after a reset
void Writer::compiled_key(OutNode& node, const Key& key) {
  const Model& m = *model_;
  auto put = [&](std::string_view name, const double* values, int64_t size, auto&& usual) {
    for (int64_t i = 0; i < size; i++) {
      if (values[size * key.id + i] == usual(i)) continue;
      node.set(name, format_numbers(values + size * key.id, static_cast<size_t>(size), digits_));
      return;
    }
  };
  auto zero = [](int64_t) { return 0.0; };
  std::vector<int> mocap(static_cast<size_t>(m.nmocap));
  for (int body = 0; body < m.nbody; body++) {
    if (m.body_mocapid[body] >= 0) mocap[static_cast<size_t>(m.body_mocapid[body])] = body;
  }
  if (key.time != 0) number(node, "time", key.time, nullptr);
  put("qpos", m.key_qpos, m.nq, [&](int64_t i) { return m.qpos0[i]; });
  put("qvel", m.key_qvel, m.nv, zero);
  put("act", m.key_act, m.na, zero);
  put("mpos", m.key_mpos, 3 * m.nmocap,
      [&](int64_t i) { return m.body_pos[3 * mocap[static_cast<size_t>(i / 3)] + i % 3]; });
  put("mquat", m.key_mquat, 4 * m.nmocap,
      [&](int64_t i) { return m.body_quat[4 * mocap[static_cast<size_t>(i / 4)] + i % 4]; });
  put("ctrl", m.key_ctrl, m.nu, zero);
  row(node, key_rule, "plastic", &key.attributes(), nullptr);
}

void Writer::keyframe(OutNode& root) {
  OutNode& section = root.add("keyframe");
  const KeySpec usual;
  for (const Key* k : spec_.keys) {
    OutNode& node = section.add("key");
    node.set_text("name", k->name);
    const KeySpec& given = *k;
    if (model_ && k->id >= 0 && k->id < model_->nkey) {
      compiled_key(node, *k);
    } else {
      rows(node, key_rule, &given, &usual);
    }
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
