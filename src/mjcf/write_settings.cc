// write_settings.cc: compiler, option, size, statistic, visual.
#include <fmt/core.h>

#include <algorithm>

#include "mjcf/schema/words.h"
#include "mjcf/writer.h"

namespace lockstep::mjcf {

void Writer::compiler(OutNode& root) {
  OutNode& node = root.add("compiler");
  if (compiled_) {
    compiled_settings(node);
    return;
  }
  // the settings that say how to save are not passed on
  CompilerSpec given = *spec_.compiler;
  const CompilerSpec usual;
  given.saveinertial = usual.saveinertial;
  given.savecompiled = usual.savecompiled;
  given.savecanonical = usual.savecanonical;
  given.degree = degree_;
  if (canonical_) given.eulerseq = usual.eulerseq;
  rows(node, compiler_rule, &given, &usual, "compiler");
  for (const char* name : {"saveinertial", "savecompiled", "savecanonical"}) node.drop(name);
  if (given.eulerseq != usual.eulerseq || (!canonical_ && authored("compiler/eulerseq"))) {
    node.set("eulerseq", given.eulerseq);
  }
  node.set_text("meshdir", given.meshdir);
  node.set_text("texturedir", given.texturedir);
  if (spec_.strippath) node.set("strippath", "true");
  rows(node.add("lengthrange"), lengthrange_rule, &given.LRopt, &usual.LRopt);
  node.drop_last_if_empty();
  root.drop_last_if_empty();
}

// what still matters to compiled numbers
void Writer::compiled_settings(OutNode& node) {
  const CompilerSpec& given = *spec_.compiler;
  const CompilerSpec usual;
  node.set("angle", "radian");
  node.set_text("meshdir", given.meshdir);
  node.set_text("texturedir", given.texturedir);
  auto put = [&](std::string_view name) { row(node, compiler_rule, name, &given, &usual); };
  put("usethread");
  put("boundmass");
  put("boundinertia");
  if (given.inertiafromgeom == InertiaFromGeom::false_) node.set("inertiafromgeom", "false");
  for (const char* name :
       {"inertiagrouprange", "alignfree", "autolimits", "conflict", "passthrough"}) {
    put(name);
  }
}

void Writer::option(OutNode& root) {
  OutNode& node = root.add("option");
  const Option usual;
  rows(node, option_rule, &spec_.option, &usual, "option");
  std::vector<int> groups;
  for (int group = 0; group < 31; group++) {
    if (spec_.option.disableactuator & (1 << group)) groups.push_back(group);
  }
  if (!groups.empty()) {
    node.set("actuatorgroupdisable", format_numbers(groups.data(), groups.size(), digits_));
  }
  OutNode& flag = node.add("flag");
  for (const Row& r : flag_rule.rows) {
    const bool kept = authored(fmt::format("flag/{}", r.name));
    if (auto bit = enum_of<DisableBit>(r.name)) {
      bool off = spec_.option.disableflags & code(*bit);
      if (off || kept) flag.set(r.name, off ? "disable" : "enable");
    } else if (auto bit = enum_of<EnableBit>(r.name)) {
      bool on = spec_.option.enableflags & code(*bit);
      if (on || kept) flag.set(r.name, on ? "enable" : "disable");
    }
  }
  node.drop_last_if_empty();
  root.drop_last_if_empty();
}

namespace {

// bytes in the largest unit that divides them
std::string byte_count(int64_t bytes) {
  constexpr std::string_view units = " KMGTPE";
  size_t unit = 0;
  while (unit + 1 < units.size() && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    unit++;
  }
  std::string text = std::to_string(bytes);
  if (unit) text += units[unit];
  return text;
}

}  // namespace

void Writer::size(OutNode& root) {
  OutNode& node = root.add("size");
  if (spec_.memory != -1) node.set("memory", byte_count(spec_.memory));
  if (spec_.njmax != -1) node.set("njmax", std::to_string(spec_.njmax));
  if (spec_.nconmax != -1) node.set("nconmax", std::to_string(spec_.nconmax));
  if (spec_.nstack != -1) node.set("nstack", std::to_string(spec_.nstack));
  SizeSpec given = spec_, usual;
  if (compiled_) {
    usual.nuser_body = usual.nuser_jnt = usual.nuser_geom = usual.nuser_site = usual.nuser_cam =
        usual.nuser_tendon = usual.nuser_actuator = usual.nuser_sensor = 0;
    auto count = [](int& size, const auto& list) {
      if (size >= 0) return;
      for (const auto* element : list) {
        size = std::max(size, static_cast<int>(element->userdata.size()));
      }
      size = std::max(size, 0);
    };
    count(given.nuser_body, spec_.all<Body>());
    count(given.nuser_jnt, spec_.all<Joint>());
    count(given.nuser_geom, spec_.all<Geom>());
    count(given.nuser_site, spec_.all<Site>());
    count(given.nuser_cam, spec_.all<Camera>());
    count(given.nuser_tendon, spec_.tendons);
    count(given.nuser_actuator, spec_.actuators);
    count(given.nuser_sensor, spec_.sensors);
  }
  rows(node, size_rule, &given, &usual);
  root.drop_last_if_empty();
}

void Writer::statistic(OutNode& root) {
  rows(root.add("statistic"), statistic_rule, &spec_.stat, nullptr);
  root.drop_last_if_empty();
}

void Writer::visual(OutNode& root) {
  OutNode& node = root.add("visual");
  const Visual usual;
  auto group = [&](const Rule& rule, const void* given, const void* base) {
    rows(node.add(rule.name), rule, given, base, fmt::format("visual/{}", rule.name));
    node.drop_last_if_empty();
  };
  group(global_rule, &spec_.visual.global_, &usual.global_);
  group(quality_rule, &spec_.visual.quality, &usual.quality);
  group(headlight_rule, &spec_.visual.headlight, &usual.headlight);
  group(map_rule, &spec_.visual.map, &usual.map);
  group(scale_rule, &spec_.visual.scale, &usual.scale);
  group(rgba_rule, &spec_.visual.rgba, &usual.rgba);
  root.drop_last_if_empty();
}

}  // namespace lockstep::mjcf
