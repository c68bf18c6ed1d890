#include "compile/references.h"

namespace lockstep {
namespace {

ObjType wrapped_kind(WrapType type) {
  switch (type) {
    case WrapType::joint: return ObjType::joint;
    case WrapType::site: return ObjType::site;
    case WrapType::sphere:
    case WrapType::cylinder: return ObjType::geom;
    default: return ObjType::unknown;
  }
}

}  // namespace

void References::add(Names& names, ObjType kind, const std::string& name) {
  if (kind == ObjType::xbody) kind = ObjType::body;
  if (!name.empty()) names[code(kind)].insert(name);
}

bool References::has(const Names& names, ObjType kind, const std::string& name) {
  auto found = names.find(code(kind));
  return !name.empty() && found != names.end() && found->second.contains(name);
}

bool References::contains(ObjType kind, const std::string& name) const {
  return has(all_, kind, name) || has(sensed_, kind, name);
}
bool References::sensed(ObjType kind, const std::string& name) const {
  return has(sensed_, kind, name);
}

References::References(const Spec& spec) {
  for (const Sensor* sensor : spec.sensors) {
    add(sensed_, sensor->objtype, sensor->objname);
    add(sensed_, sensor->reftype, sensor->refname);
  }
  for (const Tuple* tuple : spec.tuples) {
    for (size_t i = 0; i < tuple->objname.size() && i < tuple->objtype.size(); i++) {
      add(sensed_, static_cast<ObjType>(tuple->objtype[i]), tuple->objname[i]);
    }
  }
  for (const Pair* pair : spec.pairs) {
    add(all_, ObjType::geom, pair->geomname1);
    add(all_, ObjType::geom, pair->geomname2);
  }
  for (const Exclude* exclude : spec.excludes) {
    add(all_, ObjType::body, exclude->bodyname1);
    add(all_, ObjType::body, exclude->bodyname2);
  }
  for (const Equality* equality : spec.equalities) {
    bool bodies = equality->type == EqType::connect || equality->type == EqType::weld;
    if (!bodies || equality->objtype == ObjType::site) continue;
    add(all_, ObjType::body, equality->name1);
    add(all_, ObjType::body, equality->name2);
  }
  for (const Tendon* tendon : spec.tendons) {
    for (const Wrap& wrap : tendon->path) {
      add(all_, wrapped_kind(wrap.type), wrap.target);
      add(all_, ObjType::site, wrap.sidesite);
    }
  }
  for (const Actuator* actuator : spec.actuators) {
    if (actuator->trntype == TrnType::body) add(all_, ObjType::body, actuator->target);
  }
  for (const Camera* camera : spec.all<Camera>()) add(all_, ObjType::body, camera->targetbody);
  for (const Light* light : spec.all<Light>()) add(all_, ObjType::body, light->targetbody);
  for (const Skin* skin : spec.skins) {
    for (const std::string& name : skin->bodyname) add(all_, ObjType::body, name);
  }
  for (const Flex* flex : spec.flexes) {
    for (const std::string& name : flex->nodebody) add(all_, ObjType::body, name);
    for (const std::string& name : flex->vertbody) add(all_, ObjType::body, name);
  }
}

}  // namespace lockstep
