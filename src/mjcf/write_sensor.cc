// write_sensor.cc: sensors.
#include <fmt/format.h>

#include "mjcf/schema/words.h"
#include "mjcf/writer.h"

namespace lockstep::mjcf {
namespace {

// the first kind of data alone is what is reported when nothing is said
std::string data_words(std::span<const EnumValue> words, int bits) {
  if (bits == 1) return "";
  std::vector<std::string_view> list;
  for (const EnumValue& entry : words) {
    if (!entry.keyword.empty() && (bits & (1 << entry.number))) list.push_back(entry.keyword);
  }
  return fmt::format("{}", fmt::join(list, " "));
}

std::string kind_word(ObjType kind) { return std::string(keyword_of(kind)); }

void write_contact(OutNode& node, const Sensor& s) {
  auto criterion = [&](ObjType kind, const std::string& name, char number) {
    std::string attribute = kind == ObjType::body    ? "body"
                            : kind == ObjType::xbody ? "subtree"
                            : kind == ObjType::geom  ? "geom"
                                                     : "";
    if (!attribute.empty()) node.set_text(attribute + number, name);
    if (kind == ObjType::site) node.set_text("site", name);
  };
  criterion(s.objtype, s.objname, '1');
  criterion(s.reftype, s.refname, '2');
  if (s.intprm[2] != 1) node.set("num", std::to_string(s.intprm[2]));
  node.set_text("data", data_words(enum_values<ConDataField>(), s.intprm[0]));
  for (const EnumValue& entry : reductions()) {
    if (entry.number && entry.number == s.intprm[1]) {
      node.set("reduce", std::string(entry.keyword));
    }
  }
}

}  // namespace

OutNode& Writer::sensor_element(OutNode& section, const Sensor& s) {
  OutNode& node = section.add(sensor_rule_of(s.type)->name);
  switch (s.type) {
    case SensorType::rangefinder:
      node.set_text(s.objtype == ObjType::site ? "site" : "camera", s.objname);
      node.set_text("data", data_words(enum_values<RayDataField>(), s.intprm[0]));
      break;
    case SensorType::camprojection:
      node.set_text("site", s.objname);
      node.set_text("camera", s.refname);
      break;
    case SensorType::insidesite:
      node.set_text("objtype", kind_word(s.objtype));
      node.set_text("objname", s.objname);
      node.set_text("site", s.refname);
      if (s.intprm[0]) node.set("enclosed", "true");
      break;
    case SensorType::geomdist:
    case SensorType::geomnormal:
    case SensorType::geomfromto:
      node.set_text(s.objtype == ObjType::body ? "body1" : "geom1", s.objname);
      node.set_text(s.reftype == ObjType::body ? "body2" : "geom2", s.refname);
      break;
    case SensorType::contact: write_contact(node, s); break;
    case SensorType::tactile:
      node.set_text("geom", s.refname);
      node.set_text("mesh", s.objname);
      break;
    case SensorType::plugin:
      if (s.objtype != ObjType::unknown) {
        node.set("objtype", kind_word(s.objtype));
        node.set_text("objname", s.objname);
      }
      if (s.reftype != ObjType::unknown) {
        node.set("reftype", kind_word(s.reftype));
        node.set_text("refname", s.refname);
      }
      plugin(node, s.plugin);
      break;
    case SensorType::user:
      if (s.objtype != ObjType::unknown) node.set("objtype", kind_word(s.objtype));
      node.set_text("objname", s.objname);
      node.set("dim", std::to_string(s.dim));
      node.set("needstage", std::string(keyword_of(s.needstage)));
      node.set("datatype", std::string(keyword_of(s.datatype)));
      break;
    default: {
      // the attribute that names the object is the one that its row binds
      const Rule& rule = *sensor_rule_of(s.type);
      if (rule.find("objtype")) {
        node.set_text("objtype", kind_word(s.objtype));
        node.set_text("objname", s.objname);
        if (s.reftype != ObjType::unknown) {
          node.set("reftype", kind_word(s.reftype));
          node.set_text("refname", s.refname);
        }
      } else if (!s.objname.empty()) {
        node.set(keyword_of(s.objtype), s.objname);
      }
    }
  }
  return node;
}

void Writer::sensor(OutNode& root) {
  OutNode& section = root.add("sensor");
  const SensorSpec usual;
  for (const Sensor* s : spec_.sensors) {
    if (!sensor_rule_of(s->type)) continue;
    const Rule& rule = *sensor_rule_of(s->type);
    OutNode& node = sensor_element(section, *s);
    node.set_text("name", s->name);
    const SensorSpec& given = *s;
    for (const char* name : {"cutoff", "noise", "nsample", "interp", "delay"}) {
      if (rule.find(name)) row(node, rule, name, &given, &usual);
    }
    if (rule.find("interval")) {
      numbers(node, "interval", given.interval.data(), 2, usual.interval.data());
    }
    user(node, given.userdata, {});
  }
  root.drop_last_if_empty();
}

}  // namespace lockstep::mjcf
