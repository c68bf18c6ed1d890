// read_sensor.cc: sensors.
#include <algorithm>

#include "mjcf/reader.h"
#include "mjcf/schema/words.h"

namespace lockstep::mjcf {

void Reader::sensor(const Node& section) {
  for (const Node& node : section.children) {
    const SensorKind* kind = sensor_kind(node.name);
    if (!kind) continue;
    Sensor* sensor = spec_.add<Sensor>();
    identify(*sensor, node);
    sensor->type = kind->type;
    sensor->objtype = kind->objtype;
    sensor->reftype = kind->reftype;
    rows(node, *sensor_rule_of(kind->type), &sensor->attributes());
    sensor_hooks(node, *sensor);
  }
}

void Reader::sensor_hooks(const Node& node, SensorSpec& sensor) {
  switch (sensor.type) {
    case SensorType::rangefinder: {
      bool site = node.has("site");
      sensor.objtype = site ? ObjType::site : ObjType::camera;
      sensor.objname = node.text(site ? "site" : "camera");
      int bits = ordered_bits(node, "data", enum_values<RayDataField>(), false);
      sensor.intprm[0] = bits ? bits : 1 << code(RayDataField::dist);
      break;
    }
    case SensorType::insidesite:
      sensor.intprm[0] = keyword_number(node, "enclosed", false_true()) == 1;
      break;
    case SensorType::geomdist:
    case SensorType::geomnormal:
    case SensorType::geomfromto: between(node, sensor); break;
    case SensorType::contact: contact_sensor(node, sensor); break;
    case SensorType::user:
      if (node.has("objtype")) sensor.objtype = object_kind(node, "objtype");
      break;
    case SensorType::plugin:
      plugin(node, sensor.plugin);
      if (node.has("objtype")) sensor.objtype = object_kind(node, "objtype");
      if (node.has("reftype")) sensor.reftype = object_kind(node, "reftype");
      break;
    default: break;
  }
}

// two geoms or bodies
void Reader::between(const Node& node, SensorSpec& sensor) {
  bool body1 = node.has("body1"), body2 = node.has("body2");
  sensor.objtype = body1 ? ObjType::body : ObjType::geom;
  sensor.objname = node.text(body1 ? "body1" : "geom1");
  sensor.reftype = body2 ? ObjType::body : ObjType::geom;
  sensor.refname = node.text(body2 ? "body2" : "geom2");
}

void Reader::contact_sensor(const Node& node, SensorSpec& sensor) {
  struct Criterion {
    std::string_view attribute;
    ObjType kind;
  };
  constexpr Criterion first[] = {{"site", ObjType::site},
                                 {"body1", ObjType::body},
                                 {"subtree1", ObjType::xbody},
                                 {"geom1", ObjType::geom}};
  constexpr Criterion second[] = {
      {"body2", ObjType::body}, {"subtree2", ObjType::xbody}, {"geom2", ObjType::geom}};
  auto match = [&](const auto& criteria, ObjType& kind, std::string& name) {
    for (const Criterion& criterion : criteria) {
      if (!node.has(criterion.attribute)) continue;
      kind = criterion.kind;
      name = node.text(criterion.attribute);
    }
  };
  match(first, sensor.objtype, sensor.objname);
  match(second, sensor.reftype, sensor.refname);
  int bits = ordered_bits(node, "data", enum_values<ConDataField>(), false);
  sensor.intprm[0] = bits ? bits : 1 << code(ConDataField::found);
  sensor.intprm[1] = std::max(0, keyword_number(node, "reduce", reductions()));
  sensor.intprm[2] = 1;
  if (integer(node, "num", sensor.intprm[2]) && sensor.intprm[2] <= 0) {
    error(node, "num", "must be positive").expected = "a positive integer";
  }
}

}  // namespace lockstep::mjcf
