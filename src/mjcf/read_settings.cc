// read_settings.cc: compiler, option, size, visual, statistic.
#include <fmt/core.h>

#include <charconv>

#include "mjcf/reader.h"
#include "mjcf/schema/words.h"

namespace lockstep::mjcf {

// remembers which settings were written
void Reader::author(const Node& node, std::string_view path) {
  for (const Attribute& attribute : node.attributes) {
    spec_.authored.insert(fmt::format("{}/{}", path, attribute.name));
  }
}

void Reader::compiler(const Node& node) {
  CompilerSpec& settings = *spec_.compiler;
  author(node, "compiler");
  if (int strip = keyword_number(node, "strippath", false_true()); strip >= 0) {
    spec_.strippath = strip;
  }
  if (keyword_number(node, "coordinate", local_global()) == 1) {
    error(node, "coordinate", "global coordinates are no longer part of the language").expected =
        "local";
  }
  if (const Attribute* directory = node.find("assetdir")) {
    settings.meshdir = directory->value;
    settings.texturedir = directory->value;
  }
  rows(node, compiler_rule, &settings);
  if (const Attribute* sequence = node.find("eulerseq")) {
    if (sequence->value.size() != 3 ||
        sequence->value.find_first_not_of("xyzXYZ") != std::string_view::npos) {
      error(node, "eulerseq", "not a sequence of axes").expected = "3 letters of xyzXYZ";
    } else {
      settings.eulerseq = sequence->value;
    }
  }
  if (const Node* child = node.child("lengthrange")) {
    author(*child, "lengthrange");
    rows(*child, lengthrange_rule, &settings.LRopt);
  }
}

void Reader::option(const Node& node) {
  author(node, "option");
  rows(node, option_rule, &spec_.option);
  for (int group : integers(node, "actuatorgroupdisable", 1, 31)) {
    if (group < 0 || group > 30) {
      error(node, "actuatorgroupdisable", "no such actuator group").expected =
          "integers from 0 to 30";
    } else {
      spec_.option.disableactuator |= 1 << group;
    }
  }
  if (const Node* child = node.child("flag")) flags(*child);
}

void Reader::flags(const Node& node) {
  author(node, "flag");
  for (const Attribute& attribute : node.attributes) {
    int on = keyword_number(node, attribute.name, enable_disable());
    if (on < 0) continue;
    auto apply = [&](int& word, int bit, bool set) { word = set ? word | bit : word & ~bit; };
    if (auto bit = enum_of<DisableBit>(attribute.name)) {
      apply(spec_.option.disableflags, code(*bit), !on);
    } else if (auto bit = enum_of<EnableBit>(attribute.name)) {
      apply(spec_.option.enableflags, code(*bit), on);
    }
  }
}

void Reader::memory(const Node& node) {
  std::vector<std::string_view> words = split_words(node.text("memory"));
  if (!node.has("memory")) return;
  auto fail = [&] {
    error(node, "memory", "not a number of bytes").expected =
        "an integer with one of K, M, G, T, P, E, or none";
  };
  if (words.size() != 1) return fail();
  if (words[0] == "-1") return;
  uint64_t count = 0;
  const char* end = words[0].data() + words[0].size();
  auto [stop, status] = std::from_chars(words[0].data(), end, count);
  if (status != std::errc()) return fail();
  int shift = 0;
  if (stop != end) {
    size_t unit = std::string_view("KMGTPEkmgtpe").find(*stop);
    if (unit == std::string_view::npos || stop + 1 != end) return fail();
    shift = 10 * (static_cast<int>(unit % 6) + 1);
  }
  if (count > (uint64_t{1} << (63 - shift)) - 1) return fail();
  spec_.memory = static_cast<int64_t>(count << shift);
}

void Reader::size(const Node& node) {
  memory(node);
  rows(node, size_rule, static_cast<SizeSpec*>(&spec_));
  auto bounded = [&](std::string_view attribute, auto& value) {
    int number = -1;
    if (!integer(node, attribute, number)) return;
    if (number < -1) {
      error(node, attribute, "too small").expected = "an integer of at least -1";
    } else {
      value = number;
    }
  };
  bounded("njmax", spec_.njmax);
  bounded("nconmax", spec_.nconmax);
  bounded("nstack", spec_.nstack);
  for (const Attribute& attribute : node.attributes) {
    int number = 0;
    if (attribute.name.starts_with("nuser_") && integer(node, attribute.name, number) &&
        number < -1) {
      error(node, attribute.name, "too small").expected = "an integer of at least -1";
    }
  }
}

void Reader::visual(const Node& node) {
  auto section = [&](const Rule& rule, void* object) {
    for (const Node& child : node.children) {
      if (child.name != rule.name) continue;
      author(child, fmt::format("visual/{}", rule.name));
      rows(child, rule, object);
    }
  };
  section(global_rule, &spec_.visual.global_);
  section(quality_rule, &spec_.visual.quality);
  section(headlight_rule, &spec_.visual.headlight);
  section(map_rule, &spec_.visual.map);
  section(scale_rule, &spec_.visual.scale);
  section(rgba_rule, &spec_.visual.rgba);
  const Node* global = node.child("global");
  if (global && spec_.visual.global_.realtime <= 0) {
    error(*global, "realtime", "must be positive").expected = "a positive number";
  }
  const Node* map = node.child("map");
  if (map && spec_.visual.map.znear <= 0) {
    error(*map, "znear", "must be positive").expected = "a positive number";
  }
}

void Reader::statistic(const Node& node) {
  rows(node, statistic_rule, &spec_.stat);
  if (spec_.stat.extent <= 0) {
    error(node, "extent", "must be positive").expected = "a positive number";
  }
}

}  // namespace lockstep::mjcf
