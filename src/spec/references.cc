#include "spec/references.h"

namespace lockstep {
namespace {

// bodies have two kinds of frames but one list
ObjType listed_as(ObjType kind) { return kind == ObjType::xbody ? ObjType::body : kind; }

// renamed, and found under the new name; the world has the same name everywhere
bool follow(ObjType kind, std::string& name, const Renaming& rename, NameIndex& index) {
  if (listed_as(kind) == ObjType::body && name == "world") return true;
  name = rename(name);
  return index.contains(kind, name);
}

// two names, at least one of which must follow the renaming
bool follow_pair(ObjType kind1, std::string& name1, ObjType kind2, std::string& name2,
                 const Renaming& rename, NameIndex& index) {
  std::string new1 = rename(name1), new2 = rename(name2);
  bool found1 = index.contains(kind1, new1), found2 = index.contains(kind2, new2);
  if (!found1 && !found2) return false;
  if (found1) name1 = new1;
  if (found2) name2 = new2;
  return index.contains(kind1, name1) && index.contains(kind2, name2);
}

ObjType object_kind(const Wrap& wrap) {
  switch (wrap.type) {
    case WrapType::joint: return ObjType::joint;
    case WrapType::site: return ObjType::site;
    case WrapType::sphere:
    case WrapType::cylinder: return ObjType::geom;
    default: return ObjType::unknown;
  }
}

bool exists(const Wrap& wrap, NameIndex& index) {
  return index.contains(object_kind(wrap), wrap.target) &&
         (wrap.sidesite.empty() || index.contains(ObjType::site, wrap.sidesite));
}

bool senses_nothing(SensorType type) {
  return type == SensorType::e_potential || type == SensorType::e_kinetic ||
         type == SensorType::clock || type == SensorType::plugin || type == SensorType::user ||
         type == SensorType::contact;
}

}  // namespace

std::unordered_set<std::string>& NameIndex::names_of(ObjType kind) {
  auto [entry, is_new] = names_.try_emplace(kind);
  if (is_new) {
    for (const Element* element : spec_.all(kind)) entry->second.insert(element->name);
    entry->second.erase("");
  }
  return entry->second;
}

bool NameIndex::contains(ObjType kind, const std::string& name) {
  return names_of(listed_as(kind)).count(name) > 0;
}

void NameIndex::insert(ObjType kind, const std::string& name) {
  if (!name.empty()) names_of(kind).insert(name);
}

ObjType object_kind(const EqualitySpec& equality) {
  switch (equality.type) {
    case EqType::joint: return ObjType::joint;
    case EqType::tendon: return ObjType::tendon;
    case EqType::flex:
    case EqType::flexvert:
    case EqType::flexstrain: return ObjType::flex;
    case EqType::distance: return ObjType::geom;
    default: return equality.objtype == ObjType::site ? ObjType::site : ObjType::body;
  }
}

bool rebind(Skin& skin, const Renaming& rename, NameIndex& index) {
  bool ok = true;
  for (std::string& name : skin.bodyname) ok &= follow(ObjType::body, name, rename, index);
  return ok;
}

bool rebind(Flex& flex, const Renaming& rename, NameIndex& index) {
  bool ok = true;
  for (std::string& name : flex.vertbody) ok &= follow(ObjType::body, name, rename, index);
  for (std::string& name : flex.nodebody) ok &= follow(ObjType::body, name, rename, index);
  return ok;
}

bool rebind(Pair& pair, const Renaming& rename, NameIndex& index) {
  return follow_pair(ObjType::geom, pair.geomname1, ObjType::geom, pair.geomname2, rename, index);
}

bool rebind(Exclude& exclude, const Renaming& rename, NameIndex& index) {
  return follow_pair(ObjType::body, exclude.bodyname1, ObjType::body, exclude.bodyname2, rename,
                     index);
}

bool rebind(Tendon& tendon, const Renaming& rename, NameIndex& index) {
  bool followed = false;
  for (Wrap& wrap : tendon.path) {
    if (wrap.type == WrapType::pulley) continue;
    Wrap moved = wrap;
    rename.apply(moved.target);
    rename.apply(moved.sidesite);
    if (exists(moved, index)) {
      wrap = std::move(moved);
      followed = true;
    } else if (!exists(wrap, index)) {
      return false;
    }
  }
  return followed;
}

bool rebind(Equality& equality, const Renaming& rename, NameIndex& index) {
  ObjType kind = object_kind(equality);
  bool ok = follow(kind, equality.name1, rename, index);
  if (!equality.name2.empty()) ok &= follow(kind, equality.name2, rename, index);
  bool to_world = kind == ObjType::body && equality.name2.empty();
  return ok && equality.name1 != (to_world ? "world" : equality.name2);
}

bool rebind(Actuator& actuator, const Renaming& rename, NameIndex& index) {
  auto site = [&](std::string& name) {
    if (name.empty()) return true;
    name = rename(name);
    return index.contains(ObjType::site, name);
  };
  bool ok = site(actuator.refsite);
  ok &= site(actuator.slidersite);
  rename.apply(actuator.target);
  switch (actuator.trntype) {
    case TrnType::joint:
    case TrnType::jointinparent: return ok && index.contains(ObjType::joint, actuator.target);
    case TrnType::tendon: return ok && index.contains(ObjType::tendon, actuator.target);
    case TrnType::site:
    case TrnType::slidercrank: return ok && index.contains(ObjType::site, actuator.target);
    case TrnType::body: return ok && index.contains(ObjType::body, actuator.target);
    case TrnType::so3:
      return ok && (index.contains(ObjType::joint, actuator.target) ||
                    index.contains(ObjType::site, actuator.target));
    default: return false;
  }
}

bool rebind(Sensor& sensor, const Renaming& rename, NameIndex& index) {
  bool obj = sensor.objtype != ObjType::unknown, ref = sensor.reftype != ObjType::unknown;
  if (obj && ref) {
    return follow_pair(sensor.objtype, sensor.objname, sensor.reftype, sensor.refname, rename,
                       index);
  }
  if (obj) {
    sensor.objname = rename(sensor.objname);
    return index.contains(sensor.objtype, sensor.objname);
  }
  if (ref) {
    sensor.refname = rename(sensor.refname);
    return index.contains(sensor.reftype, sensor.refname);
  }
  return senses_nothing(sensor.type);
}

bool rebind(Tuple& tuple, const Renaming& rename, NameIndex& index) {
  if (tuple.objtype.empty() || tuple.objtype.size() != tuple.objname.size()) return false;
  bool ok = true;
  for (size_t i = 0; i < tuple.objname.size(); ++i) {
    ok &= follow(static_cast<ObjType>(tuple.objtype[i]), tuple.objname[i], rename, index);
  }
  return ok;
}

}  // namespace lockstep
